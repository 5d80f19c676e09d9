"""`workbench dump`: tables and trajectories as files that other programs read."""

from typing import Annotated

import typer

from workbench.cli.context import emit, store
from workbench.errors import BadInputError

NATIVE = "native"


def register(app: typer.Typer) -> None:
    @app.command()
    def dump(
        path: Annotated[
            str,
            typer.Argument(metavar="FILE", help=".parquet, .jsonl, .jsonl.gz or .jsonl.zst; or an address (s3://...)."),
        ],
        table: Annotated[
            str,
            typer.Option(
                "--table",
                help="trajectories, steps, phases, citations, grades, ballots, votes, runs; or "
                "native: whole trajectories that `import` reads back (.jsonl). Default: native for .jsonl, "
                "trajectories for .parquet.",
            ),
        ] = "",
        bodies: Annotated[bool, typer.Option("--bodies", help="With texts: reports, steps, reasons.")] = False,
        filters: Annotated[
            list[str] | None,
            typer.Option("--where", help="NAME=VALUE, a filter of the app: run, model, outcome, text ... Repeatable."),
        ] = None,
    ) -> None:
        """Write a table to Parquet or JSON lines for pandas, DuckDB or datasets. Columns: docs/frames.md."""
        from workbench.notebook import Workbench

        with store(create=False) as opened:
            given = parse_filters(filters or [])
            for run in _several(given.get("run")):
                opened.runs.get(run)  # a mistyped run is an error, and not an empty file
            source = Workbench(opened)
            if not path.lower().endswith(".parquet"):
                if bodies and table in ("", NATIVE):
                    raise BadInputError("native trajectories have their bodies as it is; leave out --bodies")
                name = None if table in ("", NATIVE) else table
                written = source.to_jsonl(path, table=name, bodies=bodies, **given)
            elif table == NATIVE:
                raise BadInputError("native trajectories go into .jsonl; for .parquet name another --table")
            else:
                written = source.to_parquet(path, table=table or "trajectories", bodies=bodies, **given)
        answer = {"path": written.path, "table": written.table, "rows": written.rows}
        emit(answer, lambda console: console.print(f"{written.rows:,} rows of {written.table} in {written.path}"))


def _several(value: object) -> tuple[str, ...]:
    several = value if isinstance(value, tuple) else (value,)
    return tuple(str(one) for one in several if one is not None)


def parse_filters(given: list[str]) -> dict[str, object]:
    """NAME=VALUE pairs as keywords: a name given twice means any of its values. Raises BadInputError."""
    found: dict[str, object] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise BadInputError(f"--where {text!r}: expected NAME=VALUE, such as run=my-run")
        if name in ("table", "bodies", "path"):
            raise BadInputError(f"--where {text!r}: {name} is no filter")
        typed = _typed(name, value)
        before = found.get(name)
        if before is None:
            found[name] = typed
        else:
            found[name] = (*(before if isinstance(before, tuple) else (before,)), typed)
    return found


def _typed(name: str, value: str) -> object:
    if name in ("has_report", "has_tool_error"):
        if value.lower() not in ("true", "false"):
            raise BadInputError(f"--where {name}={value}: expected true or false")
        return value.lower() == "true"
    if name in ("policy_step", "min_score", "max_score"):
        try:
            return float(value)
        except ValueError:
            raise BadInputError(f"--where {name}={value}: expected a number") from None
    return value
