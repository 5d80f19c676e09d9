"""Trajectories of the simulated web on their way into a store, and runs of scripted agents that resume."""

from collections.abc import Iterator, Sequence

from benchmarks.simulated_web.agents import agent_named, run_agent
from benchmarks.simulated_web.asked import Question, Recipe
from benchmarks.simulated_web.world import World
from workbench.phases import analyse
from workbench.schema.canonical import JsonValue, canonical_json
from workbench.schema.trajectory import Trajectory, trajectory_to_json
from workbench.store import NewTrajectory, Store, TrajectoryFilter
from workbench.store.jobs import JobHandle

BATCH = 40
SOURCE = "simulated web"


def recorded(trajectory: Trajectory) -> NewTrajectory:
    """As any other trajectory is imported, its native record as the source."""
    source = canonical_json(trajectory_to_json(trajectory)) + b"\n"
    return NewTrajectory(trajectory, analyse(trajectory), source, SOURCE)


def run_meta(
    world: World, question_seed: int, n_questions: int, made_by: str, *, recipe: Recipe = "plain", gated: bool = False
) -> dict[str, JsonValue]:
    """What a run records, enough for gold to make world and questions again. Those behind gates are made again by what
    their trajectories record."""
    asked: dict[str, JsonValue] = {"seed": question_seed, "n": n_questions}
    if recipe != "plain" or gated:
        asked |= {"recipe": recipe, "gated": gated}
    return {"world": world.meta(), "questions": [asked], "made_by": made_by}


def add_runs(
    store: Store,
    world: World,
    names: Sequence[str],
    questions: Sequence[Question],
    *,
    attempts: int,
    seed: int,
    meta: dict[str, JsonValue],
    job: JobHandle,
) -> int:
    """Runs these scripted agents on every question and attempt that the store does not hold yet; gives how many.

    Raises NotFoundError for an unknown agent before anything is written.
    """
    agents = [agent_named(name) for name in names]
    for agent in agents:
        store.runs.ensure(agent.run, model=agent.model, simulated=True, meta=meta)
    total = len(names) * len(questions) * attempts
    missing = list(_missing(store, names, questions, attempts))
    done, imported = total - len(missing), 0
    for start in range(0, len(missing), BATCH):
        job.checkpoint()
        batch = missing[start : start + BATCH]
        made = [
            recorded(run_agent(name, world, question, seed=seed, attempt=attempt)) for name, question, attempt in batch
        ]
        imported += store.trajectories.add_batch(made).imported
        done += len(batch)
        job.progress(done, total)
    return imported


def _missing(
    store: Store, names: Sequence[str], questions: Sequence[Question], attempts: int
) -> Iterator[tuple[str, Question, int]]:
    for name in names:
        columns = store.trajectories.columns(TrajectoryFilter(run=agent_named(name).run))
        there = set(zip(columns["question_id"], columns["attempt"], strict=True))
        for question in questions:
            yield from ((name, question, n) for n in range(attempts) if (question.id, n) not in there)
