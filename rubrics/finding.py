"""What a lint says."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Severity: TypeAlias = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem of a rubric. `criterion` is the id, empty for the rubric as a whole."""

    rule: str
    severity: Severity
    criterion: str
    message: str
