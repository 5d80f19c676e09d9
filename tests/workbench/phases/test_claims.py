"""Claims that carry no citation."""

import pytest

from workbench.phases.claims import uncited_claims

LIST = "\n\n## References\n[1] https://a.example/x\n"


def _found(
    report: str, *, paragraph_covers: bool = True, names_alone: bool = False
) -> list[tuple[str, tuple[str, ...]]]:
    claims = uncited_claims(report, paragraph_covers=paragraph_covers, names_alone=names_alone)
    return [(report[claim.start : claim.end], claim.kinds) for claim in claims]


@pytest.mark.parametrize(
    ("sentence", "kinds"),
    [
        ("The tide rose by 12% that spring.", ("figure",)),
        ("The station closed down in 1987.", ("date",)),
        ("It was built by the Northhaven Harbour Company alone.", ("name",)),
        ("潮汐在三月上升了四米，增长12%，创下记录。", ("figure",)),
        ("该站由北海大学于1987年建立并一直运行。", ("date", "name")),
    ],
)
def test_figures_dates_and_names_without_a_citation_are_found(sentence: str, kinds: tuple[str, ...]) -> None:
    assert _found(f"It is so [1]. {sentence}\n{LIST}", names_alone=True) == [(sentence, kinds)]


@pytest.mark.parametrize(
    "text",
    [
        "The tide rose by 12% [1].",
        "## 12% more tides in 2024",
        "**Tides of 2024 and 12% more of it:**",
        "Did the tide rise by 12% in 2024?",
        "```\nrose 12% in 2024, so it did, indeed it did\n```",
        "The tide rises and falls as it always did.",
        "| Year 2024 of tides | Height 12% |\n|---|---|",
        "- 12%",
        "![12% more tides in 2024, so they say](https://a.example/p12.png)",
    ],
)
def test_cited_sentences_titles_questions_code_and_plain_prose_are_not(text: str) -> None:
    assert _found(text + LIST) == []


def test_a_name_alone_is_a_claim_only_where_asked_for() -> None:
    report = "It was built by the Northhaven Harbour Company alone." + LIST
    assert _found(report) == []
    assert len(_found(report, names_alone=True)) == 1


def test_code_inside_a_reference_list_does_not_end_it() -> None:
    entries = "[1] The `tide` of 1987 https://a.example/x\n[2] Doe, 12% of 1987, a tide table\n"
    report = f"It is so [1].\n\n## References\n{entries}"
    assert _found(report) == []


def test_entries_of_the_reference_list_are_not() -> None:
    assert _found("It is so [1].\n\n## References\n[1] Tides of 1987, 12% more https://a.example/x\n") == []


def test_a_marker_behind_the_last_stop_covers_the_paragraph_unless_told_otherwise() -> None:
    report = "The tide rose by 12% that spring. It fell by 3% that autumn. [1]" + LIST
    assert _found(report) == []
    assert [text for text, _ in _found(report, paragraph_covers=False)] == ["The tide rose by 12% that spring."]
    inside = "The tide rose by 12% that spring. It fell by 3% that autumn [1]." + LIST
    assert [text for text, _ in _found(inside)] == ["The tide rose by 12% that spring."]
