"""A judge whose batch effect is planted: what it says alone, and what a call with others does to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from graders.batching.records import Arm, Asked, Verdicts
from workbench.stats.estimate import FloatMatrix, IntVector

Effect: TypeAlias = Literal["none", "order", "halo", "noise"]
LEVELS = (0.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Plant:
    """`noise`: chance that a verdict is drawn at random, in every call. What a call of several criteria adds by `size`:

    `order`: the last verdict falls by one label with that chance, those before it in proportion to their place;
    `halo`: each verdict after the first repeats the first with that chance; `noise`: more verdicts at random.
    """

    effect: Effect
    size: float = 0.0
    noise: float = 0.1

    def say(self, truth: Sequence[int], rng: np.random.Generator) -> list[int]:
        """Labels (0 to 2) of one call on criteria whose true labels are given, in the order asked."""
        together = len(truth) > 1
        noise = self.noise + (self.size if self.effect == "noise" and together else 0.0)
        said = [int(rng.integers(3)) if rng.random() < noise else true for true in truth]
        if together and self.effect == "order":
            last = len(said) - 1
            said = [max(0, label - (rng.random() < self.size * place / last)) for place, label in enumerate(said)]
        if together and self.effect == "halo":
            said = [said[0] if place and rng.random() < self.size else label for place, label in enumerate(said)]
        return said


def truths(n: int, n_criteria: int, attempts: int, rng: np.random.Generator) -> tuple[list[IntVector], list[str]]:
    """True labels of n reports, `attempts` on each question; reports differ in quality, those of a question less."""
    found, questions = [], []
    for report in range(n):
        if report % attempts == 0:
            asked = rng.normal(0, 0.7)
        merit = asked + rng.normal(0, 0.5) + rng.normal(0, 0.8, n_criteria)
        found.append(np.digitize(merit, (-0.45, 0.45)))
        questions.append(f"q-{report // attempts}")
    return found, questions


def simulate(plant: Plant, *, n: int, n_criteria: int = 6, repeats: int = 2, attempts: int = 1, seed: int) -> Verdicts:
    """A whole study without a wire: the three arms of the same reports."""
    rng = np.random.default_rng(seed)
    true, questions = truths(n, n_criteria, attempts, rng)
    values: dict[Arm, FloatMatrix] = {}
    for arm in ("atomic", "batched", "reversed"):
        values[arm] = np.array([[_asked(plant, arm, one, rng) for _ in range(repeats)] for one in true])
    asked = tuple(Asked(f"c{c}", LEVELS, c, n_criteria - 1 - c) for c in range(n_criteria))
    return Verdicts(asked, tuple(questions), values, {arm: table.mean(axis=2) for arm, table in values.items()})


def _asked(plant: Plant, arm: Arm, true: IntVector, rng: np.random.Generator) -> list[float]:
    labels = [int(label) for label in true]
    if arm == "atomic":
        said = [plant.say([label], rng)[0] for label in labels]
    elif arm == "batched":
        said = plant.say(labels, rng)
    else:
        said = plant.say(labels[::-1], rng)[::-1]
    return [LEVELS[label] for label in said]
