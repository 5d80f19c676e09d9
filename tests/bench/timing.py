"""Repeated timing of two ways of doing one thing, interleaved so that both meet the same machine."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ratio:
    """Median seconds of ours and of the floor, and the median of the paired ratios with its range."""

    what: str
    floor: str
    ours_s: float
    floor_s: float
    ratio: float
    lowest: float
    highest: float
    repeats: int

    def line(self) -> str:
        return (
            f"{self.what}: {self.ours_s * 1000:.1f} ms, {self.ratio:.1f} times {self.floor} "
            f"({self.floor_s * 1000:.1f} ms; {self.lowest:.1f} to {self.highest:.1f} over {self.repeats})"
        )


def compare(
    what: str, ours: Callable[[], object], floor: Callable[[], object], *, against: str, repeats: int = 7
) -> Ratio:
    """Times both in turns. The first round of each is not counted."""
    pairs: list[tuple[float, float]] = []
    for round_ in range(repeats + 1):
        mine, theirs = _seconds(ours), _seconds(floor)
        if round_:
            pairs.append((mine, theirs))
    ratios = [mine / theirs for mine, theirs in pairs]
    return Ratio(
        what,
        against,
        statistics.median(mine for mine, _ in pairs),
        statistics.median(theirs for _, theirs in pairs),
        statistics.median(ratios),
        min(ratios),
        max(ratios),
        repeats,
    )


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
