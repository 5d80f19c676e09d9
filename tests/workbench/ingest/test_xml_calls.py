"""Calls as XML in the text: several a message, results together in the next user message, sub-agents apart."""

import json
from typing import Any

import pytest

from tests.support.shared_data import shared
from workbench.ingest.registry import detect_format, format_named
from workbench.ingest.xml_calls import parse_calls, read_xml_messages


def call(tool: str, arguments: str, server: str = "tool-x") -> str:
    return (
        f"<use_mcp_tool>\n<server_name>{server}</server_name>\n<tool_name>{tool}</tool_name>\n"
        f"<arguments>\n{arguments}\n</arguments>\n</use_mcp_tool>"
    )


SEARCH = call("google_search", '{"q": "a"}')
RUN = call("run_python_code", '{"code_block": "a = 1\nb = 2"}')


def test_several_calls_of_a_message_are_tied_to_the_results_that_come_together() -> None:
    found = read_xml_messages(
        [
            {"role": "user", "content": f"Example: {SEARCH}"},
            {"role": "assistant", "content": f"Plan.\n{SEARCH}\nand\n{RUN}"},
            {"role": "user", "content": '{"organic": [\n{"title": "A"}]}\nSandbox created with sandbox_id: 7'},
            {"role": "assistant", "content": "The report."},
        ]
    )
    assert [s.role for s in found.steps] == ["user", "assistant", "tool", "assistant"]
    first, second = found.steps[1].tool_calls
    assert (first.kind, second.kind, second.arguments) == ("search", "code", {"code_block": "a = 1\nb = 2"})
    assert found.steps[1].text == "Plan.\n\nand"
    assert [(r.call_id, r.text) for r in found.steps[2].tool_results] == [
        (first.id, '{"organic": [\n{"title": "A"}]}'),
        (second.id, "Sandbox created with sandbox_id: 7"),
    ]
    assert found.report == "The report."


def test_results_that_cannot_be_told_apart_go_to_the_first_call_whole() -> None:
    found = read_xml_messages(
        [{"role": "assistant", "content": SEARCH + RUN}, {"role": "user", "content": "some text\nand more"}]
    )
    (result,) = found.steps[1].tool_results
    assert (result.call_id, result.text) == (found.steps[0].tool_calls[0].id, "some text\nand more")


def test_call_with_unreadable_arguments_was_not_run_and_has_no_result() -> None:
    bad = call("rag_search", '{"query": "a')
    text = '{"a": 1}\nSandbox created with sandbox_id: 7'
    found = read_xml_messages([{"role": "assistant", "content": SEARCH + bad + RUN}, {"role": "user", "content": text}])
    first, _, third = found.steps[0].tool_calls
    assert [r.call_id for r in found.steps[1].tool_results] == [first.id, third.id]


def test_result_made_up_by_the_agent_stays_its_text_and_a_cut_call_counts() -> None:
    said, calls = parse_calls(f"{SEARCH}\nCommandResult(stdout='made up')\n<use_mcp_tool><tool_name>visit</tool_name>")
    assert said == "CommandResult(stdout='made up')"
    assert [name for _, name, _ in calls] == ["google_search", "visit"]


def test_sub_agents_stand_after_the_call_that_started_them_and_logs_are_not_counted_twice() -> None:
    history = [
        {"role": "user", "content": "# Task\n\nWrite on X.\n\n\n## Folder Contents Summary\n\nlong corpus"},
        {"role": "assistant", "content": call("search_and_browse", '{"subtask": "s"}', "agent-browsing")},
        {"role": "user", "content": "sub report"},
        {"role": "assistant", "content": ""},
    ]
    session = [
        {"role": "user", "content": "s"},
        {"role": "assistant", "content": SEARCH},
        {"role": "user", "content": "hits"},
        {"role": "assistant", "content": "sub report"},
    ]
    record: dict[str, Any] = {
        "status": "success",
        "input": {"task_description": history[0]["content"]},
        "final_boxed_answer": "Report [1]",
        "main_agent_message_history": {"system_prompt": "p", "message_history": history},
        "sub_agent_message_history_sessions": {"agent-browsing_1": {"message_history": session}},
        "step_logs": [{"step_name": "x", "message": SEARCH}],
    }
    found = detect_format(record)
    assert found is not None
    draft = found.read(record)
    assert (found.name, draft.question, draft.report) == ("miroflow", "Write on X.", "Report [1]")
    assert [s.agent for s in draft.steps] == ["", "main", *["agent-browsing_1"] * 4, "main", "main"]
    assert [c.kind for s in draft.steps for c in s.tool_calls] == ["other", "search"]
    assert len({c.id for s in draft.steps for c in s.tool_calls}) == 2
    assert "long corpus" in draft.steps[0].text


@pytest.mark.parametrize(
    ("name", "calls", "report_chars"),
    [
        ("128k.claude35.009_20251206_040400", 10, 4127),
        ("128k.claude37_sonnet.001_20251205_035354", 27, 6488),
        ("128k.claude37_sonnet.006_20251205_044237", 18, 3593),
        ("32k.claude37_sonnet.006_20251205_015348", 19, 4103),
        ("64k.claude37_sonnet.001_20251205_023547", 11, 508),
        ("64k.claude37_sonnet.006_20251205_030456", 17, 4659),
        ("64k.gpt4.1.009_20251204_162438", 11, 2127),
    ],
)
def test_miroflow_runs_have_the_calls_and_reports_that_are_known(name: str, calls: int, report_chars: int) -> None:
    record = json.loads(shared(f"miroflow-rag-report-runs/{name}.execution_log.json").read_bytes())
    draft = format_named("miroflow").read(record)
    assert sum(len(s.tool_calls) for s in draft.steps) == calls
    assert abs(len(draft.report) - report_chars) <= 1
    assert len(draft.question) < 1000


def test_miroflow_history_ends_in_a_summary_and_a_short_answer() -> None:
    record = json.loads(shared("miroflow-message-histories/task_result.json").read_bytes())
    draft = format_named("miroflow").read(record)
    calls = [c.name for s in draft.steps for c in s.tool_calls]
    assert [calls.count(n) for n in ("google_search", "scrape_website", "wiki_get_page_content")] == [2, 5, 1]
    assert sum(len(s.tool_results) for s in draft.steps) == 8
    assert (len(draft.report), draft.meta["answer"]) == (10500, "Yes")


def test_sharegpt_calls_and_observations() -> None:
    record = {
        "conversations": [
            {"from": "human", "value": "why?"},
            {"from": "function_call", "value": '{"name": "search", "arguments": {"q": "a"}}'},
            {"from": "observation", "value": "hits"},
            {"from": "function_call", "value": "no json"},
            {"from": "gpt", "value": "because"},
        ],
        "tools": "[]",
    }
    found = detect_format(record)
    assert found is not None
    draft = found.read(record)
    assert (found.name, draft.report) == ("sharegpt", "because")
    assert [c.arguments for s in draft.steps for c in s.tool_calls] == [{"q": "a"}, {"_unparsed": "no json"}]
    assert draft.steps[2].tool_results[0].call_id == draft.steps[1].tool_calls[0].id


def test_sharegpt_glaive_counts() -> None:
    records = json.loads(shared("sharegpt-toolcalls-glaive/glaive_toolcall_en_demo.first150.json").read_bytes())
    drafts = [format_named("sharegpt").read(record) for record in records]
    assert sum(len(s.tool_calls) for d in drafts for s in d.steps) == 108
    assert sum(bool(r.call_id) for d in drafts for s in d.steps for r in s.tool_results) == 108
    assert all(d.report for d in drafts)
