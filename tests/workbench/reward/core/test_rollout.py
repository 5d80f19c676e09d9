"""The reward of one rollout by hand, and by property."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workbench.reward.examples import facts, seed_form, seed_spec, target
from workbench.reward.core.names import component_names
from workbench.reward.core.rollout import reward_of
from workbench.reward.core.spec import parse_spec


def test_shaping_and_reward_of_one_rollout_by_hand() -> None:
    # q = 6 of 12, d = 2 of 5: S = 0.4 * 0.5 + 0.6 * 0.4 = 0.44; R = (0.7 + 0.5 * 0.44) / 1.5 = 0.92 / 1.5
    reward = reward_of(seed_spec(), facts(), 0.7, target())
    assert reward.components["distinct_queries"] == 0.5
    assert reward.components["distinct_sites"] == pytest.approx(0.4)
    assert reward.components["shaping"] == pytest.approx(0.44)
    assert reward.value == pytest.approx(0.92 / 1.5)
    assert reward.dropped == ""


def test_worthless_report_with_full_breadth_earns_one_third() -> None:
    assert reward_of(seed_spec(), facts(), 0.0, target(1, 1)).value == pytest.approx(1 / 3)


def test_lifting_shaping_from_03_to_1_pays_for_a_loss_of_035_in_quality() -> None:
    # S = 0.3: 0.6 * 0.5 from sites, nothing from queries.
    narrow = facts(distinct_queries=0, sites_opened=5)
    before = reward_of(seed_spec(), narrow, 0.8, target(10, 10))
    after = reward_of(seed_spec(), narrow, 0.8 - 0.35, target(0, 5))
    assert before.components["shaping"] == pytest.approx(0.3)
    assert after.components["shaping"] == 1.0
    assert after.value == pytest.approx(before.value)


def test_credit_stops_at_the_target() -> None:
    at, beyond = facts(distinct_queries=12, sites_opened=5), facts(distinct_queries=90, sites_opened=40)
    assert reward_of(seed_spec(), at, 0.5, target()) == reward_of(seed_spec(), beyond, 0.5, target())


def test_zero_target_gives_that_component_alone_full_credit() -> None:
    reward = reward_of(seed_spec(), facts(distinct_queries=0, sites_opened=1), 0.5, target(0, 4))
    assert reward.components["distinct_queries"] == 1.0
    assert reward.components["distinct_sites"] == 0.25
    assert reward.components["shaping"] == pytest.approx(0.4 + 0.6 * 0.25)


def test_no_credit_rule_gives_a_zero_target_nothing() -> None:
    form = seed_form()
    form["shaping"]["zero_target"] = "no_credit"
    reward = reward_of(parse_spec(form), facts(), 0.5, target(0, 0))
    assert reward.components["shaping"] == 0.0


def test_agent_without_any_call_earns_quality_only() -> None:
    idle = facts(distinct_queries=0, sites_opened=0, sites_cited=0, sites_seen=0, tool_calls=0, failed_calls=0)
    reward = reward_of(seed_spec(), idle, 0.9, target())
    assert reward.components["shaping"] == 0.0
    assert reward.value == pytest.approx(0.9 / 1.5)


def test_agent_without_any_call_is_right_where_no_reference_searched() -> None:
    idle = facts(distinct_queries=0, sites_opened=0, tool_calls=0)
    assert reward_of(seed_spec(), idle, 0.9, target(0, 0)).value == pytest.approx((0.9 + 0.5) / 1.5)


def test_failed_judge_drops_the_rollout_with_no_number_in_any_component() -> None:
    reward = reward_of(seed_spec(), facts(), None, target(), failure="no verdict in reply")
    assert reward.value is None
    assert reward.dropped == "no quality score: no verdict in reply"
    assert set(reward.components) == {"quality", "shaping", "distinct_queries", "distinct_sites"}
    assert all(value is None for value in reward.components.values())


def test_question_without_target_is_dropped_and_named() -> None:
    reward = reward_of(seed_spec(), facts(question_id="q-unknown"), 0.5, target())
    assert reward.value is None
    assert "q-unknown" in reward.dropped
    assert all(value is None for value in reward.components.values())


def test_fixed_targets_need_no_table() -> None:
    form = seed_form()
    for term, number in zip(form["shaping"]["terms"], (12, 4), strict=True):
        term["target"] = number
    reward = reward_of(parse_spec(form), facts(), 0.7, {})
    assert reward.components["shaping"] == pytest.approx(0.4 * 0.5 + 0.6 * 0.5)


@pytest.mark.parametrize(("counts", "expected"), [("opened", 2 / 10), ("cited", 3 / 10), ("seen_or_opened", 7 / 10)])
def test_sites_count_as_the_term_says(counts: str, expected: float) -> None:
    form = seed_form()
    form["shaping"]["terms"][1]["counts"] = counts
    assert reward_of(parse_spec(form), facts(), 0.7, target(12, 10)).components["distinct_sites"] == expected


def test_quality_alone_where_lambda_is_zero() -> None:
    form = seed_form()
    form["shaping"]["weight"] = 0
    assert reward_of(parse_spec(form), facts(), 0.7, target()).value == 0.7


@pytest.mark.parametrize("quality", [1.2, -0.1, math.nan])
def test_quality_outside_its_range_is_a_defect_and_raises(quality: float) -> None:
    with pytest.raises(ValueError, match=r"expected a number in \[0, 1\]"):
        reward_of(seed_spec(), facts(), quality, target())


unit = st.floats(0, 1)
count = st.integers(0, 60)


@given(quality=unit, weight=st.floats(0, 20), q=count, d=count, Q=count, D=count, w=unit)
def test_reward_stays_in_the_unit_interval_and_rises_with_quality_and_breadth(
    quality: float, weight: float, q: int, d: int, Q: int, D: int, w: float
) -> None:
    form = seed_form()
    form["shaping"]["weight"] = weight
    form["shaping"]["terms"][0]["weight"], form["shaping"]["terms"][1]["weight"] = w, 1 - w
    spec = parse_spec(form)
    here = reward_of(spec, facts(distinct_queries=q, sites_opened=d), quality, target(Q, D)).value
    broader = reward_of(spec, facts(distinct_queries=q + 1, sites_opened=d + 1), quality, target(Q, D)).value
    better = reward_of(spec, facts(distinct_queries=q, sites_opened=d), 1.0, target(Q, D)).value
    assert here is not None and broader is not None and better is not None
    assert 0.0 <= here <= 1.0
    assert broader >= here
    assert better >= here


def test_components_have_the_published_order() -> None:
    spec = seed_spec(guards=[{"kind": "floor", "at": 0.2}, {"kind": "veto", "term": "failed_calls", "at": 3}])
    reward = reward_of(spec, facts(), 0.5, target())
    assert tuple(reward.components) == component_names(spec)
    assert component_names(spec)[-2:] == ("floor_1", "veto_2")
