"""`workbench stress`: can this grader be gamed, does it see damage, does it hold still?"""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from workbench.cli.context import emit, finish, job, store

if TYPE_CHECKING:
    from workbench.stress.effects import Effect


def stress(
    grader: Annotated[str, typer.Option(help="Built-in name, rubric YAML, or path/file.py:Object.")],
    run: Annotated[str, typer.Option(help="Run whose reports are changed.")],
    model: Annotated[str | None, typer.Option(help="Model of an LLM grader.")] = None,
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Reports to stress, spread over questions.")] = 40,
    seed: Annotated[int, typer.Option(help="Draws the reports and the changes.")] = 0,
    only: Annotated[list[str] | None, typer.Option(help="Only these perturbations.")] = None,
) -> None:
    """Attack, corrupt and reformat reports; say what the grader did, with intervals and what could not be seen."""
    from graders.registry import load_grader
    from workbench.cli._graders import EXTRA_GRADERS
    from workbench.stress.cases import StressOptions
    from workbench.stress.lab import run_stress

    options = StressOptions(limit=limit, seed=seed, perturbations=tuple(only or ()))
    options.chosen()
    with store(create=False) as opened:
        loaded = load_grader(grader, store=opened, model=model, base_url=base_url, extra=EXTRA_GRADERS)
        with job(opened, "stress") as handle:
            report = run_stress(opened, loaded, run, options, job=handle)
            answer = report.to_json()
            handle.finish(answer)

    def human(console: Console) -> None:
        console.print(f"{report.verdict.answer}: {report.verdict.why}", style="bold", markup=False)
        noise = "not measured" if report.rerun_noise is None else f"{report.rerun_noise:.3f}"
        console.print(
            f"{report.cases} reports of {run}; threshold d = {report.d:.3f}; rerun noise {noise}", markup=False
        )
        table = Table(box=None, pad_edge=False)
        for heading in (
            "perturbation",
            "family",
            "n",
            "at top",
            "abstained",
            "failed",
            "wrong",
            "mean gain [interval]",
            "smallest visible",
        ):
            table.add_column(heading)
        for effect in report.effects:
            gain = _gain(effect)
            rate = "" if effect.success_rate is None else f"{effect.success_rate:.0%}"
            visible = "" if effect.smallest_visible is None else f"{effect.smallest_visible:.3f}"
            counts = (str(n) for n in (effect.n, effect.at_ceiling, effect.abstained, effect.failed))
            table.add_row(effect.name, effect.family, *counts, rate, gain, visible)
        console.print(table)
        for name, control in report.controls.items():
            mark = "as expected" if control["as_expected"] else f"EXPECTED {control['expected']}"
            console.print(f"control {name}: {control['verdict']} ({mark})", markup=False)

    emit(answer, human)
    finish(failed=report.failed)


def _gain(effect: "Effect") -> str:
    if effect.mean_gain is None:
        return "no case"
    if effect.ci_low is None or effect.ci_high is None:
        return f"{effect.mean_gain:+.3f} [not measured]"
    return f"{effect.mean_gain:+.3f} [{effect.ci_low:+.3f}, {effect.ci_high:+.3f}]"


def register(app: typer.Typer) -> None:
    app.command("stress")(stress)
