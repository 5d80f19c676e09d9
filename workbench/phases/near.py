"""Queries that say nearly the same, found apart from the exact count of distinct queries."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from math import ceil

from workbench.phases.text import words

SIMILAR = 0.75
# Queries made to be near to all others are compared pair by pair: these bounds keep that to about a second.
MOST_QUERIES = 500
MOST_WORDS = 64


def near_duplicate_count(distinct: Sequence[str]) -> int | None:
    """How many of the distinct queries only vary others: each beyond the first of its group.

    None over MOST_QUERIES, which are not compared.
    """
    if len(distinct) > MOST_QUERIES:
        return None
    return sum(len(group) - 1 for group in near_duplicate_groups(distinct))


def near_duplicate_groups(queries: Sequence[str], *, similar: float = SIMILAR) -> tuple[tuple[int, ...], ...]:
    """Groups of two or more indices of queries that nearly repeat one another, in order of first appearance.

    Two queries are near when the Jaccard similarity of their words (bigrams for Chinese) reaches `similar` in (0, 1]
    and they name the same numbers: `inflation 2023` and `inflation 2024` ask two things. Groups are closed under
    nearness: A near B near C is one group. Of a query the first MOST_WORDS words count.
    """
    bags = [frozenset(islice(words(query), MOST_WORDS)) for query in queries]
    numbers = [frozenset(word for word in bag if word[0].isdigit()) for bag in bags]
    parent = list(range(len(queries)))
    index: dict[str, list[int]] = defaultdict(list)
    frequency: dict[str, int] = defaultdict(int)
    for bag in bags:
        for word in bag:
            frequency[word] += 1
    first_of: dict[frozenset[str], int] = {}
    for position, bag in enumerate(bags):
        if not bag:
            continue
        if bag in first_of:
            _join(parent, first_of[bag], position)
            continue
        first_of[bag] = position
        # Two sets with Jaccard >= s share one of the rarest n - ceil(s n) + 1 words of either (prefix filter).
        rarest = sorted(bag, key=lambda word: (frequency[word], word))
        prefix = rarest[: len(bag) - ceil(similar * len(bag)) + 1]
        for other in sorted({candidate for word in prefix for candidate in index[word]}):
            if numbers[other] != numbers[position] or _root(parent, other) == _root(parent, position):
                continue
            common = len(bag & bags[other])
            if common >= similar * (len(bag) + len(bags[other]) - common):
                _join(parent, other, position)
        for word in prefix:
            index[word].append(position)
    groups: dict[int, list[int]] = defaultdict(list)
    for position in range(len(queries)):
        groups[_root(parent, position)].append(position)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def _root(parent: list[int], position: int) -> int:
    while parent[position] != position:
        parent[position] = parent[parent[position]]
        position = parent[position]
    return position


def _join(parent: list[int], left: int, right: int) -> None:
    first, second = sorted((_root(parent, left), _root(parent, right)))
    parent[second] = first
