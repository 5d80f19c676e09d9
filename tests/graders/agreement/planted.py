"""A store with two graders and a round of people whose agreement is known."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from tests.graders.helpers import put, trajectory
from workbench.schema.ballot import Assignment, Ballot, BallotVerdict, Purpose, Round
from workbench.schema.grade import CriterionVerdict, Grade
from workbench.store import Store

AT = datetime(2026, 11, 1, tzinfo=UTC)
LABELS = {0.0: "no", 0.5: "partly", 1.0: "yes"}


def reports(store: Store, questions: int, runs: Sequence[str] = ("a", "b")) -> dict[tuple[int, str], str]:
    """Trajectory ids by question number and run."""
    keys = [(n, run) for n in range(questions) for run in runs]
    ids = put(store, [trajectory(n, run=run) for n, run in keys])
    return dict(zip(keys, ids, strict=True))


def score(
    store: Store,
    name: str,
    scores: dict[str, float | None],
    *,
    verdicts: Callable[[str], dict[str, float]] = lambda _: {},
    repeat: int = 0,
    version: str = "",
) -> None:
    """A grade of each trajectory; None is a failed one."""
    store.grades.register(name, version or f"{name}-1", "deterministic", {"name": name})
    for identifier, value in scores.items():
        said = tuple(CriterionVerdict(c, LABELS.get(v), v) for c, v in verdicts(identifier).items())
        grade = Grade(
            name,
            version or f"{name}-1",
            "case",
            "scored" if value is not None else "judge_failed",
            value,
            value,
            reason="" if value is not None else "no verdict in reply",
            verdicts=said,
            repeat=repeat,
        )
        assert store.grades.add(identifier, grade)


def people(
    store: Store,
    said: Sequence[tuple[str, str, str, BallotVerdict, Purpose]],
    *,
    name: str = "round-1",
    close: bool = True,
) -> None:
    """(rater, left id, right id, verdict, purpose): one ballot each; depth is scored 4 to 2 for the preferred side."""
    runs = ("a", "b")
    round_ = Round(name, name, runs, {"depth": "How deep?"}, False, "open", 1, False, AT)
    assignments = [
        Assignment(f"{name}-{i}", name, rater, f"q-{i}", left, right, i, purpose)
        for i, (rater, left, right, _, purpose) in enumerate(said)
    ]
    store.human.create_round(round_, assignments)
    depth = {"left": (4, 2), "right": (2, 4)}
    for i, (rater, _, _, verdict, _) in enumerate(said):
        ballot = Ballot(f"{name}-{i}", name, rater, verdict, {"depth": depth.get(verdict, (3, 3))}, created_at=AT)
        store.human.cast(ballot, idempotency_key=f"{name}-{i}")
    if close:
        store.human.close_round(name, AT)
