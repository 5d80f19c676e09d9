"""`python -m tests.batching_study`: how often the study is right, and what it says of the local model."""

import time

from tests.batching_study.local import on_the_local_model
from tests.batching_study.simulation import SEED, SIMULATIONS, error_rates
from tests.support.evidence import write_evidence

CODE = ("graders/batching", "rubrics/judging", "workbench/stats", "tests/batching_study")

if __name__ == "__main__":
    began = time.perf_counter()
    found = {"simulated": error_rates(SIMULATIONS), "local_model": on_the_local_model()}
    write_evidence("atomic-batched", found, seed=SEED, n=SIMULATIONS, seconds=time.perf_counter() - began, code=CODE)
