"""Which figures of the reports go with people's verdicts once the grader's score is held equal.

For each figure logit P(left preferred) = side + a * (gap of the grader's score) + b * (gap of the figure), a tie half a
win for each side; errors clustered by rater and question. What is shown is what b is worth: by how many points a report
one standard deviation ahead in the figure is preferred to its equal. Many figures are tried, so that a candidate is one
whose interval stays off zero at a level divided by their number (Bonferroni).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from workbench.human.missed.features import FeatureKind, ReportFeatures
from workbench.human.missed.regression import fit_preferences
from workbench.human.ratings.comparisons import Clustering, compare
from workbench.schema.ballot import Vote
from workbench.schema.canonical import JsonValue
from workbench.stats.bootstrap import mean_interval
from workbench.stats.estimate import Estimate, FloatVector, Measured, NotMeasured, measured_to_json
from workbench.stats.proportion import proportion_interval

FEWEST_VOTES = 30
# What is asked on one question alone is no criterion for others.
FEWEST_QUESTIONS = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """`effect`: share of preferences that one standard deviation more of the figure adds, the grader's score equal
    (0.08: preferred 58 times of 100). `together`: the same with the other candidates held equal too. `beyond_chance`:
    off zero allowing for how many figures were tried.
    """

    name: str
    kind: FeatureKind
    effect: Measured
    beyond_chance: bool
    together: Measured

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "name": self.name,
            "kind": self.kind,
            "effect": measured_to_json(self.effect),
            "beyond_chance": self.beyond_chance,
            "together": measured_to_json(self.together),
        }


@dataclass(frozen=True, slots=True)
class Missed:
    """`candidates`, those beyond chance first. `agreement`: share of decided votes that the grader's score orders the
    same way, a score that is equal counting half; `dimensions`: the same for the dimension scores.

    `n` votes with both reports graded, `n_without` without; `n_models`: with two, a figure cannot be told from
    anything else that sets them apart.
    """

    grader: str
    candidates: tuple[Candidate, ...]
    agreement: Measured
    dimensions: Mapping[str, Measured]
    n: int
    n_without: int
    n_models: int

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "grader": self.grader,
            "candidates": [one.to_json() for one in self.candidates],
            "agreement": measured_to_json(self.agreement),
            "dimensions": {name: measured_to_json(found) for name, found in self.dimensions.items()},
            "n": self.n,
            "n_without": self.n_without,
            "n_models": self.n_models,
        }


def missed_by(
    votes: Sequence[Vote],
    shown: Sequence[tuple[str, str] | None],
    features: ReportFeatures,
    *,
    cluster: Clustering = "auto",
    level: float = 0.95,
    seed: int = 0,
) -> Missed | NotMeasured:
    """`shown` goes with `votes`: the trajectories of model_a (left) and model_b. NotMeasured with fewer than 30 votes
    whose reports the grader scored both.
    """
    scores = features.scores
    known = [
        (vote, pair)
        for vote, pair in zip(votes, shown, strict=True)
        if pair is not None and vote.model_a != vote.model_b and pair[0] in scores and pair[1] in scores
    ]
    n_without = len(votes) - len(known)
    if len(known) < FEWEST_VOTES:
        return NotMeasured(
            f"{len(known)} votes on reports that {features.grader} scored both; needed are {FEWEST_VOTES}", len(known)
        )
    told = [vote for vote, _ in known]
    pairs = [pair for _, pair in known]
    base = np.array([scores[left] - scores[right] for left, right in pairs])
    gaps = {name: _gaps(pairs, features, name) for name in features.kinds}
    tried = {name: gap for name, gap in gaps.items() if _usable(gap, told)}
    found = [_alone(name, features.kinds[name], told, base, gap, len(tried), cluster, level)
             for name, gap in tried.items()]  # fmt: skip
    found = _held_together(found, told, base, tried, cluster, level)
    return Missed(
        grader=features.grader,
        candidates=tuple(sorted(found, key=_order)),
        agreement=_agreement([_signed(vote) for vote in told], base, told, level, seed),
        dimensions=_by_dimension(told, base, level, seed),
        n=len(told),
        n_without=n_without,
        n_models=len({name for vote in told for name in (vote.model_a, vote.model_b)}),
    )


def _order(one: Candidate) -> tuple[bool, float, str]:
    """Candidates first, then by how far the effect is off zero for the width of its interval."""
    effect, size = one.effect, -1.0
    if isinstance(effect, Estimate) and effect.low is not None and effect.high is not None:
        size = abs(effect.value) / max(1e-9, effect.high - effect.low)
    return not one.beyond_chance, -size, one.name


def _gaps(pairs: Sequence[tuple[str, str]], features: ReportFeatures, name: str) -> FloatVector:
    """Left less right of the figure, NaN where it is not known of both."""
    nothing = float("nan")
    a, b = (_column([features.values[pair[side]].get(name, nothing) for pair in pairs]) for side in (0, 1))
    gap: FloatVector = a - b
    if name in features.plain:
        return gap
    # Where both have none of it neither is ahead; NaN stays NaN.
    total = np.where(a + b == 0, 1.0, a + b)
    return gap / total


def _column(values: Sequence[float]) -> FloatVector:
    return np.array(values, dtype=np.float64)


def _usable(gap: FloatVector, votes: Sequence[Vote]) -> bool:
    there = ~np.isnan(gap)
    questions = {vote.question_id for vote, known in zip(votes, there.tolist(), strict=True) if known}
    enough = int(there.sum()) >= FEWEST_VOTES and len(questions) >= FEWEST_QUESTIONS
    return enough and float(gap[there].std()) > 1e-9


def _alone(
    name: str, kind: FeatureKind, votes: Sequence[Vote], base: FloatVector, gap: FloatVector, n_tried: int,
    cluster: Clustering, level: float,
) -> Candidate:  # fmt: skip
    there = ~np.isnan(gap)
    data = compare([vote for vote, known in zip(votes, there.tolist(), strict=True) if known])
    fit = fit_preferences(data, [base[there], gap[there]], cluster)
    if fit is None:
        reason = NotMeasured("tells every verdict, or cannot be told from the grader's score", data.n)
        return Candidate(name, kind, reason, False, reason)
    strict = fit.effect(2, 1 - (1 - level) / max(1, n_tried))
    beyond = strict.above(0) or strict.below(0)
    return Candidate(name, kind, fit.effect(2, level), beyond, NotMeasured("not a candidate", data.n))


def _held_together(
    found: Sequence[Candidate], votes: Sequence[Vote], base: FloatVector, gaps: Mapping[str, FloatVector],
    cluster: Clustering, level: float,
) -> list[Candidate]:  # fmt: skip
    """The candidates in one regression: of two that say the same, at most one keeps its effect."""
    names = [one.name for one in found if one.beyond_chance]
    if not names:
        return list(found)
    there = np.all([~np.isnan(gaps[name]) for name in names], axis=0)
    # Ten votes a figure, as for any regression: else what is fitted is chance.
    if int(there.sum()) < 10 * (len(names) + 2):
        few = NotMeasured(f"{int(there.sum())} votes for {len(names)} candidates at once", int(there.sum()))
        return [replace(one, together=few) if one.beyond_chance else one for one in found]
    data = compare([vote for vote, known in zip(votes, there, strict=True) if known])
    fit = fit_preferences(data, [base[there], *(gaps[name][there] for name in names)], cluster)
    if fit is None:
        twins = NotMeasured("the candidates cannot be told apart on these votes", data.n)
        return [replace(one, together=twins) if one.beyond_chance else one for one in found]
    place = {name: 2 + position for position, name in enumerate(names)}
    return [replace(one, together=fit.effect(place[one.name], level)) if one.name in place else one for one in found]


def _signed(vote: Vote) -> float:
    return {"model_a": 1.0, "model_b": -1.0}.get(vote.winner, 0.0)


def _by_dimension(votes: Sequence[Vote], base: FloatVector, level: float, seed: int) -> dict[str, Measured]:
    names = sorted({name for vote in votes for name in vote.scores})
    found = {}
    for name in names:
        gaps = [float(vote.scores[name][0] - vote.scores[name][1]) if name in vote.scores else 0.0 for vote in votes]
        found[name] = _agreement(gaps, base, votes, level, seed)
    return found


def _agreement(said: Sequence[float], base: FloatVector, votes: Sequence[Vote], level: float, seed: int) -> Measured:
    """Over votes that prefer one: the share that the grader orders the same way, an equal score half."""
    rows = [row for row, sign in enumerate(said) if sign]
    if not rows:
        return NotMeasured("no vote prefers one of the two")
    agreed = [0.5 + 0.5 * float(np.sign(base[row]) * np.sign(said[row])) for row in rows]
    questions = [votes[row].question_id or str(row) for row in rows]
    if 0.5 not in agreed:
        # Of a rate of 0 or 1 a bootstrap sees no spread.
        return proportion_interval([one == 1.0 for one in agreed], questions, level=level)
    return mean_interval(agreed, questions, seed=seed, level=level)
