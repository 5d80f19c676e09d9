"""How much of what a run retrieved it had retrieved before."""

from collections.abc import Sequence
from typing import NamedTuple

from workbench.phases.text import fold
from workbench.schema.trajectory import ToolResult

# A shorter line ("Next", "Sign in") repeats on every page and says nothing of a repeated search.
MIN_LINE_CHARS = 40


class Redundancy(NamedTuple):
    """Characters of the lines judged, and of those that an earlier result of the run already held."""

    chars: int
    repeated_chars: int

    @property
    def share(self) -> float | None:
        """In [0, 1]; None where nothing was retrieved that could be judged."""
        return self.repeated_chars / self.chars if self.chars else None


def redundancy(results: Sequence[ToolResult]) -> Redundancy:
    """Repetition among results in order, line by line, failed results left out. Linear in their text.

    A line counts as repeated where an earlier result holds the same one, but for case, width, spacing and punctuation;
    a repetition within one result is the page's own and does not count. Lines under MIN_LINE_CHARS characters are not
    judged. A text that comes back in other line breaks is not recognised: the figure is a lower bound.
    """
    before: set[str] = set()
    chars = repeated = 0
    for result in results:
        if result.is_error:
            continue
        here: set[str] = set()
        for line in result.text.splitlines():
            line = line.strip()
            if len(line) < MIN_LINE_CHARS:
                continue
            key = fold(line)
            chars += len(line)
            repeated += len(line) if key in before else 0
            here.add(key)
        before |= here
    return Redundancy(chars, repeated)
