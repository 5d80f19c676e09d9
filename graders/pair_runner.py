"""Compares the reports of runs question by question: resumable, typed, and no paid reply is lost."""

import asyncio
import hashlib
import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from graders.redact import redact
from workbench.errors import BadInputError, WorkbenchError
from workbench.schema.canonical import JsonValue
from workbench.schema.grade import PairCase, PairGrade
from workbench.schema.protocols import PairwiseGrader
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import JobHandle, JobStopped

Attempts: TypeAlias = Literal["first", "all"]
FAILED = ("judge_failed", "infra_failed")
_FLUSH_N = 32
_FLUSH_S = 1.0
_LISTED = 20


@dataclass(frozen=True, slots=True)
class Pair:
    """Two trajectories on one question. `swapped`: the second run's report stands on the left."""

    question_id: str
    runs: tuple[str, str]
    left: str
    right: str
    swapped: bool
    chars: tuple[int, int]  # of the left and the right report


@dataclass(frozen=True, slots=True)
class PairReport:
    """Counts of this run of the job. `cached`: judged before and left alone; `left` not reached because of `stopped`.

    `judged`: all judgments of the selection, (pair, grade), failed ones too. `cost_usd` is what this run paid, None
    where a price is unknown. `failures` lists up to 20.
    """

    scored: int
    cached: int
    abstained: int
    failed: int
    cost_usd: float | None
    n_pairs: int
    left: int
    stopped: str
    failures: tuple[dict[str, str], ...]
    judged: tuple[tuple[Pair, PairGrade], ...]

    def to_json(self) -> dict[str, JsonValue]:
        """`pairs scored cached abstained failed left stopped cost_usd failures[{left, right, outcome, reason}]`."""
        return {
            "pairs": self.n_pairs,
            "scored": self.scored,
            "cached": self.cached,
            "abstained": self.abstained,
            "failed": self.failed,
            "left": self.left,
            "stopped": self.stopped,
            "cost_usd": self.cost_usd,
            "failures": [dict(failure) for failure in self.failures],
        }


def pairs_of(
    store: Store, runs: Sequence[str], *, attempts: Attempts = "first", limit: int | None = None, seed: int = 0
) -> tuple[Pair, ...]:
    """Every two runs on every question that all runs share (the first `limit` of them), by question.

    `first`: each run's first attempt; `all`: every attempt of one with every attempt of the other. Sides are drawn by
    `seed` and the two ids. Raises BadInputError for fewer than two runs, or no shared question.
    """
    if len(set(runs)) < 2 or len(set(runs)) < len(runs):
        raise BadInputError(f"runs {', '.join(runs) or '(none)'}; expected two or more different ones")
    by_run: list[dict[str, list[tuple[int, str, int]]]] = []
    for run in runs:
        store.runs.get(run)
        found: dict[str, list[tuple[int, str, int]]] = {}
        columns = store.trajectories.columns(TrajectoryFilter(run=run))
        names = ("question_id", "attempt", "id", "report_chars")
        for question, attempt, identifier, chars in zip(*(columns[name] for name in names), strict=True):
            found.setdefault(question, []).append((attempt, identifier, chars))
        by_run.append({question: sorted(all_) for question, all_ in found.items()})
    shared = sorted(set.intersection(*(set(found) for found in by_run)))[:limit]
    if not shared:
        raise BadInputError(f"runs {', '.join(runs)} share no question, so that no two reports can be compared")
    most = 1 if attempts == "first" else None
    out: list[Pair] = []
    for question in shared:
        for (one, a), (two, b) in itertools.combinations(zip(runs, by_run, strict=True), 2):
            for (_, x, nx), (_, y, ny) in itertools.product(a[question][:most], b[question][:most]):
                # By the two ids in an order of their own: which run was named first must not matter.
                low, high = sorted((x, y))
                low_left = hashlib.sha256(f"{seed}\n{low}\n{high}".encode()).digest()[0] % 2 == 0
                swapped = (x == low) != low_left
                left, right, chars = (y, x, (ny, nx)) if swapped else (x, y, (nx, ny))
                out.append(Pair(question, (one, two), left, right, swapped, chars))
    return tuple(out)


def compare_runs(
    store: Store,
    grader: PairwiseGrader,
    pairs: Sequence[Pair],
    *,
    job: JobHandle,
    concurrency: int = 4,
    repeats: int = 1,
) -> PairReport:
    """Judges the pairs that have no judgment of this version yet, whichever side they stood on then.

    Failed ones are stored with their reason and tried again by the next run. Raises JobStopped after what was under
    way has ended and is stored, and WorkbenchError where nothing at all could be judged.
    """
    return asyncio.run(_Run(store, grader, pairs, repeats, job).go(concurrency))


class _Run:
    def __init__(
        self, store: Store, grader: PairwiseGrader, pairs: Sequence[Pair], repeats: int, job: JobHandle
    ) -> None:
        self.store, self.grader, self.pairs, self.job, self.repeats = store, grader, pairs, job, repeats
        found = store.pairs.existing(grader.version)
        wanted = [(pair, repeat) for pair in pairs for repeat in range(repeats)]
        self.todo = [
            (p, k) for p, k in wanted if (p.left, p.right, k) not in found and (p.right, p.left, k) not in found
        ]
        self.cached = len(wanted) - len(self.todo)
        self.counts = {"scored": 0, "abstained": 0, "judge_failed": 0, "infra_failed": 0}
        self.failures: list[dict[str, str]] = []
        self.costs: list[float | None] = []
        self.buffer: list[tuple[str, str, PairGrade]] = []
        self.flushed_at = time.monotonic()
        self.stop: BaseException | None = None

    async def go(self, concurrency: int) -> PairReport:
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
        if self.stop is not None and (not isinstance(self.stop, WorkbenchError) or self._done == 0):
            raise self.stop
        return self._report()

    @property
    def _done(self) -> int:
        return sum(self.counts.values())

    async def _work(self, items: Iterator[tuple[Pair, int]]) -> None:
        for pair, repeat in items:
            try:
                await self.job.async_checkpoint()
                if self.stop is not None:
                    return
                grade = await self._compare(pair, repeat)
            except (JobStopped, WorkbenchError) as error:
                self.stop = self.stop or error
                return
            self._keep(pair, grade)

    async def _compare(self, pair: Pair, repeat: int) -> PairGrade:
        left, right = await asyncio.gather(
            *(asyncio.to_thread(self.store.trajectories.get, name) for name in (pair.left, pair.right))
        )
        drawn: Any = self.grader
        if repeat and hasattr(drawn, "repeated"):
            drawn = drawn.repeated(repeat)
        try:
            grade: PairGrade = await drawn.compare(PairCase(left.question, left.report, right.report, left, right))
        except WorkbenchError:
            raise
        except Exception as error:
            # A grader of the user's own may break the rule that comparing does not raise.
            reason = f"the grader raised {type(error).__name__}: {redact(str(error))[:500]}"
            grade = PairGrade(self.grader.name, self.grader.version, "judge_failed", reason=reason)
        return replace(grade, grader=self.grader.name, grader_version=self.grader.version, repeat=repeat)

    def _keep(self, pair: Pair, grade: PairGrade) -> None:
        self.counts[grade.outcome] += 1
        if grade.outcome in FAILED:
            named = {"left": pair.left, "right": pair.right, "outcome": grade.outcome, "reason": grade.reason}
            self.failures.append(named)
            self.job.log(f"{pair.left} and {pair.right}: {grade.outcome}: {grade.reason}", "warning")
        if not grade.usage.cached:
            self.costs.append(grade.usage.cost_usd)
        self.buffer.append((pair.left, pair.right, grade))
        if len(self.buffer) >= _FLUSH_N or time.monotonic() - self.flushed_at > _FLUSH_S:
            self._flush()
        self.job.progress(self._done, failed=self._failed, cost_usd=self._cost())

    @property
    def _failed(self) -> int:
        return self.counts["judge_failed"] + self.counts["infra_failed"]

    def _flush(self) -> None:
        if self.buffer:
            self.store.pairs.add_many(self.buffer)
        self.buffer = []
        self.flushed_at = time.monotonic()

    def _cost(self) -> float | None:
        purse: Any = getattr(getattr(self.grader, "gateway", None), "purse", None)
        if purse is not None:
            return float(purse.spent_usd) if not purse.unpriced else None
        known = [cost for cost in self.costs if cost is not None]
        return sum(known) if len(known) == len(self.costs) else None

    def _report(self) -> PairReport:
        return PairReport(
            scored=self.counts["scored"],
            cached=self.cached,
            abstained=self.counts["abstained"],
            failed=self._failed,
            cost_usd=self._cost(),
            n_pairs=len(self.pairs),
            left=len(self.todo) - self._done,
            stopped=str(self.stop or ""),
            failures=tuple(self.failures[:_LISTED]),
            judged=self._judged(),
        )

    def _judged(self) -> tuple[tuple[Pair, PairGrade], ...]:
        """Every judgment of the selection; one that was made with the sides the other way comes with its own pair."""
        by_sides: dict[tuple[str, str], tuple[int, Pair]] = {}
        for at, p in enumerate(self.pairs):
            other = replace(p, left=p.right, right=p.left, swapped=not p.swapped, chars=(p.chars[1], p.chars[0]))
            by_sides[p.left, p.right] = (at, p)
            by_sides[p.right, p.left] = (at, other)
        stored = [
            (*by_sides[left, right], grade)
            for left, right, grade in self.store.pairs.of_grader(self.grader.version)
            if (left, right) in by_sides and grade.repeat < self.repeats
        ]
        # A failure with the sides the other way gives way to what was judged since.
        final = {(at, grade.repeat) for at, _, grade in stored if grade.outcome not in FAILED}
        kept = [j for j in stored if j[2].outcome not in FAILED or (j[0], j[2].repeat) not in final]
        kept.sort(key=lambda item: (item[0], item[2].repeat))
        return tuple((pair, grade) for _, pair, grade in kept)
