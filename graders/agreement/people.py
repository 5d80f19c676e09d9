"""A grader against people, who judge pairs: ballots of closed rounds, joined to the trajectories they were about."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np

from graders.agreement.between import RESAMPLES, SEED, enough, enough_pairs, pairwise_json
from graders.agreement.sides import Side
from workbench.errors import BadInputError
from workbench.schema.ballot import Assignment, Ballot, Round
from workbench.schema.canonical import JsonValue
from workbench.stats.estimate import Measured, NotMeasured, measured_to_json
from workbench.stats.pairs import PairSet, PairwiseFigures, ordered_alike, pairs_of, pairwise_figures
from workbench.stats.ranking import kendall_interval
from workbench.store import Store, TrajectoryFilter

_SIGN: Final[Mapping[str, float]] = {"left": 1.0, "right": -1.0}
PairKey: TypeAlias = tuple[str, str]  # trajectory ids in alphabetical order: which stood on the left does not matter
Gaps: TypeAlias = Mapping[PairKey, float]  # above zero: the grader prefers the first


@dataclass(frozen=True, slots=True)
class HumanPair:
    """What raters said of two reports, in terms of the first: 1 prefers it, -1 the other, 0 a tie of any kind.

    `dimensions`: the difference of the two scores (1..5 each), one a ballot that has it.
    """

    key: PairKey
    runs: tuple[str, str]
    question_id: str
    preferences: tuple[float, ...]
    dimensions: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class PeoplePairs:
    """`rounds` counted; `left_out`: ballots that are not, and why."""

    pairs: tuple[HumanPair, ...]
    rounds: tuple[str, ...]
    n_ballots: int
    left_out: Mapping[str, int]
    simulated: bool


def people_pairs(store: Store, rounds: Sequence[str] = (), runs: Sequence[str] = ()) -> PeoplePairs:
    """Every pair that was rated in closed rounds (in these, where some are named), both reports of `runs` if given.

    A rater's practice, attention and repeated pairs do not count, nor ballots set aside; open rounds stay hidden.
    BadInputError where no closed round is left.
    """
    known = [store.human.round(name) for name in rounds] if rounds else list(store.human.rounds())
    closed = sorted((one for one in known if one.state == "closed"), key=lambda one: (one.created_at, one.id))
    if not closed:
        hidden = ", ".join(one.id for one in known)
        raise BadInputError(
            f"people have judged nothing that can be read: {'open rounds are hidden until they close: ' + hidden}"
            if hidden
            else "people have judged nothing: the store has no round (workbench rounds create)"
        )
    left_out: dict[str, int] = defaultdict(int)
    found: dict[PairKey, list[tuple[Assignment, Ballot]]] = defaultdict(list)
    run_of = _runs(store, closed)
    for assignment, ballot in _ballots(store, closed):
        low, high = sorted((assignment.left, assignment.right))
        if ballot.set_aside:
            left_out["set aside"] += 1
        elif assignment.purpose != "rating":
            left_out[f"purpose {assignment.purpose}"] += 1
        elif runs and not {run_of[low], run_of[high]} <= set(runs):
            left_out["of other runs"] += 1
        else:
            found[low, high].append((assignment, ballot))
    return PeoplePairs(
        tuple(_pair(key, (run_of[key[0]], run_of[key[1]]), cast) for key, cast in sorted(found.items())),
        tuple(one.id for one in closed),
        sum(map(len, found.values())),
        dict(left_out),
        any(one.simulated for one in closed),
    )


def _runs(store: Store, rounds: Iterable[Round]) -> dict[str, str]:
    """The run of each trajectory of the rounds' runs."""
    names = tuple(sorted({run for one in rounds for run in one.runs}))
    columns = store.trajectories.columns(TrajectoryFilter(run=names))
    return dict(zip(columns["id"], columns["run"], strict=True))


def _ballots(store: Store, rounds: Iterable[Round]) -> Iterable[tuple[Assignment, Ballot]]:
    for one in rounds:
        assignments = {assignment.id: assignment for assignment in store.human.assignments(one.id)}
        for ballot in store.human.ballots(one.id):
            yield assignments[ballot.assignment_id], ballot


def _pair(key: PairKey, runs: tuple[str, str], cast: Sequence[tuple[Assignment, Ballot]]) -> HumanPair:
    preferences: list[float] = []
    dimensions: dict[str, list[float]] = defaultdict(list)
    for assignment, ballot in cast:
        side = 1.0 if assignment.left == key[0] else -1.0
        preferences.append(side * _SIGN.get(ballot.verdict, 0.0))
        for name, (left, right) in ballot.scores.items():
            dimensions[name].append(side * (left - right))
    return HumanPair(
        key, runs, cast[0][0].question_id, tuple(preferences), {name: tuple(all_) for name, all_ in dimensions.items()}
    )


def gaps_of_scores(side: Side, pairs: Iterable[HumanPair]) -> dict[PairKey, float]:
    """Score of the first less that of the second, where the grader scored both and was not fitted on the question."""
    scores = side.scores
    return {
        pair.key: scores[pair.key[0]].score - scores[pair.key[1]].score
        for pair in pairs
        if pair.key[0] in scores and pair.key[1] in scores and pair.question_id not in side.fitted
    }


def gaps_of_pairs(store: Store, version: str) -> dict[PairKey, float]:
    """Mean preference of a pairwise grader for the first, from -1 to 1, over its scored judgments of the pair."""
    found: dict[PairKey, list[float]] = defaultdict(list)
    for left, right, grade in store.pairs.of_grader(version):
        if grade.preference is not None:
            low, high = sorted((left, right))
            found[low, high].append((2 * grade.preference - 1) * (1 if left == low else -1))
    return {key: float(np.mean(all_)) for key, all_ in found.items()}


@dataclass(frozen=True, slots=True)
class AgainstPeople:
    """`overall` and `tau_b`: the grader's gap against the mean preference; `dimensions`: against that of each one.

    `people_alike`: of the ballots on pairs with several raters that order the pair, the share that the mean of the
    other raters orders alike: as much as a grader can hope for. `without_gap`: pairs that the grader does not score.
    """

    overall: PairwiseFigures
    tau_b: Measured
    dimensions: Mapping[str, tuple[Measured, Measured]]
    people_alike: Measured
    n_pairs: int
    without_gap: int

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "pairwise": pairwise_json(self.overall),
            "tau_b": measured_to_json(self.tau_b),
            "dimensions": {
                name: {"ordered_alike": measured_to_json(alike), "tau_b": measured_to_json(tau)}
                for name, (alike, tau) in self.dimensions.items()
            },
            "people_alike": measured_to_json(self.people_alike),
            "pairs": self.n_pairs,
            "pairs_without_score": self.without_gap,
        }


def compare_with_people(people: PeoplePairs, gaps: Gaps, *, seed: int = SEED) -> AgainstPeople:
    """All figures over pairs that both judged, intervals by resampling questions."""
    met = [pair for pair in people.pairs if pair.key in gaps]
    names = sorted({name for pair in met for name in pair.dimensions})
    by_name = {name: [pair for pair in met if name in pair.dimensions] for name in names}
    return AgainstPeople(
        overall=enough_pairs(pairwise_figures(_pairs(met, gaps, None), seed=seed, resamples=RESAMPLES)),
        tau_b=_tau(met, gaps, None, seed),
        dimensions={
            name: (
                enough(ordered_alike(_pairs(judged, gaps, name), seed=seed, resamples=RESAMPLES)),
                _tau(judged, gaps, name, seed),
            )
            for name, judged in by_name.items()
        },
        people_alike=_people_alike(people.pairs, seed),
        n_pairs=len(met),
        without_gap=len(people.pairs) - len(met),
    )


def mean_preference(pair: HumanPair, dimension: str | None = None) -> float:
    """From -1 to 1; of a dimension the mean difference of scores, from -4 to 4."""
    return float(np.mean(pair.preferences if dimension is None else pair.dimensions[dimension]))


def _pairs(pairs: Sequence[HumanPair], gaps: Gaps, dimension: str | None) -> PairSet:
    return pairs_of(
        [mean_preference(pair, dimension) for pair in pairs],
        [gaps[pair.key] for pair in pairs],
        [pair.question_id for pair in pairs],
    )


def _tau(pairs: Sequence[HumanPair], gaps: Gaps, dimension: str | None, seed: int) -> Measured:
    """Over each pair in both directions, since which report comes first means nothing; n counts it once."""
    if not pairs:
        return NotMeasured("no pair was judged by both")
    said = np.array([mean_preference(pair, dimension) for pair in pairs])
    gap = np.array([gaps[pair.key] for pair in pairs])
    questions = [pair.question_id for pair in pairs]
    found = kendall_interval(
        np.concatenate([said, -said]),
        np.concatenate([gap, -gap]),
        [*questions, *questions],
        seed=seed,
        resamples=RESAMPLES,
    )
    return enough(replace(found, n=len(pairs)))


def _people_alike(pairs: Iterable[HumanPair], seed: int) -> Measured:
    own: list[float] = []
    others: list[float] = []
    questions: list[str] = []
    for pair in pairs:
        total, count = sum(pair.preferences), len(pair.preferences)
        for one in pair.preferences if count > 1 else ():
            own.append(one)
            others.append((total - one) / (count - 1))
            questions.append(pair.question_id)
    if not own:
        return NotMeasured("no pair was judged by two raters")
    return enough(ordered_alike(pairs_of(own, others, questions), seed=seed, resamples=RESAMPLES))
