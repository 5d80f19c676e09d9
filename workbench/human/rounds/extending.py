"""An active round goes on: ratings fitted again from the ballots cast, the pairs that inform most put before raters.

Nothing of the ratings leaves this module: the round stays blind, for its owner too.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from workbench.errors import BadInputError
from workbench.human.rounds.checks import PurposedSeat
from workbench.human.rounds.designs import Cell, informative
from workbench.human.rounds.lifecycle import assignment_of
from workbench.human.rounds.page import page_of
from workbench.human.rounds.pairing import seat
from workbench.human.rounds.plan import plan_round
from workbench.human.rounds.shown import split
from workbench.schema.ballot import Assignment, Round
from workbench.stats.estimate import FloatMatrix
from workbench.store import Store, TrajectoryFilter


@dataclass(frozen=True, slots=True)
class Extended:
    """`added` assignments; `waiting` were still to be rated before; `left` of the budget is still to be asked for."""

    added: int
    waiting: int
    left: int


def extend_round(store: Store, round_id: str, *, now: datetime | None = None) -> Extended:
    """The next batch of an active round, before the raters whose links work.

    Raises BadInputError for a round of another design, a closed one, one whose budget is spent, or one without raters
    enough for its overlap.
    """
    round_ = store.human.round(round_id)
    design = round_.settings.get("design")
    if design != "active":
        raise BadInputError(f"round {round_id} is {design or 'round-robin'}: only an active one is extended")
    if round_.state == "closed":
        raise BadInputError(f"round {round_id} is closed; open another one")
    overlap, budget, batch = (_number(round_, name) for name in ("overlap", "budget", "batch"))
    at = now or datetime.now(UTC)
    raters = [row.rater for row in store.human.raters(round_id) if not row.revoked and row.expires_at > at]
    if len(raters) < overlap:
        raise BadInputError(f"{len(raters)} raters have a working link; this round wants {overlap} raters a pair")
    given = [one for one in store.human.assignments(round_id) if one.purpose == "rating"]
    n = min(batch, (budget - len(given)) // overlap)
    if n < 1:
        raise BadInputError(f"round {round_id} has asked for its {budget} ballots; close it, or open another one")
    questions = round_.settings.get("questions")
    plan = plan_round(
        store,
        runs=round_.runs,
        raters=raters,
        overlap=overlap,
        seed=round_.seed,
        questions=questions if isinstance(questions, int) else None,
    )
    run_of = _runs_of(store, round_)
    wins, ties = _said(store, round_, run_of)
    pool, _ = split(store, page_of(round_.settings), plan.pool, round_.runs)
    pairs = informative(
        pool, round_.runs, n, asked=_asked(given, run_of), wins=wins, ties=ties, seed=_seed(round_, given)
    )
    if not pairs:
        raise BadInputError(f"round {round_id} has no pair left that was not asked about")
    rng = random.Random(f"seats-{_seed(round_, given)}")
    seats = seat(pairs, raters, overlap=overlap, rng=rng, lead=_lead(given, run_of, round_.runs))
    behind = Counter[str]()
    for one in store.human.assignments(round_id):
        behind[one.rater] = max(behind[one.rater], one.position + 1)
    fresh = [assignment_of(round_id, PurposedSeat(one), after=behind[one.rater]) for one in seats]
    waiting = sum(row.n_assigned - row.n_cast for row in store.human.raters(round_id))
    store.human.add_assignments(round_id, fresh)
    return Extended(len(fresh), waiting, budget - len(given) - len(fresh))


def _number(round_: Round, name: str) -> int:
    value = round_.settings.get(name)
    if not isinstance(value, int):
        raise BadInputError(f"round {round_.id} keeps no {name} in its settings; it was made by an earlier version")
    return value


def _seed(round_: Round, given: Sequence[Assignment]) -> int:
    """Another one for each batch, and the same for the same batch."""
    return int(np.random.SeedSequence([round_.seed % 2**32, len(given)]).generate_state(1)[0])


def _runs_of(store: Store, round_: Round) -> dict[str, str]:
    return {
        identity: run
        for run in round_.runs
        for identity in store.trajectories.columns(TrajectoryFilter(run=run, has_report=True))["id"]
    }


def _asked(given: Sequence[Assignment], run_of: dict[str, str]) -> dict[Cell, int]:
    return dict(Counter((one.question_id, frozenset((run_of[one.left], run_of[one.right]))) for one in given))


def _said(store: Store, round_: Round, run_of: dict[str, str]) -> tuple[FloatMatrix, FloatMatrix]:
    """Wins and ties, runs x runs. Ballots set aside do not steer."""
    index = {run: position for position, run in enumerate(round_.runs)}
    sides = {one.id: (index[run_of[one.left]], index[run_of[one.right]]) for one in _rating(store, round_.id)}
    wins, ties = (np.zeros((len(index), len(index))) for _ in range(2))
    for ballot in store.human.ballots(round_.id, include_set_aside=False):
        if ballot.assignment_id not in sides:
            continue
        left, right = sides[ballot.assignment_id]
        if ballot.verdict == "left":
            wins[left, right] += 1
        elif ballot.verdict == "right":
            wins[right, left] += 1
        else:
            ties[left, right] += 1
            ties[right, left] += 1
    return wins, ties


def _rating(store: Store, round_id: str) -> list[Assignment]:
    return [one for one in store.human.assignments(round_id) if one.purpose == "rating"]


def _lead(given: Sequence[Assignment], run_of: dict[str, str], runs: Sequence[str]) -> dict[tuple[str, str], int]:
    """By how much the first of two runs (in the round's order) stood on the left more often than the second."""
    place = {run: position for position, run in enumerate(runs)}
    lead: Counter[tuple[str, str]] = Counter()
    for one in given:
        left, right = run_of[one.left], run_of[one.right]
        lead[(left, right) if place[left] < place[right] else (right, left)] += 1 if place[left] < place[right] else -1
    return dict(lead)
