"""Providers' own research, and published reports."""

from typing import Any

from tests.workbench.ingest.format_examples.chats import ASKED, REPORT
from tests.workbench.ingest.format_examples.example import Example, encoded, lines

QUESTION = ASKED["content"]
SEARCHED: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [
        {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "harbours"}},
        {
            "type": "web_search_tool_result",
            "tool_use_id": "srv_1",
            "content": [
                {"type": "web_search_result", "title": "H", "url": "https://h.example/", "encrypted_content": "x"}
            ],
        },
        {"type": "text", "text": REPORT},
    ],
    "stop_reason": "end_turn",
}
EXCHANGE = {"request": {"model": "m", "messages": [ASKED]}, "response": SEARCHED}
CASSETTE = f"""\
interactions:
- request:
    headers: {{authorization: [secret]}}
    method: POST
    parsed_body: {{messages: [{{role: user, content: "{QUESTION}"}}], model: m}}
  response:
    body:
      string: |
        event: message_start
        data: {{"type":"message_start","message":{{"type":"message","role":"assistant","id":"msg_2","model":"m"}}}}

        event: content_block_start
        data: {{"type":"content_block_start","index":0,"content_block":{{"type":"text","text":""}}}}

        event: content_block_delta
        data: {{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"Vell."}}}}

        event: message_delta
        data: {{"type":"message_delta","delta":{{"stop_reason":"end_turn"}}}}
    status: {{code: 200, message: OK}}
"""
STREAM = (
    {"type": "response.created", "sequence_number": 0, "response": {"id": "resp_1", "model": "m", "output": []}},
    {"type": "response.output_text.delta", "sequence_number": 1, "item_id": "msg_1", "delta": "Ve"},
    {"type": "response.output_text.delta", "sequence_number": 2, "item_id": "msg_1", "delta": "ll."},
)

PASSAGE = {"title": "H", "url": "https://h.example/", "text": "Vell has two lighthouses."}
CONTEXTS = {"query": QUESTION, "ctxs": [PASSAGE], "output": REPORT, "answer": ""}
BASE = {"query": QUESTION, "paperGroups": [{"title": "g", "papers": [PASSAGE]}], "full_report": REPORT}
TALK = {
    "perspective": "Keeper: knows lights",
    "dlg_turns": [
        {
            "user_utterance": "Which?",
            "search_queries": ["q"],
            "search_results": [{**PASSAGE, "snippets": ["Vell"], "meta": {"query": "q"}}],
            "agent_utterance": "Vell.",
        }
    ],
}
PROMPT = f"Topic: {QUESTION}\n\nQueries:"
PROMPTED = {
    "prompt": PROMPT,
    "messages": [{"role": "user", "content": PROMPT}],
    "response": {"choices": [{"message": {"role": "assistant", "content": "q"}}]},
    "outputs": ["q"],
    "usage": {},
    "cost": 0,
}

COMPARED = {
    "run_metadata": {"model": "m", "judge_model": "j"},
    "records": [
        {
            "topic": QUESTION,
            "baseline": {"report": REPORT},
            "gptr": {"report": "Vell."},
            "verdicts": {"overall": "gptr"},
        }
    ],
}
JUDGED = {
    "input": QUESTION,
    "output": REPORT,
    "source": "Source: https://h.example/\nContent: Vell",
    "is_hallucination": False,
}

SURFED = {
    "question": QUESTION,
    "history": [
        {"role": "human", "content": QUESTION},
        {"role": "Orchestrator (-> WebSurfer)", "content": "Look."},
        {"role": "WebSurfer", "content": "I clicked 'H'. [H](https://h.example/)"},
        {"role": "Orchestrator (thought)", "content": "Request satisfied."},
        {"role": "Orchestrator (termination condition)", "content": "No agent selected.\nFINAL ANSWER: Vell"},
    ],
    "mistake_step": "2",
}

RULE = "=" * 60
ONYX = f"""\
Query ID: 3
{RULE}

QUESTION:
{QUESTION}

{RULE}

RESEARCH TASKS (1 total):
  #1: look

{RULE}

ANSWER:
{REPORT}
"""

BUNDLE = {
    "report_markdown": REPORT,
    "accepted_claims": [
        {"claim_id": "j:claim:t:01", "claim": "c", "evidence_spans": [{"document_version_id": "d", "quote": "Vell"}]}
    ],
    "sources": [{"uri": "https://h.example/", "metadata": {"document_version_id": "d", "source_title": "H"}}],
    "question": QUESTION,
}

TAGGED_ANSWER = f'<qwen:takeaway class="main-takeaway">Vell</qwen:takeaway>\n{REPORT}'
WOVEN = {"question": QUESTION, "answer": TAGGED_ANSWER, "language": "en"}

EXAMPLES: tuple[Example, ...] = (
    lines("provider-response", SEARCHED, EXCHANGE, trajectories=2),
    Example("provider-response", {"example.yaml": CASSETTE.encode()}, contained=True),
    Example("provider-stream", {"example.chunks.txt": b"".join(encoded(event) + b"\n" for event in STREAM)}),
    lines("role-named-agents", SURFED),
    Example("article-files", {"note.md": f"Question: {QUESTION}\n\n# Vell\n{REPORT}".encode()}, contained=True),
    lines("webweaver", WOVEN),
    Example("webweaver", {"1.md": f"{TAGGED_ANSWER}\n\n# Harbours".encode()}, contained=True),
    lines("evidence-bundle", BUNDLE),
    Example("onyx-log", {"3.md": ONYX.encode()}, contained=True),
    lines("deepscholar-contexts", CONTEXTS),
    lines("gpt-researcher", COMPARED, trajectories=2),
    lines("gpt-researcher-hallucination", JUDGED),
    lines("deepscholar-base", BASE),
    Example(
        "storm",
        {
            "conversation_log.json": encoded([TALK]),
            "llm_call_history.jsonl": encoded(PROMPTED),
        },
    ),
)
