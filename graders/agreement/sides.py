"""One side of a comparison: which version of a grader is meant, and what it said of each trajectory."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from graders.quality import fitted_questions, means
from workbench.errors import BadInputError, NotFoundError
from workbench.schema.canonical import JsonValue
from workbench.schema.grade import GraderKind
from workbench.stats.estimate import FloatVector
from workbench.store import GraderSummary, Store

PEOPLE: Final = "people"


@dataclass(frozen=True, slots=True)
class Scored:
    """The mean of a trajectory's scored grades, in [0, 1]."""

    score: float
    question_id: str
    run: str


@dataclass(frozen=True, slots=True)
class Side:
    """`scores` by trajectory, in the order of import. `without`: grades that are no score, by outcome; never a number.
    `fitted`: questions that a learned grader was made from, where its agreement would be a memory."""

    name: str
    version: str
    kind: GraderKind | None
    scores: Mapping[str, Scored]
    without: Mapping[str, int]
    fitted: frozenset[str]

    @property
    def key(self) -> str:
        return f"{self.name}@{self.version}"

    def to_json(self) -> dict[str, JsonValue]:
        """`name version kind scored without{outcome: n}`."""
        return {
            "name": self.name,
            "version": self.version,
            "kind": self.kind,
            "scored": len(self.scores),
            "without_score": dict(self.without),
        }


def find_grader(store: Store, asked: str) -> GraderSummary:
    """The one version that `name` or `name@` and the beginning of a version means.

    NotFoundError where there is none, BadInputError where there are several, each with the list.
    """
    known = store.grades.graders()
    name, _, version = asked.rpartition("@")
    found = [g for g in known if g.name == asked or (name and g.name == name and g.version.startswith(version))]
    if not found:
        raise NotFoundError(f"no grader {asked!r} in the store; it holds {_listed(known)}")
    if len(found) > 1:
        raise BadInputError(f"{asked!r} may be any of {_listed(found)}; write name@ and the beginning of a version")
    return found[0]


def read_side(store: Store, grader: GraderSummary, runs: Sequence[str] = ()) -> Side:
    """What this version said of the trajectories of `runs` (of all, where none is named)."""
    columns = store.grades.scores(f"{grader.name}@{grader.version}")
    if runs:
        kept = [place for place, run in enumerate(columns["run"]) if run in runs]
        columns = {name: [values[place] for place in kept] for name, values in columns.items()}
    run_of = dict(zip(columns["trajectory_id"], columns["run"], strict=True))
    scores = {key: Scored(score, question, run_of[key]) for key, (score, question) in means(columns).items()}
    without = Counter(outcome for outcome in columns["outcome"] if outcome != "scored")
    return Side(
        grader.name, grader.version, grader.kind, scores, dict(without), fitted_questions(store, grader.version)
    )


def check_runs(store: Store, runs: Sequence[str]) -> None:
    """NotFoundError for a run that the store does not have."""
    for run in runs:
        store.runs.get(run)


@dataclass(frozen=True, slots=True)
class Together:
    """Trajectories that both sides scored, row by row, and how many were left out and why."""

    trajectories: tuple[str, ...]
    questions: tuple[str, ...]
    runs: tuple[str, ...]
    judge: FloatVector
    reference: FloatVector
    in_sample: int

    @property
    def n(self) -> int:
        return len(self.trajectories)


def together(judge: Side, reference: Side) -> Together:
    """Rows in the order of import. Questions that either side was fitted on are left out and counted."""
    fitted = judge.fitted | reference.fitted
    both = [key for key in judge.scores if key in reference.scores]
    fresh = [key for key in both if judge.scores[key].question_id not in fitted]
    return Together(
        tuple(fresh),
        tuple(judge.scores[key].question_id for key in fresh),
        tuple(judge.scores[key].run for key in fresh),
        np.array([judge.scores[key].score for key in fresh], dtype=np.float64),
        np.array([reference.scores[key].score for key in fresh], dtype=np.float64),
        len(both) - len(fresh),
    )


def _listed(graders: Sequence[GraderSummary]) -> str:
    return ", ".join(f"{g.name}@{g.version[:8]}" for g in graders) or "none"
