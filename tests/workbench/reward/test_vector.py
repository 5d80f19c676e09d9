"""The reward over columns equals the reward of each row, and moves as sliders ask."""

import math
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workbench.reward.examples import facts, seed_form, seed_spec, target
from workbench.reward.columns import rollouts_of
from workbench.reward.core.names import COUNT_NAMES
from workbench.reward.core.rollout import reward_of
from workbench.reward.core.spec import parse_spec
from workbench.reward.vector import evaluate, reweighted, sweep_lambda
from workbench.schema.reward import QuestionTarget, RewardSpec, RolloutFacts

unit = st.floats(0, 1, allow_subnormal=False)
small = st.integers(0, 30)
questions = st.sampled_from(["q0", "q1", "q2", "q-without-target"])


@st.composite
def specs(draw: st.DrawFn) -> RewardSpec:
    first = draw(unit)
    terms: list[dict[str, Any]] = [
        {"name": "distinct_queries", "weight": first},
        {"name": "distinct_sites", "weight": 1 - first},
    ]
    for term in terms:
        term["target"] = draw(st.one_of(st.just("per_question"), st.floats(0.5, 20)))
    terms[1]["counts"] = draw(st.sampled_from(["opened", "cited", "seen_or_opened"]))
    at = draw(st.floats(0, 20))
    guards = st.sampled_from(
        [
            {"kind": "gate", "term": "citations", "at": at},
            {"kind": "gate", "term": "shaping", "at": at / 20},
            {"kind": "veto", "term": "failed_calls", "at": at, "to": at / 20},
            {"kind": "veto", "term": "quality", "at": at / 20, "to": 0.5},
            {"kind": "length_penalty", "at": at, "until": at + 7},
            {"kind": "floor", "at": at / 20},
        ]
    )
    shaping = {
        "weight": draw(st.floats(0, 5)),
        "terms": terms,
        "zero_target": draw(st.sampled_from(["full_credit", "no_credit"])),
    }
    return parse_spec(seed_form(shaping=shaping, guards=draw(st.lists(guards, max_size=4))))


@st.composite
def rollouts(draw: st.DrawFn) -> RolloutFacts:
    return RolloutFacts(draw(questions), **{name: draw(small) for name in COUNT_NAMES})


@given(
    spec=specs(),
    rows=st.lists(st.tuples(rollouts(), st.one_of(st.none(), unit)), min_size=1, max_size=12),
    goals=st.lists(st.tuples(small, small), min_size=3, max_size=3),
)
def test_columns_equal_the_core_row_by_row(
    spec: RewardSpec, rows: list[tuple[RolloutFacts, float | None]], goals: list[tuple[int, int]]
) -> None:
    targets = {f"q{i}": QuestionTarget(f"q{i}", *goal, n_references=1) for i, goal in enumerate(goals)}
    named = [(f"t{i}", row) for i, (row, _) in enumerate(rows)]
    columns = rollouts_of(named, {f"t{i}": score for i, (_, score) in enumerate(rows)}, targets)
    rewards = evaluate(spec, columns)
    for place, (row, score) in enumerate(rows):
        expected = reward_of(spec, row, score, targets)
        found = float(rewards.value[place])
        assert (None if math.isnan(found) else found) == expected.value
        for name, value in expected.components.items():
            part = float(rewards.components[name][place])
            assert (None if math.isnan(part) else part) == value


def test_moved_lambda_is_the_reward_of_the_changed_specification() -> None:
    columns = rollouts_of([("a", facts())], {"a": 0.7}, target())
    swept = sweep_lambda(seed_spec(), columns, [0.0, 0.5, 2.0])
    assert swept[:, 0] == pytest.approx([0.7, (0.7 + 0.5 * 0.44) / 1.5, (0.7 + 2 * 0.44) / 3])


def test_moved_term_weights_are_scaled_to_sum_to_one() -> None:
    moved = reweighted(seed_spec(), term_weights={"distinct_queries": 1.2})
    assert [term.weight for term in moved.terms] == pytest.approx([2 / 3, 1 / 3])
    assert moved.shaping_weight == 0.5


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"shaping_weight": -1.0}, "lambda is -1.0"),
        ({"term_weights": {"citations": 1.0}}, "no term citations"),
        ({"term_weights": {"distinct_queries": 0.0, "distinct_sites": 0.0}}, "not all of them 0"),
        ({"term_weights": {"distinct_queries": -1.0}}, "expected numbers >= 0"),
    ],
)
def test_impossible_weights_are_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        reweighted(seed_spec(), **change)


def test_no_rollout_gives_empty_columns() -> None:
    rewards = evaluate(seed_spec(), rollouts_of([], {}, {}))
    assert rewards.value.shape == (0,)


def test_a_hundred_thousand_rollouts_need_no_loop() -> None:
    rng = np.random.default_rng(5)
    n = 100_000
    base = rollouts_of([("a", facts())], {"a": 0.5}, target())
    columns = type(base)(
        ids=tuple(str(i) for i in range(n)),
        groups=np.arange(n) // 8,
        group_names=tuple(str(i) for i in range(n // 8)),
        quality=rng.random(n),
        counts={name: rng.integers(0, 30, n).astype(float) for name in COUNT_NAMES},
        target_queries=rng.integers(0, 30, n).astype(float),
        target_sites=rng.integers(0, 30, n).astype(float),
    )
    began = time.process_time()
    evaluate(seed_spec(), columns)
    # A loop over rows takes seconds; the arrays about 5 ms. The bound only tells the two apart.
    assert time.process_time() - began < 0.5
