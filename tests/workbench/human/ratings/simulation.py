"""Simulated rounds whose true figures are known: where votes cluster, and how."""

import itertools
from dataclasses import dataclass

import numpy as np

from workbench.human.ratings.comparisons import Comparisons, compare_columns
from workbench.human.ratings.strengths import fit_bradley_terry, fit_davidson
from workbench.schema.ballot import Vote
from workbench.stats.estimate import FloatMatrix, FloatVector, IntVector

TIES = ("both_good", "both_fair", "both_bad")


@dataclass(frozen=True, slots=True)
class Design:
    """`question_sd` and `rater_sd`: how much strengths vary from question to question and from rater to rater, the
    models' own multiples of them in `vary`. `ties`: share of votes that are tied whatever the gap; `nu`: Davidson's tie
    parameter in its place. `by_lot`: share of raters who toss a coin; `side_sd`: how much raters favour a side each;
    `side`: what they share. `style`: log-odds of a report that has all of a style against none of it.
    """

    name: str
    models: int
    questions: int
    raters: int
    overlap: int = 1
    question_sd: float = 0.0
    rater_sd: float = 0.0
    ties: float = 0.2
    nu: float = 0.0
    by_lot: float = 0.0
    side: float = 0.0
    side_sd: float = 0.0
    style: float = 0.0
    vary: tuple[float, ...] = ()
    spread: float = 0.6

    def strengths(self) -> FloatVector:
        return np.linspace(self.spread, -self.spread, self.models)

    def multiples(self) -> FloatVector:
        return np.array(self.vary or (1.0,) * self.models)


DESIGNS: tuple[Design, ...] = (
    Design("balanced, votes independent", 4, 40, 20),
    Design("two models, few votes", 2, 30, 15),
    Design("sparse: six models, ten questions", 6, 10, 15, question_sd=0.5),
    Design("clustered by question", 4, 40, 20, overlap=3, question_sd=1.0),
    Design("clustered by rater", 4, 40, 20, rater_sd=1.0),
    Design("clustered by both", 4, 40, 20, overlap=2, question_sd=1.0, rater_sd=0.5),
    Design("one model varies by question, the others do not", 4, 40, 20, 2, question_sd=1.5, vary=(1, 0, 0, 0)),
    Design("half the votes are ties", 4, 40, 20, question_sd=0.5, ties=0.5),
    Design("ties of three kinds, the closer the more", 4, 40, 20, question_sd=0.5, nu=1.0),
    Design("noisy raters: a quarter by lot, each its side", 4, 40, 20, by_lot=0.25, side_sd=0.8, question_sd=0.3),
    Design("style sways, the weak write at length", 4, 40, 20, ties=0.0, style=2.0, side=0.3),
    Design("four raters who differ", 4, 40, 4, overlap=2, question_sd=0.5, rater_sd=0.7),
    Design("two raters who differ", 4, 40, 2, question_sd=0.5, rater_sd=0.7),
    Design("three questions", 4, 3, 20, overlap=8, question_sd=1.0),
)


@dataclass(frozen=True, slots=True)
class Round:
    """Votes of one round, and the difference of style of each (left less right, in [-1, 1])."""

    data: Comparisons
    style: FloatVector


@dataclass(frozen=True, slots=True)
class Truth:
    """What endless questions and raters of the design would give. `planted`: the strengths alone."""

    bradley_terry: FloatVector
    davidson: FloatVector
    scores: FloatVector
    planted: FloatVector


def simulate(design: Design, rng: np.random.Generator) -> Round:
    """Every pair of models on every question, before `overlap` raters, sides tossed."""
    pairs = np.array(list(itertools.combinations(range(design.models), 2)))
    grid = np.meshgrid(np.arange(design.questions), np.arange(len(pairs)), np.arange(design.overlap), indexing="ij")
    question, pair, copy = (axis.ravel() for axis in grid)
    swapped = rng.random(pair.size) < 0.5
    left, right = np.where(swapped[:, None], pairs[pair][:, ::-1], pairs[pair]).T
    # As rounds seat raters: in turn over shuffled pairs.
    place = rng.permutation(design.questions * len(pairs))[question * len(pairs) + pair]
    rater = (place * design.overlap + copy) % design.raters
    drawn = _draw(design, rng, questions=design.questions, raters=design.raters)
    win, tie = drawn.chances(design, left, right, question=question, rater=rater)
    style = drawn.style(left, right, question=question)
    lot = rng.random(left.size)
    kind = rng.integers(3, size=left.size)
    said = [
        "model_a" if u < w else TIES[k] if u < w + t else "model_b"
        for u, w, t, k in zip(lot.tolist(), win.tolist(), tie.tolist(), kind.tolist(), strict=True)
    ]
    a, b = ([f"m{i}" for i in side.tolist()] for side in (left, right))
    raters, questions = [f"r{i}" for i in rater.tolist()], [f"q{i}" for i in question.tolist()]
    return Round(compare_columns(a, b, said, raters, questions), style)


def votes_of(round_: Round) -> list[Vote]:
    """The same round as votes, every tie as one kind."""
    data = round_.data
    assert data.raters is not None and data.questions is not None
    columns = (data.first, data.second, data.score, data.raters, data.questions)
    word = {1.0: "model_a", 0.0: "model_b", 0.5: "tie"}
    return [
        Vote(data.names[a], data.names[b], word[said], f"r{rater}", f"q{question}")  # type: ignore[arg-type]
        for a, b, said, rater, question in zip(*(column.tolist() for column in columns), strict=True)
    ]


def truth_of(design: Design) -> Truth:
    """By a great many questions and raters, each pair both ways round."""
    n, size = 200_000, design.models
    drawn = _draw(design, np.random.default_rng(99), questions=n, raters=n)
    wins, ties, rows = np.zeros((size, size)), np.zeros((size, size)), np.arange(n)
    for a, b in itertools.permutations(range(size), 2):
        sides = (np.full(n, a), np.full(n, b))
        win, tie = (chance.mean() for chance in drawn.chances(design, *sides, question=rows, rater=rows))
        wins[a, b] += win / 2
        wins[b, a] += (1 - win - tie) / 2
        ties[a, b] += tie / 2
        ties[b, a] += tie / 2
    with_ties = fit_davidson(wins, ties).logits if ties.any() else fit_bradley_terry(wins, ties).logits
    scores = (wins + ties / 2)[1:, 0]
    return Truth(fit_bradley_terry(wins, ties).logits, with_ties, scores, design.strengths())


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Of every question the models' strengths and log lengths; of every rater the same strengths, reliability, side."""

    of_question: FloatMatrix
    length: FloatMatrix
    of_rater: FloatMatrix
    reliability: FloatVector
    side: FloatVector

    def style(self, left: IntVector, right: IntVector, *, question: IntVector) -> FloatVector:
        a, b = (np.exp(self.length[question, side]) for side in (left, right))
        found: FloatVector = (a - b) / (a + b)
        return found

    def chances(
        self, design: Design, left: IntVector, right: IntVector, *, question: IntVector, rater: IntVector
    ) -> tuple[FloatVector, FloatVector]:
        """Of a win of the left, and of a tie."""
        strength = design.strengths()
        gap = strength[left] + self.of_question[question, left] + self.of_rater[rater, left]
        gap = gap - strength[right] - self.of_question[question, right] - self.of_rater[rater, right]
        if design.style:
            gap = gap + design.style * self.style(left, right, question=question)
        gap = self.reliability[rater] * gap + self.side[rater]
        if design.nu:
            total = np.exp(gap / 2) + np.exp(-gap / 2) + design.nu
            return np.exp(gap / 2) / total, design.nu / total
        return (1 - design.ties) / (1 + np.exp(-gap)), np.full(gap.size, design.ties)


def _draw(design: Design, rng: np.random.Generator, *, questions: int, raters: int) -> _Drawn:
    size, multiples = design.models, design.multiples()
    return _Drawn(
        of_question=rng.normal(0, 1, (questions, size)) * design.question_sd * multiples,
        length=rng.normal(0, 0.5, (questions, size)) + 0.3 * np.arange(size),
        of_rater=rng.normal(0, 1, (raters, size)) * design.rater_sd * multiples,
        reliability=np.where(rng.random(raters) < design.by_lot, 0.0, 1.0),
        side=design.side + rng.normal(0, 1, raters) * design.side_sd,
    )
