"""A round with long reports, and what of its ballots differs from what raters were told was recorded."""

import random
from collections import Counter
from collections.abc import Sequence

from tests.workbench.human.load.raters import Acknowledged, Rater
from tests.workbench.human.sample import RUNS, add, trajectory_of
from workbench.human.rounds import Invitation, create_round, plan_round
from workbench.schema.ballot import DEFAULT_DIMENSIONS, Ballot, Round
from workbench.store import Store

REPORT_CHARS = 16_000
WORDS = (
    "quay", "berth", "crane", "draught", "ammonia", "tanker", "permit", "pipeline", "storage", "demand", "tariff",
    "grid", "subsidy", "safety",
)  # fmt: skip


def long_round(store: Store, *, raters: int, pairs: int, seed: int = 7) -> tuple[Round, tuple[Invitation, ...]]:
    """Every rater gets the same `pairs` pairs (a multiple of three) of reports as long as deep research writes them."""
    rng = random.Random(seed)
    for run in RUNS:
        store.runs.ensure(run.name, model=run.model)
        asked = [f"Which harbours can bunker ammonia by {2030 + n}?" for n in range(pairs // 3)]
        add(store, *(trajectory_of(run, question, _report(run.model, rng)) for question in asked))
    plan = plan_round(store, runs=[run.name for run in RUNS], raters=raters, overlap=raters, seed=seed)
    return create_round(store, plan, name="load", dimensions=DEFAULT_DIMENSIONS, reason_required=True)


def _report(model: str, rng: random.Random) -> str:
    parts = [f"# Findings\n\nAs {model}, I looked into this."]
    while sum(map(len, parts)) < REPORT_CHARS:
        sentence = " ".join(rng.choices(WORDS, k=40))
        n = len(parts)
        parts.append(f"## Part {n}\n\n{sentence} [{n}]. **{sentence}** https://{rng.choice(WORDS)}.example/{n}")
    return "\n\n".join(parts)


def differences(store: Store, round_id: str, acknowledged: Sequence[Acknowledged]) -> dict[str, list[str]]:
    """Assignments whose ballot is lost, doubled, or not what this rater sent; and what the log says."""
    stored = store.human.ballots(round_id)
    of = {one.assignment_id: one for one in stored}
    owner = {one.id: one.rater for one in store.human.assignments(round_id)}
    sent = {one.assignment: one for one in acknowledged}
    twice = [key for key, n in Counter(one.assignment_id for one in stored).items() if n > 1]
    twice += [key for key, n in Counter(one.assignment for one in acknowledged).items() if n > 1]
    return {
        "lost": sorted(sent.keys() - of.keys()),
        "doubled": sorted(twice),
        "not_acknowledged": sorted(of.keys() - sent.keys()),
        "misattributed": sorted(
            key
            for key in sent.keys() & of.keys()
            if _said(of[key]) != _said(sent[key]) or owner[key] != sent[key].rater
        ),
        "log": list(store.human.audit(round_id).problems),
    }


def _said(one: Ballot | Acknowledged) -> tuple[object, ...]:
    return one.rater, one.verdict, one.reason, {name: list(pair) for name, pair in one.scores.items()}


def acknowledged_by(raters: Sequence[Rater]) -> list[Acknowledged]:
    return [one for rater in raters for one in rater.acknowledged]
