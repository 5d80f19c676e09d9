"""Results of long proofs, stamped with what it takes to reproduce them."""

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EVIDENCE = ROOT / "docs" / "evidence"


def write_evidence(
    name: str,
    result: Mapping[str, object],
    *,
    seed: int,
    n: int,
    seconds: float,
    code: Sequence[str] = ("workbench",),
) -> Path:
    """Writes docs/evidence/NAME.json: the result with commit, seed, n, time and machine.

    `code`: the paths that the proof is about; the stamp says whether any of them differs from the commit.
    """
    path = EVIDENCE / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    stamp: dict[str, object] = {
        "commit": _git("rev-parse", "HEAD"),
        "code": list(code),
        "code_differs_from_commit": bool(_git("status", "--porcelain", "--", *code)),
        "seed": seed,
        "n": n,
        "seconds": round(seconds, 1),
        "finished_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
    }
    path.write_text(json.dumps(stamp | dict(result), indent=2, ensure_ascii=False) + "\n")
    return path


def machine() -> dict[str, object]:
    """Size of the machine, not its name."""
    pages, page = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    return {
        "cpus": os.cpu_count(),
        "memory_gib": round(pages * page / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()
