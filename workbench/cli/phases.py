"""`workbench phases`: how runs divide their work, analyses made anew, a person's word on a step."""

import getpass
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from workbench.cli import context
from workbench.cli._phases import COUNTED, UNSURE, describe_run, recompute
from workbench.cli._terminal import line
from workbench.errors import BadInputError, WorkbenchError
from workbench.schema.analysis import PHASES
from workbench.store import TrajectoryFilter

CLEAR = "none"
app = typer.Typer(
    help="Phases and search activity of runs; recompute them, correct a step.", invoke_without_command=True
)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="phases")


@app.callback()
def distributions(
    command: typer.Context,
    run: Annotated[list[str] | None, typer.Option("--run", help="Of this run; give it once a run.")] = None,
) -> None:
    """Phases, search activity and citations by run: medians, quartiles, shares."""
    if command.invoked_subcommand is not None:
        return
    from workbench.phases import RULES_VERSION

    with context.store(create=False) as store:
        names = run or [summary.name for summary in store.runs.list()]
        for name in names:
            store.runs.get(name)  # a mistyped run is an error, and not an empty table
        answer: dict[str, Any] = {
            "runs": [describe_run(store, name) for name in names],
            "rules_version": RULES_VERSION,
        }

    def human(console: Console) -> None:
        for described in answer["runs"]:
            _print_run(console, described, RULES_VERSION)

    context.emit(answer, human)


@app.command("recompute")
def recompute_all(
    run: Annotated[str | None, typer.Option("--run", help="Only this run.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Also what these rules have analysed already.")] = False,
) -> None:
    """Analyse stored trajectories anew by the rules of this version. Corrections by a person stay."""
    from workbench.phases import RULES_VERSION

    failed: list[dict[str, str]] = []
    counts = dict.fromkeys(("changed", "unchanged", "already", "supports_kept", "supports_lost"), 0)
    with context.store(create=False) as store, context.job(store, "phases") as running:
        if run is not None:
            store.runs.get(run)
        ids = store.trajectories.analysis_versions(TrajectoryFilter(run=run))
        for done, (trajectory_id, version) in enumerate(ids):
            running.checkpoint()
            running.progress(done, len(ids), failed=len(failed))
            try:
                if not everything and version == RULES_VERSION:
                    counts["already"] += 1
                    continue
                result = recompute(store, trajectory_id)
            except WorkbenchError as error:
                failed.append({"id": trajectory_id, "reason": str(error)})
                running.log(f"{trajectory_id}: {error}", level="error")
                continue
            counts["changed" if result.changed else "unchanged"] += 1
            counts["supports_kept"] += result.supports_kept
            counts["supports_lost"] += result.supports_lost
        running.progress(len(ids), len(ids), failed=len(failed))
        answer: dict[str, Any] = {"trajectories": len(ids), **counts, "failed": failed, "rules_version": RULES_VERSION}
        running.finish(answer)

    def human(console: Console) -> None:
        console.print(
            f"{len(ids)} trajectories: {counts['changed']} changed, {counts['unchanged']} as before, "
            f"{counts['already']} were analysed by these rules already"
        )
        if counts["supports_lost"]:
            console.print(f"{counts['supports_lost']} checked citations are not found by these rules; check again")
        for item in failed:
            console.print(line(f"{item['id']}: {item['reason']}"))

    context.emit(answer, human)
    context.finish(failed=len(failed))


@app.command("supports")
def supports(
    grader: Annotated[str, typer.Argument(metavar="GRADER", help="A citation check by name, or `name@version`.")],
    run: Annotated[str | None, typer.Option("--run", help="Only this run.")] = None,
) -> None:
    """Show the verdicts of this citation check beside the citations, whatever stands there."""
    from graders.citation_check.keeping import put_graded

    with context.store(create=False) as store:
        if run is not None:
            store.runs.get(run)
        n, citations = put_graded(store, grader, run)
    if not n:
        raise BadInputError(
            f"{grader!r} has checked no citation{f' of run {run}' if run else ''}: "
            "`workbench grade --grader citation-support` does"
        )
    answer = {"grader": grader, "trajectories": n, "citations": citations}
    context.emit(answer, lambda console: console.print(f"{citations} citations of {n} trajectories, by {grader}"))


@app.command("correct")
def correct(
    id: Annotated[str, typer.Argument(metavar="ID", help="The trajectory's id, or the beginning of it.")],
    step: Annotated[int, typer.Argument(metavar="STEP", help="The step's position, from 0.")],
    phase: Annotated[str, typer.Argument(metavar="PHASE", help=f"{', '.join(PHASES)}, or {CLEAR} to take it back.")],
    by: Annotated[str | None, typer.Option("--by", help="Who says so. Default: the user of this machine.")] = None,
) -> None:
    """A person's word on the phase of one step. It survives recomputing."""
    if phase != CLEAR and phase not in PHASES:
        raise BadInputError(f"PHASE is {phase!r}; expected one of {', '.join(PHASES)}, or {CLEAR} to take it back")
    with context.store(create=False) as store:
        full_id = store.trajectories.resolve(id)
        store.trajectories.correct_phase(
            full_id,
            step,
            None if phase == CLEAR else phase,  # type: ignore[arg-type]  # checked above
            by=by or getpass.getuser(),
        )
        now = store.trajectories.analysis(full_id).phases[step]
    answer = {"id": full_id, "step": step, "phase": now.phase, "confidence": now.confidence, "source": now.source}
    context.emit(answer, lambda console: console.print(f"{full_id} step {step}: {now.phase} (by {now.source})"))


def _print_run(console: Console, described: dict[str, Any], rules_version: str) -> None:
    console.print(
        line(f"{described['run']}: {described['n']} trajectories, {described['n_with_steps']} with steps"), style="bold"
    )
    phases = Table("phase", "steps", "tokens", "share of tokens", "tool calls", box=None)
    for name, total in described["phases"].items():
        share = "not measured" if total["token_share"] is None else f"{total['token_share']:.1%}"
        phases.add_row(name, f"{total['steps']:,}", f"{total['tokens']:,}", share, f"{total['tool_calls']:,}")
    console.print(phases)
    activity = Table("per trajectory", "median", "quartiles", "most", box=None)
    for name in COUNTED:
        found = described["activity"][name]
        label = name.replace("_", " ")
        if found is None:
            activity.add_row(label, "not measured", "", "")
        else:
            activity.add_row(
                label, f"{found['median']:,g}", f"{found['q1']:,g} - {found['q3']:,g}", _largest(found["max"])
            )
    console.print(activity)
    citations = described["citations"]
    classes = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in citations["by_retrieval"].items() if n)
    console.print(f"{citations['total']:,} citations: {classes or 'none'}")
    console.print(
        f"{described['unsure_steps']:,} of {described['steps']:,} steps are unsure (confidence under {UNSURE:g}), "
        f"{described['corrected_steps']:,} corrected by a person"
    )
    stale = sum(n for version, n in described["rules"].items() if version != rules_version)
    if stale:
        console.print(f"{stale} of {described['n']} were analysed by other rules: `workbench phases recompute`")
    console.print()


def _largest(figure: float) -> str:
    """A count whole, an amount to six digits."""
    return f"{figure:,}" if isinstance(figure, int) else f"{figure:,g}"
