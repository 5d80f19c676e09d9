"""The figures of a trajectory as SQL: one name for a table's column, a filter's bound and a sort key."""

from typing import Any, Final

from sqlalchemy import Double, Text, cast, func, type_coerce
from sqlalchemy.dialects.postgresql import JSONB

from workbench.errors import BadInputError
from workbench.schema.analysis import PHASES, RETRIEVALS, SUPPORTS
from workbench.store.engine import Backend
from workbench.store.repositories.new_rows import ACTIVITY
from workbench.store.tables import TrajectoryTable

_T = TrajectoryTable
_OF_PHASE: Final = ("steps", "tokens", "tool_calls", "duration_s")
_COLUMNS: Final = (
    "attempt", "policy_step", "steps", "report_chars", "tool_errors", *ACTIVITY,
    *(f"retrieval_{name}" for name in RETRIEVALS), *(f"support_{name}" for name in SUPPORTS),
)  # fmt: skip
TOTALS: Final = {f"{phase}_{name}": (phase, name) for phase in PHASES for name in _OF_PHASE}
FIGURES: Final[tuple[str, ...]] = (*_COLUMNS, "citations", *TOTALS)


def figure(name: str, backend: Backend) -> Any:
    """SQL of one of FIGURES: a number, or NULL where it is not known. Raises BadInputError for another name.

    `<phase>_<total>` are the totals as they were computed: a person's corrections are not in them.
    """
    if name in _COLUMNS:
        return getattr(_T, name)
    if name == "citations":
        counts = [getattr(_T, f"retrieval_{one}") for one in RETRIEVALS]
        return sum(counts[1:], counts[0])
    if name not in TOTALS:
        raise BadInputError(f"there is no figure {name!r}; expected one of {', '.join(FIGURES)}")
    phase, total = TOTALS[name]
    written = type_coerce(_T.totals, Text)
    if backend == "sqlite":
        return func.json_extract(written, f"$.{phase}.{total}")
    return cast(cast(written, JSONB)[phase][total].astext, Double)
