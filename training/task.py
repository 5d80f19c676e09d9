"""What a job folder asks to be trained: its reward, and its questions as questions of a simulated web."""

import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.simulated_web.gold import find_question
from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.world import World
from training.report import WRITER_HASH
from workbench.errors import BadInputError
from workbench.export.load import ExportedJob, load_job
from workbench.reward.roles import Known, mark_trained
from workbench.schema.canonical import JsonValue
from workbench.store import Store, TrajectoryFilter


@dataclass(frozen=True)
class TrainingTask:
    """`left_out` counts questions of the folder that are not of `world`."""

    job: ExportedJob
    world: World
    questions: tuple[Question, ...]
    left_out: int

    @property
    def own_report(self) -> bool:
        """Whether the policy writes the report, rather than the frozen writer."""
        return self.job.spec.report_source == "agent"


def open_task(store: Store, folder: Path) -> TrainingTask:
    """Loads and checks the folder, and finds the simulated web that its questions come from.

    The store's rollouts on these questions say which web it was. Raises BadInputError where the folder was changed,
    where none of its questions is of a simulated web, for a frozen writer that is not ours, and where its grader is
    this store's independent judge.
    """
    job = load_job(folder)
    mark_trained(store, _grader_of(job))
    if job.spec.report_source not in ("agent", f"frozen_writer:{WRITER_HASH}"):
        raise BadInputError(
            f"{folder}: report_source is {job.spec.report_source!r}; this trainer has the policy report ('agent') or "
            f"its own writer (frozen_writer: {WRITER_HASH})"
        )
    wanted = {str(row["question_id"]) for row in job.questions}
    found = _questions(store, wanted)
    if not found:
        raise BadInputError(
            f"{folder}: none of its {len(wanted)} questions was asked in a simulated web of this store. Training runs "
            "in the simulated web: build the sample store with `workbench demo build`, and export from it"
        )
    by_world: dict[str, list[tuple[World, Question]]] = {}
    for world, question in found:
        by_world.setdefault(world.hash, []).append((world, question))
    largest = max(by_world.values(), key=len)
    questions = tuple(sorted((question for _, question in largest), key=lambda question: question.id))
    return TrainingTask(job, largest[0][0], questions, len(wanted) - len(questions))


def _grader_of(job: ExportedJob) -> Known:
    """The grader that the folder carries, in the form in which a store registers one."""
    said = job.manifest.get("grader") or {}
    config = json.loads((job.folder / "grader.json").read_text(encoding="utf-8"))
    definition: dict[str, JsonValue] = {"model": config.get("graded_here_by")}
    if isinstance(config.get("rubric"), str):
        definition["rubric"] = json.loads((job.folder / config["rubric"]).read_text(encoding="utf-8"))
    return Known(str(said.get("name") or ""), str(said.get("version") or ""), definition)


def _questions(store: Store, wanted: set[str]) -> list[tuple[World, Question]]:
    """The wanted questions that a simulated run of the store answered, each with its world."""
    runs = {run.name: run.meta for run in store.runs.list() if run.simulated}
    if not runs or not wanted:
        return []
    columns = store.trajectories.columns(TrajectoryFilter(run=tuple(runs), question_id=tuple(sorted(wanted))))
    one_of = dict(zip(columns["question_id"], zip(columns["id"], columns["run"], strict=True), strict=True))
    found = []
    for trajectory_id, run in one_of.values():
        try:
            found.append(find_question(store.trajectories.get(trajectory_id), runs[run]))
        except BadInputError:
            continue  # of another generator or no question of a web: counted as left out
    return found
