"""A model's rollouts in the simulated web, many at once, each in the store as soon as it has ended."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.agents import ReActAgent
from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.recording import recorded
from benchmarks.simulated_web.world import World
from workbench.errors import WorkbenchError
from workbench.schema.canonical import JsonValue
from workbench.schema.protocols import TransportError
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import JobHandle, JobStopped

_LISTED = 20


@dataclass(frozen=True, slots=True)
class AskedReport:
    """`lost` episodes had no model to the end and are not in the store: the next run makes them again."""

    made: int
    found: int
    lost: int
    left: int
    stopped: str
    failures: tuple[dict[str, str], ...]


def ask_model(
    store: Store,
    world: World,
    agent: ReActAgent,
    questions: Sequence[Question],
    *,
    run: str,
    attempts: int,
    meta: dict[str, JsonValue],
    concurrency: int,
    job: JobHandle,
) -> AskedReport:
    """Runs what the store does not hold of `run` yet. Raises JobStopped after what is under way has ended, and
    WorkbenchError where nothing at all could be run."""
    store.runs.ensure(run, model=agent.options.model, simulated=True, meta=meta)
    columns = store.trajectories.columns(TrajectoryFilter(run=run))
    there = set(zip(columns["question_id"], columns["attempt"], strict=True))
    wanted = [(question, n) for question in questions for n in range(attempts)]
    todo = [(question, n) for question, n in wanted if (question.id, n) not in there]
    asked = _Asked(store, world, agent, run, job, len(todo))
    asyncio.run(asked.go(iter(todo), min(concurrency, len(todo))))
    if isinstance(asked.stop, WorkbenchError) and asked.made == 0:
        raise asked.stop
    if asked.stop is not None and not isinstance(asked.stop, WorkbenchError):
        raise asked.stop
    left = len(todo) - asked.made - len(asked.failures)
    failures = tuple(asked.failures[:_LISTED])
    stopped = str(asked.stop or "")
    return AskedReport(asked.made, len(wanted) - len(todo), len(asked.failures), left, stopped, failures)


class _Asked:
    def __init__(self, store: Store, world: World, agent: ReActAgent, run: str, job: JobHandle, total: int) -> None:
        self.store, self.world, self.agent, self.run, self.job, self.total = store, world, agent, run, job, total
        self.made = 0
        self.failures: list[dict[str, str]] = []
        self.stop: BaseException | None = None

    async def go(self, items: Iterator[tuple[Question, int]], workers: int) -> None:
        self.job.progress(0, self.total)
        await asyncio.gather(*(self._work(items) for _ in range(workers)))

    async def _work(self, items: Iterator[tuple[Question, int]]) -> None:
        for question, attempt in items:
            try:
                await self.job.async_checkpoint()
                if self.stop is not None:
                    return
                trajectory = await self.agent.run(self.world, question, run=self.run, attempt=attempt)
            except TransportError as error:
                self.failures.append({"question": question.id, "attempt": str(attempt), "reason": str(error)})
                self.job.log(f"{question.id} attempt {attempt}: {error}", "warning")
            except (JobStopped, Exception) as error:
                # A spend limit, a refused key or a stop: nobody begins anything new, what is under way ends.
                self.stop = self.stop or error
                return
            else:
                await asyncio.to_thread(self.store.trajectories.add_batch, [recorded(trajectory)])
                self.made += 1
            self.job.progress(self.made + len(self.failures), self.total, failed=len(self.failures))
