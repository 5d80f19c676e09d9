"""Draws each design many times and counts how often each interval holds the true mean."""

import zlib
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from tests.judge_correction_study.designs import Design, Drawn
from workbench.stats.estimate import Estimate, FloatVector, Measured
from workbench.stats.judge_correction import prediction_powered_mean, rogan_gladen
from workbench.stats.labelled_part import cautions_of
from workbench.stats.proportion import proportion_interval

# What a 95% interval may hold: outside, a design is named.
REACHED = (0.935, 0.965)
METHODS = ("rogan_gladen", "ppi", "labels_alone", "judge_alone")


@dataclass(slots=True)
class Tally:
    """`held`, `missed_high` (the whole interval lies above the truth) and widths, of the intervals that there were."""

    held: list[bool] = field(default_factory=list)
    missed_high: int = 0
    widths: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    n: int = 0

    def add(self, found: Measured, truth: float) -> None:
        self.n += 1
        if not isinstance(found, Estimate) or found.low is None or found.high is None:
            return
        self.held.append(found.low <= truth <= found.high)
        self.missed_high += found.low > truth
        self.widths.append(found.high - found.low)
        self.errors.append(found.value - truth)

    def to_json(self) -> dict[str, Any]:
        if not self.held:
            return {"intervals": 0, "of": self.n}
        coverage = proportion_interval(self.held)
        return {
            "coverage": round(coverage.value, 4),
            "low": round(coverage.low or 0.0, 4),
            "high": round(coverage.high or 0.0, 4),
            "missed_too_high": round(self.missed_high / len(self.held), 4),
            "median_width": round(float(np.median(self.widths)), 4),
            "bias": round(float(np.mean(self.errors)), 4),
            "intervals": len(self.held),
            "of": self.n,
        }


def run_design(design: Design, *, rounds: int, seed: int) -> dict[str, Any]:
    """Coverage of each method on one design; the seed of a design does not depend on which others are run."""
    rng = np.random.default_rng([seed, zlib.crc32(design.name.encode())])
    tallies = {name: Tally() for name in METHODS}
    for _ in range(rounds):
        _add(tallies, design, design.draw(rng))
    return {name: tally.to_json() for name, tally in tallies.items() if tally.n}


def cautioned(design: Design, *, draws: int, seed: int) -> float:
    """How often the labelled part of this design gets a caution."""
    rng = np.random.default_rng([seed, zlib.crc32(design.name.encode())])
    return float(np.mean([bool(_cautions(design.draw(rng))) for _ in range(draws)]))


def _cautions(drawn: Drawn) -> tuple[str, ...]:
    return cautions_of(drawn.labels[drawn.labelled], drawn.questions[drawn.labelled])


def _add(tallies: dict[str, Tally], design: Design, drawn: Drawn) -> None:
    inside, outside = drawn.labelled, ~drawn.labelled
    questions = drawn.questions[inside], drawn.questions[outside]
    powered = prediction_powered_mean(drawn.labels[inside], drawn.judged[inside], drawn.judged[outside], *questions)
    tallies["ppi"].add(powered.mean, design.truth)
    tallies["labels_alone"].add(powered.classical, design.truth)
    tallies["judge_alone"].add(_naive(drawn.judged[outside], questions[1]), design.truth)
    if design.kind == "yes or no":
        corrected = rogan_gladen(
            drawn.labels[inside] == 1,
            drawn.judged[inside] == 1,
            drawn.judged[outside] == 1,
            *questions,
        )
        tallies["rogan_gladen"].add(corrected.prevalence, design.truth)


def _naive(judged: FloatVector, questions: "np.ndarray[tuple[int, ...], np.dtype[np.int64]]") -> Measured:
    """What is published without a correction: the judge's mean with a clustered normal interval."""
    value = float(judged.mean())
    sums = np.bincount(questions, weights=judged - value)
    half = 1.959964 * float(np.sqrt(sums @ sums)) / judged.size
    return Estimate(value, value - half, value + half, judged.size, "judge alone")


def run(designs: Iterable[Design], *, rounds: int, seed: int, workers: int = 1, say: bool = False) -> dict[str, Any]:
    """All designs, and the names of those where an interval holds less or more often than `REACHED`.

    A design's result does not depend on `workers`: each has a seed of its own.
    """
    found: dict[str, dict[str, Any]] = {}
    every = list(designs)
    with ProcessPoolExecutor(workers) as pool:
        for design, cells in zip(every, pool.map(partial(run_design, rounds=rounds, seed=seed), every), strict=True):
            found[design.name] = cells
            if say:
                print(f"{design.name}: { ({name: cell.get('coverage') for name, cell in cells.items()}) }", flush=True)
    return {
        "what": "share of 95% intervals that hold the true mean; judge_alone is the uncorrected mean of the judge",
        "reached": list(REACHED),
        "not_reached": {name: _outside(found, name) for name in ("rogan_gladen", "ppi")},
        "designs": found,
    }


def _outside(found: dict[str, dict[str, Any]], method: str) -> dict[str, list[str]]:
    """Design names by side: `below` holds too seldom, `above` too often (wider than need be)."""
    coverage = {name: cells[method]["coverage"] for name, cells in found.items() if "coverage" in cells.get(method, {})}
    return {
        "below": [f"{name}: {value:.3f}" for name, value in coverage.items() if value < REACHED[0]],
        "above": [f"{name}: {value:.3f}" for name, value in coverage.items() if value > REACHED[1]],
    }
