"""`python -m tests.batching_study [SIMULATIONS] [REPORTS]`: the evidence of atomic or batched, or a share of it."""

import sys
import time

from tests.batching_study.local import REPORTS, on_the_local_model
from tests.batching_study.simulation import SEED, SIMULATIONS, error_rates
from tests.batching_study.test_study import CODE
from tests.support.evidence import write_evidence

if __name__ == "__main__":
    began = time.perf_counter()
    given = [int(word) for word in sys.argv[1:]]
    simulations, reports = (given + [SIMULATIONS, REPORTS][len(given) :])[:2]
    found = {"simulated": error_rates(simulations), "local_model": on_the_local_model(reports)}
    write_evidence("atomic-batched", found, seed=SEED, n=simulations, seconds=time.perf_counter() - began, code=CODE)
