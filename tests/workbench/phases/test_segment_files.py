"""Phases of runs that write their report, plan and notes through file tools, or work in a shell."""

import pytest

from workbench.phases import analyse
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Step, ToolCall, ToolKind, Trajectory


def _phase(name: str, arguments: dict[str, JsonValue], kind: ToolKind = "other") -> str:
    steps = (Step(role="assistant", tool_calls=(ToolCall("c", name, kind, arguments),)),)
    return analyse(Trajectory("q", "q-1", "run", "model", steps, "")).phases[0].phase


@pytest.mark.parametrize(
    ("name", "arguments", "phase"),
    [
        ("create_file", {"path": "out/report.md", "content": "# Tides"}, "synthesis"),
        ("str_replace_editor", {"command": "str_replace", "path": "r.md", "old_str": "a", "new_str": "b"}, "synthesis"),
        ("str_replace_editor", {"command": "view", "path": "r.md"}, "research"),
        ("apply_patch", {"input": "*** Begin Patch\n*** Update File: report.md\n+x"}, "synthesis"),
        ("apply_patch", {"input": "*** Begin Patch\n*** Update File: plan.md\n+x"}, "plan"),
        ("multi_edit", {"file_path": "a/report.html", "edits": [{"old_string": "a", "new_string": "b"}]}, "synthesis"),
        ("write_file", {"path": "todo.md", "content": "- [ ] tables"}, "plan"),
        ("write_file", {"path": "research_notes.md", "content": "4.2 m"}, "research"),
        ("find_in_file", {"path": "report.md", "text": "tide"}, "research"),
        ("read_file", {"path": "report.md"}, "research"),
    ],
)
def test_a_file_tool_is_what_it_does_to_which_file(name: str, arguments: dict[str, JsonValue], phase: str) -> None:
    assert _phase(name, arguments) == phase


@pytest.mark.parametrize(
    ("name", "phase"), [("submit", "synthesis"), ("edit", "synthesis"), ("open", "research"), ("python", "research")]
)
def test_a_shell_finds_out_until_it_changes_or_hands_in_the_work(name: str, phase: str) -> None:
    assert _phase(name, {"command": name}, kind="code") == phase


def test_a_search_after_a_draft_in_a_file_is_research_again_and_the_draft_stays() -> None:
    calls = [
        ToolCall("1", "web_search", "search", {"query": "t"}),
        ToolCall("2", "create_file", "other", {"path": "report.md", "content": "# Tides"}),
        ToolCall("3", "web_search", "search", {"query": "u"}),
        ToolCall("4", "apply_patch", "other", {"patch": "--- a/report.md\n+++ b/report.md\n+More."}),
    ]
    steps = tuple(Step(role="assistant", tool_calls=(call,)) for call in calls)
    phases = analyse(Trajectory("q", "q-1", "run", "model", steps, "")).phases
    assert "".join(phase.phase[0] for phase in phases) == "rsrs"


def test_being_unable_to_provide_something_is_an_answer_and_asking_for_it_is_planning() -> None:
    def phase_of(said: str) -> str:
        steps = (
            Step(role="user", text="My balance?"),
            Step(role="assistant", text=said),
            Step(role="user", text="Ok."),
        )
        return analyse(Trajectory("q", "q-1", "run", "model", steps, "")).phases[1].phase

    assert phase_of("I'm unable to provide balances.") == "synthesis"
    assert phase_of("Please provide your number.") == "plan"
    assert phase_of("Please tell me what you have.") == "plan"


def test_arguments_of_any_shape_are_taken() -> None:
    for arguments in (
        {"command": ["view"]},
        {"path": 3, "content": None},
        {"patch": {"x": 1}},
        {"path": "", "text": ""},
    ):
        assert _phase("frobnicate", arguments) == "research"  # type: ignore[arg-type]
