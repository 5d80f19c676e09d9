"""`workbench show ID`: one trajectory at a glance, its steps, its report, or its source record."""

import base64
import sys
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from workbench.cli._terminal import inert, line
from workbench.cli.context import OPTIONS, emit, store
from workbench.errors import BadInputError
from workbench.schema.analysis import PHASES, Analysis, Phase, PhaseTotals
from workbench.store import StepOutline, Store


def register(app: typer.Typer) -> None:
    @app.command()
    def show(
        id: Annotated[str, typer.Argument(metavar="ID", help="The id, or the beginning of it.")],
        steps: Annotated[bool, typer.Option("--steps", help="With an outline of the steps.")] = False,
        report: Annotated[bool, typer.Option("--report", help="With the report.")] = False,
        source: Annotated[bool, typer.Option("--source", help="The record as imported, byte for byte, alone.")] = False,
    ) -> None:
        """Show one trajectory: phases, search activity, citations."""
        with store(create=False) as opened:
            full_id = opened.trajectories.resolve(id)
            if source and not OPTIONS.json:
                if steps or report:
                    raise BadInputError(
                        "--source prints the record alone; leave out --steps and --report, or add --json"
                    )
                sys.stdout.buffer.write(opened.trajectories.source(full_id))
                return
            answer = describe(opened, full_id)
            if steps:
                answer["outline"] = [asdict(step) for step in opened.trajectories.outline(full_id)]
            if report:
                answer["report"] = opened.trajectories.report(full_id)
            if source:
                answer |= source_to_json(opened, full_id)
            outline = opened.trajectories.outline(full_id) if steps else ()
        emit(answer, lambda console: print_answer(console, answer, outline))


def describe(opened: Store, trajectory_id: str) -> dict[str, Any]:
    """The contracted keys of `show`."""
    row = opened.trajectories.row(trajectory_id)
    analysis = opened.trajectories.analysis(trajectory_id)
    totals = totals_with_corrections(opened, trajectory_id, analysis)
    roles = opened.grades.roles()
    activity = asdict(row.activity)
    return {
        "id": row.id,
        "question": row.question,
        "question_id": row.question_id,
        "run": row.run,
        "model": row.model,
        "attempt": row.attempt,
        "group": row.group,
        "policy_step": row.policy_step,
        "outcome": row.outcome,
        "steps": row.steps,
        "phases": {phase: asdict(totals.get(phase, PhaseTotals())) for phase in PHASES},
        "phases_corrected": sum(phase.source == "person" for phase in analysis.phases),
        "activity": activity,
        "citations": {
            "total": sum(row.citations_by_retrieval.values()),
            "by_retrieval": dict(row.citations_by_retrieval),
            "by_support": dict(row.citations_by_support),
        },
        "report_chars": row.report_chars,
        "source_name": opened.trajectories.source_name(trajectory_id),
        "grades": [
            {
                "grader": grade.grader,
                "version": grade.grader_version,
                "role": roles.get(grade.grader_version),
                "repeat": grade.repeat,
                "outcome": grade.outcome,
                "score": grade.score,
            }
            for grade in opened.grades.for_trajectory(trajectory_id)
        ],
    }


def totals_with_corrections(opened: Store, trajectory_id: str, analysis: Analysis) -> dict[Phase, PhaseTotals]:
    """Totals as stored, or counted anew where a person moved a step to another phase."""
    if all(phase.source == "rule" for phase in analysis.phases):
        return analysis.totals
    from workbench.phases import phase_totals

    return phase_totals(opened.trajectories.steps(trajectory_id), analysis.phases)


def source_to_json(opened: Store, trajectory_id: str) -> dict[str, str]:
    """The record as text, or in base64 where it is not UTF-8."""
    data = opened.trajectories.source(trajectory_id)
    try:
        return {"source": data.decode("utf-8"), "source_encoding": "utf-8"}
    except UnicodeDecodeError:
        return {"source": base64.b64encode(data).decode(), "source_encoding": "base64"}


def print_answer(console: Console, answer: dict[str, Any], outline: tuple[StepOutline, ...]) -> None:
    console.print(line(answer["question"]), style="bold")
    about = f"{answer['id']}  run {answer['run']}  model {answer['model']}  attempt {answer['attempt']}"
    console.print(line(f"{about}  {answer['outcome']}"))
    console.print(line(f"from {answer['source_name']}"), style="dim")
    phases = Table("phase", "steps", "tokens", "tool calls", "time", box=None)
    for name, totals in answer["phases"].items():
        counts = (f"{totals[column]:,}" for column in ("steps", "tokens", "tool_calls"))
        phases.add_row(name, *counts, _seconds(totals["duration_s"]))
    console.print(phases)
    activity, citations = answer["activity"], answer["citations"]
    console.print(
        f"searched {activity['queries']} times ({activity['distinct_queries']} distinct), opened "
        f"{activity['sites_opened']} sites, saw {activity['sites_seen']} more, cites {activity['sites_cited']}"
    )
    console.print(line(_repeats_and_costs(activity)))
    console.print(f"{citations['total']} citations: {_counts(citations['by_retrieval'])}")
    console.print(f"support: {_counts(citations['by_support'])}")
    console.print(f"report of {answer['report_chars']:,} characters")
    for grade in answer["grades"]:
        score = grade["outcome"] if grade["score"] is None else f"{grade['score']:.3f}"
        role = f" ({grade['role']})" if grade["role"] else ""
        console.print(line(f"{grade['grader']}@{grade['version'][:8]}{role} #{grade['repeat']}: {score}"))
    if outline:
        console.print(_outline_table(outline))
    if "report" in answer:
        console.print()
        console.print(inert(answer["report"]), markup=False, soft_wrap=True)


def _outline_table(outline: tuple[StepOutline, ...]) -> Table:
    table = Table("#", "role", "phase", "text", "tools", "results", box=None)
    for step in outline:
        phase = (step.phase or "") + (" (person)" if step.phase_source == "person" else "")
        errors = f", {step.n_errors} failed" if step.n_errors else ""
        table.add_row(
            str(step.position),
            step.role,
            phase,
            line(step.preview, 70),
            line(", ".join(call.name for call in step.tool_calls), 30),
            f"{step.result_chars:,}{errors}" if step.result_chars or step.n_errors else "",
        )
    return table


def _repeats_and_costs(activity: dict[str, Any]) -> str:
    """What was done twice, and what it took; what is unknown is said to be."""
    near, opens, share = (activity[name] for name in ("near_duplicate_queries", "repeated_opens", "redundancy"))
    cost = activity["cost_usd"]
    told = (
        f"nearly repeated queries: {'unknown' if near is None else near}",
        f"pages opened again: {'unknown' if opens is None else opens}",
        f"retrieved before: {'unknown' if share is None else f'{share:.1%}'}",
        f"time: {_seconds(activity['duration_s'])}",
        f"cost: {'not recorded' if cost is None else f'${cost:,.4f}'}",
    )
    return ", ".join(told)


def _seconds(duration: float | None) -> str:
    return "not recorded" if duration is None else f"{duration:,.1f} s"


def _counts(by_class: dict[str, int]) -> str:
    return ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in by_class.items() if n) or "none"
