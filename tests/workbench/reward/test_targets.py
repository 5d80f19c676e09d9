"""Targets per question from reference runs."""

import pytest

from tests.workbench.reward.examples import facts
from workbench.reward.targets import build_targets, summarise
from workbench.schema.reward import RolloutFacts

REFERENCES: dict[str, list[RolloutFacts]] = {
    "run-a": [
        facts(question_id="q1", distinct_queries=4, sites_opened=9, sites_cited=1, sites_seen=2),
        facts(question_id="q2", distinct_queries=0, sites_opened=0, sites_cited=0, sites_seen=0),
    ],
    "run-b": [
        facts(question_id="q1", distinct_queries=7, sites_opened=2, sites_cited=3, sites_seen=30),
        facts(question_id="q1", distinct_queries=5, sites_opened=5, sites_cited=2, sites_seen=1),
        facts(question_id="q3", distinct_queries=2, sites_opened=1),
    ],
}


def test_target_is_the_most_of_each_kind_over_all_reference_rollouts() -> None:
    target = build_targets(REFERENCES).by_question["q1"]
    assert (target.queries, target.sites, target.n_references) == (7, 9, 3)


@pytest.mark.parametrize(("counts", "sites"), [("opened", 9), ("cited", 3), ("seen_or_opened", 32)])
def test_targets_count_the_sites_that_a_term_will_count(counts: str, sites: int) -> None:
    table = build_targets(REFERENCES, counts=counts)  # type: ignore[arg-type]
    assert table.by_question["q1"].sites == sites


def test_run_left_out_does_not_set_its_own_targets() -> None:
    table = build_targets(REFERENCES, leave_out=["run-a"])
    assert table.by_question["q1"].sites == 5
    assert "q2" not in table.by_question
    assert (table.runs, table.left_out) == (("run-b",), ("run-a",))


def test_summary_tells_medians_and_the_share_without_search() -> None:
    summary = summarise(build_targets(REFERENCES))
    assert (summary.questions, summary.query_median, summary.site_median) == (3, 2.0, 1.0)
    assert summary.no_search_share == pytest.approx(1 / 3)


def test_version_hashes_the_content_not_its_origin() -> None:
    renamed = {name + "-again": rows for name, rows in reversed(REFERENCES.items())}
    assert build_targets(renamed).version == build_targets(REFERENCES).version
    assert build_targets(REFERENCES, counts="cited").version != build_targets(REFERENCES).version


def test_empty_references_have_no_summary() -> None:
    with pytest.raises(ValueError, match="none of the reference runs"):
        summarise(build_targets({"run-a": []}))
