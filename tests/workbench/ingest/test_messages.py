"""Chat messages to steps: what recorders really write, and what they get wrong."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.shared_data import shared
from workbench.ingest.messages import (
    UNPARSED,
    looks_like_error,
    parse_arguments,
    read_messages,
    split_thought,
    steps_from_messages,
)
from workbench.schema.trajectory import step_from_json, step_to_json

Message = dict[str, Any]


def call(name: str, arguments: object, call_id: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "function", "function": {"name": name, "arguments": arguments}}
    return found if call_id is None else found | {"id": call_id}


def test_call_and_its_result_are_tied_by_id() -> None:
    steps = steps_from_messages(
        [
            {"role": "user", "content": "q"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [call("search", '{"query": "a"}', "c1"), call("visit", {"url": "u"}, "c2")],
            },
            {"role": "tool", "tool_call_id": "c2", "content": "page"},
            {"role": "tool", "tool_call_id": "c1", "content": "hits"},
            {"role": "assistant", "content": "the report"},
        ]
    )
    assert [(c.id, c.name, c.kind, c.arguments) for c in steps[1].tool_calls] == [
        ("c1", "search", "search", {"query": "a"}),
        ("c2", "visit", "visit", {"url": "u"}),
    ]
    assert [(r.call_id, r.text) for s in steps for r in s.tool_results] == [("c2", "page"), ("c1", "hits")]
    assert steps[1].text == ""
    assert steps[2].text == "", "a result is not said twice"


def test_recycled_ids_become_unique_and_results_follow_the_latest_call() -> None:
    messages: list[Message] = [
        {"role": "assistant", "tool_calls": [call("a", "{}", "same")]},
        {"role": "tool", "tool_call_id": "same", "content": "1"},
        {"role": "assistant", "tool_calls": [call("b", "{}", "same")]},
        {"role": "tool", "tool_call_id": "same", "content": "2"},
        {"role": "assistant", "tool_calls": [call("c", "{}", "same"), call("d", "{}", "same")]},
        {"role": "tool", "tool_call_id": "same", "content": "3"},
        {"role": "tool", "tool_call_id": "same", "content": "4"},
        {"role": "tool", "tool_call_id": "same", "content": "late"},
    ]
    steps = steps_from_messages(messages)
    assert [c.id for s in steps for c in s.tool_calls] == ["same", "same#2", "same#3", "same#4"]
    assert [r.call_id for s in steps for r in s.tool_results] == ["same", "same#2", "same#3", "same#4", "same#4"]


def test_calls_without_ids_are_answered_by_name_then_in_order() -> None:
    steps = steps_from_messages(
        [
            {"role": "assistant", "tool_calls": [call("search", {}), call("visit", {}), call("visit", {})]},
            {"role": "tool", "name": "visit", "content": "first visit"},
            {"role": "tool", "content": "the search"},
            {"role": "tool", "name": "visit", "content": "second visit"},
            {"role": "tool", "content": "nobody asked"},
        ]
    )
    ids = [c.id for c in steps[0].tool_calls]
    assert [r.call_id for s in steps for r in s.tool_results] == [ids[1], ids[0], ids[2], ""]


def test_a_result_under_an_unknown_id_never_takes_a_call_that_another_id_names() -> None:
    steps = steps_from_messages(
        [
            {"role": "assistant", "tool_calls": [call("search", {}, "c1")]},
            {"role": "tool", "tool_call_id": "c9", "content": "orphan"},
            {"role": "tool", "tool_call_id": "c1", "content": "hits"},
        ]
    )
    assert [r.call_id for s in steps for r in s.tool_results] == ["", "c1"]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ('{"query": "a"}', {"query": "a"}),
        ({"query": "a"}, {"query": "a"}),
        (None, {}),
        ("", {}),
        ('{"query": "a"', {UNPARSED: '{"query": "a"'}),
        ("[1]", {UNPARSED: "[1]"}),
        ('{"n": NaN}', {UNPARSED: '{"n": NaN}'}),
        ([1], {UNPARSED: "[1]"}),
        ("[" * 100_000, {UNPARSED: "[" * 100_000}),
    ],
)
def test_arguments_that_are_no_object_are_kept_as_text(raw: object, expected: object) -> None:
    assert parse_arguments(raw) == expected


def test_content_parts_thoughts_and_old_call_form() -> None:
    messages: list[Message] = [
        {"role": "developer", "content": "rules"},
        {"role": "user", "content": [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {}}]},
        {"role": "assistant", "content": "<think>hm</think>\n\nsaid", "reasoning_content": "beside"},
        {"role": "assistant", "content": "from the template</think>said"},
        {"role": "assistant", "content": None, "function_call": {"name": "search", "arguments": "{}"}},
        {"role": "function", "name": "search", "content": {"error": "quota"}},
    ]
    steps = steps_from_messages(messages)
    assert [s.role for s in steps] == ["system", "user", "assistant", "assistant", "assistant", "tool"]
    assert steps[1].text == "look\n[image_url]"
    assert (steps[2].text, steps[2].reasoning) == ("said", "beside\nhm")
    assert (steps[3].text, steps[3].reasoning) == ("said", "from the template")
    assert steps[5].tool_results[0].call_id == steps[4].tool_calls[0].id
    assert steps[5].tool_results[0].is_error


def test_text_without_a_thought_is_left_alone() -> None:
    assert split_thought("a < b, c > d") == ("", "a < b, c > d")


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ("Error: no seats", True),
        ("[ERROR]: gone", True),
        ("Error 404 not found", True),
        ("Traceback (most recent call last):\n", True),
        ('{"error": "x"}', True),
        ('{"error": null, "hits": []}', False),
        ("Errors in measurement are common", False),
        ("Error analysis: a review", False),
        ("", False),
    ],
)
def test_failed_results_are_told_from_pages_about_errors(text: str, failed: bool) -> None:
    assert looks_like_error(text) is failed


def test_report_is_the_last_word_and_a_run_that_still_calls_tools_has_none() -> None:
    done = read_messages([{"role": "assistant", "content": " report "}, {"role": "user", "content": "thanks"}])
    cut = read_messages([{"role": "assistant", "content": "let me look", "tool_calls": [call("search", {})]}])
    assert (done.report, done.finished) == ("report", True)
    assert (cut.report, cut.finished) == ("", False)


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (["hello"], "message 0 is a str"),
        ([{"role": "user"}, {"role": "wizard"}], "message 1 has role 'wizard'"),
        ([{"role": "assistant", "tool_calls": "search"}], "tool_calls of message 0 is a str"),
        ([{"role": "assistant", "tool_calls": [None]}], "a tool call of message 0 is a NoneType"),
    ],
)
def test_what_is_no_chat_message_is_named(messages: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_messages(messages)


LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
JSON = LEAF | st.lists(LEAF, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "name"]), LEAF)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["system", "user", "assistant", "tool"]), "content": JSON},
    optional={
        "tool_call_id": JSON,
        "name": JSON,
        "tool_calls": st.lists(
            st.fixed_dictionaries(
                {"function": JSON | st.fixed_dictionaries({"name": JSON, "arguments": JSON})}, optional={"id": JSON}
            ),
            max_size=3,
        ),
    },
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(MESSAGE, max_size=6))
def test_any_json_in_the_fields_gives_steps_with_unique_ids_that_survive_json(messages: list[Message]) -> None:
    steps = steps_from_messages(messages)
    ids = [c.id for s in steps for c in s.tool_calls]
    assert len(steps) == len(messages)
    assert len(set(ids)) == len(ids)
    assert {r.call_id for s in steps for r in s.tool_results} <= {*ids, ""}
    assert [step_from_json(json.loads(json.dumps(step_to_json(s)))) for s in steps] == list(steps)


def test_tau_bench_every_result_finds_the_call_of_its_tool() -> None:
    records = json.loads(shared("tau-bench-airline-gpt-4o/gpt-4o-airline.json").read_bytes())
    calls = answered = 0
    for record in records:
        names = {}
        for step, message in zip(steps_from_messages(record["traj"]), record["traj"], strict=True):
            for made in step.tool_calls:
                assert made.id not in names
                names[made.id] = made.name
                calls += 1
            for result in step.tool_results:
                assert names.pop(result.call_id + "") == message["name"]
                answered += 1
    assert (calls, answered) == (810, 810)
