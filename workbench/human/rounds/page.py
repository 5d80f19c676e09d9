"""What a round's page shows of each side, and how: a setting of the round, the same for every pair."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias, get_args

from workbench.errors import BadInputError
from workbench.schema.canonical import JsonValue

# reports: as the agents wrote them. research: what was searched, opened and found, no report. rewrites: reports that
# one frozen writer wrote from each side's evidence, so that only the evidence differs.
Shows: TypeAlias = Literal["reports", "research", "rewrites"]
SHOWS: tuple[Shows, ...] = get_args(Shows)


@dataclass(frozen=True, slots=True)
class PageForm:
    """`writer`: whose rewrites are shown, None for the only one there is. `plain_markup`: habits of layout are evened
    out. `trace`: beside a report its research can be opened. Raises BadInputError where these do not go together.
    """

    shows: Shows = "reports"
    writer: str | None = None
    plain_markup: bool = False
    trace: bool = False

    def __post_init__(self) -> None:
        if self.shows not in SHOWS:
            raise BadInputError(f"a round shows {self.shows!r}; expected one of {', '.join(SHOWS)}")
        if self.writer is not None and self.shows != "rewrites":
            raise BadInputError(f"a writer goes with rounds that show rewrites, not {self.shows}")
        if self.trace and self.shows == "research":
            raise BadInputError("a round that shows research shows the trace already; leave the trace out")

    def to_json(self) -> dict[str, JsonValue]:
        return dict(asdict(self))


AS_WRITTEN = PageForm()


def page_of(settings: Mapping[str, JsonValue]) -> PageForm:
    """Of a round's settings; rounds made before there was a choice show reports as written."""
    kept = settings.get("page")
    return PageForm(**kept) if isinstance(kept, dict) else AS_WRITTEN
