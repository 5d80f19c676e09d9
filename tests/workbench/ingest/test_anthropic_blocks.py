"""Content blocks: who called what, what a server's own tool found, and which source each stretch rests on."""

from typing import Any

from workbench.ingest.anthropic_blocks import read_blocks
from workbench.ingest.messages import CallBook
from workbench.ingest.registry import detect_format

CHAT: dict[str, Any] = {
    "system": [{"type": "text", "text": "be exact"}],
    "messages": [
        {"role": "user", "content": "why?"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "look", "signature": "s"},
                {"type": "text", "text": "Looking."},
                {"type": "tool_use", "id": "t1", "name": "web_search", "input": {"query": "a"}},
                {"type": "tool_use", "id": "t2", "name": "fetch_page", "input": {"url": "https://a.example"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "t2", "content": "no such page", "is_error": True},
                {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "hits"}]},
                {"type": "text", "text": "go on"},
            ],
        },
        {"role": "assistant", "content": "The report."},
    ],
}


def test_calls_results_and_system_of_a_chat() -> None:
    found = detect_format(CHAT)
    assert found is not None
    assert found.name == "anthropic-messages"
    draft = found.read(CHAT)
    assert [s.role for s in draft.steps] == ["system", "user", "assistant", "tool", "user", "assistant"]
    assert (draft.question, draft.report, draft.outcome) == ("why?", "The report.", "completed")
    assert draft.steps[2].reasoning == "look"
    assert [(c.id, c.kind) for c in draft.steps[2].tool_calls] == [("t1", "search"), ("t2", "visit")]
    assert [(r.call_id, r.text, r.is_error) for r in draft.steps[3].tool_results] == [
        ("t2", "no such page", True),
        ("t1", "hits", False),
    ]


def test_server_tools_split_the_message_and_cited_spans_are_joined_without_separators() -> None:
    page = {"type": "document", "title": "T", "source": {"type": "text", "data": "body"}}
    cited = {"type": "web_search_result_location", "url": "https://a.example", "title": "A", "cited_text": "x"}
    steps, citations = read_blocks(
        [
            {"type": "text", "text": "I look."},
            {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "q"}},
            {
                "type": "web_search_tool_result",
                "tool_use_id": "s1",
                "content": [
                    {"type": "web_search_result", "title": "A", "url": "https://a.example", "encrypted_content": "z"}
                ],
            },
            {"type": "server_tool_use", "id": "s2", "name": "web_fetch", "input": {"url": "https://b.example"}},
            {
                "type": "web_fetch_tool_result",
                "tool_use_id": "s2",
                "content": {"type": "web_fetch_result", "url": "https://b.example", "content": page},
            },
            {"type": "text", "text": "\nSo "},
            {"type": "text", "text": "it is", "citations": [cited]},
            {"type": "text", "text": "."},
        ],
        CallBook(),
    )
    assert [s.role for s in steps] == ["assistant", "tool", "assistant", "tool", "assistant"]
    assert [r.text for s in steps for r in s.tool_results] == ["A\nhttps://a.example", "T\nhttps://b.example\nbody"]
    assert [r.call_id for s in steps for r in s.tool_results] == ["s1", "s2"]
    assert steps[-1].text == "So it is."
    assert [(steps[-1].text[c.start : c.end], c.url) for c in citations] == [("it is", "https://a.example")]


def test_error_of_a_server_tool_is_an_error_and_strange_blocks_do_not_raise() -> None:
    error = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    steps, _ = read_blocks(
        [{"type": "web_search_tool_result", "tool_use_id": "s", "content": error}, 3, None, {"type": []}], CallBook()
    )
    assert steps[0].tool_results[0].is_error
    assert read_blocks({}, CallBook())[0][0].text == "[block]"
    assert read_blocks(7, CallBook()) == ((), ())
