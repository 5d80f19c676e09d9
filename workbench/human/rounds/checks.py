"""Pairs about the rater, not the models: practice with feedback, attention checks, pairs seen before.

None of them counts for a rating. A check puts the report on a question beside the same run's report on another
question: whoever reads both knows which one answers. Same run, so that a check gives no system away.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.errors import BadInputError
from workbench.human.rounds.pairing import Pair, Seat
from workbench.schema.ballot import BallotVerdict, Purpose

# So many other pairs at least lie between a pair and its repetition (fewer only where the rater has no more).
REPEAT_AFTER = 5
PRACTICE_TOLD = "One of the two reports answers another question. The {side} one answers the question above."


@dataclass(frozen=True, slots=True)
class Checks:
    """How many of each kind every rater gets."""

    training: int = 0
    attention: int = 0
    repeats: int = 0

    def __post_init__(self) -> None:
        if min(self.training, self.attention, self.repeats) < 0:
            raise BadInputError("numbers of training pairs, attention checks and repeats are 0 or more")


@dataclass(frozen=True, slots=True)
class TrainingPair:
    """A pair with a verdict that its owner holds right, and what a rater is told after saying theirs."""

    question_id: str
    left: str
    right: str
    expected: BallotVerdict
    feedback: str


@dataclass(frozen=True, slots=True)
class PurposedSeat:
    """A seat, what it is for, and the right verdict where there is one."""

    seat: Seat
    purpose: Purpose = "rating"
    expected: BallotVerdict | None = None
    feedback: str | None = None


def with_checks(
    seats: Sequence[Seat],
    pairs: Sequence[Pair],
    checks: Checks,
    *,
    rng: random.Random,
    training: Sequence[TrainingPair] = (),
) -> tuple[PurposedSeat, ...]:
    """Every rater's seats with practice first, checks and repeats among them, and positions anew.

    `training`: the owner's own pairs, all of them before those made here. Raises BadInputError where a check cannot be
    made (no run has reports on two questions) or a rater has fewer pairs than repeats are asked for.
    """
    reports = _reports(pairs)
    found: list[PurposedSeat] = []
    for rater in dict.fromkeys(seat.rater for seat in seats):
        mine = [PurposedSeat(seat) for seat in seats if seat.rater == rater]
        practice = [PurposedSeat(Seat(rater, t.question_id, t.left, t.right, 0), "training", t.expected, t.feedback)
                    for t in training]  # fmt: skip
        practice += [_practice(rater, reports, rng) for _ in range(checks.training)]
        mine = _with_repeats(mine, checks.repeats, rng)
        for _ in range(checks.attention):
            # Not the very first: a rater is still finding the keys there.
            mine.insert(rng.randint(min(2, len(mine)), len(mine)), _check(rater, reports, rng))
        for position, one in enumerate([*practice, *mine]):
            found.append(replace(one, seat=replace(one.seat, position=position)))
    return tuple(found)


def _reports(pairs: Sequence[Pair]) -> Mapping[str, Mapping[str, str]]:
    """question -> report, for each run."""
    found: dict[str, dict[str, str]] = {}
    for pair in pairs:
        found.setdefault(pair.first_run, {})[pair.question_id] = pair.first
        found.setdefault(pair.second_run, {})[pair.question_id] = pair.second
    return found


def _check(rater: str, reports: Mapping[str, Mapping[str, str]], rng: random.Random) -> PurposedSeat:
    runs = [run for run, of_run in reports.items() if len(of_run) > 1]
    if not runs:
        raise BadInputError("a check needs a run with reports on two questions or more")
    of_run = reports[rng.choice(runs)]
    question, other = rng.sample(sorted(of_run), 2)
    answers_left = rng.random() < 0.5
    left, right = (question, other) if answers_left else (other, question)
    seat = Seat(rater, question, of_run[left], of_run[right], 0)
    return PurposedSeat(seat, "attention", "left" if answers_left else "right")


def _practice(rater: str, reports: Mapping[str, Mapping[str, str]], rng: random.Random) -> PurposedSeat:
    check = _check(rater, reports, rng)
    return replace(check, purpose="training", feedback=PRACTICE_TOLD.format(side=check.expected))


def _with_repeats(mine: Sequence[PurposedSeat], n: int, rng: random.Random) -> list[PurposedSeat]:
    """Some of the earlier pairs again, sides swapped: a habit of one side must not look like consistency."""
    if n > len(mine) // 2:
        raise BadInputError(f"{n} repeated pairs for a rater of {len(mine)} pairs; expected at most {len(mine) // 2}")
    out = list(mine)
    for again in rng.sample(list(mine[: max(n, len(mine) - REPEAT_AFTER)]), n):
        seat = again.seat
        earliest = min(out.index(again) + 1 + REPEAT_AFTER, len(out))
        repeat = PurposedSeat(replace(seat, left=seat.right, right=seat.left), "repeat")
        out.insert(rng.randint(earliest, len(out)), repeat)
    return out
