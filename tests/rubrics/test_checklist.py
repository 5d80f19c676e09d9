"""The two deterministic graders, by hand."""

import pytest

from rubrics.judging.checklist import score_checklist
from rubrics.judging.citations import count_retrievals, score_citations
from workbench.schema.analysis import Citation, Retrieval
from workbench.schema.canonical import JsonObject

SHEET: JsonObject = {
    "facts": [
        {"id": "length", "any_of": ["3.5 km", "3,500 m"], "subject_any_of": ["Alder Bridge"], "part": "size"},
        {
            "id": "year",
            "any_of": ["1932"],
            "subject_any_of": ["Alder Bridge"],
            "forbid_any_of": ["not 1932"],
            "part": "date",
        },
    ]
}


def cite(report: str, marker: str, retrieval: Retrieval = "opened") -> Citation:
    start = report.index(marker)
    claim_start = report.rfind(".", 0, start - 2) + 1
    return Citation(
        0, marker, start, start + len(marker), claim_start, start, "https://a.example", "a.example", retrieval
    )


def found(report: str, *citations: Citation) -> dict[str, str | None]:
    return {v.criterion_id: v.label for v in score_checklist(report, SHEET, citations).verdicts}


def test_a_fact_with_an_opened_citation_counts_full_and_without_half() -> None:
    report = "The ALDER  bridge is 3,500 m long [1]. The Alder Bridge dates from 1932."
    got = score_checklist(report, SHEET, [cite(report, "[1]")])
    assert [v.label for v in got.verdicts] == ["cited", "stated"]
    assert got.score == pytest.approx(0.75)
    assert got.parts == {"size": 1.0, "date": 0.5}
    assert got.verdicts[0].quote == "The ALDER  bridge is 3,500 m long [1]."


@pytest.mark.parametrize("retrieval", ["seen", "not_retrieved", "dangling"])
def test_a_citation_to_a_page_that_was_not_opened_is_none(retrieval: Retrieval) -> None:
    report = "The Alder Bridge is 3.5 km long [1]."
    assert found(report, cite(report, "[1]", retrieval))["length"] == "stated"


def test_value_and_subject_must_share_a_sentence() -> None:
    assert found("The Alder Bridge is old. Another bridge is 3.5 km long.")["length"] == "absent"


def test_a_longer_number_is_another_number() -> None:
    assert found("The Alder Bridge is 13.5 km long, built in 19321.") == {"length": "absent", "year": "absent"}


def test_a_denied_fact_is_contradicted_unless_stated_cleanly_elsewhere() -> None:
    assert found("The Alder Bridge was not 1932 built.")["year"] == "contradicted"
    assert found("The Alder Bridge was not 1932 built. Alder Bridge: 1932.")["year"] == "stated"


def test_marker_after_the_stop_serves_the_sentence_before_it() -> None:
    report = "The Alder Bridge is 3.5 km long. [1] It is old."
    start = report.index("[1]")
    marker_only = Citation(0, "[1]", start, start + 3, start, start + 3, None, None, "opened")
    assert found(report, marker_only)["length"] == "cited"


def test_without_trace_or_facts_nothing_is_scored() -> None:
    assert score_checklist("text", SHEET, None).score is None
    assert score_checklist("text", {"facts": []}, ()).score is None
    assert score_checklist("", SHEET, ()).score == 0.0


@pytest.mark.parametrize(
    "sheet",
    [{}, {"facts": "x"}, {"facts": [{"id": "a"}]}, {"facts": [{"any_of": ["x"]}]},
     {"facts": [{"id": "a", "any_of": ["x"]}, {"id": "a", "any_of": ["y"]}]}],
)  # fmt: skip
def test_a_broken_sheet_is_refused(sheet: JsonObject) -> None:
    with pytest.raises(ValueError, match="question sheet"):
        score_checklist("text", sheet, ())


def test_citation_score_by_hand() -> None:
    got = score_citations({"opened": 2, "seen": 1, "not_retrieved": 1, "dangling": 1})
    assert got.score == pytest.approx(2.5 / 5)
    assert got.n == 5


@pytest.mark.parametrize("counts", [{}, {"no_trace": 4}])
def test_no_citations_and_no_trace_are_not_zero(counts: dict[Retrieval, int]) -> None:
    got = score_citations(counts)
    assert got.score is None
    assert got.reason


def test_retrievals_are_counted() -> None:
    report = "One [1]. Two [2]. Three [3]."
    given = [cite(report, "[1]"), cite(report, "[2]", "seen"), cite(report, "[3]", "seen")]
    assert count_retrievals(given) == {"opened": 1, "seen": 2}
