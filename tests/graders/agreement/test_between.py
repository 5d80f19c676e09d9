"""The last bits of a sum are no opinion, and verdicts in different words are said to be so."""

from typing import Any

import numpy as np

from graders.agreement.between import on_one_scale
from graders.agreement.criteria import Verdict, pooled
from graders.quality import means
from workbench.stats.estimate import Estimate


def test_a_score_on_an_edge_falls_into_one_bin_however_it_was_summed() -> None:
    fine = np.linspace(0, 1, 41)
    on_edge = np.concatenate([fine, [0.1 + 0.2, 0.6, 1 - 0.4, 0.4, 1 - 0.6]])
    (first, second), _, binned = on_one_scale(on_edge, on_edge.round(12))
    assert binned and first == second
    assert first[-4] == first[-3] == 3 and first[-2] == first[-1] == 2 and first[-5] == 1


def test_scores_that_differ_in_their_last_bits_make_no_order() -> None:
    columns: dict[str, list[Any]] = {
        "trajectory_id": ["a", "b", "b", "b"],
        "question_id": ["q", "q", "q", "q"],
        "score": [0.2, 0.1, 0.2, 0.1 + 0.2],
    }
    found = means(columns)
    assert found["a"][0] == found["b"][0] == 0.2


def test_verdicts_in_different_words_are_said_to_be_so_with_the_gap_of_their_credits() -> None:
    keys = [(f"t{n}", "c") for n in range(12)]
    questions = {f"t{n}": f"q{n}" for n in range(12)}
    judge = {key: Verdict(0.5, "stated") for key in keys}
    reference = {key: Verdict(0.8, "supported") for key in keys}
    apart = pooled(judge, reference, questions)
    assert apart is not None and not apart.same_words
    assert (apart.judge_only, apart.reference_only) == (("stated",), ("supported",))
    assert isinstance(apart.credit_gap, Estimate) and round(apart.credit_gap.value, 9) == 0.3
    alike = pooled(judge, judge, questions)
    assert alike is not None and alike.same_words
