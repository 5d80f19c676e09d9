"""Figures of a report from verdicts on its citations: what was never retrieved, dead or uncited counts against it."""

import random

import pytest

from rubrics.judging.support_figures import WIDEST, CheckedCitation, SupportFigures, support_figures
from workbench.schema.analysis import RETRIEVALS, SUPPORTS, Retrieval, Support


def cite(claim: int, source: str, support: Support = "not_checked", retrieval: Retrieval = "opened") -> CheckedCitation:
    return CheckedCitation(f"claim {claim}", source, retrieval, support)


def figures(*citations: CheckedCitation, uncited: int = 0, traced: bool = True) -> SupportFigures:
    return support_figures(citations, uncited=uncited, traced=traced)


def test_figures_by_hand() -> None:
    found = figures(
        cite(1, "a", "supported"),
        cite(2, "a", "supported"),
        cite(3, "b", "partly"),
        cite(4, "c", "contradicted"),
        cite(5, "d", retrieval="not_retrieved"),
        cite(6, "e", retrieval="dangling"),
        uncited=2,
    )
    assert found.accuracy is not None
    assert found.coverage is not None
    assert found.score is not None
    assert found.accuracy.value == pytest.approx(2.5 / 6)
    assert found.accuracy_of_checked == pytest.approx(2.5 / 4)
    assert found.coverage.value == pytest.approx(2.5 / 8)
    assert (found.effective, found.effective_sources, found.claims, found.uncited) == (2, 1, 6, 2)
    a, c = 2.5 / 6, 2.5 / 8
    assert found.score.value == found.score.low == found.score.high == pytest.approx(2 * a * c / (a + c))
    assert found.pairs == {
        "supported": 2,
        "partly": 1,
        "contradicted": 1,
        "not_retrieved": 1,
        "dangling": 1,
    }


def test_a_pair_of_claim_and_source_counts_once() -> None:
    once = figures(cite(1, "a", "supported"), cite(2, "b", "unrelated"))
    assert figures(*[cite(1, "a", "supported")] * 5, cite(2, "b", "unrelated")) == once


def test_a_second_source_that_supports_nothing_lowers_accuracy_and_leaves_coverage() -> None:
    found = figures(cite(1, "a", "supported"), cite(1, "b", "unrelated"))
    assert found.accuracy is not None
    assert found.coverage is not None
    assert (found.accuracy.value, found.coverage.value) == (0.5, 1.0)


def test_dead_sources_stay_in_the_denominator() -> None:
    alone, dead = figures(cite(1, "a", "supported")), cite(2, "gone", retrieval="not_retrieved")
    both = figures(cite(1, "a", "supported"), dead)
    assert alone.score is not None
    assert both.score is not None
    assert (alone.score.value, both.score.value) == (1.0, 0.5)


def test_a_report_that_cites_nothing_it_should_scores_zero_and_one_without_claims_abstains() -> None:
    found = figures(uncited=3)
    assert (found.outcome, found.score and found.score.value, found.accuracy) == ("scored", 0.0, None)
    assert figures().outcome == "abstained"
    assert "nothing that needs a citation" in figures().reason


def test_a_report_without_trace_abstains_whatever_it_cites() -> None:
    found = figures(cite(1, "a", retrieval="no_trace"), uncited=4, traced=False)
    assert (found.outcome, found.score) == ("abstained", None)
    assert "without its trace" in found.reason


def test_a_verdict_that_is_missing_widens_the_score_and_counts_one_half() -> None:
    known = [cite(n, f"s{n}", "supported") for n in range(9)]
    found = figures(*known, cite(9, "x"))
    assert found.score is not None
    assert (found.score.low, found.score.value, found.score.high) == pytest.approx((0.9, 0.95, 1.0))
    assert found.accuracy_of_checked == 1.0
    assert (found.effective, found.effective_high) == (9, 10)


def test_too_many_missing_verdicts_are_no_score() -> None:
    found = figures(cite(1, "a", "supported"), cite(2, "b"))
    assert (found.outcome, found.score) == ("judge_failed", None)
    assert "0.50 to 1.00" in found.reason
    assert "1 could not be checked" in found.reason
    hidden = figures(cite(1, "a", "supported"), cite(2, "b", retrieval="no_trace"))
    assert (hidden.outcome, hidden.score) == ("abstained", None)
    assert "kept the source to itself" in hidden.reason


def test_bounds_hold_whatever_the_missing_verdicts_turn_out_to_be() -> None:
    rng = random.Random(5)
    for _ in range(400):
        given = [
            cite(rng.randrange(8), f"s{n}", rng.choice(SUPPORTS), rng.choice(RETRIEVALS))
            for n in range(rng.randrange(1, 14))
        ]
        uncited = rng.randrange(4)
        found = support_figures(given, uncited=uncited, traced=True)
        assert (found.score is not None) == (found.outcome == "scored")
        if found.score is None:
            continue
        assert 0.0 <= found.score.low <= found.score.value <= found.score.high <= 1.0
        assert found.score.high - found.score.low <= WIDEST
        filled = [
            CheckedCitation(c.claim, c.source, c.retrieval, rng.choice(SUPPORTS[:4]))
            if c.retrieval in ("opened", "seen") and c.support == "not_checked"
            else c
            for c in given
        ]
        known = support_figures(filled, uncited=uncited, traced=True)
        if known.score is not None:
            assert known.score.low >= found.score.low - 1e-12
            assert known.score.high <= found.score.high + 1e-12


def test_better_verdicts_never_lower_the_score() -> None:
    rng = random.Random(6)
    worst_to_best: tuple[Support, ...] = ("unrelated", "partly", "supported")
    for _ in range(300):
        given = [cite(n, f"s{rng.randrange(3)}", rng.choice(worst_to_best)) for n in range(rng.randrange(1, 9))]
        place = rng.randrange(len(given))
        better = [*given]
        better[place] = cite(place, given[place].source, "supported")
        before, after = figures(*given, uncited=1).score, figures(*better, uncited=1).score
        assert before is not None
        assert after is not None
        assert after.value >= before.value
