"""The study of the study: a small share of the planted designs, and all of them with the local model (slow)."""

import time
from typing import Any

import pytest

from tests.batching_study.local import on_the_local_model
from tests.batching_study.planted import Plant
from tests.batching_study.simulation import SEED, SIMULATIONS, Design, error_rates
from tests.support.evidence import write_evidence

CODE = ("graders/batching", "tests/batching_study", "workbench/stats/bootstrap.py")


def test_planted_effects_are_named_and_nothing_is_found_where_nothing_is() -> None:
    designs = [Design(Plant("none", noise=0.1), 40), Design(Plant("order", 0.6), 60), Design(Plant("halo", 0.6), 60)]
    nothing, order, halo = error_rates(5, designs, seed=77)
    assert share(nothing, "atomic_at_tolerance") == 0.0
    assert (share(order, "order_found"), share(order, "atomic_at_tolerance")) == (1.0, 1.0)
    assert share(halo, "halo_found") == 1.0
    assert share(halo, "order_found") <= 0.2


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_error_rates_where_the_truth_is_planted_and_agreement_of_the_local_model() -> None:
    began = time.perf_counter()
    found = error_rates(SIMULATIONS)
    pytest.importorskip("xllamacpp")
    local = on_the_local_model()
    write_evidence(
        "atomic-batched",
        {"simulated": found, "local_model": local},
        seed=SEED,
        n=SIMULATIONS,
        seconds=time.perf_counter() - began,
        code=CODE,
    )
    for row in found:
        if row["effect"] == "none":
            assert share(row, "atomic_at_tolerance") <= 0.1


def share(row: Any, name: str) -> float:
    return float(row[name]["share"])
