"""Sealed worlds with a known mean: labels, a judge who errs, and which items were labelled.

Questions differ in how often the label is true and in how the judge errs (beta-distributed, `likeness` their intraclass
correlation), so items of one question are alike in both.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias

import numpy as np

from workbench.stats.estimate import FloatVector, IntVector

Labelled: TypeAlias = Literal["items", "questions"]
Kind: TypeAlias = Literal["yes or no", "score", "score, mostly zero", "yes or no, judge scores"]
Judge: TypeAlias = Literal["good", "weak"]

PER_QUESTION = 5
LIKENESS = 0.2
REST = 1000
_RATES = {"good": (0.9, 0.95), "weak": (0.7, 0.7)}  # share of the true and of the false that the judge gets right
_NOISE = {"good": 0.07, "weak": 0.3}
# A score above zero is Beta(4, 2): mean 2/3.
_ABOVE_ZERO = 4 / 6


@dataclass(frozen=True, slots=True)
class Drawn:
    """One world: label and judge's word of every item, its question, and whether it was labelled."""

    labels: FloatVector
    judged: FloatVector
    questions: IntVector
    labelled: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True)
class Design:
    """`share`: of labels that are not zero (of a score: its mean, where it is not mostly zero). `clustered`: five items
    a question; `labelled` then says whether whole questions or single items were labelled. `enriched`: the labelled
    part comes from elsewhere, where half the labels are true, which only an estimate by error rates allows."""

    kind: Kind
    share: float
    judge: Judge
    n_labelled: int
    clustered: bool = False
    labelled: Labelled = "items"
    n_rest: int = REST
    enriched: bool = False

    @property
    def name(self) -> str:
        how = f"five items a question, {self.labelled} labelled" if self.clustered else "one item a question"
        more = ", labelled part half true" if self.enriched else ""
        rest = "" if self.n_rest == REST else f", {self.n_rest} judged only"
        return f"{self.kind}, {self.share:g}, {self.judge} judge, {self.n_labelled} labelled, {how}{rest}{more}"

    @property
    def truth(self) -> float:
        return self.share * (_ABOVE_ZERO if self.kind == "score, mostly zero" else 1.0)

    def draw(self, rng: np.random.Generator) -> Drawn:
        size = self.n_labelled + self.n_rest
        questions = np.arange(size) // (PER_QUESTION if self.clustered else 1)
        labels, judged = self._items(rng, questions)
        if self.clustered and self.labelled == "items":
            labelled = rng.permutation(size) < self.n_labelled
        else:
            labelled = np.arange(size) < self.n_labelled
        return Drawn(labels, judged, questions, labelled)

    def _items(self, rng: np.random.Generator, questions: IntVector) -> tuple[FloatVector, FloatVector]:
        mean = self._by_question(rng, questions, self.share)
        if self.enriched:
            mean[: self.n_labelled] = 0.5
        if self.kind == "yes or no":
            labels = (rng.random(questions.size) < mean).astype(np.float64)
            hit, spared = (self._by_question(rng, questions, rate) for rate in _RATES[self.judge])
            right = rng.random(questions.size) < np.where(labels == 1, hit, spared)
            return labels, np.where(right, labels, 1 - labels)
        if self.kind == "score":
            labels = rng.beta(4 * mean + 1e-6, 4 * (1 - mean) + 1e-6)
        else:
            labels = (rng.random(questions.size) < mean).astype(np.float64)
            if self.kind == "score, mostly zero":
                labels *= rng.beta(4, 2, questions.size)
        noise, alike = _NOISE[self.judge], LIKENESS if self.clustered else 0.0
        shared = rng.normal(0, noise, int(questions.max()) + 1)[questions]
        error = shared * np.sqrt(alike) + rng.normal(0, noise, questions.size) * np.sqrt(1 - alike)
        return labels, np.clip(0.1 + 0.8 * labels + error, 0, 1)

    def _by_question(self, rng: np.random.Generator, questions: IntVector, mean: float) -> FloatVector:
        if not self.clustered:
            return np.full(questions.size, mean)
        strength = 1 / LIKENESS - 1
        drawn = rng.beta(mean * strength, (1 - mean) * strength, int(questions.max()) + 1)
        return np.asarray(drawn[questions], dtype=np.float64)


def all_designs() -> Iterator[Design]:
    kinds: tuple[tuple[Kind, float], ...] = (
        ("yes or no", 0.5),
        ("yes or no", 0.1),
        ("yes or no", 0.05),
        ("score", 0.5),
        ("score, mostly zero", 0.1),
        ("yes or no, judge scores", 0.05),
    )
    judges: tuple[Judge, ...] = ("good", "weak")
    grouped: tuple[tuple[bool, Labelled], ...] = ((False, "items"), (True, "questions"), (True, "items"))
    for (kind, share), judge, (clustered, labelled), n in product(kinds, judges, grouped, (20, 50, 100, 200)):
        yield Design(kind, share, judge, n, clustered, labelled)
    for judge, n in product(judges, (50, 100)):
        yield Design("yes or no", 0.5, judge, n, n_rest=100)
        yield Design("score", 0.5, judge, n, n_rest=100)
        yield Design("yes or no", 0.1, judge, n, enriched=True)
