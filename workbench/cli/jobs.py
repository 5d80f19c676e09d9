"""`workbench jobs`: long work watched, paused, stopped, resumed and started in the background."""

from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Column, Table

from workbench.cli._terminal import inert, line
from workbench.cli.context import emit, note, store
from workbench.errors import BadInputError
from workbench.schema.job import JOB_ENDED, Job, duration_words

app = typer.Typer(help="Long work: list, show, log, start, pause, resume, stop.", no_args_is_help=True)
JobId = Annotated[str, typer.Argument(metavar="ID", help="The job's id.")]
# Of the frame: the job gets its own.
TAKEN = ("--store",)
NO_JOBS = frozenset({"jobs"})


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="jobs")


@app.command("list")
def list_jobs(
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many to show, the newest first.")] = 20,
) -> None:
    """List jobs, the newest first."""
    with store(create=False) as opened:
        jobs, total = opened.jobs.list(limit), opened.jobs.count()

    def human(console: Console) -> None:
        table = Table(Column("id", no_wrap=True), "state", "progress", "left", "command", box=None)
        for job in jobs:
            table.add_row(job.id, job.state, progress_words(job), left_words(job), line(" ".join(job.arguments), 70))
        if jobs:
            console.print(table)
        console.print(f"{len(jobs)} of {total}")

    emit({"total": total, "jobs": [asdict(job) for job in jobs]}, human)


@app.command()
def show(job_id: JobId) -> None:
    """Show one job."""
    with store(create=False) as opened:
        job = opened.jobs.get(job_id)
    emit(asdict(job), lambda console: print_job(console, job))


@app.command()
def log(job_id: JobId, since: Annotated[int, typer.Option("--since", min=0, help="From this line on.")] = 0) -> None:
    """Print what a job has said."""
    with store(create=False) as opened:
        lines = opened.jobs.log(job_id, since)

    def human(console: Console) -> None:
        for one in lines:
            level = "" if one.level == "info" else f"{one.level}: "
            console.print(inert(f"{one.at:%H:%M:%S} {level}{one.text}"), markup=False, soft_wrap=True)

    emit({"id": job_id, "lines": [asdict(one) for one in lines]}, human)


@app.command(context_settings={"ignore_unknown_options": True})
def start(
    context: typer.Context,
    command: Annotated[list[str], typer.Argument(metavar="-- VERB ...", help="A verb and its arguments.")],
) -> None:
    """Start a verb as a job of its own, which outlives this terminal: jobs start -- import traces/"""
    group = context.find_root().command
    verbs = set(getattr(group, "commands", ())) - NO_JOBS
    if command[0] not in verbs:
        raise BadInputError(f"{command[0]!r} is no verb that can be a job; expected one of {', '.join(sorted(verbs))}")
    taken = [argument for argument in command if argument.split("=")[0] in TAKEN]
    if taken:
        raise BadInputError(f"{taken[0]} belongs before the verb: workbench --store URL jobs start -- VERB ...")
    with store() as opened:
        job = opened.jobs.create(command[0], command)
        job = opened.jobs.spawn(job, opened.url)
    note(f"started; workbench jobs show {job.id} says how far it is")
    emit(asdict(job), lambda console: print_job(console, job))


@app.command()
def pause(job_id: JobId) -> None:
    """Pause a job at its next item."""
    with store(create=False) as opened:
        job = opened.jobs.request(job_id, "pause")
    emit(asdict(job), lambda console: print_job(console, job))


@app.command()
def resume(job_id: JobId) -> None:
    """Let a paused job go on, or start a stopped, failed or lost one again where it was."""
    with store(create=False) as opened:
        job = opened.jobs.resume(job_id, opened.url)
    emit(asdict(job), lambda console: print_job(console, job))


@app.command()
def stop(job_id: JobId) -> None:
    """Stop a job at its next item; what it has done stays, and it can be resumed."""
    with store(create=False) as opened:
        job = opened.jobs.request(job_id, "stop")
    emit(asdict(job), lambda console: print_job(console, job))


def print_job(console: Console, job: Job) -> None:
    console.print(line(f"{job.id}  {job.state}  {' '.join(job.arguments)}"))
    parts = [progress_words(job), left_words(job), "" if job.cost_usd is None else f"{job.cost_usd:.4f} USD"]
    if words := "  ".join(part for part in parts if part):
        console.print(words)
    if job.error:
        console.print(line(f"error: {job.error}"))


def progress_words(job: Job) -> str:
    of = f" of {job.total:,}" if job.total is not None else ""
    failed = f", {job.failed_items:,} failed" if job.failed_items else ""
    rate = f", {job.rate_per_s:,.1f} a second" if job.rate_per_s and job.state not in JOB_ENDED else ""
    return f"{job.done:,}{of}{failed}{rate}"


def left_words(job: Job) -> str:
    if job.left_s is None or job.state in JOB_ENDED:
        return ""
    return f"{duration_words(job.left_s)} left"
