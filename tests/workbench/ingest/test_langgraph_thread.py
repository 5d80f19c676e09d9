"""LangGraph threads: the report that is a file, reasoning beside the content, turns that are no question."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.shared_data import shared
from workbench.ingest.folder import LocalFolder, NoFolder
from workbench.ingest.formats.langgraph_thread import detect, expand, read


def ai(content: Any = "", *calls: tuple[str, dict[str, Any]], **extra: Any) -> dict[str, Any]:
    made = [{"name": name, "args": args, "id": f"c-{name}", "type": "tool_call"} for name, args in calls]
    return {"type": "ai", "content": content, "tool_calls": made, "additional_kwargs": extra}


def answered(name: str, content: str = "OK") -> dict[str, Any]:
    return {"type": "tool", "name": name, "tool_call_id": f"c-{name}", "content": content, "status": "success"}


HUMAN = {"type": "human", "content": [{"type": "text", "text": "Why is the sky blue?"}]}
WRITES = ai("", ("write_file", {"path": "/mnt/workspace/sky.md", "content": "# Sky\nScattering."}))


def thread(*messages: dict[str, Any], artifacts: tuple[str, ...] = (), **fields: Any) -> dict[str, Any]:
    return {"values": {"messages": list(messages), "artifacts": list(artifacts)}, "next": [], **fields}


def test_the_report_is_the_artifact_though_the_last_message_is_a_notice() -> None:
    record = thread(HUMAN, WRITES, answered("write_file"), ai("Saved."), artifacts=("/mnt/outputs/sky.md",))
    assert detect(record)
    found = read(record)
    assert (found.report, found.meta["report_from"]) == ("# Sky\nScattering.", "/mnt/outputs/sky.md")
    assert found.question == "Why is the sky blue?"


def test_the_written_file_is_the_report_where_the_last_message_is_empty_and_nothing_is_listed() -> None:
    found = read(thread(HUMAN, WRITES, answered("write_file"), ai("")))
    assert (found.report, found.outcome) == ("# Sky\nScattering.", "completed")


def test_later_edits_of_the_artifact_count() -> None:
    edit = ai("", ("str_replace", {"path": "/mnt/workspace/sky.md", "old_str": "Scatt", "new_str": "Rayleigh scatt"}))
    found = read(thread(HUMAN, WRITES, edit, ai("Done."), artifacts=("/mnt/outputs/sky.md",)))
    assert found.report == "# Sky\nRayleigh scattering."


def test_a_page_or_a_picture_made_from_the_report_is_not_the_report() -> None:
    page = ai("", ("write_file", {"path": "/mnt/outputs/index.html", "content": "<html>"}))
    listed = ("/mnt/outputs/index.html", "/mnt/outputs/a.png", "/mnt/outputs/sky.md")
    assert read(thread(HUMAN, WRITES, page, ai("Done."), artifacts=listed)).report.startswith("# Sky")
    assert read(thread(HUMAN, ai("It scatters."), artifacts=("/mnt/outputs/a.png",))).report == "It scatters."


def test_an_artifact_that_no_call_wrote_is_read_from_beside_the_thread(tmp_path: Path) -> None:
    (tmp_path / "1.thread.json").write_text("{}")
    (tmp_path / "1.sky.md").write_text("# From the shell")
    record = thread(HUMAN, ai("", ("bash", {"command": "make"})), ai(""), artifacts=("/mnt/outputs/sky.md",))
    (whole,) = expand(record, LocalFolder(tmp_path, "1.thread.json"))
    assert read(whole).report == "# From the shell"
    assert list(expand(record, NoFolder("1.thread.json"))) == [record]


def test_a_thread_that_says_everything_itself_is_left_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "1.sky.md").write_text("# Sky\nScattering.\n")
    record = thread(HUMAN, WRITES, ai(""), artifacts=("/mnt/outputs/sky.md",))
    assert next(iter(expand(record, LocalFolder(tmp_path, "1.thread.json")))) is record


def test_reasoning_stands_beside_the_content_and_calls_in_the_content_are_not_counted_twice() -> None:
    parts = [{"type": "text", "text": "Look."}, {"type": "tool_use", "id": "c-web_search", "name": "web_search"}]
    step = read(thread(HUMAN, ai(parts, ("web_search", {"query": "sky"}), reasoning_content="Hm."))).steps[1]
    assert (step.text, step.reasoning, len(step.tool_calls)) == ("Look.", "Hm.", 1)
    assert step.tool_calls[0].arguments == {"query": "sky"}


def test_a_clarification_makes_a_second_turn_and_the_question_stays_the_first() -> None:
    asks = ai("", ("ask_clarification", {"question": "Which sky?"}))
    more = {"type": "human", "content": "The one on Mars"}
    found = read(thread(HUMAN, asks, answered("ask_clarification", "Which?"), more, ai("It is red.")))
    assert found.question == "Why is the sky blue?"
    assert [step.role for step in found.steps] == ["user", "assistant", "tool", "user", "assistant"]


def test_a_reminder_in_the_users_name_is_no_turn_of_the_user() -> None:
    reminder = {"type": "human", "content": "<system-reminder>Mind the plan.</system-reminder>"}
    ask = {"type": "human", "content": "<uploaded_files>\nnone\n</uploaded_files>\n\nWhy?"}
    found = read(thread(reminder, ask, ai("So.")))
    assert found.question == "Why?"
    assert [step.role for step in found.steps] == ["system", "user", "assistant"]


@pytest.mark.parametrize("shape", ["serialised", "dumped"])
def test_other_spellings_of_the_same_messages(shape: str) -> None:
    plain = [HUMAN, ai("", ("web_search", {"query": "sky"})), answered("web_search", "page"), ai("So.")]
    classes = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}
    if shape == "serialised":
        path = ["langchain", "schema", "messages"]
        messages = [
            {"lc": 1, "type": "constructor", "id": [*path, classes[m["type"]]], "kwargs": {k: m[k] for k in m}}
            for m in plain
        ]
    else:
        messages = [{"type": m["type"], "data": {k: v for k, v in m.items() if k != "type"}} for m in plain]
    record = {"messages": messages}
    assert detect(record)
    found = read(record)
    assert found.steps == read({"messages": plain}).steps
    assert (found.question, found.report) == ("Why is the sky blue?", "So.")


def test_chat_messages_are_not_taken_for_these() -> None:
    assert not detect({"messages": [{"role": "assistant", "content": "x", "type": "ai"}]})
    assert not detect({"values": [1], "messages": "x"})


NUMBERS = {  # messages, calls, searches, pages
    "3823e443": (49, 21, 6, 4),
    "4f3e55ee": (37, 17, 2, 1),
    "7f9dc56c": (49, 23, 5, 1),
    "85ee6ae5": (36, 13, 1, 1),
    "d3e5adaf": (53, 25, 11, 3),
    "fe3f7974": (74, 35, 5, 3),
}
LONG_REPORTS = {"3823e443": 9000, "7f9dc56c": 7000, "d3e5adaf": 11000, "fe3f7974": 17000}


@pytest.mark.parametrize("name", NUMBERS)
def test_real_threads_have_their_known_numbers(name: str) -> None:
    path = shared(f"deerflow-langgraph-threads/{name}.thread.json")
    record = json.loads(path.read_text())
    assert detect(record)
    (whole,) = expand(record, LocalFolder(path.parent, path.name))
    found = read(whole)
    calls = Counter(call.name for step in found.steps for call in step.tool_calls)
    results = [result.call_id for step in found.steps for result in step.tool_results]
    assert (len(found.steps), calls.total(), calls["web_search"], calls["web_fetch"]) == NUMBERS[name]
    assert sorted(results) == sorted(call.id for step in found.steps for call in step.tool_calls)
    assert len(found.report) > LONG_REPORTS.get(name, 100)
    assert any(step.reasoning for step in found.steps)
