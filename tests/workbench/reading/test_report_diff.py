"""Two reports are paired sentence by sentence; order, rewording and scripts do not confuse it."""

import time
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.phases.sentences import Span
from workbench.reading.increasing import longest_increasing
from workbench.reading.report_diff import ReportDiff, compare_reports
from workbench.reading.word_diff import differing_words

LEFT = """# Dams of the north

The Halesrock Dam was finished in 1962. It impounds the River Talira near the town of Orm.
The Eldirock Dam has a capacity of 42 MW. Nobody has measured its silt since the flood.
"""
RIGHT = """# Dams of the north

The Eldirock Dam has a capacity of 42 MW. The Halesrock Dam was finished in 1964.
It impounds the River Talira near the town of Orm. A third dam is planned further upstream.
"""


def covers(diff: ReportDiff) -> None:
    """Every sentence of either report stands in exactly one row, in its order."""
    assert [n for row in diff.rows for n in row.left] == list(range(len(diff.left)))
    assert [n for row in diff.rows for n in row.right] == list(range(len(diff.right)))


def test_moved_reworded_and_lonely_sentences_are_told_apart() -> None:
    diff = compare_reports(LEFT, RIGHT)
    covers(diff)
    kinds = {LEFT[s.start : s.end]: s.kind for s in diff.left}
    assert kinds["The Halesrock Dam was finished in 1962."] == "changed"
    assert kinds["It impounds the River Talira near the town of Orm."] == "same"
    assert kinds["The Eldirock Dam has a capacity of 42 MW."] == "moved"
    assert kinds["Nobody has measured its silt since the flood."] == "only"
    assert diff.counts == {"same": 2, "changed": 1, "moved": 1, "only_left": 1, "only_right": 1}


def test_reordered_paragraphs_are_no_change_at_all() -> None:
    paragraphs = [
        f"Paragraph about the {name} river. It flows for {n} km to the sea." for n, name in enumerate("abcdef")
    ]
    diff = compare_reports("\n\n".join(paragraphs), "\n\n".join(reversed(paragraphs)))
    covers(diff)
    assert diff.counts["changed"] == diff.counts["only_left"] == diff.counts["only_right"] == 0
    assert diff.counts["same"] + diff.counts["moved"] == 12


def test_chinese_sentences_are_cut_and_paired() -> None:
    left = "该大坝于1962年竣工，坝高99米。塔里拉河流经此地。目前没有扩建计划。"
    right = "塔里拉河流经此地。该大坝于1964年竣工，坝高99米。第三座大坝正在规划中。"
    diff = compare_reports(left, right)
    covers(diff)
    assert len(diff.left) == len(diff.right) == 3
    assert diff.counts["only_left"] == diff.counts["only_right"] == 1
    changed = next(s for s in diff.left if s.kind in ("changed", "moved_changed"))
    assert changed.partner is not None
    other = diff.right[changed.partner]
    _, marked = differing_words(left[changed.start : changed.end], right[other.start : other.end])
    assert [text for text, differs in marked if differs] == ["1964"]


def test_report_against_itself_and_against_nothing() -> None:
    assert {s.kind for s in compare_reports(LEFT, LEFT).left} == {"same"}
    assert compare_reports(LEFT, "").counts["only_left"] == 5
    assert compare_reports("", "").rows == ()


def test_sentence_that_stands_twice_is_paired_once() -> None:
    diff = compare_reports("It rained. It rained.", "It rained.")
    assert diff.counts == {"same": 1, "changed": 0, "moved": 0, "only_left": 1, "only_right": 0}


@given(
    st.lists(st.sampled_from(["Alpha is 1.", "Beta is 2.", "Beta is 3.", "丙是4。", "## Head"]), max_size=8), st.data()
)
def test_every_sentence_stands_in_one_row_and_partners_agree(left: list[str], data: st.DataObject) -> None:
    right = data.draw(st.permutations(left)) if left else []
    diff = compare_reports("\n".join(left), "\n".join(right[: data.draw(st.integers(0, len(right)))]))
    covers(diff)
    for n, sentence in enumerate(diff.left):
        if sentence.partner is not None:
            assert diff.right[sentence.partner].partner == n
            assert diff.right[sentence.partner].kind == sentence.kind


@given(st.permutations(range(7)), st.lists(st.integers(1, 9), min_size=7, max_size=7))
def test_heaviest_increasing_subsequence_is_the_heaviest(values: list[int], weights: list[int]) -> None:
    found = longest_increasing(values, weights)
    assert found == sorted(found) and [values[n] for n in found] == sorted(values[n] for n in found)
    best = max(
        sum(weights[n] for n in places)
        for size in range(1, 8)
        for places in combinations(range(7), size)
        if [values[n] for n in places] == sorted(values[n] for n in places)
    )
    assert sum(weights[n] for n in found) == best


def test_long_reports_and_reports_of_one_sentence_over_and_over_take_about_a_second() -> None:
    long = "\n".join(
        f"Finding {n}: the level of lake {n % 97} rose by {n * 7 % 31} cm in {1900 + n % 120}." for n in range(4000)
    )
    other = "\n".join(
        f"Finding {n}: the level of lake {n % 89} rose by {n * 5 % 31} cm in {1900 + n % 110}." for n in range(4000)
    )
    started = time.process_time()
    covers(compare_reports(long, other))
    covers(compare_reports("The same words again and again. " * 5000, "The same words again and then. " * 5000))
    assert time.process_time() - started < 15


@pytest.mark.parametrize(
    ("left", "right"), [("It rose by 3.5% in 2024.", "It fell by 3.5% in 2023."), ("", "a b"), ("\x00\u202e", "x")]
)
def test_words_that_differ_are_marked_and_none_is_lost(left: str, right: str) -> None:
    first, second = differing_words(left, right)
    assert "".join(text for text, _ in first) == left and "".join(text for text, _ in second) == right


def test_only_the_differing_words_are_marked() -> None:
    first, second = differing_words("It rose by 3.5% in 2024.", "It fell by 3.5% in 2023.")
    assert [text for text, differs in first if differs] == ["rose", "2024"]
    assert "3.5%" not in "".join(text for text, differs in second if differs)


def test_huge_sentences_are_marked_whole_instead_of_for_minutes() -> None:
    first, _ = differing_words("a " * 5000, "b " * 5000)
    assert first == (("a " * 5000, True),)


def test_citations_stay_with_their_sentence_and_their_numbers_make_no_difference() -> None:
    left, right = "It opened in 1986. [1][2] Its dam is high.", "It opened in 1986. [7] Its dam is high."
    spans = ((Span(19, 22), Span(22, 25)), (Span(19, 22),))
    diff = compare_reports(left, right, markers=spans)
    assert [left[s.start : s.end] for s in diff.left] == ["It opened in 1986. [1][2]", "Its dam is high."]
    assert diff.counts == {"same": 2, "changed": 0, "moved": 0, "only_left": 0, "only_right": 0}


def test_what_stands_at_one_place_in_both_is_paired_though_few_words_agree() -> None:
    left = "## Eldirock\nThe Eldirock Dam has been in service since 1986.\n## Cost\nUnknown."
    right = "## Eldirock\nWork on the Eldirock Dam finished in 1986.\n## Cost\nUnknown."
    assert [row.kind for row in compare_reports(left, right).rows] == ["same", "changed", "same", "same"]
