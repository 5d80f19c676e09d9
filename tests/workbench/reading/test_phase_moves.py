"""What a person's corrections change in totals equals counting all steps anew."""

import random

from tests.workbench.store.examples import example_trajectory
from workbench.phases import analyse, phase_totals
from workbench.reading.phase_moves import Moved, moved_totals
from workbench.schema.analysis import PHASES, StepPhase


def test_moved_steps_change_totals_as_a_new_count_does() -> None:
    rng = random.Random(5)
    trajectory = example_trajectory()
    analysis = analyse(trajectory)
    for _ in range(30):
        phases = list(analysis.phases)
        moves: list[Moved] = []
        for position, step in enumerate(trajectory.steps):
            if rng.random() < 0.5:
                now = rng.choice(PHASES)
                moves.append(("t", phases[position].phase, now, step))
                phases[position] = StepPhase(position, now, 1.0, "person")
        expected = phase_totals(trajectory.steps, phases)
        changes = moved_totals(moves).get("t", {})
        for phase in PHASES:
            for name in ("steps", "tokens", "tool_calls", "duration_s"):
                before = getattr(analysis.totals[phase], name) or 0
                after = before + changes.get(f"{phase}_{name}", 0)
                assert after == (getattr(expected[phase], name) or 0), (phase, name, moves)


def test_step_without_a_phase_by_the_rules_is_added_and_one_left_in_place_changes_nothing() -> None:
    step = example_trajectory().steps[1]
    assert moved_totals([("a", None, "plan", step), ("b", "plan", "plan", step)]) == {
        "a": {"plan_steps": 1, "plan_tokens": 3, "plan_tool_calls": 1, "plan_duration_s": 1.5}
    }
