"""Runs whose messages are named after agents: who spoke, what was a call, and where the labels point."""

import json
import statistics
from typing import Any

import pytest

from tests.support.shared_data import shared
from workbench.errors import BadInputError
from workbench.ingest.format import Draft
from workbench.ingest.formats import surfer_actions, whoandwhen
from workbench.ingest.registry import detect_format

RESULTS = "[q - Search](https://www.bing.com/search?q=q). The viewport shows 36% of the webpage."


def directions(*history: tuple[str, str], **more: Any) -> dict[str, Any]:
    return {"question": "x?", "history": [{"role": role, "content": text} for role, text in history], **more}


def read(record: dict[str, Any]) -> Draft:
    assert detect_format(record) is whoandwhen.FORMAT
    return whoandwhen.read(record)


def test_an_instruction_and_the_agents_message_are_a_call_and_its_result() -> None:
    draft = read(
        directions(
            ("human", "x?"),
            ("Orchestrator (thought)", "Updated Ledger:\n{}"),
            ("Orchestrator (-> WebSurfer)", "Please search q"),
            ("Orchestrator (thought)", "Next speaker WebSurfer"),
            ("WebSurfer", f"I typed 'q' into '0 characters out of 2000'.\n\nHere is a screenshot of {RESULTS}"),
            ("Orchestrator (-> FileSurfer)", "Open it"),
            ("FileSurfer", "File surfer encountered an error"),
            ("WebSurfer", "I speak unasked."),
            ("Orchestrator (thought)", "Request satisfied."),
            (
                "Orchestrator (termination condition)",
                "No agent selected.\n log\nFINAL ANSWER: It is\nso.\nSCENARIO.PY COMPLETE !#!#\nRUN.SH COMPLETE !#!#",
            ),
            mistake_agent="WebSurfer",
            mistake_step="4",
            mistake_reason="r",
            ground_truth="g",
        )
    )
    assert [step.agent for step in draft.steps][:5] == ["", *["Orchestrator"] * 3, "WebSurfer"]
    call = draft.steps[2].tool_calls[0]
    assert (call.name, call.kind, call.arguments["query"]) == ("WebSurfer", "search", "q")
    assert draft.steps[4].tool_results[0].call_id == call.id
    assert draft.steps[1].reasoning.startswith("Updated Ledger")
    assert draft.steps[6].tool_results[0].is_error
    assert (draft.steps[7].role, draft.steps[7].agent) == ("assistant", "WebSurfer")
    assert (draft.report, draft.outcome) == ("It is\nso.", "completed")
    assert draft.meta["mistake"] == {"agent": "WebSurfer", "step": 4, "reason": "r"}


def test_an_answer_may_follow_in_whichever_message_is_last() -> None:
    draft = read(
        directions(
            ("human", "x?"),
            ("Orchestrator (-> WebSurfer)", "Go"),
            ("WebSurfer", "Page text\nFINAL ANSWER: So\nSCENARIO.PY COMPLETE !#!#"),
        )
    )
    assert (draft.report, draft.outcome) == ("So", "truncated")


@pytest.mark.parametrize(
    ("text", "kind", "arguments"),
    [
        (f"I typed 'a 'b' c' into 'box'. {RESULTS}", "search", {"query": "a 'b' c"}),
        ("I clicked 'View'. [T](https://a.example/p)", "visit", {"url": "https://a.example/p"}),
        ("Address: https://a.example/x.pdf\nTitle: x", "visit", {"url": "https://a.example/x.pdf"}),
    ],
)
def test_what_a_surfer_did_where_it_says_so(text: str, kind: str, arguments: dict[str, str]) -> None:
    assert surfer_actions.read_action(text) == surfer_actions.Action(kind, arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "I typed 'Houston' into 'Location:'. [T](https://a.example/p)",
        "I scrolled down one page in the browser. [T](https://a.example/p)",
        f"I clicked 'Next'. {RESULTS}",
        "The page shows [T](https://a.example/p)",
        "I clicked 'View'.",
        "I typed 'q' into 'box'. [T](https://[bad/search?q=1)",
    ],
)
def test_what_is_not_certain_is_no_search_and_no_visit(text: str) -> None:
    assert surfer_actions.read_action(text) is None


NAMED: dict[str, Any] = {
    "question": "x?",
    "history": [
        {"role": "assistant", "name": "Data_Expert", "content": "You are given: (1) a task and advice. Do x."},
        {"role": "assistant", "name": "Data_Expert", "content": "I run:\n```python\nprint(1)\n```"},
        {"role": "user", "name": "Computer_terminal", "content": "exitcode: 1 (execution failed)\nCode output: no"},
        {"role": "user", "name": "Verification_Expert", "content": "It is one."},
        {"role": "assistant", "name": "Data_Expert", "content": "TERMINATE"},
    ],
    "is_correct": False,
    "system_prompt": {"Data_Expert": "p"},
}


def test_a_terminal_under_the_role_of_a_user_is_no_person() -> None:
    draft = read(NAMED)
    assert [(step.role, step.agent) for step in draft.steps] == [
        ("user", "Data_Expert"),
        ("assistant", "Data_Expert"),
        ("tool", "Computer_terminal"),
        ("assistant", "Verification_Expert"),
        ("assistant", "Data_Expert"),
    ]
    assert draft.steps[1].tool_calls[0].arguments == {"code": "print(1)\n"}
    assert draft.steps[2].tool_results[0].call_id == draft.steps[1].tool_calls[0].id
    assert draft.steps[2].tool_results[0].is_error
    assert (draft.report, draft.outcome) == ("It is one.", "completed")


def test_a_run_that_stops_on_a_result_has_no_report() -> None:
    assert read({**NAMED, "history": NAMED["history"][:3]}).report == ""


def test_a_chat_of_one_agent_with_a_named_tool_is_left_to_others() -> None:
    chat = {"messages": [{"role": "user", "content": "x?"}, {"role": "tool", "name": "search", "content": "c"}]}
    assert not whoandwhen.detect(chat)


def test_events_that_name_their_source() -> None:
    call = {"id": "c", "name": "web_search", "arguments": '{"query": "q"}'}
    result = {"call_id": "c", "name": "web_search", "content": "hits", "is_error": False}
    draft = read(
        {
            "messages": [
                {"source": "user", "type": "TextMessage", "content": "x?"},
                {"source": "Searcher", "type": "ToolCallRequestEvent", "content": [call]},
                {"source": "Searcher", "type": "ToolCallExecutionEvent", "content": [result]},
                {"source": "Searcher", "type": "ToolCallSummaryMessage", "content": "hits"},
                {"source": "Writer", "type": "TextMessage", "content": "So. TERMINATE"},
            ]
        }
    )
    assert [(step.role, step.agent) for step in draft.steps] == [
        ("user", ""),
        ("assistant", "Searcher"),
        ("tool", "Searcher"),
        ("assistant", "Writer"),
    ]
    assert draft.steps[1].tool_calls[0].kind == "search"
    assert (draft.question, draft.report) == ("x?", "So.")


def test_wrong_types_end_in_a_sentence_or_a_draft() -> None:
    for record in (
        {"history": [{"role": "A (thought)", "content": None}, {"role": 3}], "question": "x"},
        {"history": [{"role": "A (-> B)"}, {"role": "B", "content": []}], "question": 3},
        {"messages": [{"source": "a", "type": "ToolCallRequestEvent", "content": [3, {}]}]},
    ):
        assert whoandwhen.detect(record)
        try:
            whoandwhen.read(record)
        except BadInputError as error:
            assert "question" in str(error)


def test_shared_runs_have_their_known_numbers() -> None:
    answers, surfed, at_label = [], [], 0
    for path in sorted(shared("whoandwhen-magentic-one/hand-crafted").glob("*.json")):
        draft = read(json.loads(path.read_bytes()))
        by = [step.agent for step in draft.steps if step.role == "tool"]
        answers.append(len(by))
        surfed.append(by.count("WebSurfer"))
        mistake: Any = draft.meta["mistake"]
        at_label += draft.steps[mistake["step"]].agent == mistake["agent"]
    assert (len(answers), statistics.median(answers), max(answers)) == (39, 9, 29)
    assert (statistics.median(surfed), max(surfed)) == (7, 27)
    assert at_label >= 36  # 55 of all 58: upstream's labels slip in three
    at_label = total = 0
    for path in sorted(shared("whoandwhen-magentic-one/algorithm-generated").glob("*.json")):
        draft = read(json.loads(path.read_bytes()))
        mistake = draft.meta["mistake"]
        at_label += draft.steps[mistake["step"]].agent == mistake["agent"]
        total += 1
    assert (total, at_label) == (84, 82)
