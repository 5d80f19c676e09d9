"""Creating, inviting to, revoking and closing a round."""

import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from workbench.errors import BadInputError, NotFoundError
from workbench.human.rounds.checks import Checks, PurposedSeat, TrainingPair, with_checks
from workbench.human.rounds.invitations import Invitation, new_token, token_hash
from workbench.human.rounds.page import AS_WRITTEN, PageForm
from workbench.human.rounds.pairing import seat
from workbench.human.rounds.plan import RoundPlan
from workbench.human.rounds.shown import split, with_writer
from workbench.schema.ballot import DEFAULT_DIMENSIONS, Assignment, Round
from workbench.store import Store

DEFAULT_EXPIRY = timedelta(days=14)
NO_CHECKS = Checks()


def create_round(
    store: Store,
    plan: RoundPlan,
    *,
    name: str,
    dimensions: Mapping[str, str] = DEFAULT_DIMENSIONS,
    reason_required: bool = False,
    expires_in: timedelta = DEFAULT_EXPIRY,
    checks: Checks = NO_CHECKS,
    training: Sequence[TrainingPair] = (),
    page: PageForm = AS_WRITTEN,
    now: datetime | None = None,
) -> tuple[Round, tuple[Invitation, ...]]:
    """Stores the round of `plan` with its assignments and one invitation a rater.

    The tokens are in the returned invitations and nowhere else. `dimensions` maps a name to its guidance; each is
    scored 1..5 for both reports. Sides and order follow the plan's seed; ids of assignments are random and tell
    nothing. `checks` and `training`: pairs about the rater that every rater gets beside. `page`: what is shown of each
    side; pairs that cannot be shown, or where a name was left that may be the author's, are set aside with the reason
    (`settings["set_aside"]`).
    """
    if not name.strip():
        raise BadInputError("a round needs a name")
    at = now or datetime.now(UTC)
    page = with_writer(store, page, plan.pairs)
    pairs, aside = split(store, page, plan.pairs, plan.runs)
    pool = split(store, page, plan.pool, plan.runs)[0] if plan.pool and checks != NO_CHECKS else pairs
    round_ = Round(
        id="r-" + secrets.token_hex(6),
        name=name,
        runs=plan.runs,
        dimensions=dict(dimensions),
        reason_required=reason_required,
        state="open",
        seed=plan.seed,
        simulated=plan.simulated,
        created_at=at,
        settings={
            **plan.settings(),
            "checks": asdict(checks),
            "training_pairs": len(training),
            "page": page.to_json(),
            "set_aside": [one.to_json() for one in aside],
        },
    )
    seats = seat(pairs, plan.raters, overlap=plan.overlap, rng=random.Random(plan.seed))
    rng = random.Random(f"checks-{plan.seed}")
    purposed = with_checks(seats, pool, checks, rng=rng, training=training)
    assignments = [assignment_of(round_.id, one) for one in purposed]
    store.human.create_round(round_, assignments)
    return round_, tuple(invite(store, round_.id, rater, expires_in=expires_in, now=at) for rater in plan.raters)


def assignment_of(round_id: str, one: PurposedSeat, *, after: int = 0) -> Assignment:
    """`after`: how many assignments the rater has already; these come behind them."""
    return Assignment(
        # The rater's browser sees this id: it must not be computable from the pair.
        id="a-" + secrets.token_urlsafe(12),
        round_id=round_id,
        rater=one.seat.rater,
        question_id=one.seat.question_id,
        left=one.seat.left,
        right=one.seat.right,
        position=after + one.seat.position,
        purpose=one.purpose,
        expected=one.expected,
        feedback=one.feedback,
    )


def invite(
    store: Store, round_id: str, rater: str, *, expires_in: timedelta = DEFAULT_EXPIRY, now: datetime | None = None
) -> Invitation:
    """A new link for a rater: the first, or in place of a lost, expired or revoked one, which stops working."""
    if expires_in <= timedelta(0):
        raise BadInputError(f"an invitation that expires after {expires_in}; expected a time ahead")
    if store.human.round(round_id).state == "closed":
        raise BadInputError(f"round {round_id} is closed: nobody can be invited to it any more")
    token = new_token()
    expires_at = (now or datetime.now(UTC)) + expires_in
    store.human.add_rater(round_id, rater, token_hash(token), expires_at)
    return Invitation(round_id, rater, token, expires_at)


def revoke(store: Store, round_id: str, rater: str) -> None:
    """The rater's link stops working at once; ballots already cast stay. NotFoundError for an unknown rater."""
    known = [row.rater for row in store.human.raters(round_id)]
    if rater not in known:
        raise NotFoundError(f"round {round_id} has no rater {rater!r}; its raters are {', '.join(known) or '(none)'}")
    store.human.revoke_rater(round_id, rater)


def close_round(store: Store, round_id: str, *, now: datetime | None = None) -> Round:
    """No ballot is taken any more, and names of models may be shown. Closing twice changes nothing."""
    if store.human.round(round_id).state == "open":
        store.human.close_round(round_id, now or datetime.now(UTC))
    return store.human.round(round_id)
