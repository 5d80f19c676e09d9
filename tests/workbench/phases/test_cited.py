"""What a citation is held against: the text of its source that the run retrieved, whole, once, and no other."""

from dataclasses import replace

from tests.graders.helpers import PAGE, trajectory
from workbench.phases import analyse
from workbench.phases.cited import MAX_DOCUMENT_CHARS, cited_sources, claims_without
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory

URL = "https://bridges.example/alder"


def run(results: list[tuple[str, str]], report: str) -> Trajectory:
    """Visits (address, page) in order and reports."""
    steps: list[Step] = [Step("user", text="How long?")]
    for n, (url, page) in enumerate(results):
        steps.append(Step("assistant", tool_calls=(ToolCall(f"c{n}", "visit", "visit", {"url": url}),)))
        steps.append(Step("tool", tool_results=(ToolResult(f"c{n}", page),)))
    return Trajectory("How long?", "q", "r", "m", (*steps, Step("assistant", text=report)), report)


def test_the_citations_are_those_of_the_analysis_and_keep_their_order() -> None:
    made = trajectory(report="One is [a](https://x.example/a). Two is 3.5 km ([b](https://bridges.example/0)).")
    assert [one.citation for one in cited_sources(made)] == [
        replace(citation, passage=None) for citation in analyse(made).citations
    ]


def test_the_document_is_the_page_and_what_a_search_showed_of_it() -> None:
    (one,) = cited_sources(trajectory())
    assert one.document == f"{PAGE}\n\nBridges of the north https://bridges.example/0 all about them"
    assert one.claim == "The Alder Bridge 0 is 3.5 km long."
    assert one.left_out == 0


def test_a_page_that_was_read_twice_stands_there_once() -> None:
    (one,) = cited_sources(run([(URL, PAGE), (URL + "/", PAGE)], f"It is 3.5 km long ({URL})."))
    assert one.document.count("Alder") == PAGE.count("Alder")


def test_what_another_page_says_is_not_in_the_document() -> None:
    (one,) = cited_sources(run([(URL, PAGE), ("https://other.example", "Other words")], f"It is 3.5 km ({URL})."))
    assert "Other" not in one.document


def test_a_source_that_was_not_retrieved_and_a_number_without_entry_have_no_document() -> None:
    made = run([(URL, PAGE)], "It is 3.5 km ([x](https://never.example)). It was built in 1931 [7].\n\n[1] " + URL)
    assert [(one.citation.retrieval, one.document) for one in cited_sources(made)] == [
        ("not_retrieved", ""),
        ("dangling", ""),
    ]


def test_two_citations_of_one_source_have_one_name_in_any_spelling() -> None:
    made = run([(URL, PAGE)], f"It is 3.5 km ({URL}). It spans the Alder ({URL}/?utm_source=x).")
    assert len({one.source for one in cited_sources(made)}) == 1


def test_what_does_not_fit_is_counted() -> None:
    pages = [(URL, f"page {n} " + "x" * 399_000) for n in range(4)]
    (one,) = cited_sources(run(pages, f"It is 3.5 km long ({URL})."))
    total = sum(len(page) for _, page in pages)
    assert len(one.document.replace("\n\n", "")) == MAX_DOCUMENT_CHARS
    assert one.left_out == total - MAX_DOCUMENT_CHARS


def test_claims_without_a_citation_are_those_that_nothing_serves() -> None:
    made = trajectory(report="It cost 12 million dollars in all. It is 3.5 km long ([s](https://bridges.example/0)).")
    (claim,) = claims_without(made.report, analyse(made).citations)
    assert made.report[claim.start : claim.end].startswith("It cost")


def test_a_claim_is_said_without_the_holes_of_its_markers() -> None:
    made = run([(URL, PAGE)], f"It is (3.5 km) long \\[[a]({URL})\\], as [b]({URL}) says ([c]({URL}), [d]({URL})) .")
    assert {one.claim for one in cited_sources(made)} == {"It is (3.5 km) long, as says."}
