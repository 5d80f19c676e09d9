"""`workbench import`: trajectory files, folders and patterns into the store."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from workbench.cli.context import emit, finish, job, note, store, store_url

SHOWN_SKIPPED = 10


def register(app: typer.Typer) -> None:
    @app.command("import")
    def import_(
        paths: Annotated[
            list[str], typer.Argument(metavar="PATH...", help="Files, folders, patterns; or addresses (s3://, ...).")
        ],
        format: Annotated[str | None, typer.Option("--format", help="Read every record as this format.")] = None,
        run: Annotated[str | None, typer.Option("--run", help="Name of the run. Default: the file's stem.")] = None,
        model: Annotated[str | None, typer.Option("--model", help="Name of the model. Default: as recorded.")] = None,
        look: Annotated[bool, typer.Option("--preview", help="Say what would be recognised; write nothing.")] = False,
    ) -> None:
        """Import trajectories: JSONL, JSON, Parquet, archives and event streams, packed or not, by path or address.

        Formats are told from content. Records that cannot be taken in are set aside with a reason, and importing a file
        again changes nothing.
        """
        from workbench.ingest.importer import import_paths
        from workbench.ingest.paths import find_files
        from workbench.ingest.registry import format_named
        from workbench.phases import analyse

        if look:
            _preview(paths, format=format, run=run, model=model)
            return
        # Before the store is opened, since opening may make it: a mistyped path must write nothing at all.
        find_files(paths)
        if format:
            format_named(format)
        with store() as opened, job(opened, "import") as running:
            report = import_paths(
                opened,
                paths,
                format=format,
                run=run,
                model=model,
                analyse=analyse,
                job=running,
                quarantine_dir=quarantine_dir(store_url()),
            )
            answer = {
                "read": report.read,
                "imported": report.imported,
                "duplicates": report.duplicates,
                "quarantined": report.quarantined,
                "quarantine_path": None if report.quarantine_path is None else str(report.quarantine_path),
                "skipped_files": [{"path": file.path, "reason": file.reason} for file in report.skipped_files],
                "runs": list(report.runs),
                "notes": list(report.notes),
            }
            running.finish(answer)

        def human(console: Console) -> None:
            console.print(
                f"{report.read} read: {report.imported} imported, {report.duplicates} already there, "
                f"{report.quarantined} set aside",
                markup=False,
            )
            console.print(f"runs: {', '.join(report.runs) or 'none'}", markup=False)

        for text in report.notes:
            note(f"note: {text}")
        for file in report.skipped_files[:SHOWN_SKIPPED]:
            note(f"skipped {file.path}: {file.reason}")
        if len(report.skipped_files) > SHOWN_SKIPPED:
            note(f"{SHOWN_SKIPPED} of {len(report.skipped_files)} skipped files shown; --json has all")
        if report.quarantine_path:
            note(f"set aside, with reasons: {report.quarantine_path}")
        emit(answer, human)
        finish(failed=report.quarantined)


def _preview(paths: list[str], **options: str | None) -> None:
    from dataclasses import asdict

    from workbench.ingest.preview import preview

    found = preview(paths, **options)  # type: ignore[arg-type]

    def human(console: Console) -> None:
        for file in found:
            if file.reason:
                console.print(f"{file.path}: skipped: {file.reason}", markup=False)
                continue
            first = "the first " if file.more else ""
            console.print(
                f"{file.path}: {', '.join(file.formats) or 'no known format'}; {first}{file.looked_at} looked at: "
                f"{len(file.questions)} questions, {file.steps} steps, {file.tool_calls} tool calls, "
                f"{file.with_report} with a report, {len(file.problems)} to set aside",
                markup=False,
            )
            for problem in file.problems[:3]:
                console.print(f"    {problem[:300]}", markup=False)

    emit({"files": [asdict(file) for file in found]}, human)


def quarantine_dir(url: str) -> Path:
    """Beside a SQLite store, under its name; for a server, in the current folder."""
    if url.startswith("sqlite:///"):
        return Path(url.removeprefix("sqlite:///") + ".quarantine")
    return Path("workbench.quarantine")
