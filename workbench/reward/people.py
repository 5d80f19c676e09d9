"""What people preferred, against what a reward prefers: the agreement that a reward is tuned and gated on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.stats.bootstrap import bootstrap
from workbench.stats.estimate import Measured, NotMeasured

SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Preference:
    """A person preferred `better` to `worse` (trajectory ids) on this question. Ties are no preference."""

    better: str
    worse: str
    question_id: str


def agreement(
    value_by_id: Mapping[str, float], preferences: Sequence[Preference], *, seed: int, resamples: int = 2000
) -> Measured:
    """Share of preferences that the reward orders alike, half for a tie, in [0, 1]; interval over questions.

    Preferences with a trajectory that has no reward are left out; they are not in `n`.
    """
    known = [p for p in preferences if p.better in value_by_id and p.worse in value_by_id]
    if not known:
        return NotMeasured(f"none of {len(preferences)} preferences has a reward on both sides", 0)
    gaps = np.array([value_by_id[p.better] - value_by_id[p.worse] for p in known])
    right = np.where(np.abs(gaps) <= SAME, 0.5, (gaps > 0).astype(np.float64))
    return bootstrap(
        lambda rows: float(right[rows].mean()),
        len(known),
        [p.question_id for p in known],
        seed=seed,
        resamples=resamples,
    )
