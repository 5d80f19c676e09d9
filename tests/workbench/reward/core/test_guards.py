"""Gates, vetoes, length penalties and floors, alone and in their order."""

import itertools
from typing import Any

import pytest

from tests.workbench.reward.examples import facts, seed_spec, target
from workbench.reward.core.rollout import reward_of

PLAIN = (0.7 + 0.5 * 0.44) / 1.5


def value(guards: list[dict[str, Any]], quality: float = 0.7, **changes: Any) -> float:
    reward = reward_of(seed_spec(guards=guards), facts(**changes), quality, target()).value
    assert reward is not None
    return reward


def test_gate_lets_through_at_its_threshold_and_nothing_below() -> None:
    gate = {"kind": "gate", "term": "citations", "at": 7}
    assert value([gate], citations=7) == pytest.approx(PLAIN)
    assert value([gate], citations=6) == 0.0


def test_veto_acts_above_its_threshold_only() -> None:
    veto = {"kind": "veto", "term": "citations_not_retrieved", "at": 2, "to": 0.1}
    assert value([veto], citations_not_retrieved=2) == pytest.approx(PLAIN)
    assert value([veto], citations_not_retrieved=3) == 0.1


@pytest.mark.parametrize(("chars", "factor"), [(16000, 1.0), (18000, 0.5), (20000, 0.0), (99000, 0.0), (0, 1.0)])
def test_length_penalty_falls_in_a_line(chars: int, factor: float) -> None:
    penalty = {"kind": "length_penalty", "at": 16000, "until": 20000}
    assert value([penalty], report_chars=chars) == pytest.approx(PLAIN * factor)


def test_floor_takes_the_shaping_of_a_worthless_report() -> None:
    floor = {"kind": "floor", "at": 0.3}
    assert value([floor], quality=0.3) == pytest.approx((0.3 + 0.5 * 0.44) / 1.5)
    assert value([floor], quality=0.29) == pytest.approx(0.29 / 1.5)


def test_floor_leaves_the_shown_shaping_as_it_was_earned() -> None:
    reward = reward_of(seed_spec(guards=[{"kind": "floor", "at": 0.9}]), facts(), 0.7, target())
    assert reward.components["shaping"] == pytest.approx(0.44)
    assert reward.components["floor_1"] == 0.0


def test_lowest_of_several_vetoes_holds_even_over_a_shut_gate() -> None:
    guards: list[dict[str, Any]] = [
        {"kind": "veto", "term": "tool_calls", "at": 1, "to": 0.2},
        {"kind": "gate", "term": "citations", "at": 99},
        {"kind": "veto", "term": "failed_calls", "at": 0, "to": 0.05},
    ]
    assert value(guards) == 0.05


def test_order_in_the_file_does_not_matter() -> None:
    guards: list[dict[str, Any]] = [
        {"kind": "floor", "at": 0.8},
        {"kind": "gate", "term": "distinct_queries", "at": 2},
        {"kind": "length_penalty", "at": 4000, "until": 9000},
        {"kind": "veto", "term": "failed_calls", "at": 5},
    ]
    seen = {value(list(order)) for order in itertools.permutations(guards)}
    assert len(seen) == 1
    assert seen.pop() == pytest.approx(0.7 / 1.5 * 0.8)


def test_guard_on_shaping_reads_the_earned_credit() -> None:
    assert value([{"kind": "gate", "term": "shaping", "at": 0.45}]) == 0.0
    assert value([{"kind": "gate", "term": "shaping", "at": 0.43}]) == pytest.approx(PLAIN)
