"""`python -m tests.bench`: measures, prints, and writes docs/evidence/speed.json."""

import time
from dataclasses import asdict

from tests.bench.measures import SEED, all_measures
from tests.support.evidence import write_evidence


def main() -> None:
    start = time.perf_counter()
    ratios = []
    for ratio in all_measures():
        print(ratio.line(), flush=True)
        ratios.append(asdict(ratio))
    seconds = time.perf_counter() - start
    code = ("workbench", "benchmarks", "tests/bench")
    write_evidence("speed", {"ratios": ratios}, seed=SEED, n=len(ratios), seconds=seconds, code=code)


if __name__ == "__main__":
    main()
