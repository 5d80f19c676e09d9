"""Exporting the small store, running a folder's check, and signing a folder again after a change."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.workbench.reward.small_store import REFERENCE, fill
from workbench.export.build import export_job
from workbench.export.job_folder import json_file, sha256, signed
from workbench.reward.files import library_specs, read_spec_file
from workbench.reward.reference import build_from_store, save_targets
from workbench.schema.reward import RewardSpec
from workbench.store import Store

# The interpreter beneath the virtual environment: none of our packages is installed for it.
BARE_PYTHON = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"


def ready(store: Store) -> None:
    """Rollouts, grades, sheets, and targets from the reference run."""
    fill(store)
    save_targets(store, build_from_store(store, [REFERENCE]))


def checklist_spec() -> RewardSpec:
    return read_spec_file(library_specs()["search-rl-checklist"])


def export(store: Store, destination: Path, **options: Any) -> Path:
    options = {"force": "a test", **options}
    return export_job(store, checklist_spec(), "trl", destination, **options).folder


def check(folder: Path, *, cwd: Path = Path("/")) -> subprocess.CompletedProcess[str]:
    """The folder's own check, as a stranger runs it: no package, no current folder, no environment."""
    command = [str(BARE_PYTHON), "-I", "-S", str(folder / "check.py")]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env={}, check=False)


def sign_again(folder: Path) -> None:
    """Makes every hash of the manifest right again after files were changed."""
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"] = {name: sha256((folder / name).read_bytes()) for name in manifest["files"]}
    (folder / "manifest.json").write_bytes(json_file(signed(manifest)))


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def write_rows(folder: Path, name: str, values: list[dict[str, Any]]) -> None:
    (folder / name).write_text("".join(json.dumps(value) + "\n" for value in values))
