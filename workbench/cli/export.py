"""`workbench export`: the chosen reward as a job folder for a trainer."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from workbench.cli import context


def register(parent: typer.Typer) -> None:
    parent.command("export")(export)


def export(
    spec: Annotated[str, typer.Option(help="A specification: file, saved version, or name.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the job folder will stand; must not exist.")],
    to: Annotated[str, typer.Option(help="The trainer: trl.")] = "trl",
    targets: Annotated[str, typer.Option(help="Version of the targets, where the specification names none.")] = "",
    force: Annotated[
        str | None, typer.Option(metavar="REASON", help="Export though a gate does not hold; goes into the manifest.")
    ] = None,
) -> None:
    """Writes a folder that trains on this reward where no workbench is installed. Refused unless its gates hold."""
    from workbench.export.build import export_job
    from workbench.reward.resolve import find_spec

    with context.store(create=False) as store, context.job(store, "export") as handle:
        found = find_spec(store, spec)
        result = export_job(store, found, to, folder, targets=targets, force=force, note=handle.log)
        gates = {gate.name: gate.to_json() for gate in result.gates}
        answer = {
            "job": str(result.folder),
            "files": len(result.manifest["files"]) + 1,
            "manifest": str(result.folder / "manifest.json"),
            "gates": {name: gate["state"] for name, gate in gates.items()},
            "gate_details": gates,
            "spec_version": result.manifest["spec"]["version"],
            "digest": result.manifest["digest"],
            "golden": result.manifest["golden"],
            "forced": force,
        }
        handle.finish(answer)

    def show(console: Console) -> None:
        console.print(f"{result.folder}: {answer['files']} files, spec {found.name}@{answer['spec_version']}")
        for gate in result.gates:
            required = "" if gate.required is None else f" (required: {gate.required})"
            console.print(f"  {gate.name}: {gate.state}{required} - {gate.found}", markup=False)
        if force:
            console.print(f"  forced: {force}", markup=False)
        console.print(f"check it anywhere: python3 -I {result.folder}/check.py", markup=False)

    context.emit(answer, show)
