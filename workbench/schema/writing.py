"""What a writer is given, a run's evidence, and the report it gives back. A failure is never a report."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.grade import Usage
from workbench.schema.trajectory import Trajectory

WriteOutcome: TypeAlias = Literal["written", "abstained", "writer_failed", "infra_failed"]
WRITE_OUTCOMES: tuple[WriteOutcome, ...] = ("written", "abstained", "writer_failed", "infra_failed")


@dataclass(frozen=True, slots=True)
class WritingCase:
    """A question and what was found for it. The trajectory's own report is no part of what a writer may use.

    `evidence` is the packed text, each document headed by its number in brackets; empty for writers that read the trace
    themselves. `addresses`: number -> address of each document of the pack that has one; `account` says what became
    of every document of the run.
    """

    question: str
    trajectory: Trajectory
    evidence: str = ""
    addresses: Mapping[int, str] = field(default_factory=dict)
    account: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def case_hash(self) -> str:
        """Hash of everything that a writer can read."""
        return content_hash(
            {"question": self.question, "trajectory": self.trajectory.content_hash, "evidence": self.evidence}
        )


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """What a writer gave. `report` is present exactly when `outcome` is `written`, and every other outcome has a
    reason. Raises ValueError where that does not hold."""

    writer: str
    writer_version: str
    case_hash: str
    outcome: WriteOutcome
    report: str | None = None
    reason: str = ""
    usage: Usage = field(default_factory=Usage)
    repeat: int = 0
    detail: Mapping[str, JsonValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.outcome == "written":
            if self.report is None or not self.report.strip():
                raise ValueError("a written report needs a text; found none")
        elif self.report is not None:
            raise ValueError(f"a report with outcome {self.outcome!r} must not carry a text")
        elif not self.reason:
            raise ValueError(f"a report with outcome {self.outcome!r} needs a reason")

    @property
    def key(self) -> str:
        """Identity in the store: writer version, case and repeat."""
        return content_hash([self.writer_version, self.case_hash, self.repeat])
