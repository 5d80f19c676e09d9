"""Failures that are put into the tools of an episode: each kind at a rate of its own, the same each time."""

from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

from benchmarks.simulated_web.rng import Rng
from workbench.errors import BadInputError

FaultKind: TypeAlias = Literal["timeout", "forbidden", "empty", "changed"]


@dataclass(frozen=True, slots=True)
class Faults:
    """Percent of calls that go wrong although they are right, in 0 to 100, decided by `seed`.

    `timeout`: nothing comes back. `forbidden`: a page answers 403, each time it is asked for, so that only going
    elsewhere helps (searches are never refused). `empty`: a search finds nothing, a page comes without its text, and
    neither says that this is a fault. `changed`: everything is there, in another format. Of several that would strike
    one call the first in this order does. Raises BadInputError for a rate that is no percentage.
    """

    timeout: int = 0
    seed: str = ""
    forbidden: int = 0
    empty: int = 0
    changed: int = 0

    def __post_init__(self) -> None:
        for kind in fields(self):
            rate = getattr(self, kind.name)
            if kind.name != "seed" and not 0 <= rate <= 100:
                raise BadInputError(f"faults of kind {kind.name} at {rate} percent; expected 0 to 100")

    def strikes(self, number: int, url: str | None = None) -> FaultKind | None:
        """What goes wrong with the call of this number, which opens `url` or searches."""
        # The label of the time-outs is that of the days when they were the only kind: recorded episodes draw the same.
        if self._drawn(self.timeout, "fault", number):
            return "timeout"
        if url is not None and self._drawn(self.forbidden, "forbidden", url):
            return "forbidden"
        if self._drawn(self.empty, "empty", number):
            return "empty"
        return "changed" if self._drawn(self.changed, "changed", number) else None

    def _drawn(self, percent: int, label: str, what: int | str) -> bool:
        return percent > 0 and Rng(label, self.seed, what).below(100) < percent
