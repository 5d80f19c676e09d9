"""Checks this job folder: every file against the manifest, every golden row through `reward.py`. Needs no package.

    python3 -I check.py          prints N of M and exits 0 if all is exact, 1 if anything differs

Nothing of the folder is imported before its files are found unchanged.
"""

import hashlib
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent


def main() -> int:
    sys.dont_write_bytecode = True
    if sys.version_info < (3, 11):  # noqa: UP036 - a trainer brings its own Python
        return _fail([f"Python is {sys.version.split()[0]}; expected 3.11 or newer"], "")
    try:
        manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
        wrong = changed(manifest)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        return _fail([f"manifest.json cannot be read: {type(error).__name__}: {error}"], "")
    n_files = len(manifest["files"])
    if wrong:
        return _fail(wrong, f"{n_files - len(wrong)} of {n_files} files are as exported")
    print(f"{n_files} of {n_files} files are as exported")
    rows = [json.loads(line) for line in (FOLDER / "golden.jsonl").read_text(encoding="utf-8").splitlines() if line]
    reward = _reward_module()
    golden = sys.modules[f"{reward.PACKAGE}.export.runtime.golden"]
    differences = golden.mismatches(reward.JOB, reward.score_trajectory, rows)
    bad_rows = {sentence.split(" ", 2)[1] for sentence in differences}
    summary = f"{len(rows) - len(bad_rows)} of {len(rows)} golden rows exact"
    if differences:
        return _fail(differences, summary)
    print(summary)
    return 0


def changed(manifest: dict[str, Any]) -> list[str]:
    """What is not as exported: the manifest itself, a file that is missing or differs, code that was added."""
    digest = manifest.pop("digest")
    canonical = json.dumps(manifest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    out = []
    if hashlib.sha256(canonical.encode("utf-8", errors="backslashreplace")).hexdigest() != digest:
        out.append("manifest.json differs from what was exported")
    for name, expected in manifest["files"].items():
        path = FOLDER / name
        if not path.is_file():
            out.append(f"{name} is missing")
        elif hashlib.sha256(path.read_bytes()).hexdigest() != expected:
            out.append(f"{name} differs from what was exported")
    for path in (FOLDER / manifest["package"]).rglob("*.py"):
        name = path.relative_to(FOLDER).as_posix()
        if name not in manifest["files"]:
            out.append(f"{name} was added to the frozen code")
    return out


def _reward_module() -> Any:
    spec = importlib.util.spec_from_file_location("reward", FOLDER / "reward.py")
    if spec is None or spec.loader is None:
        raise ImportError(f"{FOLDER / 'reward.py'} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules["reward"] = module
    spec.loader.exec_module(module)
    importlib.import_module(f"{module.PACKAGE}.export.runtime.golden")
    return module


def _fail(sentences: list[str], summary: str) -> int:
    for sentence in sentences:
        print(f"MISMATCH {sentence}", file=sys.stderr)
    if summary:
        print(summary)
    return 1


if __name__ == "__main__":
    sys.exit(main())
