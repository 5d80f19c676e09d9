"""Step 1: the scripted agents' rollouts, imported as any other trajectory."""

from collections.abc import Iterator

from benchmarks.sample.plan import SamplePlan
from benchmarks.simulated_web.agents import SAMPLE, run_agent
from benchmarks.simulated_web.questions import Question
from workbench.phases import analyse
from workbench.schema.canonical import JsonObject, canonical_json
from workbench.schema.trajectory import Trajectory, trajectory_to_json
from workbench.store import NewTrajectory, Store, TrajectoryFilter
from workbench.store.jobs import JobHandle

BATCH = 40
SOURCE = "simulated web"


def add_rollouts(store: Store, plan: SamplePlan, job: JobHandle) -> JsonObject:
    """Runs the agents on every question and attempt that the store does not hold yet."""
    for name in plan.agents:
        agent = SAMPLE[name]
        store.runs.ensure(agent.run, model=agent.model, simulated=True, meta=plan.run_meta())
    missing = list(_missing(store, plan))
    done, imported = plan.n_trajectories - len(missing), 0
    for start in range(0, len(missing), BATCH):
        job.checkpoint()
        batch = missing[start : start + BATCH]
        rollouts = [
            _new(run_agent(name, plan.world, question, seed=plan.seed, attempt=attempt))
            for name, question, attempt in batch
        ]
        imported += store.trajectories.add_batch(rollouts).imported
        done += len(batch)
        job.progress(done, plan.n_trajectories)
    return {"imported": imported, "trajectories": plan.n_trajectories}


def _missing(store: Store, plan: SamplePlan) -> Iterator[tuple[str, Question, int]]:
    for name in plan.agents:
        columns = store.trajectories.columns(TrajectoryFilter(run=SAMPLE[name].run))
        there = set(zip(columns["question_id"], columns["attempt"], strict=True))
        for question in plan.asked:
            yield from ((name, question, n) for n in range(plan.attempts) if (question.id, n) not in there)


def _new(trajectory: Trajectory) -> NewTrajectory:
    source = canonical_json(trajectory_to_json(trajectory)) + b"\n"
    return NewTrajectory(trajectory, analyse(trajectory), source, SOURCE)
