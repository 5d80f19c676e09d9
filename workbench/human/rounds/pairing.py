"""Who sees which pair, and which report stands on the left: pure, and the same for the same seed."""

import itertools
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """Two reports on one question, of two runs. `first` and `second` are trajectory ids."""

    question_id: str
    first_run: str
    second_run: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Seat:
    """A pair put before a rater, sides decided."""

    rater: str
    question_id: str
    left: str
    right: str
    position: int


def pairs_of(reports: Mapping[str, Mapping[str, str]]) -> tuple[tuple[Pair, ...], Mapping[str, int]]:
    """All pairs of runs on every question, from run -> question -> trajectory id.

    Also how many questions each run lacks of those that any run has: pairs with a missing side are left out.
    """
    questions = sorted({question for of_run in reports.values() for question in of_run})
    pairs = tuple(
        Pair(question, a, b, reports[a][question], reports[b][question])
        for question in questions
        for a, b in itertools.combinations(reports, 2)
        if question in reports[a] and question in reports[b]
    )
    return pairs, {run: len(questions) - len(of_run) for run, of_run in reports.items()}


def seat(
    pairs: Sequence[Pair],
    raters: Sequence[str],
    *,
    overlap: int,
    rng: random.Random,
    lead: Mapping[tuple[str, str], int] | None = None,
) -> tuple[Seat, ...]:
    """Every pair before `overlap` raters (1 <= overlap <= raters), work shared evenly, sides balanced.

    Within each pair of runs a rater's seats alternate in side, from a random start: overall and for each rater the two
    runs stand on the left equally often, give or take one for each pair of runs. The order a rater meets is random.
    `lead`: by how much the first of two runs stood on the left more often in earlier batches, which this one evens out.
    """
    by_rater: dict[str, list[Pair]] = {rater: [] for rater in raters}
    shuffled = list(pairs)
    rng.shuffle(shuffled)
    order = list(raters)
    rng.shuffle(order)
    for number, pair in enumerate(shuffled):
        for copy in range(overlap):
            by_rater[order[(number * overlap + copy) % len(order)]].append(pair)
    seats: list[Seat] = []
    on_left: Counter[tuple[str, str]] = Counter(lead or {})
    for rater in order:
        mine = by_rater[rater]
        flips = _sides(mine, on_left, rng)
        rng.shuffle(flips)
        for position, (pair, first_is_left) in enumerate(flips):
            left, right = (pair.first, pair.second) if first_is_left else (pair.second, pair.first)
            seats.append(Seat(rater, pair.question_id, left, right, position))
    return tuple(seats)


def _sides(mine: Sequence[Pair], on_left: Counter[tuple[str, str]], rng: random.Random) -> list[tuple[Pair, bool]]:
    """Half of a rater's pairs of two runs each way; an odd one evens out what earlier raters left (or is tossed)."""
    by_runs: dict[tuple[str, str], list[Pair]] = {}
    for pair in mine:
        by_runs.setdefault((pair.first_run, pair.second_run), []).append(pair)
    found: list[tuple[Pair, bool]] = []
    for runs, pairs in by_runs.items():
        lead = on_left[runs]
        extra_left = lead < 0 or (lead == 0 and rng.random() < 0.5)
        n_left = len(pairs) // 2 + (len(pairs) % 2 if extra_left else 0)
        sides = [True] * n_left + [False] * (len(pairs) - n_left)
        rng.shuffle(sides)
        on_left[runs] += 2 * n_left - len(pairs)
        found.extend(zip(pairs, sides, strict=True))
    return found
