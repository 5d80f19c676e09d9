"""Rollouts as columns, so that a reward over all of them is a handful of array operations."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.reward.core.names import COUNT_NAMES
from workbench.schema.reward import QuestionTarget, RolloutFacts

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Rollouts:
    """N rollouts in columns, arrays of length N.

    `quality` is NaN where the judge gave none, a target NaN where a question has none. `groups` is
    the index of a rollout's group in `group_names`: the rollouts whose rewards a trainer compares.
    """

    ids: tuple[str, ...]
    groups: IntArray
    group_names: tuple[str, ...]
    quality: FloatArray
    counts: Mapping[str, FloatArray]
    target_queries: FloatArray
    target_sites: FloatArray

    def __len__(self) -> int:
        return len(self.ids)


def rollouts_of(
    facts: Sequence[tuple[str, RolloutFacts]],
    quality: Mapping[str, float | None],
    targets: Mapping[str, QuestionTarget],
    *,
    groups: Mapping[str, str] | None = None,
) -> Rollouts:
    """Columns from rows. `facts` and `quality` are by trajectory id, `targets` by question.

    `groups` names a rollout's group by trajectory id; without it the rollouts of one question are one group.
    """
    labels = [groups.get(id_, row.question_id) if groups else row.question_id for id_, row in facts]
    names, indices = np.unique(np.array(labels, dtype=np.str_), return_inverse=True)
    scores = [quality.get(id_) for id_, _ in facts]
    goals = [targets.get(row.question_id) for _, row in facts]
    return Rollouts(
        ids=tuple(id_ for id_, _ in facts),
        groups=indices.astype(np.intp).reshape(-1),
        group_names=tuple(str(name) for name in names),
        quality=np.array([math.nan if score is None else score for score in scores], dtype=np.float64),
        counts={name: np.array([getattr(row, name) for _, row in facts], dtype=np.float64) for name in COUNT_NAMES},
        target_queries=np.array([math.nan if goal is None else goal.queries for goal in goals], dtype=np.float64),
        target_sites=np.array([math.nan if goal is None else goal.sites for goal in goals], dtype=np.float64),
    )
