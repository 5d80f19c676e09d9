"""How often the comparison of atomic and batched calls is right where the truth is planted."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from graders.batching.choice import choose
from graders.batching.figures import compare
from graders.batching.study import TOLERANCE
from tests.batching_study.planted import Plant, simulate
from workbench.stats.estimate import Estimate, Measured
from workbench.stats.proportion import proportion_interval

SEED = 20261130
SIMULATIONS = 200


@dataclass(frozen=True, slots=True)
class Design:
    """A plant, how many reports meet it, and how many of them share a question."""

    plant: Plant
    n: int
    attempts: int = 1


DESIGNS: Sequence[Design] = (
    Design(Plant("none", noise=0.0), 40),
    Design(Plant("none", noise=0.1), 40),
    Design(Plant("none", noise=0.3), 40),
    Design(Plant("none", noise=0.1), 120),
    Design(Plant("none", noise=0.1), 120, attempts=4),
    Design(Plant("order", 0.25), 40),
    Design(Plant("order", 0.5), 40),
    Design(Plant("order", 0.5), 120, attempts=4),
    Design(Plant("halo", 0.25), 40),
    Design(Plant("halo", 0.5), 40),
    Design(Plant("halo", 0.5), 120, attempts=4),
    Design(Plant("noise", 0.4), 40),
)


def error_rates(simulations: int, designs: Sequence[Design] = DESIGNS, *, seed: int = SEED) -> list[dict[str, object]]:
    """For each design the share of studies that take atomic, that call batched shown, and whose interval of an effect
    leaves out zero; each share with its interval."""
    return [_rates(design, simulations, seed + 10_000 * place) for place, design in enumerate(designs)]


def _rates(design: Design, simulations: int, seed: int) -> dict[str, object]:
    said: dict[str, list[bool]] = {}
    for number in range(simulations):
        verdicts = simulate(design.plant, n=design.n, attempts=design.attempts, seed=seed + number)
        figures = compare(verdicts, seed=number, kappas=False)
        choice, strict = choose(figures, tolerance=TOLERANCE), choose(figures, tolerance=0.0)
        for name, hit in {
            "atomic_at_tolerance": choice.take == "atomic",
            "atomic_beyond_noise": strict.take == "atomic",
            "batched_shown": choice.take == "batched" and choice.shown,
            "order_found": _positive(figures.order),
            "order_reversed": isinstance(figures.order, Estimate) and figures.order.below(0.0),
            "halo_found": _positive(figures.halo),
            "halo_reversed": isinstance(figures.halo, Estimate) and figures.halo.below(0.0),
        }.items():
            said.setdefault(name, []).append(hit)
    rates = {name: proportion_interval(hits) for name, hits in said.items()}
    return {
        **asdict(design.plant),
        "reports": design.n,
        "attempts": design.attempts,
        "criteria": 6,
        "repeats": 2,
        "simulations": simulations,
        **{name: {"share": rate.value, "low": rate.low, "high": rate.high} for name, rate in rates.items()},
    }


def _positive(found: Measured) -> bool:
    return isinstance(found, Estimate) and found.above(0.0)
