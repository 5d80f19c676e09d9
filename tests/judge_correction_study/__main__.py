"""`python -m tests.judge_correction_study`: the long study; writes docs/evidence/judge-correction.json."""

import argparse
import time
from typing import Any

from tests.judge_correction_study.designs import all_designs
from tests.judge_correction_study.study import run
from tests.support.evidence import write_evidence

# The estimators were built on seeds 5 and 7.
SEED = 20261130
ROUNDS = 4000
_STATS = ("judge_correction", "labelled_part", "proportion")
CODE = (*(f"workbench/stats/{name}.py" for name in _STATS), "tests/judge_correction_study")


def measure(
    *, rounds: int = ROUNDS, seed: int = SEED, write: bool = True, say: bool = True, workers: int = 2
) -> dict[str, Any]:
    """Every design, and the evidence of it."""
    began = time.monotonic()
    result = run(all_designs(), rounds=rounds, seed=seed, workers=workers, say=say)
    if write:
        seconds = time.monotonic() - began
        write_evidence("judge-correction", result, seed=seed, n=rounds, seconds=seconds, code=CODE)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, default=2, help="processes; changes no result")
    parser.add_argument("--dry", action="store_true", help="print only, write no evidence")
    given = parser.parse_args()
    measure(rounds=given.rounds, seed=given.seed, write=not given.dry, workers=given.workers)


if __name__ == "__main__":
    main()
