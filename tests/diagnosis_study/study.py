"""The study of the diagnosis on planted series: verdicts first, written down and hashed; only then are truths opened.

python -m tests.diagnosis_study.study FOLDER     # FOLDER as sealed.json says: <k>/trajectories.jsonl, sealed/<k>.json
"""

import hashlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.diagnosis_study.planting import file_hash
from tests.diagnosis_study.scoring import Row, score
from tests.diagnosis_study.verdicts import LIMITS, verdicts_of

HERE = Path(__file__).parent
SEALED = HERE / "sealed.json"


class SealBrokenError(Exception):
    """A file is not the one whose hash was published."""


def write_verdicts(folder: Path, out: Path) -> str:
    """Diagnoses every run of every series and gives the hash of the file of verdicts. Goes on where it stopped."""
    sealed = json.loads(SEALED.read_text(encoding="utf-8"))
    done: dict[str, Any] = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {}
    for series in sealed["series"]:
        name = str(series["series"])
        if name in done:
            continue
        shown = folder / name / "trajectories.jsonl"
        _check(shown, series["trajectories_sha256"])
        with tempfile.TemporaryDirectory() as work:
            done[name] = verdicts_of(shown, Path(work))
        out.write_text(json.dumps(done, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(f"series {name}: verdicts on {len(done[name]['at_default'])} runs", file=sys.stderr, flush=True)
    return hashlib.sha256(out.read_bytes()).hexdigest()


def open_truths(folder: Path, verdicts: Path) -> dict[str, Any]:
    """Scores the file of verdicts. Raises SealBrokenError for a truth that was not the one sealed."""
    sealed = json.loads(SEALED.read_text(encoding="utf-8"))
    said = json.loads(verdicts.read_text(encoding="utf-8"))
    rows: dict[str, list[Row]] = {name: [] for name in LIMITS}
    for series in sealed["series"]:
        number = series["series"]
        path = folder / "sealed" / f"{number}.json"
        _check(path, series["truth_sha256"])
        for truth in json.loads(path.read_text(encoding="utf-8"))["runs"]:
            for name in LIMITS:
                rows[name].append(Row(number, truth, said[str(number)][name][truth["run"]]))
    return {name: {"least_effect": LIMITS[name], **score(mine)} for name, mine in rows.items()}


def _check(path: Path, expected: str) -> None:
    found = file_hash(path)
    if found != expected:
        raise SealBrokenError(f"{path.name} has the hash {found[:12]}…, the sealed one is {expected[:12]}…")


def main(folder: Path) -> dict[str, Any]:
    """Both halves. The verdicts lie beside the series, so that a stopped run goes on."""
    verdicts = folder / "verdicts.json"
    digest = write_verdicts(folder, verdicts)
    print(f"verdicts written, sha256 {digest}; now the truths are opened", file=sys.stderr, flush=True)
    return {"verdicts_sha256": digest, "stated_rate": 0.05, **open_truths(folder, verdicts)}


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1])), indent=1))
