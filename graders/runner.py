"""Grades every trajectory of a selection once: resumable, typed, and no paid reply is lost."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graders.citation_check.keeping import keep_supports
from graders.collecting import Tally, collect
from workbench.schema.canonical import JsonValue
from workbench.schema.grade import Grade, GradingCase
from workbench.schema.protocols import Grader, RepeatableGrader
from workbench.schema.trajectory import Trajectory
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import JobHandle


@dataclass(frozen=True, slots=True)
class GradeReport:
    """Counts of this run. `cached`: found in the store, scored or abstained, and left alone.

    `mean_score` is over every scored grade of the selection, found or made (`n_scored` of them), None without any.
    `cost_usd` is what this run paid, None where a price is unknown. `failures` lists up to 20; `left` were not reached
    because of `stopped`.
    """

    graded: int
    cached: int
    abstained: int
    failed: int
    mean_score: float | None
    n_scored: int
    cost_usd: float | None
    n: int
    left: int = 0
    stopped: str = ""
    failures: tuple[dict[str, str], ...] = ()
    grader: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, JsonValue]:
        """The answer of `workbench grade --json`."""
        return {
            "graded": self.graded,
            "cached": self.cached,
            "abstained": self.abstained,
            "failed": self.failed,
            "mean_score": self.mean_score,
            "n_scored": self.n_scored,
            "cost_usd": self.cost_usd,
            "n": self.n,
            "left": self.left,
            "stopped": self.stopped,
            "failures": [dict(failure) for failure in self.failures],
            "grader": dict(self.grader),
        }


def grade_run(
    store: Store,
    grader: Grader,
    filter_: TrajectoryFilter,
    *,
    job: JobHandle,
    concurrency: int = 4,
    repeats: int = 1,
    limit: int | None = None,
) -> GradeReport:
    """Grades what `filter_` selects (the first `limit` by import order) and that has no grade of this version yet.

    Failed grades are stored with their reason and made again by the next run; they are never a score. Raises JobStopped
    after what was under way has ended and is stored, and WorkbenchError where nothing at all could be graded.
    """
    ids = store.trajectories.ids(filter_)[:limit]
    work = Reports(store, grader)
    todo = ungraded(store, grader, ids, repeats)
    tally = collect(store, grader, work, todo, job=job, concurrency=concurrency)
    return _report(store, grader, ids, repeats, tally, cached=len(ids) * repeats - len(todo))


def ungraded(store: Store, grader: Grader, ids: Sequence[str], repeats: int) -> list[tuple[str, int]]:
    """(id, repeat) of what this version has neither scored nor abstained on, in order."""
    # A trajectory never changes under its id, so its id stands for its case.
    found = {(identifier, repeat) for identifier, _, repeat in store.grades.existing(grader.version, ids)}
    return [item for item in ((name, repeat) for name in ids for repeat in range(repeats)) if item not in found]


class Reports:
    """The work of grading reports: an item is a trajectory's id and a repeat."""

    def __init__(self, store: Store, grader: Grader) -> None:
        self._store = store
        self._grader = grader
        self._draws: dict[int, Grader] = {}

    def load(self, items: Sequence[tuple[str, int]]) -> Sequence[GradingCase]:
        found = load_trajectories(self._store, [identifier for identifier, _ in items])
        return [GradingCase(t.question, t.report, t) for t in (found[identifier] for identifier, _ in items)]

    async def ask(self, item: tuple[str, int], case: GradingCase) -> Grade:
        repeat = item[1]
        grade = await self._drawn(repeat).grade(case)
        return grade if grade.repeat == repeat else replace(grade, repeat=repeat)

    def _drawn(self, repeat: int) -> Grader:
        """Made once a repeat: a grader hashes its whole definition when it is made."""
        if repeat not in self._draws:
            grader = self._grader
            self._draws[repeat] = grader.repeated(repeat) if isinstance(grader, RepeatableGrader) else grader
        return self._draws[repeat]

    def failed(self, item: tuple[str, int], case: GradingCase, reason: str) -> Grade:
        grader = self._grader
        return Grade(grader.name, grader.version, case.case_hash, "judge_failed", reason=reason, repeat=item[1])

    def keep(self, results: Sequence[tuple[tuple[str, int], Grade]]) -> None:
        """What a grader learns beside its grade belongs here too, before the grades: after a kill it is done again."""
        grades = [(identifier, grade) for (identifier, _), grade in results]
        keep_supports(self._store, self._grader, grades)
        self._store.grades.add_many(grades)

    def named(self, item: tuple[str, int]) -> dict[str, str]:
        return {"id": item[0]}


def load_trajectories(store: Store, ids: Sequence[str]) -> dict[str, Trajectory]:
    """By id, in one read. Raises NotFoundError for one that is not there."""
    wanted = TrajectoryFilter(ids=tuple(dict.fromkeys(ids)))
    found = dict(store.trajectories.iterate_with_ids(wanted, batch=len(ids)))
    return {identifier: found.get(identifier) or store.trajectories.get(identifier) for identifier in ids}


def _report(
    store: Store, grader: Grader, ids: Sequence[str], repeats: int, tally: Tally, *, cached: int
) -> GradeReport:
    columns = store.grades.scores(f"{grader.name}@{grader.version}")
    wanted = set(ids)
    rows = zip(columns["trajectory_id"], columns["repeat"], columns["score"], strict=True)
    scores = [score for name, repeat, score in rows if name in wanted and repeat < repeats and score is not None]
    return GradeReport(
        graded=tally.scored,
        cached=cached,
        abstained=tally.abstained,
        failed=tally.failed,
        mean_score=sum(scores) / len(scores) if scores else None,
        n_scored=len(scores),
        cost_usd=tally.cost_usd,
        n=len(ids),
        left=tally.left,
        stopped=tally.stopped,
        failures=tally.failures,
        grader={"name": grader.name, "version": grader.version, "kind": grader.kind},
    )
