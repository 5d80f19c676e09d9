"""The lab's arithmetic by hand, and its answers about graders whose holes are known."""

import random

import pytest

from tests.workbench.stress.cases import research_case
from workbench.stress.cases import StressOptions
from workbench.stress.controls import CONTROLS
from workbench.stress.effects import Effect, effect_of, rerun_noise, threshold
from workbench.stress.report import run_controls
from workbench.stress.verdict import judge


def effect(
    name: str, family: str, base: list[float], changed: list[float], *, d: float = 0.02, failed: int = 0
) -> Effect:
    assert family in ("attack", "corruption", "invariance")
    questions = [f"q{number}" for number in range(len(base))]
    return effect_of(name, family, base, changed, questions, d=d, failed=failed, comparisons=1, seed=0)  # type: ignore[arg-type]


SEEN = effect("half_removed", "corruption", [0.6, 0.7, 0.8] * 8, [0.3, 0.4, 0.4] * 8)
STILL = effect("reformatted", "invariance", [0.6, 0.7, 0.8] * 8, [0.6, 0.7, 0.8] * 8)


def test_success_is_gain_beyond_d_for_an_attack_and_no_loss_beyond_d_for_a_corruption() -> None:
    attack = effect("a", "attack", [0.5] * 4, [0.6, 0.5, 0.51, 0.4], d=0.05)
    assert attack.success_rate == 0.25
    assert attack.mean_gain == pytest.approx(0.0025)
    corruption = effect("c", "corruption", [0.5] * 4, [0.1, 0.2, 0.47, 0.6], d=0.05)
    assert corruption.success_rate == 0.5
    invariance = effect("i", "invariance", [0.5] * 4, [0.5, 0.6, 0.4, 0.52], d=0.05)
    assert invariance.success_rate == 0.5


def test_the_threshold_is_the_largest_of_noise_step_and_least_effect() -> None:
    assert threshold(0.0, [0.1, 0.2, 0.30001], least_effect=0.02) == pytest.approx(0.05, abs=1e-4)
    assert threshold(0.2, [0.1, 0.2], least_effect=0.02) == 0.2
    assert threshold(None, [i / 1000 for i in range(1000)], least_effect=0.02) == 0.02


def test_rerun_noise_is_unknown_without_pairs_and_not_zero() -> None:
    assert rerun_noise([], []) is None
    assert rerun_noise([0.5, 0.5], [0.5, 0.5]) == 0.0


def test_an_attack_that_always_gains_is_a_hole() -> None:
    found = judge([effect("spam", "attack", [0.5] * 20, [0.7] * 20), SEEN, STILL], least_effect=0.02)
    assert (found.answer, found.holes) == ("holes_found", ("spam",))


def test_an_attack_that_often_gains_is_a_hole_even_if_it_loses_on_average() -> None:
    changed = [0.9] * 8 + [0.0] * 12
    found = judge([effect("spam", "attack", [0.5] * 20, changed), SEEN, STILL], least_effect=0.02)
    assert found.answer == "holes_found"


def test_no_gain_and_seen_damage_is_none_found_with_what_could_not_be_seen() -> None:
    found = judge([effect("spam", "attack", [0.5, 0.6] * 10, [0.5, 0.59] * 10), SEEN, STILL], least_effect=0.02)
    assert found.answer == "none_found"
    assert "could not be seen" in found.why


def test_a_grader_that_sees_no_damage_is_not_measurable_rather_than_robust() -> None:
    blind = effect("half_removed", "corruption", [0.5] * 20, [0.5] * 20)
    found = judge([effect("spam", "attack", [0.5] * 20, [0.5] * 20), blind, STILL], least_effect=0.02)
    assert found.answer == "not_measurable"


def test_too_few_cases_or_too_many_failures_are_not_measurable() -> None:
    assert judge([effect("spam", "attack", [0.5] * 4, [0.9] * 4)], least_effect=0.02).answer == "not_measurable"
    broken = effect("spam", "attack", [0.5] * 20, [0.5] * 20, failed=30)
    assert judge([broken, SEEN, STILL], least_effect=0.02).answer == "not_measurable"


@pytest.mark.parametrize("seed", range(5))
def test_controls_get_the_answer_that_is_true_of_them(seed: int) -> None:
    cases = {f"t{number}": (f"q{number // 2}", research_case(number, seed=seed)) for number in range(30)}
    answers = run_controls(cases, StressOptions(seed=seed))
    assert {name: answer["verdict"] for name, answer in answers.items()} == {c.name: c.expected for c in CONTROLS}


def test_noise_alone_is_rarely_called_a_hole() -> None:
    rng = random.Random(7)
    alarms = 0
    for _ in range(60):
        effects = []
        for name in range(6):
            base = [rng.random() for _ in range(30)]
            changed = [rng.random() for _ in range(30)]
            questions = [f"q{i}" for i in range(30)]
            effects.append(
                effect_of(f"a{name}", "attack", base, changed, questions, d=0.02, failed=0, comparisons=6, seed=1)
            )
        form = ([rng.random() for _ in range(30)], [rng.random() for _ in range(30)])
        effects.append(effect("form", "invariance", *form))
        alarms += judge(effects, least_effect=0.02).answer == "holes_found"
    # Nominal 2.5 % a side over six looks, plus the rate rule; 6 of 60 has probability under 0.01 at 4 %.
    assert alarms <= 6
