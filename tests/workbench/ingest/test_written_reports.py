"""The report is found in the file tools of a run, on small runs written for each way of hiding it."""

from workbench.ingest.written_reports import NOTICE_CHARS, final_report, written_files
from workbench.schema.trajectory import Step, ToolCall, ToolResult

BODY = "# Tides\n\n" + "The moon pulls the sea. " * 40


def _call(number: int, name: str, **arguments: object) -> Step:
    return Step("assistant", tool_calls=(ToolCall(f"c{number}", name, "other", arguments),))  # type: ignore[arg-type]


def _result(number: int, text: str, is_error: bool = False) -> Step:
    return Step("tool", tool_results=(ToolResult(f"c{number}", text, is_error),))


def test_an_empty_last_message_gives_the_longest_prose_file_and_never_code_or_a_plan() -> None:
    steps = [
        _call(1, "write_file", path="/out/report.md", content=BODY),
        _call(2, "write_file", path="/out/plot.py", content="x = 1\n" * 900),
        _call(3, "write_file", path="/out/todo.md", content="- look\n" * 900),
    ]
    assert final_report(steps, "") == BODY


def test_patches_are_replayed_in_order_and_failed_ones_change_nothing() -> None:
    steps = [
        _call(1, "str_replace_editor", command="create", path="r.md", file_text=BODY),
        _call(2, "str_replace_editor", command="str_replace", path="r.md", old_str="# Tides", new_str="# Ebb"),
        _call(3, "edit_file", path="r.md", old_string="# Ebb", new_string="# Lost"),
        _result(3, "Error: permission denied"),
        _call(4, "str_replace_editor", command="insert", path="r.md", insert_line=1, new_str="by hand"),
        _call(5, "append_file", path="r.md", content="\nEnd."),
        _call(6, "edit_file", path="r.md", old_string="not there", new_string="x"),
    ]
    assert final_report(steps, "") == BODY.replace("# Tides\n", "# Ebb\nby hand\n") + "\nEnd."


def test_a_notice_gives_the_file_it_names_not_a_longer_one() -> None:
    steps = [
        _call(1, "write_file", path="a/report.md", content=BODY),
        _call(2, "write_file", path="a/notes.md", content=BODY * 3),
    ]
    assert final_report(steps, "The report is in `a/report.md`.") == BODY


def test_a_presented_file_is_the_report_of_a_notice_without_a_name() -> None:
    steps = [_call(1, "write_file", path="/o/x.md", content=BODY), _call(2, "present_files", filepaths=["/o/x.md"])]
    assert final_report(steps, "Your report is ready.") == BODY


def test_a_real_last_message_an_answer_and_a_notice_without_a_file_stay() -> None:
    steps = [_call(1, "write_file", path="r.md", content=BODY)]
    long = "See r.md. " * (NOTICE_CHARS // 5)
    assert final_report(steps, long) == long
    assert final_report(steps, "r.md: \\boxed{42}") == "r.md: \\boxed{42}"
    assert final_report(steps, "<answer>No</answer> r.md") == "<answer>No</answer> r.md"
    assert final_report(steps, "Paris.") == "Paris."
    assert final_report([], "") == ""


def test_a_file_that_a_diff_touched_is_left_out_since_its_content_is_not_known() -> None:
    steps = [
        _call(1, "write_file", path="r.md", content=BODY),
        _call(2, "apply_patch", input="*** Begin Patch\n*** Update File: r.md\n@@\n-a\n+b\n*** End Patch"),
    ]
    assert final_report(steps, "") == ""


def test_the_file_changed_last_stands_last_and_reading_a_file_does_not_change_it() -> None:
    steps = [
        _call(1, "write_file", path="a.md", content="one"),
        _call(2, "write_file", path="b.py", content="two"),
        _call(3, "append_file", path="a.md", content=" more"),
        _call(4, "read_file", path="b.py"),
        _call(5, "grep", path="b.py", find="two"),
    ]
    assert list(written_files(steps).items()) == [("b.py", "two"), ("a.md", "one more")]


def test_a_run_that_ends_in_a_search_was_cut_off_and_its_draft_is_no_report() -> None:
    search = Step("assistant", tool_calls=(ToolCall("s", "web_search", "search", {"query": "tides"}),))
    assert final_report([_call(1, "write_file", path="draft.md", content=BODY), search], "") == ""
