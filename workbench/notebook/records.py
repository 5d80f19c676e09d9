"""What the iterators of parts give: the record of the schema and where it belongs."""

from dataclasses import dataclass

from workbench.schema.analysis import Citation, StepPhase
from workbench.schema.grade import Grade
from workbench.schema.trajectory import Step


@dataclass(frozen=True, slots=True)
class StepRecord:
    """A step, bodies and all. `phase` is a person's word where there is one, None where it has none."""

    trajectory_id: str
    position: int
    step: Step
    phase: StepPhase | None


@dataclass(frozen=True, slots=True)
class CitationRecord:
    """A citation of one trajectory's report."""

    trajectory_id: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class GradeRecord:
    """A grade of one trajectory, failed ones too."""

    trajectory_id: str
    grade: Grade
