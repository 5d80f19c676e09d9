"""A closed round of simulated ballots: raters who see a report's gold through noise. Marked simulated everywhere."""

import random
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from benchmarks.sample.plan import COMPARED, SamplePlan
from benchmarks.simulated_web.gold import GoldGrader
from benchmarks.simulated_web.rng import Rng
from workbench.human.rounds.invitations import new_token, token_hash
from workbench.human.rounds.pairing import seat
from workbench.human.rounds.plan import RoundPlan, plan_round
from workbench.schema.ballot import DEFAULT_DIMENSIONS, Assignment, Ballot, BallotVerdict, Round
from workbench.schema.canonical import JsonObject, content_hash
from workbench.store import Store
from workbench.store.jobs import JobHandle

NAME = "Sample round (simulated raters)"
OVERLAP = 2
# Percentage points of gold. A rater's impression is gold plus noise; two impressions closer than CLOSE are a tie.
NOISE = 16
CLOSE = 6
GOOD, FAIR = 75, 40


def round_id(plan: SamplePlan) -> str:
    """Made from the plan, so that the same sample gives the same round on every machine."""
    return "r-sample-" + content_hash([plan.seed, plan.question_seed, plan.questions, plan.attempts])[:8]


def add_round(store: Store, plan: SamplePlan, job: JobHandle) -> JsonObject:
    """Pairs as the workbench makes them, every ballot cast, the round closed."""
    planned = plan_round(store, runs=plan.runs_of(COMPARED), raters=plan.raters, overlap=OVERLAP, seed=plan.seed)
    identity = round_id(plan)
    if identity not in {round_.id for round_ in store.human.rounds()}:
        _create(store, plan, planned, identity)
    if store.human.round(identity).state == "open":
        _cast_all(store, plan, identity, job)
        store.human.close_round(identity, datetime.now(UTC))
    return {"round": identity, "ballots": len(store.human.ballots(identity))}


def _create(store: Store, plan: SamplePlan, planned: RoundPlan, identity: str) -> None:
    now = datetime.now(UTC)
    seats = seat(planned.pairs, planned.raters, overlap=OVERLAP, rng=random.Random(plan.seed))
    assignments = [
        Assignment(
            id=f"a-sample-{content_hash([identity, one.rater, one.left, one.right])[:16]}",
            round_id=identity,
            rater=one.rater,
            question_id=one.question_id,
            left=one.left,
            right=one.right,
            position=one.position,
        )
        for one in seats
    ]
    round_ = Round(
        id=identity,
        name=NAME,
        runs=planned.runs,
        dimensions=dict(DEFAULT_DIMENSIONS),
        reason_required=False,
        state="open",
        seed=plan.seed,
        simulated=True,
        created_at=now,
    )
    store.human.create_round(round_, assignments)
    for rater in planned.raters:
        # Nobody is to rate here: the token is thrown away and the invitation dead from the start.
        store.human.add_rater(identity, rater, token_hash(new_token()), now - timedelta(seconds=1))


def _cast_all(store: Store, plan: SamplePlan, identity: str, job: JobHandle) -> None:
    columns = store.grades.scores(f"{GoldGrader.name}@{GoldGrader.version}")
    gold: Mapping[str, float] = {
        trajectory: score
        for trajectory, score in zip(columns["trajectory_id"], columns["score"], strict=True)
        if score is not None
    }
    for assignment in store.human.assignments(identity):
        job.checkpoint()
        ballot = simulated_ballot(assignment, gold[assignment.left], gold[assignment.right], seed=plan.seed)
        store.human.cast(ballot, idempotency_key=assignment.id)


def simulated_ballot(assignment: Assignment, gold_left: float, gold_right: float, *, seed: int) -> Ballot:
    """What a simulated rater says of two reports with these gold scores in [0, 1]."""
    rng = Rng("ballot", seed, assignment.rater, assignment.left, assignment.right)
    left, right = (round(100 * gold) + rng.between(-NOISE, NOISE) for gold in (gold_left, gold_right))
    verdict: BallotVerdict
    if abs(left - right) <= CLOSE:
        low = min(left, right)
        verdict = "both_good" if low >= GOOD else "both_fair" if low >= FAIR else "both_bad"
    else:
        verdict = "left" if left > right else "right"
    scores = {name: (_stars(rng, left), _stars(rng, right)) for name in DEFAULT_DIMENSIONS}
    return Ballot(
        assignment_id=assignment.id,
        round_id=assignment.round_id,
        rater=assignment.rater,
        verdict=verdict,
        scores=scores,
        reason="",
        seconds=float(rng.between(40, 260)),
        created_at=datetime.now(UTC),
    )


def _stars(rng: Rng, impression: int) -> int:
    return min(5, max(1, 1 + (impression + rng.between(-12, 12)) // 20))
