"""Which phase is shown: hand-checked cases, and the error rate where there is nothing to show."""

import time

import numpy as np
import pytest

from tests.support.evidence import write_evidence
from workbench.diagnosis.parts import (
    Differences,
    chance_of_no_effect,
    judge_parts,
    mean_over_questions,
    verdict_of,
)
from workbench.diagnosis.report import PartName
from workbench.stats.estimate import NotMeasured
from workbench.stats.proportion import proportion_interval


def differences(writing: list[float] | None, research: list[float] | None) -> dict[PartName, Differences]:
    def of(values: list[float] | None) -> Differences:
        return Differences(values or [], range(len(values or [])), "nothing to compare with")

    return {"writing": of(writing), "research": of(research)}


LARGE = [0.2, 0.25, 0.15, 0.2, 0.3, 0.1, 0.22, 0.18, 0.2, 0.24]
NONE = [0.05, -0.05, 0.0, 0.02, -0.02, 0.01, -0.01, 0.03, -0.03, 0.0]


@pytest.mark.parametrize(
    ("writing", "research", "verdict"),
    [
        (LARGE, NONE, "writing_limited"),
        (NONE, LARGE, "research_limited"),
        (LARGE, LARGE, "both"),
        (NONE, NONE, "not_shown"),
    ],
)
def test_each_verdict_follows_from_its_parts(writing: list[float], research: list[float], verdict: str) -> None:
    assert verdict_of(judge_parts(differences(writing, research)))[0] == verdict


def test_without_a_reference_research_is_not_measured_and_costs_no_error() -> None:
    parts = judge_parts(differences(LARGE, None))

    assert isinstance(parts["research"].gap, NotMeasured)
    assert parts["writing"].p == parts["writing"].p_holm
    verdict, reason = verdict_of(parts)
    assert verdict == "writing_limited"
    assert "nothing to compare with" in reason


def test_a_writer_that_is_worse_than_the_agent_says_nothing_of_its_writing() -> None:
    parts = judge_parts(differences([-value for value in LARGE], LARGE))

    assert not parts["writing"].shown
    assert "worse" in parts["writing"].reason
    assert verdict_of(parts)[0] == "research_limited"


def test_attempts_of_one_question_are_one_observation() -> None:
    once = mean_over_questions([0.1, 0.3], ["a", "b"])
    often = mean_over_questions([0.1] * 20 + [0.3] * 20, ["a"] * 20 + ["b"] * 20)

    assert (once.value, once.low, once.high) == (often.value, often.low, often.high)  # type: ignore[union-attr]
    assert (often.n, often.n_clusters) == (40, 2)  # type: ignore[union-attr]


def test_few_questions_that_agree_by_chance_show_nothing() -> None:
    assert chance_of_no_effect(np.array([0.3, 0.3, 0.3]), 0.02) == pytest.approx(1 / 8)
    assert chance_of_no_effect(np.array([0.3]), 0.02) == 1.0


def test_five_questions_cannot_show_one_of_two_phases_and_it_says_so() -> None:
    five = judge_parts(differences([0.3] * 5, [0.3] * 5))
    six = judge_parts(differences([0.3] * 6, [0.3] * 6))

    assert not five["writing"].shown
    assert "too few" in five["writing"].reason
    assert five["writing"].smallest_visible is None
    assert six["writing"].shown
    assert six["research"].shown


def test_not_shown_says_what_could_have_been_seen() -> None:
    verdict, reason = verdict_of(judge_parts(differences(NONE, NONE)))

    assert verdict == "not_shown"
    assert "4 of 5" in reason


SHAPES = ("normal", "skewed right", "skewed left", "rare")


@pytest.mark.parametrize("shape", ["normal", "skewed right"])
def test_a_phase_is_named_falsely_in_at_most_one_of_twenty_at_the_limit(shape: str) -> None:
    # 300 draws at 5% exceed 9.3% once in a thousand times.
    assert _false_verdicts(shape, 10, 300, seed=1010) / 300 <= 0.093


@pytest.mark.slow
def test_error_rates_at_the_limit_by_shape_and_number_of_questions() -> None:
    """Both parts exactly at the least effect: the worst case of the stated rate. Long left tails exceed it."""
    began = time.monotonic()
    trials = 2000
    rates = {}
    for shape in SHAPES:
        for n in (5, 10, 26):
            wrong = _false_verdicts(shape, n, trials, seed=77_000 + n)
            found = proportion_interval([k < wrong for k in range(trials)])
            rates[f"{shape}, {n} questions"] = {"value": found.value, "low": found.low, "high": found.high}
    assert all((rates[f"normal, {n} questions"]["low"] or 0.0) <= 0.05 for n in (5, 10, 26))
    write_evidence(
        "diagnosis-null",
        {"stated_rate": 0.05, "false_verdicts": rates},
        seed=77_000,
        n=trials * len(rates),
        seconds=time.monotonic() - began,
        code=("workbench/diagnosis/parts.py", "tests/workbench/diagnosis"),
    )


def _false_verdicts(shape: str, n: int, trials: int, *, seed: int) -> int:
    """How often a phase is named where both stand at the least effect, negatively correlated as they share a score."""
    rng = np.random.default_rng(seed)
    wrong = 0
    for _ in range(trials):
        common = _draw(rng, shape, n)
        writing = 0.02 + 0.1 * (common + 0.5 * rng.standard_normal(n))
        research = 0.02 - 0.1 * (common - 0.5 * rng.standard_normal(n))
        parts = judge_parts(differences(list(writing), list(research)))
        wrong += verdict_of(parts)[0] != "not_shown"
    return wrong


def _draw(rng: np.random.Generator, shape: str, n: int) -> np.ndarray:
    if shape == "normal":
        return rng.standard_normal(n)
    if shape == "rare":
        return np.where(rng.random(n) < 0.2, 4.0, -1.0) / 2
    skewed = rng.exponential(1.0, n) - 1.0
    return skewed if shape == "skewed right" else -skewed
