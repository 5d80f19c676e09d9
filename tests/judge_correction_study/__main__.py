"""`python -m tests.judge_correction_study`: the long study; writes docs/evidence/judge-correction.json."""

import argparse
import json
import subprocess
import time
from typing import Any

from tests.judge_correction_study.designs import all_designs
from tests.judge_correction_study.study import cautioned, run
from tests.support.evidence import EVIDENCE, ROOT, write_evidence

# The estimators were built on seeds 5 and 7.
SEED = 20261130
ROUNDS = 4000
CAUTION_DRAWS = 300
_STATS = ("judge_correction", "labelled_part", "proportion")
CODE = (*(f"workbench/stats/{name}.py" for name in _STATS), "tests/judge_correction_study")


def measure(
    *, rounds: int = ROUNDS, seed: int = SEED, write: bool = True, say: bool = True, workers: int = 2
) -> dict[str, Any]:
    """Every design, and the evidence of it."""
    began = time.monotonic()
    result = run(all_designs(), rounds=rounds, seed=seed, workers=workers, say=say)
    result["cautioned"] = cautions(seed)
    if write:
        seconds = time.monotonic() - began
        write_evidence("judge-correction", result, seed=seed, n=rounds, seconds=seconds, code=CODE)
    return result


def cautions(seed: int = SEED) -> dict[str, float]:
    """How often each design gets a caution: apart from the long part, so that its results can move a limit."""
    return {design.name: cautioned(design, draws=CAUTION_DRAWS, seed=seed) for design in all_designs()}


def renew_cautions() -> None:
    """Writes the cautions anew into the evidence that is there, and by which commit."""
    path = EVIDENCE / "judge-correction.json"
    result = json.loads(path.read_text())
    result["cautioned"] = cautions(result["seed"])
    result["cautions_renewed_at"] = _head()
    path.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n")


def _head() -> str:
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, default=2, help="processes; changes no result")
    parser.add_argument("--dry", action="store_true", help="print only, write no evidence")
    parser.add_argument("--cautions", action="store_true", help="only renew the cautions of the evidence that is there")
    given = parser.parse_args()
    if given.cautions:
        renew_cautions()
        return
    measure(rounds=given.rounds, seed=given.seed, write=not given.dry, workers=given.workers)


if __name__ == "__main__":
    main()
