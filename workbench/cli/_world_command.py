"""`workbench world run --command`: episodes of a program of the user's own, as the verb runs and reports them."""

from dataclasses import asdict, dataclass
from typing import Any

from workbench.cli._world_asked import Asked
from workbench.cli.context import emit, finish, job, store


@dataclass(frozen=True, slots=True)
class ToolLimits:
    """Budget, faults (percent of calls) and switches of the tools, as the command line gives them."""

    calls: int
    top_k: int
    tokens: int | None
    seconds: float | None
    timeouts: int
    forbidden: int
    empty: int
    changed: int
    typos: bool
    authority: int
    cache: bool


def run_programs(
    asked: Asked,
    command: str,
    *,
    run: str,
    model: str,
    attempts: int,
    limit_s: float,
    concurrency: int,
    limits: ToolLimits,
    check: Any,
) -> None:
    """Runs, reports, and ends with the code of a verb of which some items failed where episodes did."""
    from benchmarks.command_agent import CommandOptions, run_command
    from benchmarks.simulated_web.tools import Budget, Faults, Options

    options = CommandOptions(
        command,
        limit_s,
        concurrency,
        Budget(limits.calls, limits.top_k, limits.tokens, limits.seconds),
        Faults(limits.timeouts, "", limits.forbidden, limits.empty, limits.changed),
        Options(typos=limits.typos, paging=True, find=True, authority=limits.authority, cache=limits.cache),
    )
    # Before anything is written: a program that is not there would fail in every episode.
    _ = options.arguments
    meta = asked.run_meta("an agent from outside, one process an episode")
    with store() as opened:
        check(opened, run, meta)
        with job(opened, "rollouts") as handle:
            report = run_command(
                opened,
                asked.world,
                asked.questions,
                options,
                run=run,
                model=model,
                attempts=attempts,
                meta=meta,
                job=handle,
            )
            answer: dict[str, Any] = {"run": run, **asdict(report), "failures": list(report.failures)}
            handle.finish(answer)

    def human(console: Any) -> None:
        console.print(f"{report.made} episodes run, {report.found} found, {report.failed} failed, in {run}")
        for failure in report.failures:
            console.print(f"  {failure['question']} attempt {failure['attempt']}: {failure['reason']}")

    emit(answer, human)
    finish(failed=report.failed)
