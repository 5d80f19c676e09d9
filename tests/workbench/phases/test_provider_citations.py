"""Citations that a provider recorded as offsets beside the report."""

from typing import Any

import pytest

from workbench.phases import analyse
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory

REPORT = "Vell harbour has two lighthouses. Its north pier is 410 m long."
PAGE = "https://pages.example/vell"
SEARCH = (
    Step("assistant", tool_calls=(ToolCall("1", "web_search", "search", {"query": "vell"}),)),
    Step("tool", tool_results=(ToolResult("1", f"Vell harbour\n{PAGE}\nTwo lighthouses; the pier measures 410 m."),)),
)


def cited(*entries: Any, report: str = REPORT, steps: tuple[Step, ...] = SEARCH, **meta: Any) -> list[Any]:
    trajectory = Trajectory(
        "q", "q", "r", "m", (*steps, Step("assistant", text=report)), report, meta={"source_citations": entries, **meta}
    )
    return list(analyse(trajectory).citations)


def test_recorded_span_is_the_claim_and_its_page_was_seen() -> None:
    [found] = cited({"start": 0, "end": 33, "url": PAGE})
    assert (found.marker, found.start, found.claim_start, found.claim_end) == ("", 33, 0, 33)
    assert (found.retrieval, found.site) == ("seen", "pages.example")
    assert found.passage is not None


def test_span_of_a_few_characters_serves_its_sentence() -> None:
    [found] = cited({"start": 62, "end": 63, "url": PAGE})
    assert REPORT[found.claim_start : found.claim_end].startswith("Its north pier")


def test_marker_that_the_text_shows_is_not_counted_again() -> None:
    report = f"Vell has two lighthouses ([pages]({PAGE})). So it is."
    start, end = report.index("(["), report.index(")).") + 2
    assert len(cited({"start": start, "end": end, "url": PAGE + "?utm_source=x"}, report=report)) == 1
    assert len(cited({"start": 0, "end": 12, "url": "https://other.example/"}, report=report)) == 2


def test_recorded_and_shown_citations_are_numbered_by_place() -> None:
    report = "One [a](https://a.example/). Two. Three [b](https://b.example/)."
    found = cited({"start": 28, "end": 32, "url": "https://c.example/"}, report=report)
    assert [(c.ordinal, c.site) for c in found] == [(0, "a.example"), (1, "c.example"), (2, "b.example")]


def test_provider_that_hides_its_results_is_not_accused_of_inventing() -> None:
    [found] = cited({"start": 0, "end": 33, "url": "https://unseen.example/"})
    assert found.retrieval == "not_retrieved"
    [found] = cited({"start": 0, "end": 33, "url": "https://unseen.example/"}, undisclosed_results=2)
    assert found.retrieval == "no_trace"


@pytest.mark.parametrize(
    "entry",
    [None, 5, {}, {"start": 0, "end": 33}, {"start": -1, "end": 3, "url": PAGE}, {"start": 5, "end": 2, "url": PAGE},
     {"start": 0, "end": 9999, "url": PAGE}, {"start": True, "end": 3, "url": PAGE}, {"start": 0, "end": 3, "url": 7}],
)  # fmt: skip
def test_entries_of_another_shape_are_passed_over(entry: Any) -> None:
    assert cited(entry) == []
