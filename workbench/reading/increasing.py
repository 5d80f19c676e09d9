"""The heaviest increasing subsequence: which of many paired places keep their order."""

from bisect import bisect_right
from collections.abc import Sequence


def longest_increasing(values: Sequence[int], weights: Sequence[int]) -> list[int]:
    """Places of a strictly increasing subsequence of `values` whose weights sum highest, in order.

    Values are distinct, weights positive. O(n log n): the best ends are kept with value and weight both rising.
    """
    ends: list[int] = []  # values, rising
    sums: list[int] = []  # the best sum of a subsequence that ends at or before that value, rising
    places: list[int] = []
    before: list[int] = []
    for place, (value, weight) in enumerate(zip(values, weights, strict=True)):
        at = bisect_right(ends, value)
        best = weight + (sums[at - 1] if at else 0)
        before.append(places[at - 1] if at else -1)
        stop = at
        while stop < len(sums) and sums[stop] <= best:
            stop += 1
        ends[at:stop], sums[at:stop], places[at:stop] = [value], [best], [place]
    found: list[int] = []
    place = places[-1] if places else -1
    while place >= 0:
        found.append(place)
        place = before[place]
    return found[::-1]
