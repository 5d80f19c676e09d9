"""What every support checker is: by words, by embeddings, or by a model."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from rubrics.judging.support import CitedClaim, SupportVerdict
from workbench.schema.canonical import JsonValue
from workbench.schema.grade import GraderKind, Usage


@runtime_checkable
class SupportChecker(Protocol):
    """Gives one verdict for each claim, in order. `version` is a content hash of all that decides a verdict."""

    name: str
    version: str
    kind: GraderKind

    @property
    def definition(self) -> dict[str, JsonValue]: ...

    async def check(self, question: str, claims: Sequence[CitedClaim]) -> tuple[tuple[SupportVerdict, ...], Usage]: ...
