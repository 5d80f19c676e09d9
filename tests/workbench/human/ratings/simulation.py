"""Simulated rounds whose true strengths are known: where votes cluster, and how."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from workbench.human.ratings.comparisons import Clustering, Comparisons, clusterings
from workbench.human.ratings.graph import unbeaten_groups
from workbench.human.ratings.intervals import naive_errors, sandwich
from workbench.human.ratings.strengths import fit_bradley_terry
from workbench.stats.estimate import FloatVector

METHODS: tuple[Clustering, ...] = ("none", "rater", "question", "auto")
NORMAL_95 = 1.959964


@dataclass(frozen=True, slots=True)
class Design:
    """`question_sd` and `rater_sd`: how much strengths vary from question to question and from rater to rater."""

    name: str
    models: int
    questions: int
    raters: int
    overlap: int = 1
    question_sd: float = 0.0
    rater_sd: float = 0.0
    ties: float = 0.2
    spread: float = 0.6

    def strengths(self) -> FloatVector:
        return np.linspace(-self.spread, self.spread, self.models)


DESIGNS: tuple[Design, ...] = (
    Design("balanced, votes independent", 4, 40, 20),
    Design("two models, few votes", 2, 30, 15),
    Design("sparse: six models, ten questions", 6, 10, 15, question_sd=0.5),
    Design("clustered by question", 4, 40, 20, overlap=3, question_sd=1.0),
    Design("clustered by rater", 4, 40, 20, rater_sd=1.0),
    Design("clustered by both", 4, 40, 20, overlap=2, question_sd=1.0, rater_sd=0.5),
    Design("half the votes are ties", 4, 40, 20, question_sd=0.5, ties=0.5),
    Design("four raters who differ", 4, 40, 4, overlap=2, question_sd=0.5, rater_sd=0.7),
)


def true_logits(design: Design) -> FloatVector:
    """The strengths that endless questions and raters would give: what an interval is to hold."""
    rng = np.random.default_rng(99)
    size, strengths = design.models, design.strengths()
    effects = strengths + rng.normal(0, np.hypot(design.question_sd, design.rater_sd), (400_000, size))
    wins = np.zeros((size, size))
    for a in range(size):
        for b in range(size):
            if a != b:
                chance = (1 / (1 + np.exp(effects[:, b] - effects[:, a]))).mean()
                wins[a, b] = (1 - design.ties) * chance + design.ties / 2
    return fit_bradley_terry(wins, np.zeros((size, size))).logits


def simulate(design: Design, rng: np.random.Generator) -> Comparisons:
    """One round: every pair of models on every question, before `overlap` raters."""
    pairs = [(a, b) for a in range(design.models) for b in range(a + 1, design.models)]
    grid = np.meshgrid(np.arange(design.questions), np.arange(len(pairs)), np.arange(design.overlap), indexing="ij")
    question, pair, copy = (axis.ravel() for axis in grid)
    a, b = (np.array([sides[i] for sides in pairs])[pair] for i in (0, 1))
    # As rounds seat raters: in turn over shuffled pairs.
    place = rng.permutation(design.questions * len(pairs))[question * len(pairs) + pair]
    rater = (place * design.overlap + copy) % design.raters
    strengths = design.strengths()
    of_question = rng.normal(0, design.question_sd, (design.questions, design.models))
    of_rater = rng.normal(0, design.rater_sd, (design.raters, design.models))
    effect = strengths + of_question[question] + of_rater[rater]
    rows = np.arange(len(a))
    chance = 1 / (1 + np.exp(effect[rows, b] - effect[rows, a]))
    score = np.where(rng.random(len(a)) < design.ties, 0.5, (rng.random(len(a)) < chance).astype(float))
    names = tuple(f"m{i}" for i in range(design.models))
    return Comparisons(names, a, b, score, rater, question, {}, 0)


def coverage(design: Design, *, rounds: int, seed: int) -> Mapping[str, float]:
    """Share of (round, model) whose 95% interval holds the truth, by method; `naive` takes votes as independent and the
    model as exact. `one_way` is the share of rounds left out for having no finite strengths.
    """
    rng, truth = np.random.default_rng(seed), true_logits(design)
    held: dict[str, list[float]] = defaultdict(list)
    one_way = 0
    for _ in range(rounds):
        data = simulate(design, rng)
        if len(unbeaten_groups(data.wins() + data.ties(), data.names)) > 1:
            one_way += 1
            continue
        strengths = fit_bradley_terry(data.wins(), data.ties())
        off = np.abs(strengths.logits - truth)
        held["naive"].append(float(np.mean(off <= NORMAL_95 * naive_errors(strengths))))
        for method in METHODS:
            errors = sandwich(data, strengths, clusterings(data, method), level=0.95)
            assert errors is not None
            held[method].append(float(np.mean(off <= errors.quantile * errors.errors)))
    return {**{name: float(np.mean(found)) for name, found in held.items()}, "one_way": one_way / rounds}
