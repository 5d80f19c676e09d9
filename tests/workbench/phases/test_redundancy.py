"""Redundancy against shares counted by hand."""

from workbench.phases.redundancy import Redundancy, redundancy
from workbench.schema.trajectory import ToolResult

A, B = "a" * 50, "b" * 150


def test_a_line_seen_in_an_earlier_result_is_repeated_whatever_its_case() -> None:
    found = redundancy([ToolResult("1", f"{A}\n{B}"), ToolResult("2", f"{A.upper()}\nshort")])
    assert found == Redundancy(chars=250, repeated_chars=50)
    assert found.share == 0.2


def test_repetition_within_a_result_failed_results_and_short_lines_do_not_count() -> None:
    results = [ToolResult("1", f"{A}\n{A}\nNext"), ToolResult("2", A, is_error=True), ToolResult("3", "Next")]
    assert redundancy(results) == Redundancy(chars=100, repeated_chars=0)


def test_a_run_that_retrieved_nothing_has_no_share() -> None:
    assert redundancy([]).share is None
