"""Citations in the styles that reports use: markers, their sources, the sentences they serve."""

import pytest

from tests.workbench.phases.building import report_only, run
from workbench.phases import analyse
from workbench.schema.analysis import Citation
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory

A, B, C = "https://a.example/x", "https://b.example/y", "https://c.example/z"
LIST = f"\n\n## References\n[1] First: {A}\n[2] Second: {B}\n[3] Third: {C}\n"


def _cited(report: str) -> tuple[Citation, ...]:
    return analyse(report_only(report)).citations


def _urls(report: str) -> list[str | None]:
    return [citation.url for citation in _cited(report)]


@pytest.mark.parametrize(
    ("prose", "urls"),
    [
        ("It rose [1].", [A]),
        ("It rose [1][2].", [A, B]),
        ("It rose [1, 2].", [A, B]),
        ("It rose [1，3]。", [A, C]),
        ("It rose [1-3].", [A, B, C]),
        ("It rose [1–2, 3].", [A, B, C]),
        ("It rose ([1],[2]).", [A, B]),
        ("It rose [[2]].", [B]),
        ("It rose [^2].", [B]),
        ("潮汐上升【1】。", [A]),
        ("潮汐上升【2†来源】。", [B]),
        ("潮汐上升［3］。", [C]),
        ("It rose <sup>[2]</sup>.", [B]),
        ("It rose ([3](#references)).", [C]),
        (f"It rose [tables]({C}).", [C]),
        (f"It rose [[9]]({C}).", [C]),
        (f"It rose (source: {C}).", [C]),
        (f"It rose, see <{C}>.", [C]),
        (f"潮汐上升（来源：{C}）。", [C]),
        (f"A page of brackets [t]({A}_(y)).", [f"{A}_(y)"]),
        (f'With a title [t]({A} "Tides (2024)").', [A]),
        ('Quoted <qwen:cite id="id_2,id_3">it rose</qwen:cite>.', [B, C]),
    ],
)
def test_every_style_is_found_and_resolved(prose: str, urls: list[str]) -> None:
    assert _urls(prose + LIST) == urls


@pytest.mark.parametrize(
    "prose",
    [
        "In [2024] it rose.",
        "The strains P[8] and x[0] differ.",
        "An image ![1](https://a.example/p.png) and [a link](#part) and [mail](mailto:a@a.example).",
        "Isotopes <sup>32</sup>S and [sic] and [ ] and [x] tasks.",
        "Code `list[1]` and\n```\nrows[1] = https://a.example/x\n```",
        "    ",
        "",
    ],
)
def test_what_looks_like_a_citation_and_is_none_is_left_alone(prose: str) -> None:
    assert _cited(prose) == ()


@pytest.mark.parametrize(
    "references",
    [
        f"## References\n[1] First: {A}\n[2] {B}",
        f"### **参考文献：**\n\n1. [First]({A})\n2. [Second]({B})",
        f"Sources:\n1) First, {A}\n2) Second, {B}",
        f"**Works Cited**\n\n1\\. First, [{A}]({A})\n2\\. Second {B}",
        f"参考文献：\n[1] {A} - First\n[2] {B} - Second",
        f"## 7. 资料来源\n【1】First {A}\n【2】Second {B}",
        f"[^1]: First {A}\n[^2]: {B}",
        f"[1]. {A}\n\n[2]. {B}",
        f"# Citations\n- [1] First\n  {A}\n- [2] Second\n  {B}",
        f"## References\n1. First {A}\n1. Second {B}",
    ],
)
def test_lists_of_every_form_resolve_numbers(references: str) -> None:
    assert _urls(f"It rose [1]. It fell [2].\n\n{references}\n") == [A, B]


def test_an_entry_may_name_its_source_by_doi_or_arxiv_number() -> None:
    report = "It rose [1][2].\n\n## References\n1. Doe, Tides. doi:10.1000/xyz.12\n2. Roe, arXiv:2404.01234v2, 2024\n"
    assert _urls(report) == ["https://doi.org/10.1000/xyz.12", "https://arxiv.org/abs/2404.01234"]


def test_an_entry_leads_where_its_link_leads() -> None:
    report = (
        "Tides rise [1].\n\n## References\n1. Tides, [https://a.example/Sup\\_port x](https://a.example/Sup_port/x)\n"
    )
    assert _urls(report) == ["https://a.example/Sup_port/x"]


def test_a_number_without_an_entry_dangles_and_an_entry_without_address_does_not() -> None:
    found = _cited("It rose [1]. It fell [7].\n\n## References\n[1] Doe, a book of tides\n[2] " + B)
    assert [(citation.url, citation.retrieval) for citation in found] == [(None, "no_trace"), (None, "dangling")]


def test_entries_of_the_list_are_no_citations_and_prose_after_it_is_read() -> None:
    report = f"It rose [1].\n\n## Sources\n- [1] {A}\n\n## Annex\nIt also fell [1]."
    assert [report[citation.start - 5 : citation.start] for citation in _cited(report)] == ["rose ", "fell "]


def test_of_two_lists_the_next_below_counts() -> None:
    report = f"One [1].\n\nSources:\n[1] {A}\n\n## Two\n\nTwo [1].\n\nSources:\n[1] {B}\n"
    assert _urls(report) == [A, B]


def test_a_section_that_only_sounds_like_a_list_is_prose() -> None:
    report = f"## Sources\nThe river has two sources, and both dried up in 2024 [1].\n\n## References\n[1] {A}\n"
    assert _urls(report) == [A]


def test_numbers_without_brackets_count_only_in_a_report_that_uses_no_brackets() -> None:
    works = f"\n\n#### **Works cited**\n\n1. First, [{A}]({A})\n2. Second, [{B}]({B})\n3. Third, [{C}]({C})\n"
    prose = "Tides rise twice daily 1. In phase 2, they fall. Neap tides are weak 2, 3."
    assert _urls(prose + works) == [A, B, C]
    assert _urls(prose + " It rose [1]." + works) == [A]


@pytest.mark.parametrize(
    ("report", "claim"),
    [
        ("One thing. It rose [1]. Another.", "It rose [1]."),
        ("One thing. It rose. [1] Another.", "It rose. [1]"),
        ("One thing. It rose.[1][2] Another.", "It rose.[1][2]"),
        ("One thing. It rose. [1]\n\nAnother.", "It rose. [1]"),
        ("一件事。潮汐上升了。[1]另一件。", "潮汐上升了。[1]"),
        ("一件事。潮汐上升了[1]。另一件。", "潮汐上升了[1]。"),
        (f"One thing. It rose. ([tables]({A})) Another.", f"It rose. ([tables]({A}))"),
        (f"One thing. It rose.\nSource: [tables]({A})\n", "It rose."),
        ("- It rose.\n- **证据**：[1],[2]\n", "- It rose."),
        (f"It rose.\n\n- **Resource**: [tables]({A})\n", "It rose."),
        (f"It rose.\n\n- [Tables of the north]({A})\n", f"- [Tables of the north]({A})"),
        (
            f"It rose.\nAs two papers say: [one]({A}) more, [two]({B}) less.",
            f"As two papers say: [one]({A}) more, [two]({B}) less.",
        ),
        ("| 2024 | 4.2 m [1] | high. |\n| 2025 | 3 m | low |", "| 2024 | 4.2 m [1] | high. |"),
        ("Dr. Doe et al. found 3.5 m [1].", "Dr. Doe et al. found 3.5 m [1]."),
        (f"A study, “Does it rise?” ([tables]({A})), says so.", f"A study, “Does it rise?” ([tables]({A})), says so."),
        ("## Title\n\n[1]\n\nText.", "[1]"),
    ],
)
def test_a_citation_is_tied_to_the_sentence_it_serves(report: str, claim: str) -> None:
    text = report + LIST
    first = _cited(text)[0]
    assert text[first.claim_start : first.claim_end] == claim


def test_markers_of_one_place_are_one_citation_each_in_order() -> None:
    text = "It rose [1, 2]." + LIST
    found = _cited(text)
    assert [citation.ordinal for citation in found] == [0, 1]
    assert {(citation.start, citation.end) for citation in found} == {(8, 14)}
    assert all(citation.marker == text[citation.start : citation.end] for citation in found)


def test_retrieval_tells_opened_from_seen_from_neither() -> None:
    listing = f'[{{"title": "Second", "url": "{B}", "snippet": "It fell by 3 m in 2024."}}]'
    trajectory = run(
        ("search", "tides", listing),
        ("visit", f"{A}?utm_source=list", "It rose by 4.2 m."),
        ("visit", C, "Error: 404"),
        ("report", "It rose by 4.2 m [1]. It fell by 3 m [2]. It stood [3]. Who knows [4]." + LIST),
    )
    assert [citation.retrieval for citation in analyse(trajectory).citations] == [
        "opened",
        "seen",
        "not_retrieved",
        "dangling",
    ]


def test_an_answer_without_any_tool_retrieved_nothing() -> None:
    trajectory = run(("report", "It rose [1]." + LIST))
    assert [citation.retrieval for citation in analyse(trajectory).citations] == ["not_retrieved"]


def test_a_source_named_by_its_title_is_seen_where_a_result_names_it() -> None:
    trajectory = run(
        ("search", "tides", "Chunk 3 of Tides of the North.pdf\nIt rose by 4.2 m."),
        ("report", 'It rose by 4.2 m [doc: "Tides of the North.pdf", chunk 3]. It fell [Doc: other.pdf].'),
    )
    assert [citation.retrieval for citation in analyse(trajectory).citations] == ["seen", "not_retrieved"]


def test_a_title_may_hold_quotes() -> None:
    trajectory = run(
        ("search", "tides", 'Source: The "high" tide.pdf'),
        ("report", 'It rose [long_context: "The "high" tide.pdf", chunk 1], and [file: "The "low" tide.pdf"].'),
    )
    assert [citation.retrieval for citation in analyse(trajectory).citations] == ["seen", "not_retrieved"]


def test_title_with_other_quotes_is_the_same_source() -> None:
    steps = (
        Step("assistant", tool_calls=(ToolCall("1", "rag_search", "search", {"query": "harbours"}),)),
        Step("tool", tool_results=(ToolResult("1", "Title: 少些“压力”的港口\n港口很多。"),)),
        Step("assistant", text="x"),
    )
    report = '港口很多[long_context: "少些"压力"的港口", chunk 3]。'
    [found] = analyse(Trajectory("q", "q", "r", "m", steps, report)).citations
    assert found.retrieval == "seen"
