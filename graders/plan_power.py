"""What a selection can and cannot show: the smallest difference between two runs that so many questions reveal.

From the spread of stored grades where there are some; else over a range of spreads, said to be assumed.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TypeAlias

from graders.pair_runner import Pair
from workbench.schema.canonical import JsonValue
from workbench.stats.estimate import Estimate, Measured, NotMeasured
from workbench.stats.power import PairedDesign, paired_variance, within_variance

POWER = 0.8
ASSUMED_SDS = (0.1, 0.2, 0.3, 0.4)
# A spread resampled from fewer questions is mostly too small.
FEWEST_FOR_INTERVAL = 10
SHARE_SDS = (0.3, 0.4, 0.5)
MOST_COMPARISONS = 10
# Of one question: trajectory -> its scores, one a repeat.
Scores: TypeAlias = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class RunShape:
    """What is selected of a run: question -> its trajectories, and the stored scores of those (any repeats)."""

    run: str
    questions: Mapping[str, Sequence[str]]
    scores: Scores


@dataclass(frozen=True, slots=True)
class Sight:
    """What `questions` that two runs share can show, with `attempts` a question in each and `repeats` grades a report.

    `basis`: `stored` spread of scores, or `assumed`. `detectable`: the smallest true difference seen with chance 0.8
    (two-sided 5 percent); its interval is how well the spread is known, none where it was seen on fewer than 10
    questions or under other attempts or repeats. `by_sd`: the same for assumed standard deviations of a question's
    difference. `power` is the chance to see `difference`, and `questions_needed` how many questions would see it with
    chance 0.8: by the stored spread, else a list by `by_sd`.
    """

    runs: tuple[str, str]
    questions: int
    attempts: tuple[float, float]
    repeats: int
    basis: str
    detectable: Measured
    by_sd: tuple[tuple[float, float], ...]
    difference: float | None
    power: tuple[float, ...]
    questions_needed: tuple[int, ...]

    def to_json(self) -> dict[str, JsonValue]:
        found = self.detectable
        told: dict[str, JsonValue] = (
            {"value": None, "reason": found.reason, "n": found.n}
            if isinstance(found, NotMeasured)
            else {name: value for name, value in asdict(found).items() if name not in ("seed", "level")}
        )
        return {
            "runs": list(self.runs),
            "questions": self.questions,
            "attempts": list(self.attempts),
            "repeats": self.repeats,
            "basis": self.basis,
            "detectable": told,
            "by_sd": [{"sd": sd, "detectable": value} for sd, value in self.by_sd],
            "difference": self.difference,
            "power": list(self.power),
            "questions_needed": list(self.questions_needed),
        }


def sights(shapes: Sequence[RunShape], *, repeats: int, difference: float | None = None) -> tuple[Sight, ...]:
    """Every two runs of the selection, up to 10; a lone run against another one like it, of which nothing is known."""
    if len(shapes) == 1:
        return (_assumed((shapes[0].run, "another run like it"), shapes[0], shapes[0], repeats, difference),)
    pairs = itertools.islice(itertools.combinations(shapes, 2), MOST_COMPARISONS)
    return tuple(_sight(one, two, repeats, difference) for one, two in pairs)


def _sight(one: RunShape, two: RunShape, repeats: int, difference: float | None) -> Sight:
    shared = sorted(set(one.questions) & set(two.questions))
    names = (one.run, two.run)
    if not shared:
        nothing = NotMeasured("the two runs share no question")
        return Sight(names, 0, (0.0, 0.0), repeats, "none", nothing, (), difference, (), ())
    a, b = ([_attempt_scores(shape, question) for question in shared] for shape in (one, two))
    found = paired_variance(a, b)
    if found.design is None:
        return _assumed(names, one, two, repeats, difference)
    seen = _repeats_seen(one, two, shared)
    k = _attempts(one, shared), _attempts(two, shared)
    noise = within_variance([list(s) for shape in (one, two) for s in _graded(shape, shared)])
    as_planned = _rescaled(found.design, found.separable, noise, seen, repeats, k)
    detectable: Measured = Estimate(
        as_planned.detectable(len(shared), power=POWER), None, None, found.n_questions, "Miller 2024"
    )
    if as_planned == found.design and found.n_questions >= FEWEST_FOR_INTERVAL:
        detectable = found.detectable(len(shared), power=POWER)
    power, needed = _for_difference([as_planned], len(shared), difference)
    return Sight(names, len(shared), k, repeats, "stored", detectable, (), difference, power, needed)


def _assumed(names: tuple[str, str], one: RunShape, two: RunShape, repeats: int, difference: float | None) -> Sight:
    shared = sorted(set(one.questions) & set(two.questions))
    designs = [PairedDesign(sd**2) for sd in ASSUMED_SDS]
    table = tuple((sd, d.detectable(len(shared), power=POWER)) for sd, d in zip(ASSUMED_SDS, designs, strict=True))
    power, needed = _for_difference(designs, len(shared), difference)
    unknown = NotMeasured("fewer than two questions are scored in both runs by this grader")
    k = _attempts(one, shared), _attempts(two, shared)
    return Sight(names, len(shared), k, repeats, "assumed", unknown, table, difference, power, needed)


def pair_sight(
    runs: tuple[str, str],
    pairs: Sequence[Pair],
    shares: Mapping[tuple[str, str], float],
    repeats: int,
    difference: float | None,
) -> Sight:
    """What judged pairs of two runs can show: how far from one half a win share must be to be told from it.

    By the stored shares of each question, else assumed: 0.5 is the spread where every pair has a winner, the widest.
    """
    by_question: dict[str, list[float]] = {}
    for pair in pairs:
        found = by_question.setdefault(pair.question_id, [])
        found.extend(shares[at] for at in ((pair.left, pair.right), (pair.right, pair.left)) if at in shares)
    means = [sum(found) / len(found) for found in by_question.values() if found]
    n = len(by_question)
    attempts = len(pairs) / n if n else 0.0
    if len(means) < 2:
        designs = [PairedDesign(sd**2) for sd in SHARE_SDS]
        table = tuple((sd, d.detectable(n, power=POWER)) for sd, d in zip(SHARE_SDS, designs, strict=True))
        unknown: Measured = NotMeasured("fewer than two questions are judged by this grader")
        power, needed = _for_difference(designs, n, difference)
        return Sight(runs, n, (attempts, attempts), repeats, "assumed", unknown, table, difference, power, needed)
    spread = paired_variance([[mean] for mean in means], [[0.5]] * len(means))
    power, needed = _for_difference([spread.design] if spread.design else [], n, difference)
    detectable = spread.detectable(n, power=POWER)
    if spread.design is not None and len(means) < FEWEST_FOR_INTERVAL:
        value = spread.design.detectable(n, power=POWER)
        detectable = Estimate(value, None, None, len(means), "Miller 2024")
    return Sight(runs, n, (attempts, attempts), repeats, "stored", detectable, (), difference, power, needed)


def _for_difference(
    designs: Sequence[PairedDesign], n: int, difference: float | None
) -> tuple[tuple[float, ...], tuple[int, ...]]:
    if not difference:
        return (), ()
    return (
        tuple(design.power_at(n, difference) for design in designs),
        tuple(design.questions_for(difference, power=POWER) for design in designs),
    )


def _rescaled(
    design: PairedDesign, separable: bool, noise2: float | None, seen: float, repeats: int, k: tuple[float, float]
) -> PairedDesign:
    """The design at other attempts and repeats: a report's grade holds the grader's own noise over its repeats."""
    change = 0.0 if noise2 is None else noise2 * (1 / repeats - 1 / seen)
    if not separable:
        # Everything is in omega2, for as many attempts as were seen.
        return replace(design, omega2=max(0.0, design.omega2 + sum(change / attempts for attempts in k)))
    return replace(
        design,
        s2_a=max(0.0, design.s2_a + change),
        s2_b=max(0.0, design.s2_b + change),
        k_a=max(1, round(k[0])),
        k_b=max(1, round(k[1])),
    )


def _attempt_scores(shape: RunShape, question: str) -> list[float]:
    """A score an attempt: the mean of its repeats."""
    graded = (shape.scores.get(name, ()) for name in shape.questions[question])
    return [sum(scores) / len(scores) for scores in graded if scores]


def _graded(shape: RunShape, shared: Sequence[str]) -> list[Sequence[float]]:
    return [shape.scores[name] for q in shared for name in shape.questions[q] if shape.scores.get(name)]


def _repeats_seen(one: RunShape, two: RunShape, shared: Sequence[str]) -> float:
    counts = [len(scores) for shape in (one, two) for scores in _graded(shape, shared)]
    return sum(counts) / len(counts)


def _attempts(shape: RunShape, shared: Sequence[str]) -> float:
    """Attempts a question: the harmonic mean, since noise falls with each question's own."""
    return len(shared) / sum(1 / len(shape.questions[question]) for question in shared) if shared else 0.0
