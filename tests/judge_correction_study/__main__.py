"""`python -m tests.judge_correction_study`: the long study; writes docs/evidence/judge-correction.json."""

import argparse
import time

from tests.judge_correction_study.designs import all_designs
from tests.judge_correction_study.study import run
from tests.support.evidence import write_evidence

# The estimators were built on seeds 5 and 7.
SEED = 20261130
ROUNDS = 4000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--dry", action="store_true", help="print only, write no evidence")
    given = parser.parse_args()
    began = time.monotonic()
    result = run(all_designs(), rounds=given.rounds, seed=given.seed, say=True)
    if not given.dry:
        code = ("workbench/stats", "tests/judge_correction_study")
        seconds = time.monotonic() - began
        write_evidence("judge-correction", result, seed=given.seed, n=given.rounds, seconds=seconds, code=code)


if __name__ == "__main__":
    main()
