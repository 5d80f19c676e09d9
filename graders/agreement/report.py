"""The whole answer to "can this grader be trusted?", read from the store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from graders.agreement.between import BINS, SEED, Between, compare_sides
from graders.agreement.criteria import CriterionAgreement, compare_criteria, pooled, read_verdicts
from graders.agreement.people import (
    AgainstPeople,
    PeoplePairs,
    compare_with_people,
    gaps_of_pairs,
    gaps_of_scores,
    mean_preference,
    people_pairs,
)
from graders.agreement.sides import PEOPLE, Side, Together, check_runs, find_grader, read_side, together
from graders.agreement.worth import (
    CorrectedMean,
    calibrated_json,
    calibrations,
    corrected_means,
    preferences_calibrated,
)
from graders.quality import GOOD_FROM
from workbench.errors import BadInputError
from workbench.schema.canonical import JsonValue
from workbench.stats.calibration import Calibrated
from workbench.stats.estimate import NotMeasured
from workbench.store import Store

LISTED: Final = 20


@dataclass(frozen=True, slots=True)
class Widest:
    """A row worth reading: where the two are furthest apart in rank, or a pair that they order differently."""

    trajectories: tuple[str, ...]
    runs: tuple[str, ...]
    question_id: str
    judge: float
    reference: float

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "trajectories": list(self.trajectories),
            "runs": list(self.runs),
            "question": self.question_id,
            "judge": self.judge,
            "reference": self.reference,
        }


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """`between` with another grader, `people` with people: one of the two. Calibrations and means where asked for."""

    judge: Side
    reference: Side | None
    cut: float
    runs: tuple[str, ...]
    rows: Together | None = None
    between: Between | None = None
    criteria: tuple[CriterionAgreement, ...] = ()
    pooled: CriterionAgreement | None = None
    people: AgainstPeople | None = None
    ballots: PeoplePairs | None = None
    calibration: Mapping[str, Calibrated | NotMeasured] = field(default_factory=dict)
    corrected: tuple[CorrectedMean, ...] = ()
    widest: tuple[Widest, ...] = ()
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, JsonValue]:
        answer: dict[str, JsonValue] = {
            "grader": self.judge.to_json(),
            "against": PEOPLE if self.reference is None else self.reference.to_json(),
            "runs": list(self.runs),
            "cut": self.cut,
            "seed": SEED,
        }
        if self.rows is not None and self.between is not None:
            answer |= {
                "n": self.rows.n,
                "questions": len(set(self.rows.questions)),
                "in_sample_left_out": self.rows.in_sample,
                "figures": self.between.to_json(),
                "criteria": [one.to_json() for one in self.criteria],
                "all_criteria": None if self.pooled is None else self.pooled.to_json(),
            }
        if self.people is not None and self.ballots is not None:
            answer |= {
                "n": self.people.n_pairs,
                "rounds": list(self.ballots.rounds),
                "ballots": self.ballots.n_ballots,
                "ballots_left_out": dict(self.ballots.left_out),
                "figures": self.people.to_json(),
            }
        if self.calibration:
            answer["calibration"] = {method: calibrated_json(one) for method, one in self.calibration.items()}
        if self.corrected:
            answer["corrected_means"] = [one.to_json() for one in self.corrected]
        answer["widest"] = [one.to_json() for one in self.widest]
        answer["notes"] = list(self.notes)
        return answer


def measure_agreement(
    store: Store,
    judge: str,
    reference: str,
    *,
    runs: Sequence[str] = (),
    rounds: Sequence[str] = (),
    criteria: Sequence[str] = (),
    cut: float = GOOD_FROM,
    bins: int = BINS,
    calibrated: bool = False,
    corrected: bool = False,
    seed: int = SEED,
) -> AgreementReport:
    """`judge` against `reference`, each `name` or `name@` and the beginning of a version; `reference` may be `people`.

    Only stored grades are read. NotFoundError for an unknown grader, run, round or criterion; BadInputError where a
    name is ambiguous, the two are one, or people are asked for what they did not say.
    """
    if not 0 < cut <= 1:
        raise BadInputError(f"--cut is {cut:g}; expected a score above 0 and up to 1, from which a report is good")
    check_runs(store, runs)
    found = find_grader(store, judge)
    mine = read_side(store, found, runs)
    if reference == PEOPLE:
        if corrected:
            raise BadInputError("people judged pairs, not single reports: a corrected mean needs a grader as reference")
        if criteria:
            raise BadInputError("people gave no verdict by criterion; name a grader that did")
        return _with_people(store, mine, runs, rounds, cut, calibrated, seed)
    theirs = read_side(store, find_grader(store, reference), runs)
    if mine.key == theirs.key:
        raise BadInputError(f"{mine.name}@{mine.version[:8]} against itself; name two graders, or `people`")
    rows = together(mine, theirs)
    questions = dict(zip(rows.trajectories, rows.questions, strict=True))
    verdicts = read_verdicts(store, mine, runs), read_verdicts(store, theirs, runs)
    return AgreementReport(
        judge=mine,
        reference=theirs,
        cut=cut,
        runs=tuple(runs),
        rows=rows,
        between=compare_sides(rows, cut=cut, bins=bins, seed=seed),
        criteria=compare_criteria(*verdicts, questions, only=criteria, seed=seed),
        pooled=pooled(*verdicts, questions, seed=seed),
        calibration=calibrations(rows, seed=seed) if calibrated else {},
        corrected=corrected_means(mine, theirs, runs, cut=cut, seed=seed) if corrected else (),
        widest=_widest(rows),
        notes=_notes(mine, theirs, rows),
    )


def _with_people(
    store: Store, judge: Side, runs: Sequence[str], rounds: Sequence[str], cut: float, calibrated: bool, seed: int
) -> AgreementReport:
    ballots = people_pairs(store, rounds, runs)
    gaps = gaps_of_scores(judge, ballots.pairs) if judge.scores else gaps_of_pairs(store, judge.version)
    met = [pair for pair in ballots.pairs if pair.key in gaps]
    wrong = [pair for pair in met if gaps[pair.key] * mean_preference(pair) < 0]
    notes = ["the raters of this store are simulated"] if ballots.simulated else []
    if hidden := [one.id for one in store.human.rounds() if one.state == "open" and not rounds]:
        notes.append(f"open rounds are hidden until they close: {', '.join(hidden)}")
    return AgreementReport(
        judge=judge,
        reference=None,
        cut=cut,
        runs=tuple(runs),
        people=compare_with_people(ballots, gaps, seed=seed),
        ballots=ballots,
        calibration=preferences_calibrated(met, gaps, seed=seed) if calibrated else {},
        widest=tuple(
            Widest(pair.key, pair.runs, pair.question_id, gaps[pair.key], mean_preference(pair))
            for pair in sorted(wrong, key=lambda pair: -abs(gaps[pair.key] * mean_preference(pair)))[:LISTED]
        ),
        notes=tuple(notes),
    )


def _widest(rows: Together) -> tuple[Widest, ...]:
    """By the difference in rank: a grader that is only more generous does not disagree."""
    from scipy.stats import rankdata

    if not rows.n:
        return ()
    apart = np.abs(rankdata(rows.judge) - rankdata(rows.reference))
    order = np.argsort(-apart, kind="stable")[:LISTED]
    return tuple(
        Widest(
            (rows.trajectories[i],), (rows.runs[i],), rows.questions[i], float(rows.judge[i]), float(rows.reference[i])
        )
        for i in order
    )


def _notes(judge: Side, reference: Side, rows: Together) -> tuple[str, ...]:
    found = []
    for side in (judge, reference):
        if side.without:
            counts = ", ".join(f"{n} {outcome}" for outcome, n in sorted(side.without.items()))
            found.append(f"{side.name}: {counts}; these are no scores and enter no figure")
    if rows.in_sample:
        found.append(f"{rows.in_sample} reports to questions that a grader was fitted on are left out")
    return tuple(found)
