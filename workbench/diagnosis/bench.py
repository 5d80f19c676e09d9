"""Grades own and rewritten reports of stored trajectories, each once: what is in the store is not made again."""

import asyncio
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.evidence_case import writing_case
from graders.redact import redact
from workbench.diagnosis.report import Failure, Packing, Stage
from workbench.errors import WorkbenchError
from workbench.schema.grade import Grade, GradingCase, Usage
from workbench.schema.protocols import Grader, RepeatableGrader, ReportWriter
from workbench.schema.trajectory import Trajectory
from workbench.schema.writing import WritingCase, WrittenReport
from workbench.store import Store
from workbench.store.jobs import JobHandle
from workbench.store.repositories.rewrites import rewrite_key


@dataclass(frozen=True, slots=True)
class Item:
    """A trajectory that takes part."""

    id: str
    run: str
    question_id: str


@dataclass(frozen=True, slots=True)
class Scored:
    """A report and its grades. `score` is the mean of the repeats, None where any step failed (`lost`)."""

    item: Item
    score: float | None
    repeats: tuple[float, ...] = ()
    lost: tuple[Stage, str, str] | None = None
    written: WrittenReport | None = None


class Bench:
    """One grader, any writers, and the account of what was done with them."""

    def __init__(self, store: Store, grader: Grader, *, job: JobHandle, repeats: int = 1, concurrency: int = 4) -> None:
        self._store, self._grader, self._job = store, grader, job
        # A grader whose second draw is its first has no noise to measure.
        self._repeats = repeats if isinstance(grader, RepeatableGrader) else 1
        self._gate = asyncio.Semaphore(concurrency)
        self._costs: list[float | None] = []
        self._gateways: list[Any] = []
        self._done = self._failed = 0
        self.total = 0
        store.grades.register(grader.name, grader.version, grader.kind, getattr(grader, "definition", {}))
        self._note_gateway(grader)

    async def own(self, items: Sequence[Item]) -> list[Scored]:
        """The trajectories' own reports, graded as `workbench grade` grades them and kept where it keeps them."""
        return await self._all(items, self._own)

    async def rewritten(self, items: Sequence[Item], writer: ReportWriter) -> list[Scored]:
        """What `writer` makes of their evidence, graded by the same grader."""
        self._note_gateway(writer)

        async def one(item: Item) -> Scored:
            return await self._rewritten(item, writer)

        return await self._all(items, one)

    @property
    def cost_usd(self) -> float | None:
        """What this run paid, None if any price is unknown."""
        if any(gateway.purse.unpriced for gateway in self._gateways):
            return None
        known = [cost for cost in self._costs if cost is not None]
        if len(known) < len(self._costs):
            return None
        return math.fsum([*known, *(float(gateway.purse.spent_usd) for gateway in self._gateways)])

    async def _all(self, items: Sequence[Item], one: Any) -> list[Scored]:
        """All of them in order; the first stop or fault ends it once what was under way has ended and is stored."""
        stop: BaseException | None = None

        async def guarded(item: Item) -> Scored | None:
            nonlocal stop
            async with self._gate:
                if stop is not None:
                    return None
                try:
                    await self._job.async_checkpoint()
                    found: Scored = await one(item)
                except BaseException as error:
                    stop = stop or error
                    return None
            self._done += 1
            self._failed += found.lost is not None
            self._job.progress(self._done, self.total, failed=self._failed, cost_usd=self.cost_usd)
            return found

        results = await asyncio.gather(*(guarded(item) for item in items))
        if stop is not None:
            raise stop
        return [found for found in results if found is not None]

    async def _own(self, item: Item) -> Scored:
        trajectory = await asyncio.to_thread(self._store.trajectories.get, item.id)
        case = GradingCase(trajectory.question, trajectory.report, trajectory)
        kept = await asyncio.to_thread(self._store.grades.for_trajectory, item.id)
        # A trajectory never changes under its id, so a stored grade of this version is a grade of this case.
        known = {g.repeat: g for g in kept if g.grader_version == self._grader.version}
        grades = []
        for repeat in range(self._repeats):
            grade = known.get(repeat)
            if grade is None or grade.outcome not in ("scored", "abstained"):
                grade = await self._grade(case, repeat)
                await asyncio.to_thread(self._store.grades.add, item.id, grade)
            grades.append(grade)
        return _scored(item, grades, "own grade", None)

    async def _rewritten(self, item: Item, writer: ReportWriter) -> Scored:
        trajectory = await asyncio.to_thread(self._store.trajectories.get, item.id)
        case = await asyncio.to_thread(writing_case, trajectory, writer.evidence_chars)
        written, key = await self._written(item, case, writer)
        if written.report is None:
            self._job.log(f"{item.id}: {written.outcome}: {written.reason}", "warning")
            return Scored(item, None, lost=("rewrite", written.outcome, written.reason), written=written)
        known = {g.repeat: g for g in self._store.rewrites.grades(key, self._grader.version)}
        changed = with_report(trajectory, written.report)
        grades = []
        for repeat in range(self._repeats):
            grade = known.get(repeat)
            if grade is None or grade.outcome not in ("scored", "abstained"):
                grade = await self._grade(GradingCase(case.question, written.report, changed), repeat)
                await asyncio.to_thread(self._store.rewrites.add_grade, key, grade)
            grades.append(grade)
        return _scored(item, grades, "rewritten grade", written)

    async def _written(self, item: Item, case: WritingCase, writer: ReportWriter) -> tuple[WrittenReport, str]:
        probe = WrittenReport(writer.name, writer.version, case.case_hash, "abstained", reason="probe")
        found = await asyncio.to_thread(self._store.rewrites.find, rewrite_key(item.id, probe))
        if found is not None and found.outcome in ("written", "abstained"):
            return found, rewrite_key(item.id, found)
        try:
            written = await writer.write(case)
        except WorkbenchError:
            raise
        except Exception as error:
            # A writer of the user's own may break the rule that writing does not raise.
            reason = f"the writer raised {type(error).__name__}: {redact(str(error))[:500]}"
            written = WrittenReport(writer.name, writer.version, case.case_hash, "writer_failed", reason=reason)
        self._paid(writer, written.usage)
        return written, await asyncio.to_thread(self._store.rewrites.add, item.id, written)

    async def _grade(self, case: GradingCase, repeat: int) -> Grade:
        grader = self._grader
        drawn = grader.repeated(repeat) if isinstance(grader, RepeatableGrader) else grader
        try:
            grade = await drawn.grade(case)
        except WorkbenchError:
            raise
        except Exception as error:
            reason = f"the grader raised {type(error).__name__}: {redact(str(error))[:500]}"
            grade = Grade(grader.name, grader.version, case.case_hash, "judge_failed", reason=reason)
        self._paid(grader, grade.usage)
        return grade if grade.repeat == repeat else replace(grade, repeat=repeat)

    def _note_gateway(self, maker: object) -> None:
        gateway = getattr(maker, "gateway", None)
        if gateway is not None and all(gateway is not known for known in self._gateways):
            self._gateways.append(gateway)

    def _paid(self, maker: object, usage: Usage) -> None:
        # A gateway's purse knows of failed calls too, which no grade carries.
        if getattr(maker, "gateway", None) is None and not usage.cached:
            self._costs.append(usage.cost_usd)


def with_report(trajectory: Trajectory, report: str) -> Trajectory:
    """The same research with another report: in the message that held the old one, too."""
    old = trajectory.report
    steps = tuple(
        replace(step, text=step.text.replace(old, report))
        if old and step.role == "assistant" and old in step.text
        else step
        for step in trajectory.steps
    )
    return replace(trajectory, report=report, steps=steps)


def failures_of(results: Sequence[Scored]) -> tuple[Failure, ...]:
    """What was lost, by run, stage and outcome."""
    groups: dict[tuple[str, Stage, str], list[tuple[str, str]]] = {}
    for found in results:
        if found.lost is not None:
            stage, outcome, reason = found.lost
            groups.setdefault((found.item.run, stage, outcome), []).append((found.item.id, reason))
    return tuple(
        Failure(run, stage, outcome, len(lost), lost[0][0], lost[0][1])
        for (run, stage, outcome), lost in sorted(groups.items())
    )


def packing_of(results: Sequence[Scored]) -> Packing:
    """What became of the documents, summed."""
    details: list[Any] = [found.written.detail for found in results if found.written is not None]
    left_out: Counter[str] = Counter()
    for detail in details:
        left_out.update(detail.get("left_out_by_reason", {}))
    return Packing(
        kept=sum(len(detail.get("kept", ())) for detail in details),
        shortened=sum(len(detail.get("shortened", ())) for detail in details),
        left_out=dict(sorted(left_out.items())),
        unknown_numbers=sum(len(detail.get("unknown_numbers", ())) for detail in details),
    )


def _scored(item: Item, grades: Sequence[Grade], stage: Stage, written: WrittenReport | None) -> Scored:
    bad = next((grade for grade in grades if grade.score is None), None)
    if bad is not None:
        return Scored(item, None, lost=(stage, bad.outcome, bad.reason), written=written)
    scores = tuple(grade.score for grade in grades if grade.score is not None)
    return Scored(item, sum(scores) / len(scores), scores, written=written)
