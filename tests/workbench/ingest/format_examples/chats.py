"""Chats: messages of roles, blocks, items, tags or XML."""

from tests.workbench.ingest.format_examples.example import Example, encoded, lines, parquet
from tests.workbench.ingest.importing import call, chat

URL = "https://harbours.example/vell"
ASKED = {"role": "user", "content": "Which harbour has two lighthouses?"}
REPORT = f"Vell has two lighthouses [1].\n\n[1] {URL}"

OPENAI = chat("Which harbour has two lighthouses?", model="m", reward=0.5)
OLD_OPENAI = {
    "messages": [
        ASKED,
        {"role": "assistant", "content": None, "function_call": {"name": "search", "arguments": '{"query": "a"}'}},
        {"role": "function", "name": "search", "content": f"hits {URL}"},
        {"role": "assistant", "content": REPORT},
    ]
}
TAGGED = {
    "messages": [
        {"role": "system", "content": "Answer in <answer> tags, as in <answer> this </answer>."},
        ASKED,
        {
            "role": "assistant",
            "content": '<think>Look.</think>\n<tool_call>{"name": "search", "arguments": {"query": "a"}}</tool_call>',
        },
        {"role": "user", "content": f"<tool_response>\nhits {URL}\n</tool_response>"},
        {"role": "assistant", "content": f"<think>So.</think>\n<answer>{REPORT}</answer>"},
    ]
}
ANTHROPIC = {
    "system": [{"type": "text", "text": "be exact"}],
    "messages": [
        ASKED,
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Look.", "signature": "s"},
                {"type": "tool_use", "id": "t1", "name": "web_search", "input": {"query": "a"}},
            ],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": URL}]}],
        },
        {"role": "assistant", "content": [{"type": "text", "text": REPORT}]},
    ],
}
ITEMS = {
    "input": [ASKED],
    "output": [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Look."}]},
        {"type": "function_call", "call_id": "c1", "name": "search", "arguments": '{"query": "a"}'},
        {"type": "function_call_output", "call_id": "c1", "output": f"hits {URL}"},
        {"type": "web_search_call", "id": "ws1", "action": {"type": "search", "query": "b"}},
        {
            "type": "message",
            "role": "assistant",
            "content": [
                {
                    "type": "output_text",
                    "text": REPORT,
                    "annotations": [{"type": "url_citation", "url": URL, "start_index": 0, "end_index": 24}],
                }
            ],
        },
    ],
}
SHAREGPT = {
    "conversations": [
        {"from": "human", "value": "Which harbour has two lighthouses?"},
        {"from": "function_call", "value": '{"name": "search", "arguments": {"query": "a"}}'},
        {"from": "observation", "value": f"hits {URL}"},
        {"from": "gpt", "value": REPORT},
    ],
    "system": "be exact",
}
XML_CALL = (
    "<use_mcp_tool>\n<server_name>tool-search</server_name>\n<tool_name>google_search</tool_name>\n"
    '<arguments>\n{"q": "a"}\n</arguments>\n</use_mcp_tool>'
)
XML_MESSAGES = [
    ASKED,
    {"role": "assistant", "content": f"I look.\n\n{XML_CALL}"},
    {"role": "user", "content": '{"organic": [{"title": "Vell", "link": "https://harbours.example/vell"}]}'},
    {"role": "assistant", "content": REPORT},
]
TAU = {
    "task_id": 1,
    "trial": 0,
    "reward": 1.0,
    "traj": [
        {"role": "system", "content": "policy"},
        {"role": "user", "content": "I want to change my berth."},
        {"role": "assistant", "tool_calls": [call("get_berth", {"id": 4})]},
        {"role": "tool", "content": "berth 4"},
        {"role": "assistant", "content": "It is changed."},
        {"role": "user", "content": "###STOP###"},
    ],
    "info": {"task": {"instruction": "You want to change your berth.", "actions": []}},
}

EXAMPLES: tuple[Example, ...] = (
    lines("openai-chat", OPENAI, OLD_OPENAI, trajectories=2),
    lines("tagged-chat", TAGGED),
    Example(
        "tagged-chat",
        {"example.parquet": parquet([TAGGED | {"question": question} for question in ("Which?", "Why?")])},
        2,
        contained=True,
    ),
    lines("anthropic-messages", ANTHROPIC),
    lines("openai-responses", ITEMS),
    Example("sharegpt", {"example.json": encoded([SHAREGPT])}),
    lines("xml-chat", {"messages": XML_MESSAGES}),
    lines(
        "miroflow",
        {
            "status": "success",
            "input": {"task_description": "Which harbour has two lighthouses?"},
            "main_agent_message_history": {"system_prompt": "be exact", "message_history": XML_MESSAGES},
            "sub_agent_message_history_sessions": {"browsing_1": {"message_history": XML_MESSAGES}},
            "final_boxed_answer": "Vell",
            "summary": REPORT,
            "env_info": {"llm_model_name": "m"},
        },
    ),
    lines("tau-bench", TAU),
    lines("plain-report", {"id": 1, "prompt": "Which harbour?", "article": REPORT}),
)
