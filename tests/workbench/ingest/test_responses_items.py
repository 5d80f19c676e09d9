"""Responses items: one step of what follows one another, results by id or by order, hosted calls without result."""

from typing import Any

from workbench.ingest.registry import detect_format

ITEMS: list[dict[str, Any]] = [
    {"role": "user", "content": "why?"},
    {"type": "reasoning", "summary": [{"type": "summary_text", "text": "look"}]},
    {"type": "function_call", "call_id": "", "name": "search", "arguments": '{"q": 1}'},
    {"type": "function_call", "call_id": "", "name": "open_url", "arguments": '{"url": "u"}'},
    {"type": "function_call_output", "call_id": "", "output": "hits"},
    {"type": "function_call_output", "output": "Error: gone"},
    {"type": "web_search_call", "id": "ws_1", "action": {"type": "search", "query": "b"}},
    {
        "type": "web_search_call",
        "id": "ws_2",
        "action": {"type": "search", "query": "c", "sources": [{"type": "url", "url": "https://a.example"}]},
    },
    {"type": "web_search_call", "id": "ws_3", "action": {"type": "open_page", "url": "https://a.example"}},
    {
        "type": "message",
        "role": "assistant",
        "content": [
            {
                "type": "output_text",
                "text": "\nIt is so.",
                "annotations": [
                    {"type": "url_citation", "url": "https://a.example", "title": "A", "start_index": 1, "end_index": 6}
                ],
            }
        ],
    },
]


def test_items_in_any_field_read_alike() -> None:
    for record in (
        {"items": ITEMS},
        {"messages": ITEMS},
        {"input": ITEMS[:1], "output": ITEMS[1:]},
        {"input": "why?", "output": ITEMS[1:]},
    ):
        found = detect_format(record)
        assert found is not None
        assert found.name == "openai-responses"
        draft = found.read(record)
        assert (draft.question, draft.report) == ("why?", "It is so.")
        assert [s.role for s in draft.steps] == ["user", "assistant", "tool", "assistant", "tool", "assistant"]
        first, second = draft.steps[1].tool_calls
        assert draft.steps[1].reasoning == "look"
        assert [(r.call_id, r.is_error) for r in draft.steps[2].tool_results] == [(first.id, False), (second.id, True)]
        assert [c.kind for c in draft.steps[3].tool_calls] == ["search", "search", "visit"]
        assert [(r.call_id, r.text) for r in draft.steps[4].tool_results] == [("ws_2", "https://a.example")]
        assert draft.meta["undisclosed_results"] == 2
        assert draft.meta["source_citations"] == [{"start": 0, "end": 5, "url": "https://a.example", "title": "A"}]
