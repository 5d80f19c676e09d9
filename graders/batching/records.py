"""What is measured of the two ways to ask, and what follows from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from workbench.schema.canonical import JsonValue
from workbench.stats.estimate import FloatMatrix, Measured, NotMeasured, measured_to_json

Arm: TypeAlias = Literal["atomic", "batched", "reversed"]
ARMS: tuple[Arm, ...] = ("atomic", "batched", "reversed")
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Asked:
    """A criterion as it was asked. `values`: what its labels are worth, ascending. `place` in its batched call, and in
    the reversed one; both 0 where it stood alone. `fault`: it states one, so a high value is no merit."""

    id: str
    values: tuple[float, ...]
    place: int
    reversed_place: int
    fault: bool = False


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Verdicts by arm, of shape reports x repeats x criteria, NaN where there is none; scores are reports x repeats."""

    criteria: tuple[Asked, ...]
    questions: tuple[str, ...]
    values: Mapping[Arm, FloatMatrix]
    scores: Mapping[Arm, FloatMatrix]


@dataclass(frozen=True, slots=True)
class Kappas:
    """Agreement beyond chance: of batched with atomic, and of each with its own rerun, the most there can be."""

    between: Measured
    atomic: Measured
    batched: Measured


@dataclass(frozen=True, slots=True)
class CriterionFigures:
    """Of one criterion over `n` reports with every verdict. Distances are mean |difference| of two verdicts on one
    report, in [0, 1]: `moved` between the arms, the reruns within one. `excess` = moved - atomic_rerun, with an
    interval that holds for all criteria of the study together; `most`, its one-sided 95% bound, is for calling the two
    alike. `shift` = batched - atomic, signed."""

    id: str
    n: int
    missing: int
    kappas: Kappas
    moved: float | None = None
    atomic_rerun: float | None = None
    batched_rerun: float | None = None
    excess: Measured = field(default_factory=lambda: NotMeasured("no report has every verdict"))
    most: float | None = None
    shift: Measured = field(default_factory=lambda: NotMeasured("no report has every verdict"))


@dataclass(frozen=True, slots=True)
class ScoreFigures:
    """`difference`: batched - atomic, of a report's mean score. Rerun noise: standard deviation of one score."""

    difference: Measured
    means: Mapping[str, float | None]
    rerun_sd: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Figures:
    """`excess` and `most` are those of the mean over criteria. `order`: how much a verdict falls from the first place
    of a call to the last, the same criterion asked in both orders. `halo`: how much more the criteria of a report move
    together (mean correlation over reports) when they are asked in one call."""

    criteria: tuple[CriterionFigures, ...]
    excess: Measured
    most: float | None
    score: ScoreFigures
    order: Measured
    halo: Measured

    def to_json(self) -> dict[str, JsonValue]:
        """Every figure under its name."""
        return {
            "criteria": [_criterion(found) for found in self.criteria],
            "excess": measured_to_json(self.excess),
            "most": self.most,
            "score": {
                "difference": measured_to_json(self.score.difference),
                "means": dict(self.score.means),
                "rerun_sd": dict(self.score.rerun_sd),
            },
            "effects": {"order": measured_to_json(self.order), "halo": measured_to_json(self.halo)},
        }


def _criterion(found: CriterionFigures) -> JsonValue:
    return {
        "id": found.id,
        "n": found.n,
        "missing": found.missing,
        "kappa": measured_to_json(found.kappas.between),
        "atomic_kappa": measured_to_json(found.kappas.atomic),
        "batched_kappa": measured_to_json(found.kappas.batched),
        "moved": found.moved,
        "atomic_rerun": found.atomic_rerun,
        "batched_rerun": found.batched_rerun,
        "excess": measured_to_json(found.excess),
        "most": found.most,
        "shift": measured_to_json(found.shift),
    }
