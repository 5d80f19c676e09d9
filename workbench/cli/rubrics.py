"""`workbench rubrics`: the library, one rubric in full, its wording checked, and the format."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from workbench.cli.batching import batching
from workbench.cli.context import emit
from workbench.errors import BadInputError

if TYPE_CHECKING:
    from rubrics.judging.rubric import Rubric

verbs = typer.Typer(help="Rubrics: list, show, lint, batching, schema.", no_args_is_help=True)
RubricWord = Annotated[str, typer.Argument(help="Name of a library rubric, or a rubric file.")]


@verbs.command("list")
def list_() -> None:
    """The rubrics that come with the workbench."""
    from rubrics.library import library_names, load_library

    found = [load_library(name) for name in library_names()]
    answer = {
        "rubrics": [
            {"name": r.name, "version": r.version, "criteria": len(r.criteria), "description": r.description}
            for r in found
        ]
    }

    def human(console: Console) -> None:
        table = Table(box=None, pad_edge=False)
        for heading in ("rubric", "criteria", "version", "for"):
            table.add_column(heading)
        for rubric in found:
            table.add_row(rubric.name, str(len(rubric.criteria)), rubric.version[:8], rubric.description)
        console.print(table)

    emit(answer, human)


@verbs.command("show")
def show(rubric: RubricWord) -> None:
    """One rubric in full: every statement, its weight and scale, and how verdicts make a score."""
    from rubrics.judging.rubric import rubric_to_json

    found = load(rubric)

    def human(console: Console) -> None:
        console.print(f"{found.name} @ {found.version[:8]}", style="bold", markup=False)
        console.print(f"{found.description}", markup=False)
        console.print(
            f"{found.aggregation}, mapped by {found.score_map}; missing verdicts: {found.missing}; without trace: "
            f"{found.without_trace}",
            markup=False,
        )
        for group in found.groups:
            console.print(f"group {group.id} ({group.weight:g}) {group.text}", markup=False)
        for criterion in found.criteria:
            fatal = " FATAL" if criterion.fatal else ""
            place = f" in {criterion.parent}" if criterion.parent else ""
            console.print(
                f"\n{criterion.id} ({criterion.weight:+g}, {criterion.polarity}, {criterion.scope}, {criterion.scale})"
                f"{place}{fatal}\n  {criterion.text}",
                markup=False,
            )
            for label, text in criterion.anchors.items():
                console.print(f"    {label}: {text}", markup=False)

    emit({"version": found.version, **rubric_to_json(found)}, human)


@verbs.command("lint")
def lint(
    rubric: RubricWord,
    graded_by: Annotated[
        str | None, typer.Option("--graded-by", help="Also look at what this grader stored under the rubric.")
    ] = None,
) -> None:
    """What makes a rubric mean something else than its author thinks. Exit code 3 if there is an error."""
    from dataclasses import asdict

    from rubrics.lint import lint as find
    from rubrics.lint_stored import lint_verdicts, stored_runs
    from workbench.cli.context import finish, store

    loaded = load(rubric)
    findings = find(loaded)
    n_graded: int | None = None
    if graded_by is not None:
        with store(create=False) as opened:
            runs = stored_runs(opened, graded_by, loaded)
            if not runs:
                known = sorted({grader.name for grader in opened.grades.graders()})
                raise BadInputError(
                    f"grader {graded_by!r} has stored no verdict under this very rubric; the store holds grades by "
                    f"{', '.join(known) or 'nobody'}"
                )
        findings += lint_verdicts(loaded, runs)
        n_graded = len(runs)

    def human(console: Console) -> None:
        for finding in findings:
            console.print(f"{finding.severity} {finding.criterion} [{finding.rule}]: {finding.message}", markup=False)
        seen = "" if n_graded is None else f" and {n_graded} graded reports"
        console.print(f"{loaded.name}: {len(findings)} findings in {len(loaded.criteria)} criteria{seen}", markup=False)

    answer = {"name": loaded.name, "findings": [asdict(finding) for finding in findings], "graded_reports": n_graded}
    emit(answer, human)
    finish(failed=sum(finding.severity == "error" for finding in findings))


@verbs.command("schema")
def schema(
    of: Annotated[str, typer.Option(help="rubric, or ensemble: several graders as one.")] = "rubric",
) -> None:
    """The JSON Schema of a rubric or an ensemble file, on stdout."""
    import json

    from graders.ensemble_file import ensemble_schema
    from rubrics.schema import rubric_schema

    makers = {"rubric": rubric_schema, "ensemble": ensemble_schema}
    if of not in makers:
        raise BadInputError(f"--of is {of!r}; expected {' or '.join(makers)}")
    found = makers[of]()
    emit(found, lambda console: console.print_json(json.dumps(found)))


verbs.command("batching")(batching)


def load(word: str) -> "Rubric":
    """The rubric of the library under this name, or that of a file."""
    from rubrics.library import library_names, load_library
    from rubrics.schema import load_rubric

    if word in library_names():
        return load_library(word)
    if not Path(word).suffix and not Path(word).exists():
        raise BadInputError(f"no rubric {word!r}; the library has {', '.join(library_names())}, or name a file (.yaml)")
    return load_rubric(Path(word))


def register(app: typer.Typer) -> None:
    app.add_typer(verbs, name="rubrics")
