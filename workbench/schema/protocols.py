"""What the workbench asks of things that can be swapped: graders and the wire to a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from workbench.schema.canonical import JsonObject, JsonValue
from workbench.schema.grade import Grade, GraderKind, GradingCase, PairCase, PairGrade, Usage
from workbench.schema.writing import WritingCase, WrittenReport


@runtime_checkable
class Grader(Protocol):
    """Gives one grade to one case. `version` is a hash of everything that decides a score (rubric, prompt, model).

    `grade` does not raise for a bad reply or a lost connection: those are outcomes.
    """

    name: str
    version: str
    kind: GraderKind

    async def grade(self, case: GradingCase) -> Grade: ...


@runtime_checkable
class RepeatableGrader(Protocol):
    """A grader whose model may answer differently each time. `repeated(k)` is the same grader on its k-th draw.

    Name and version stay; grades carry the repeat index, and cached replies are kept apart by it.
    """

    def repeated(self, repeat: int) -> Grader: ...


@runtime_checkable
class PairwiseGrader(Protocol):
    """Compares two reports in the order given."""

    name: str
    version: str
    kind: GraderKind

    async def compare(self, pair: PairCase) -> PairGrade: ...


@runtime_checkable
class ReportWriter(Protocol):
    """Writes a report from a run's evidence. `version` is a hash of everything that decides the text.

    `evidence_chars`: room for the packed evidence, 0 for a writer that reads the trace itself. `write` does not raise
    for a bad reply or a lost connection: those are outcomes.
    """

    name: str
    version: str
    kind: GraderKind
    evidence_chars: int

    async def write(self, case: WritingCase) -> WrittenReport: ...


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request to a chat model. `messages` follow the OpenAI form; `schema` is a JSON Schema for the reply."""

    model: str
    messages: tuple[Mapping[str, str], ...]
    temperature: float = 0.0
    seed: int | None = None
    max_tokens: int | None = None
    schema: JsonObject | None = None
    base_url: str | None = None
    extra: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What came back. `finish` is the provider's reason for stopping (`length` means cut off)."""

    text: str
    usage: Usage
    finish: str = "stop"


class TransportError(Exception):
    """The wire failed (time-out, refused, 5xx, rate limit): an infrastructure failure, not a judgment."""


class Transport(Protocol):
    """One request, one reply. Raises TransportError where no reply came."""

    async def send(self, request: ModelRequest) -> ModelReply: ...
