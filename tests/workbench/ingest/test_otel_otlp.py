"""OTLP JSON: traces spread over batches, GenAI messages of parts, values in their wrappers."""

import json

from tests.workbench.ingest.spans_of_traces import batch, chat, otlp, parts
from workbench.ingest.candidates import Candidates
from workbench.ingest.folder import NoFolder
from workbench.ingest.formats.otel_otlp import FORMAT
from workbench.ingest.spans.values import attributes_of, decoded
from workbench.ingest.splitter import RawRecord

USER = parts("user", {"type": "text", "content": "What is a quark?"})
CALL = parts("assistant", {"type": "tool_call", "id": "c1", "name": "web_search", "arguments": {"query": "quark"}})
REPLY = parts("tool", {"type": "tool_call_response", "id": "c1", "response": "a page"})
END = parts("assistant", {"type": "reasoning", "content": "Hm."}, {"type": "text", "content": "A particle."})
OP, IN, OUT = "gen_ai__operation__name", "gen_ai__input__messages", "gen_ai__output__messages"

FIRST = otlp("l1", 1, **{OP: "chat", IN: chat(USER), OUT: chat(CALL)})
TOOL = otlp("s1", 2, **{OP: "execute_tool", "gen_ai__tool__name": "web_search", "gen_ai__tool__call__id": "c1"})
SECOND = otlp("l2", 3, **{OP: "chat", IN: chat(USER, CALL, REPLY), OUT: chat(END)})
OTHER = otlp(
    "l3", 1, trace="t2", **{OP: "chat", IN: chat(parts("user", {"type": "text", "content": "Hi"})), OUT: chat(END)}
)


def test_traces_spread_over_batches_are_put_together_and_apart() -> None:
    batches = [batch(SECOND, OTHER), batch(FIRST)]
    raw = [RawRecord(json.dumps(found).encode(), line, value=found) for line, found in enumerate(batches, 1)]
    gathered = [found.record.value for found in Candidates(iter(raw), NoFolder("x"))]
    drafts = [FORMAT.read(found) for found in gathered if isinstance(found, dict)]
    assert [(draft.question, draft.report) for draft in drafts] == [
        ("What is a quark?", "A particle."),
        ("Hi", "A particle."),
    ]
    assert [step.role for step in drafts[0].steps] == ["user", "assistant", "tool", "assistant"]
    assert drafts[0].steps[2].tool_results[0].text == "a page"
    assert drafts[0].steps[3].reasoning == "Hm."
    assert drafts[0].steps[1].duration_s == 0.5


def test_a_result_in_a_tools_span_is_not_told_again_by_the_next_input() -> None:
    found = FORMAT.read(batch(FIRST, TOOL, SECOND))
    assert [step.role for step in found.steps] == ["user", "assistant", "tool", "assistant"]


def test_a_batch_without_spans_belongs_to_no_trace() -> None:
    assert FORMAT.gather is not None
    assert FORMAT.detect({"resourceSpans": []})
    assert FORMAT.gather({"resourceSpans": [{"scopeSpans": [{"spans": [{"name": "x"}]}]}, 3]}) == []


def test_values_come_out_of_their_wrappers() -> None:
    pairs = [
        {"key": "a", "value": {"intValue": "7"}},
        {"key": "b", "value": {"arrayValue": {"values": [{"stringValue": "x"}, {"boolValue": True}]}}},
        {"key": "c", "value": {"kvlistValue": {"values": [{"key": "d", "value": {"doubleValue": 0.5}}]}}},
        "broken",
    ]
    assert attributes_of(pairs) == {"a": 7, "b": ["x", True], "c": {"d": 0.5}}


def test_strings_are_decoded_as_often_as_they_were_encoded_and_no_oftener() -> None:
    assert decoded('"{\\"a\\": \\"[1]\\"}"') == {"a": "[1]"}
    assert decoded("{'a': None}") == {"a": None}
    assert decoded("12") == "12"
    assert decoded("[" * 100_000) == "[" * 100_000
    assert decoded("{'a': open('x')}") == "{'a': open('x')}"
