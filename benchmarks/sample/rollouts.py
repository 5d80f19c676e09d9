"""Step 1: the scripted agents' rollouts, imported as any other trajectory."""

from benchmarks.sample.plan import SamplePlan
from benchmarks.simulated_web.recording import add_runs
from workbench.schema.canonical import JsonObject
from workbench.store import Store
from workbench.store.jobs import JobHandle


def add_rollouts(store: Store, plan: SamplePlan, job: JobHandle) -> JsonObject:
    """Runs the agents on every question and attempt that the store does not hold yet."""
    imported = add_runs(
        store,
        plan.world,
        plan.agents,
        plan.asked,
        attempts=plan.attempts,
        seed=plan.seed,
        meta=plan.run_meta(),
        job=job,
    )
    return {"imported": imported, "trajectories": plan.n_trajectories}
