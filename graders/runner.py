"""Grades every trajectory of a selection once: resumable, typed, and no paid reply is lost."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from graders.redact import redact
from workbench.errors import WorkbenchError
from workbench.schema.canonical import JsonValue
from workbench.schema.grade import Grade, GradingCase
from workbench.schema.protocols import Grader, RepeatableGrader
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import JobHandle, JobStopped

_FLUSH_N = 32
_FLUSH_S = 1.0
_LISTED = 20


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
    run = _Run(store, grader, ids, repeats, job)
    return asyncio.run(run.go(concurrency))


class _Run:
    def __init__(self, store: Store, grader: Grader, ids: tuple[str, ...], repeats: int, job: JobHandle) -> None:
        self.store = store
        self.grader = grader
        self.ids = ids
        self.job = job
        self.repeats = repeats
        # A trajectory never changes under its id, so its id stands for its case.
        found = {(identifier, repeat) for identifier, _, repeat in store.grades.existing(grader.version, ids)}
        wanted = [(identifier, repeat) for identifier in ids for repeat in range(repeats)]
        self.todo = [item for item in wanted if item not in found]
        self.cached = len(wanted) - len(self.todo)
        self.counts = {"scored": 0, "abstained": 0, "judge_failed": 0, "infra_failed": 0}
        self.failures: list[dict[str, str]] = []
        self.costs: list[float | None] = []
        self.buffer: list[tuple[str, Grade]] = []
        self.flushed_at = time.monotonic()
        self.stop: BaseException | None = None

    async def go(self, concurrency: int) -> GradeReport:
        grader = self.grader
        self.store.grades.register(grader.name, grader.version, grader.kind, getattr(grader, "definition", {}))
        self.job.progress(0, len(self.todo), failed=0, cost_usd=0.0)
        items = iter(self.todo)
        workers = [asyncio.create_task(self._work(items)) for _ in range(min(concurrency, len(self.todo)))]
        try:
            if workers:
                await asyncio.wait(workers)
        except asyncio.CancelledError as error:
            # What is under way may be paid for: let it end and keep it.
            self.stop = error
            await asyncio.wait(workers)
        self._flush()
        for worker in workers:
            worker.result()
        if self.stop is not None and not isinstance(self.stop, WorkbenchError):
            raise self.stop
        if self.stop is not None and self._done == 0:
            raise self.stop
        return self._report()

    @property
    def _done(self) -> int:
        return sum(self.counts.values())

    async def _work(self, items: Iterator[tuple[str, int]]) -> None:
        for identifier, repeat in items:
            try:
                await self.job.async_checkpoint()
                if self.stop is not None:
                    return
                grade = await self._grade(identifier, repeat)
            except (JobStopped, WorkbenchError) as error:
                self.stop = self.stop or error
                return
            self._keep(identifier, grade)

    async def _grade(self, identifier: str, repeat: int) -> Grade:
        trajectory = await asyncio.to_thread(self.store.trajectories.get, identifier)
        case = GradingCase(trajectory.question, trajectory.report, trajectory)
        grader = self.grader
        drawn = grader.repeated(repeat) if isinstance(grader, RepeatableGrader) else grader
        try:
            grade = await drawn.grade(case)
        except WorkbenchError:
            raise
        except Exception as error:
            # A grader of the user's own may break the rule that grading does not raise.
            reason = f"the grader raised {type(error).__name__}: {redact(str(error))[:500]}"
            grade = Grade(grader.name, grader.version, case.case_hash, "judge_failed", reason=reason)
        return grade if grade.repeat == repeat else replace(grade, repeat=repeat)

    def _keep(self, identifier: str, grade: Grade) -> None:
        self.counts[grade.outcome] += 1
        if grade.outcome in ("judge_failed", "infra_failed"):
            self.failures.append({"id": identifier, "outcome": grade.outcome, "reason": grade.reason})
            self.job.log(f"{identifier}: {grade.outcome}: {grade.reason}", "warning")
        if not grade.usage.cached:
            self.costs.append(grade.usage.cost_usd)
        self.buffer.append((identifier, grade))
        # Grades are kept a few at a time. A kill in between costs no money: the replies are kept already.
        if len(self.buffer) >= _FLUSH_N or time.monotonic() - self.flushed_at > _FLUSH_S:
            self._flush()
        self.job.progress(self._done, failed=self._failed, cost_usd=self._cost())

    @property
    def _failed(self) -> int:
        return self.counts["judge_failed"] + self.counts["infra_failed"]

    def _flush(self) -> None:
        if self.buffer:
            self.store.grades.add_many(self.buffer)
        self.buffer = []
        self.flushed_at = time.monotonic()

    def _cost(self) -> float | None:
        """What was paid, by the gateway's purse where there is one, else by the grades; None if a price is unknown."""
        purse: Any = getattr(getattr(self.grader, "gateway", None), "purse", None)
        if purse is not None:
            return float(purse.spent_usd) if not purse.unpriced else None
        known = [cost for cost in self.costs if cost is not None]
        return sum(known) if len(known) == len(self.costs) else None

    def _report(self) -> GradeReport:
        scores = self._scores()
        return GradeReport(
            graded=self.counts["scored"],
            cached=self.cached,
            abstained=self.counts["abstained"],
            failed=self._failed,
            mean_score=sum(scores) / len(scores) if scores else None,
            n_scored=len(scores),
            cost_usd=self._cost(),
            n=len(self.ids),
            left=len(self.todo) - self._done,
            stopped=str(self.stop or ""),
            failures=tuple(self.failures[:_LISTED]),
            grader={"name": self.grader.name, "version": self.grader.version, "kind": self.grader.kind},
        )

    def _scores(self) -> list[float]:
        columns = self.store.grades.scores(f"{self.grader.name}@{self.grader.version}")
        wanted = set(self.ids)
        rows = zip(columns["trajectory_id"], columns["repeat"], columns["score"], strict=True)
        return [
            score
            for identifier, repeat, score in rows
            if identifier in wanted and repeat < self.repeats and score is not None
        ]
