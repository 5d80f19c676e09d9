"""What a measurement is: a value with its interval and its n, or the reason why there is none."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from workbench.schema.canonical import JsonValue

FloatVector: TypeAlias = npt.NDArray[np.float64]
FloatMatrix: TypeAlias = npt.NDArray[np.float64]
IntVector: TypeAlias = npt.NDArray[np.int64]
IntMatrix: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value, the interval around it, and what it takes to compute both again.

    `low` and `high` are None where no interval can be had (one observation, one cluster): the value stands, its
    uncertainty is not measured. `n` counts observations, `n_clusters` the independent groups they came in
    (equal to `n` where there are none). `seed` is None for methods that draw nothing.
    """

    value: float
    low: float | None
    high: float | None
    n: int
    method: str
    seed: int | None = None
    n_clusters: int | None = None
    level: float = 0.95

    def above(self, bound: float) -> bool:
        """Whether the whole interval lies above `bound`. False where no interval could be had."""
        return self.low is not None and self.low > bound

    def below(self, bound: float) -> bool:
        """Whether the whole interval lies below `bound`. False where no interval could be had."""
        return self.high is not None and self.high < bound

    def text(self, digits: int = 3) -> str:
        """`0.712 [0.640, 0.780] n=412`, or with `[not measured]` in place of the interval."""
        shown = (
            "[not measured]"
            if self.low is None or self.high is None
            else f"[{self.low:.{digits}f}, {self.high:.{digits}f}]"
        )
        return f"{self.value:.{digits}f} {shown} n={self.n}"


@dataclass(frozen=True, slots=True)
class NotMeasured:
    """Why there is no value: an answer of its own, never to be read as zero."""

    reason: str
    n: int = 0

    def text(self, digits: int = 3) -> str:  # noqa: ARG002 - one signature with Estimate
        return f"not measured: {self.reason}"


Measured: TypeAlias = Estimate | NotMeasured


def measured_to_json(found: Measured) -> dict[str, JsonValue]:
    """value, low, high, n, n_clusters, method, level; or value None and the reason."""
    if isinstance(found, NotMeasured):
        return {"value": None, "n": found.n, "reason": found.reason}
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "n": found.n,
        "n_clusters": found.n_clusters,
        "method": found.method,
        "level": found.level,
    }
