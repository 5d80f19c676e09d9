"""Cases that graders read and the grades they give. A failure is never a score."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from workbench.schema.canonical import JsonObject, JsonValue, content_hash
from workbench.schema.trajectory import Trajectory

GradeOutcome: TypeAlias = Literal["scored", "abstained", "judge_failed", "infra_failed"]
GRADE_OUTCOMES: tuple[GradeOutcome, ...] = ("scored", "abstained", "judge_failed", "infra_failed")
GraderKind: TypeAlias = Literal["llm", "local_model", "deterministic", "learned", "gold", "callable"]
# `independent`: judges what training made; no training may see it. `training`: a reward was made of it.
GraderRole: TypeAlias = Literal["independent", "training"]

Side: TypeAlias = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class GradingCase:
    """What a grader reads. `rubric` is a rubric in its JSON form; `reference` a reference report."""

    question: str
    report: str
    trajectory: Trajectory | None = None
    rubric: JsonObject | None = None
    reference: str | None = None

    @property
    def case_hash(self) -> str:
        """Hash of everything a grader can read, so that a changed case is never taken for the graded one."""
        return content_hash(
            {
                "question": self.question,
                "report": self.report,
                "trajectory": self.trajectory.content_hash if self.trajectory else None,
                "rubric": self.rubric,
                "reference": self.reference,
            }
        )


@dataclass(frozen=True, slots=True)
class PairCase:
    """Two reports on one question; sides are the caller's to balance. Trajectories are for graders that read them."""

    question: str
    left: str
    right: str
    left_trajectory: Trajectory | None = None
    right_trajectory: Trajectory | None = None


@dataclass(frozen=True, slots=True)
class CriterionVerdict:
    """The verdict on one criterion. `value` is None where no verdict could be read: missing stays missing.

    `quote` is the text the verdict rests on, as the judge gave it.
    """

    criterion_id: str
    label: str | None
    value: float | None
    reason: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a grade cost. `cost_usd` is None where the price is unknown, which is not zero."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    latency_s: float = 0.0
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Grade:
    """One grade of one case by one grader.

    `raw` may have any range; `scheme` names the aggregation and its map; `score` in [0, 1] is the map of `raw`, and
    is present exactly when `outcome` is `scored`. Raises ValueError where that does not hold.
    """

    grader: str
    grader_version: str
    case_hash: str
    outcome: GradeOutcome
    score: float | None = None
    raw: float | None = None
    scheme: str = ""
    reason: str = ""
    verdicts: tuple[CriterionVerdict, ...] = ()
    usage: Usage = field(default_factory=Usage)
    repeat: int = 0
    detail: Mapping[str, JsonValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.outcome == "scored":
            if self.score is None or not 0.0 <= self.score <= 1.0:
                raise ValueError(f"a scored grade needs a score in [0, 1]; found {self.score!r}")
        elif self.score is not None:
            raise ValueError(f"a grade with outcome {self.outcome!r} must not carry a score; found {self.score!r}")
        elif not self.reason:
            raise ValueError(f"a grade with outcome {self.outcome!r} needs a reason")


@dataclass(frozen=True, slots=True)
class OrderVerdict:
    """What a judge said with the `first` report shown first: labels and values in terms of the left report, in [0, 1].

    A criterion without a readable verdict has None; `reason` says why there is no verdict at all.
    """

    first: Side
    outcome: GradeOutcome
    verdicts: tuple[CriterionVerdict, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PairGrade:
    """A verdict on a pair: `preference` in [0, 1] is the share of the left report (0.5 = tie), None unless scored.

    `dimensions`: name -> preference, without those that could not be read. `consistent`: whether both orders said the
    same, None where only one was asked. `orders`: the verdict of each order asked. Raises ValueError where a
    preference is out of range, or there without `scored`, or missing with it.
    """

    grader: str
    grader_version: str
    outcome: GradeOutcome
    preference: float | None = None
    reason: str = ""
    usage: Usage = field(default_factory=Usage)
    dimensions: Mapping[str, float] = field(default_factory=dict)
    consistent: bool | None = None
    orders: tuple[OrderVerdict, ...] = ()
    repeat: int = 0
    detail: Mapping[str, JsonValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.outcome == "scored":
            if self.preference is None or not 0.0 <= self.preference <= 1.0:
                raise ValueError(f"a scored pair needs a preference in [0, 1]; found {self.preference!r}")
        elif self.preference is not None:
            raise ValueError(f"a pair with outcome {self.outcome!r} must not carry a preference")
