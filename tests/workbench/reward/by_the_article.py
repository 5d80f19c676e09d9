"""S and R as the seed article writes them, in ten lines that import nothing of the reward."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeAlias

import pytest

from workbench.reward.score import RunScore
from workbench.schema.reward import RolloutFacts

Row: TypeAlias = tuple[str, RolloutFacts]


def independent(
    rows: Iterable[Row], references: Iterable[Row], quality: Mapping[str, float]
) -> dict[str, tuple[float, float]]:
    """(S, R) of each rollout that has both a quality and a reference on its question, as the article writes them."""
    most: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for _, r in references:
        Q, D = most[r.question_id]
        most[r.question_id] = [max(Q, r.distinct_queries), max(D, r.sites_opened)]
    out = {}
    for id_, r in rows:
        if id_ in quality and r.question_id in most:
            Q, D = most[r.question_id]
            S = 0.4 * (min(r.distinct_queries / Q, 1) if Q else 1) + 0.6 * (min(r.sites_opened / D, 1) if D else 1)
            out[id_] = (S, (quality[id_] + 0.5 * S) / (1 + 0.5))
    return out


def assert_equal(found: RunScore, expected: dict[str, tuple[float, float]]) -> None:
    scored = {
        id_: (float(s), float(r))
        for id_, s, r, has in zip(
            found.rollouts.ids,
            found.rewards.components["shaping"],
            found.rewards.value,
            found.rewards.scored,
            strict=True,
        )
        if has
    }
    assert set(scored) == set(expected)
    for id_, pair in expected.items():
        assert scored[id_] == pytest.approx(pair, abs=1e-12)
