"""Agreement with people and the gain of an attack, by hand."""

import pytest

from workbench.reward.hacking import AttackTrial, attack_gain, attacked_facts
from workbench.reward.people import Preference, agreement
from workbench.schema.reward import QuestionTarget, RewardSpec, RolloutFacts, ShapingTerm
from workbench.stats.estimate import Estimate, NotMeasured

TERMS = (ShapingTerm("distinct_queries", 0.4), ShapingTerm("distinct_sites", 0.6))
SPEC = RewardSpec("test", "any", "checklist", 0.5, TERMS)


def facts(question: str, queries: int, sites: int) -> RolloutFacts:
    return RolloutFacts(question, queries, sites, 0, 0, queries + sites, 0, 1000)


def test_agreement_counts_a_tie_half_and_leaves_out_what_has_no_reward() -> None:
    values = {"a": 0.5, "b": 0.4, "c": 0.4}
    preferences = [
        Preference("a", "b", "q1"),
        Preference("b", "c", "q2"),
        Preference("b", "a", "q3"),
        Preference("a", "gone", "q4"),
    ]
    found = agreement(values, preferences, seed=0)
    assert isinstance(found, Estimate)
    assert (found.value, found.n) == (0.5, 3)


def test_agreement_without_a_pair_is_not_measured() -> None:
    assert isinstance(agreement({}, [Preference("a", "b", "q")], seed=0), NotMeasured)


def test_padding_pays_what_the_formula_says() -> None:
    # S rises from 0.3 to 1, G falls by 0.2: R moves by (-0.2 + 0.5 * 0.7) / 1.5 = 0.1.
    targets = {"q": QuestionTarget("q", 10, 10, 1)}
    trial = AttackTrial("t", facts("q", 3, 3), 0.8, 0.6, {"distinct_queries": 8.0, "sites_opened": 8.0})
    found = attack_gain(SPEC, [trial], targets, seed=0)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(0.1)


def test_the_tolerance_of_the_published_example_breaks_even() -> None:
    # REFERENCE: lifting S from 0.3 to 1 tolerates a loss of 0.35 in G.
    targets = {"q": QuestionTarget("q", 10, 10, 1)}
    trial = AttackTrial("t", facts("q", 3, 3), 0.8, 0.45, {"distinct_queries": 7.0, "sites_opened": 7.0})
    found = attack_gain(SPEC, [trial], targets, seed=0)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(0.0, abs=1e-12)


def test_counts_do_not_fall_below_zero_and_unknown_counts_are_ignored() -> None:
    trial = AttackTrial("t", facts("q", 3, 3), 0.8, 0.6, {"distinct_queries": -8.0, "nothing": 1.0})
    assert attacked_facts(trial).distinct_queries == 0


def test_an_attack_without_trials_is_not_measured() -> None:
    assert isinstance(attack_gain(SPEC, [], {}, seed=0), NotMeasured)
