"""How often 95% intervals hold the truth over simulated rounds, by method."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tests.workbench.human.ratings.simulation import Design, Round, Truth, simulate, truth_of
from workbench.human.ratings.baseline import scores_against
from workbench.human.ratings.comparisons import Comparisons, clusterings
from workbench.human.ratings.graph import unbeaten_groups
from workbench.human.ratings.intervals import naive_errors, sandwich
from workbench.human.ratings.joint import fit_jointly
from workbench.human.ratings.resampling import percentile_bounds, resampled_strengths
from workbench.human.ratings.strengths import Strengths, davidson_has_maximum, fit_bradley_terry, fit_davidson
from workbench.stats.estimate import FloatVector

BoolVector: TypeAlias = npt.NDArray[np.bool_]

NORMAL_95 = 1.959964
RESAMPLES = 400
# Of each method what its intervals are to hold; the running Elo has no such thing.
ESTIMANDS: Mapping[str, str] = {
    "bradley-terry": "strengths, ties half a win, that endless questions and raters of the design would give",
    "davidson": "the same of Davidson's strengths",
    "win score": "the share of the score against the first model that they would give",
    "adjusted": "the planted strengths, style and side held equal",
    "bootstrap by question": "as bradley-terry, where votes cluster by question alone",
    "bootstrap by rater": "as bradley-terry, where votes cluster by rater alone",
    "sandwich by question": "as bradley-terry, where votes cluster by question alone",
    "sandwich by rater": "as bradley-terry, where votes cluster by rater alone",
    "sandwich, votes alone": "as bradley-terry, where votes are independent",
    "naive": "as bradley-terry, were votes independent, ties decided and the model exact",
}


@dataclass(frozen=True, slots=True)
class Held:
    """By method: intervals that held the truth, and intervals in all. `one_way`: rounds without finite strengths."""

    counts: Mapping[str, tuple[int, int]]
    rounds: int
    one_way: int

    def share(self, method: str) -> float:
        held, n = self.counts[method]
        return held / n


def coverage(design: Design, *, rounds: int, seed: int | list[int], bootstrap: bool = True) -> Held:
    """Counts over `rounds` simulated rounds. Methods that a design says nothing of are absent."""
    rng, truth = np.random.default_rng(seed), truth_of(design)
    counts: dict[str, tuple[int, int]] = {}
    one_way = 0
    for number in range(rounds):
        round_ = simulate(design, rng)
        data = round_.data
        if len(unbeaten_groups(data.wins() + data.ties(), data.names)) > 1:
            one_way += 1
            continue
        found = _of_strengths(data, truth) | _of_others(design, round_, truth)
        if bootstrap:
            found |= _of_draws(data, truth, seed=number)
        for method, held in found.items():
            before, n = counts.get(method, (0, 0))
            counts[method] = (before + int(held.sum()), n + held.size)
    return Held(counts, rounds, one_way)


def _of_strengths(data: Comparisons, truth: Truth) -> dict[str, BoolVector]:
    strengths = fit_bradley_terry(data.wins(), data.ties())
    found = {"naive": np.abs(strengths.logits - truth.bradley_terry) <= NORMAL_95 * naive_errors(strengths)}
    for method, cluster in (
        ("bradley-terry", "auto"),
        ("sandwich by question", "question"),
        ("sandwich by rater", "rater"),
        ("sandwich, votes alone", "none"),
    ):
        found[method] = _holds(data, strengths, truth.bradley_terry, cluster)
    if davidson_has_maximum(data.wins(), data.ties()) and data.ties().any():
        found["davidson"] = _holds(data, fit_davidson(data.wins(), data.ties()), truth.davidson, "auto")
    return found


def _holds(data: Comparisons, strengths: Strengths, truth: FloatVector, cluster: str) -> BoolVector:
    errors = sandwich(data, strengths, clusterings(data, cluster), level=0.95)  # type: ignore[arg-type]
    assert errors is not None
    return np.asarray(np.abs(strengths.logits - truth) <= errors.quantile * errors.errors)


def _of_others(design: Design, round_: Round, truth: Truth) -> dict[str, BoolVector]:
    data = round_.data
    scores = scores_against(data, 0, cluster="auto", level=0.95)
    held = [s.low is not None and s.high is not None and s.low <= t <= s.high
            for (_, s), t in zip(scores, truth.scores.tolist(), strict=True)]  # fmt: skip
    found = {"win score": np.array(held)}
    if design.style:
        fit = fit_jointly(data, round_.style[:, None]).strengths
        found["adjusted"] = (fit.low <= truth.planted) & (fit.high >= truth.planted)
    return found


def _of_draws(data: Comparisons, truth: Truth, *, seed: int) -> dict[str, BoolVector]:
    strengths = fit_bradley_terry(data.wins(), data.ties())
    found = {}
    for name, codes in clusterings(data, "auto"):
        draws, undefined = resampled_strengths(data, strengths, codes, resamples=RESAMPLES, seed=seed)
        if undefined <= RESAMPLES // 10:
            low, high = percentile_bounds(draws, int(codes.max()) + 1, 0.95)
            found[f"bootstrap by {name}"] = (low <= truth.bradley_terry) & (high >= truth.bradley_terry)
    return found
