"""Keys and ids that only the record's table of sources explains."""

from dataclasses import replace

import pytest

from tests.workbench.phases.building import report_only, run
from workbench.phases import analyse
from workbench.phases.markers import find_markers
from workbench.schema.canonical import JsonValue

PAGE = "https://tides.example/brest"
TABLE: JsonValue = {"id_2": {"url": PAGE}, "rossi24": {"url": PAGE}, "bad": 7, "empty": {"url": " "}}


@pytest.mark.parametrize(
    "report",
    [
        'Tides at Brest reach 7 metres <qwen:cite id="id_2">seven</qwen:cite>.',
        r"Tides at Brest reach 7 metres \citep[p. 3]{rossi24}.",
        "Tides at Brest reach 7 metres [2].",
    ],
)
def test_a_label_is_looked_up_in_the_records_sources(report: str) -> None:
    made = run(("visit", PAGE, "Tides at Brest reach 7 metres in spring."), ("report", report))
    (found,) = analyse(replace(made, meta={"sources": TABLE})).citations
    assert (found.url, found.retrieval) == (PAGE, "opened")


@pytest.mark.parametrize("table", [TABLE, None, [], "x"])
@pytest.mark.parametrize("key", ["bad", "empty", "unknown"])
def test_a_key_without_a_usable_source_dangles(table: JsonValue, key: str) -> None:
    made = replace(report_only(rf"Tides reach 7 metres \cite{{{key}}}."), meta={"sources": table})
    assert [found.retrieval for found in analyse(made).citations] == ["dangling"]


def test_the_list_in_the_report_comes_before_the_record() -> None:
    report = "Tides reach 7 metres [2].\n\n## References\n[2] Other. https://other.example/a\n"
    made = replace(report_only(report), meta={"sources": TABLE})
    assert [found.url for found in analyse(made).citations] == ["https://other.example/a"]


def test_several_keys_are_one_marker() -> None:
    (marker,) = find_markers(r"So it is \cite{a, b,a}.", (), frozenset())
    assert (marker.labels, marker.style) == (("a", "b"), "key")
