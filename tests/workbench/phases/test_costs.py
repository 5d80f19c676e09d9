"""Time and cost as sources record them: read, never estimated, and nothing that is no amount is believed."""

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workbench.phases.building import run
from workbench.phases import analyse, phase_totals
from workbench.phases.costs import steps_duration
from workbench.schema.trajectory import Step, Trajectory

SEARCHED = run(("search", "tides", "4.2 m"), ("report", "So high."))


def _activity(meta: dict[str, Any], trajectory: Trajectory = SEARCHED) -> tuple[float | None, float | None]:
    activity = analyse(replace(trajectory, meta=meta)).activity
    return activity.duration_s, activity.cost_usd


def _timed(*durations: float | None) -> Trajectory:
    """user, assistant with a search, tool, report, each with its time."""
    steps = tuple(replace(step, duration_s=took) for step, took in zip(SEARCHED.steps, durations, strict=True))
    return replace(SEARCHED, steps=steps)


def test_a_run_that_recorded_nothing_has_neither_time_nor_cost() -> None:
    assert _activity({}) == (None, None)
    assert {total.duration_s for total in analyse(SEARCHED).totals.values()} == {None}


def test_times_of_steps_are_summed_in_all_and_by_phase() -> None:
    analysis = analyse(_timed(None, 1.5, 0.25, 4.0))
    assert analysis.activity.duration_s == 5.75
    assert {phase: total.duration_s for phase, total in analysis.totals.items()} == {
        "plan": None,
        "research": 1.75,
        "synthesis": 4.0,
    }
    assert phase_totals(_timed(None, 1.5, 0.25, 4.0).steps, analysis.phases) == analysis.totals


def test_a_recorded_zero_is_zero_and_not_unknown() -> None:
    assert analyse(_timed(None, 0.0, None, None)).activity.duration_s == 0.0
    assert _activity({"total_cost_usd": 0}) == (None, 0.0)


def test_times_of_steps_win_over_that_of_the_whole() -> None:
    assert _activity({"latency": 9.0}, _timed(None, 1.0, None, 2.0))[0] == 3.0


@pytest.mark.parametrize(
    ("meta", "seconds"),
    [
        ({"duration_s": 12}, 12.0),
        ({"total_time": 0.413, "working_time": 0.3}, 0.413),
        ({"latency": 2.19}, 2.19),
        ({"start_time": "2025-12-06 20:04:00", "end_time": "2025-12-06 20:12:52"}, 532.0),
        ({"start_time": "2025-12-06 20:04:00", "end_time": "2025-12-06 20:00:00"}, None),
        ({"start_time": "2025-12-06 20:04:00", "end_time": "2025-12-06 20:12:52+00:00"}, None),
        ({"start_time": "yesterday", "end_time": 3}, None),
        ({"start_time": "2025-12-06 20:04:00"}, None),
    ],
)
def test_the_time_of_the_whole_is_read_where_formats_keep_it(meta: dict[str, Any], seconds: float | None) -> None:
    assert _activity(meta)[0] == seconds


@pytest.mark.parametrize(
    ("meta", "dollars"),
    [
        ({"cost_usd": 0.25}, 0.25),
        ({"usage": {"input_tokens": 5, "total_cost_usd": 0.5}}, 0.5),
        ({"final_metrics": {"total_cost_usd": 0.029805, "total_prompt_tokens": 7802}}, 0.029805),
        ({"final_metrics": {"total_prompt_tokens": 7802}}, None),
        ({"totalCost": 0.0123}, 0.0123),
        ({"info_model_stats": {"instance_cost": 1.5, "total_cost": 90.0, "api_calls": 12}}, 1.5),
        ({"info_model_stats": {"instance_cost": 0, "total_cost": 0, "api_calls": 0}}, None),
        ({"model_usage": {"a": {"total_cost": 0.25}, "b": {"total_cost": 0.5}}}, 0.75),
        ({"model_usage": {"a": {"total_cost": 0.25}, "b": {"input_tokens": 63}}}, None),
        ({"model_usage": {}}, None),
        ({"cost": 3}, None),
    ],
)
def test_the_cost_is_read_where_formats_keep_it(meta: dict[str, Any], dollars: float | None) -> None:
    assert _activity(meta)[1] == dollars


@pytest.mark.parametrize("value", [math.nan, math.inf, -1, True, "3", None, [2], {"a": 1}, 10**400])
def test_what_is_no_amount_is_unknown(value: Any) -> None:
    assert _activity({"cost_usd": value, "duration_s": value}) == (None, None)
    assert steps_duration([Step("assistant", duration_s=value)]) is None
    assert steps_duration([Step("assistant", duration_s=value), Step("tool", duration_s=2.0)]) == 2.0


@given(st.lists(st.none() | st.floats(0, 1e6), min_size=4, max_size=4))
def test_times_of_phases_add_up_to_that_of_the_run(durations: list[float | None]) -> None:
    analysis = analyse(_timed(*durations))
    known = [total.duration_s for total in analysis.totals.values() if total.duration_s is not None]
    assert analysis.activity.duration_s == (pytest.approx(math.fsum(known)) if known else None)
    assert (analysis.activity.duration_s is None) == all(took is None for took in durations)
