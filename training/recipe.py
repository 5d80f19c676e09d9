"""A training run from job folder to store: SFT, then reinforcement learning. One function a stage."""

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from training.callbacks import Recorder
from training.config import TrainConfig
from training.loop import RlRun
from training.model import prepare_torch
from training.start import Start, ready_start
from training.task import TrainingTask, open_task
from workbench.errors import BadInputError
from workbench.schema.canonical import JsonValue
from workbench.store import Store
from workbench.store.jobs import JobHandle, JobStopped

STARTS = "starts"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")


@dataclass(frozen=True, slots=True)
class TrainReport:
    """`steps` policy updates are done in all, `resumed_from` of them before this call. `last` are the figures of the
    last step, NaN left out."""

    run: str
    stage: str
    steps: int
    resumed_from: int
    last: dict[str, float]
    rollouts_imported: int
    questions: int
    questions_left_out: int
    start: dict[str, JsonValue]
    start_made_now: bool
    checkpoint: str


def train(
    store: Store, job_folder: Path, config: TrainConfig, *, runs_dir: Path, job: JobHandle, must_resume: bool = False
) -> TrainReport:
    """Runs the stages that `config.stage` names, or goes on where the run stopped.

    Raises BadInputError for a folder that was changed, a run name that is taken, a checkpoint of another reward or
    configuration, and with `must_resume` where there is none. JobStopped passes through, after a checkpoint.
    """
    _check_name(config.run)
    prepare_torch(config.threads)
    task = open_task(store, job_folder)
    if task.left_out:
        job.log(f"{task.left_out} of {task.left_out + len(task.questions)} questions are not of this web: left out")
    start = sft_stage(task, config, runs_dir, job)
    if config.stage == "sft":
        return TrainReport(config.run, "sft", 0, 0, {}, 0, len(task.questions), task.left_out, start.facts,
                           start.made_now, str(runs_dir / STARTS / start.version))  # fmt: skip
    _register(store, task, config, start)
    folder = runs_dir / config.run
    run = RlRun(task, config, start, folder, Recorder(store, config.run, folder / "rollouts"))
    resumed = run.restore()
    if must_resume and not resumed:
        raise BadInputError(f"run {config.run!r} has no checkpoint under {folder}; leave out --resume to start it")
    resumed_from = run.steps_done
    last, path = rl_stage(run, job)
    return TrainReport(config.run, config.stage, run.steps_done, resumed_from, last, run.recorder.imported,
                       len(task.questions), task.left_out, start.facts, start.made_now, str(path))  # fmt: skip


def sft_stage(task: TrainingTask, config: TrainConfig, runs_dir: Path, job: JobHandle) -> Start:
    """The shared start, made if it is not kept yet; it is not checkpointed within, since it takes about a minute."""
    start = ready_start(
        task.world,
        config,
        runs_dir / STARTS,
        own_report=task.own_report,
        held_out=task.questions,
        may_make=config.stage != "rl",
        on_step=_sft_progress(config, job),
    )
    job.log(f"start {start.version}: " + ("made now" if start.made_now else "kept from before"))
    return start


def rl_stage(run: RlRun, job: JobHandle) -> tuple[dict[str, float], Path]:
    """Steps up to the configured number, with a checkpoint now and then, at the end, and when it is told to stop."""
    total, every = run.config.steps, run.config.checkpoint_every
    last: dict[str, float] = {}
    job.progress(run.steps_done, total)
    while run.steps_done < total:
        try:
            job.checkpoint()
        except JobStopped:
            run.save()
            raise
        last = run.step()
        job.progress(run.steps_done, total)
        job.log(
            f"step {run.steps_done} of {total}: reward {last['reward']:.3f}, "
            f"sites {last['sites_opened']:.2f}, {last['seconds']:.1f} s"
        )
        if run.steps_done % every == 0 and run.steps_done < total:
            run.save()
    path = run.save()
    return {name: value for name, value in last.items() if value == value}, path


def _sft_progress(config: TrainConfig, job: JobHandle) -> Callable[[int, float], None]:
    def progress(step: int, loss: float) -> None:
        job.checkpoint()
        if step % 10 == 0 or step == config.sft.steps:
            job.log(f"SFT step {step} of {config.sft.steps}: loss {loss:.3f}")

    return progress


def _check_name(run: str) -> None:
    if not _NAME.fullmatch(run) or run == STARTS:
        raise BadInputError(
            f"run is {run!r}; expected 1 to 120 letters, digits, '.', '_' or '-', first a letter or digit, "
            f"and not {STARTS!r}"
        )


def _register(store: Store, task: TrainingTask, config: TrainConfig, start: Start) -> None:
    """The run's row, refused where a run of that name holds something else."""
    known = {row.run for row in store.training.runs()}
    if config.run not in known and config.run in {run.name for run in store.runs.list()}:
        raise BadInputError(f"run {config.run!r} exists and is no training run; give the new run another name")
    store.training.create(
        config.run,
        spec_version=task.job.spec_version,
        export_folder=str(task.job.folder),
        config={
            **asdict(config),
            "version": config.version,
            "start": start.version,
            "packages": {name: version(name) for name in ("torch", "transformers")},
        },
    )
    meta: dict[str, JsonValue] = {"world": dict(task.world.meta()), "spec_version": task.job.spec_version}
    store.runs.ensure(config.run, model=f"policy-{start.version[:8]}", simulated=True, meta=meta)
