"""Related-work systems, each with its own folder: what was retrieved, by which query, and which text is the report."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.shared_data import shared
from workbench.errors import BadInputError
from workbench.ingest.candidates import Candidates
from workbench.ingest.folder import LocalFolder, NoFolder
from workbench.ingest.format import Draft, PartOfError
from workbench.ingest.formats import deepscholar_base, deepscholar_contexts, deepscholar_storm
from workbench.ingest.paths import find_files
from workbench.ingest.record_file import open_records
from workbench.ingest.registry import detect_format

PASSAGE = {"title": "A", "text": "It is so.", "url": "https://a.example/", "id": "1"}
BASE: dict[str, Any] = {
    "query": "Related work on x",
    "paperGroups": [{"title": "g", "papers": [{"title": "G", "url": "https://g.example/", "keyIdea": "idea"}]}],
    "introduction": "First part",
    "full_report": "First part, and the rest.",
    "sources": {"arxiv": 1},
}
TALK: dict[str, Any] = {
    "perspective": "**Economist**: looks at money",
    "dlg_turns": [
        {
            "user_utterance": "What of x?",
            "search_queries": ["x", "y"],
            "search_results": [
                {"title": "A", "url": "https://a.example/", "snippets": ["s1"], "meta": {"query": "y"}},
                {"title": "B", "url": "https://b.example/", "snippets": ["s2"], "meta": {"query": "z"}},
            ],
            "agent_utterance": "So it is.",
        }
    ],
}


def test_the_text_is_in_output_where_the_answer_is_empty_and_drafts_stand_before_it() -> None:
    record = {
        "query": "x?",
        "ctxs": [PASSAGE],
        "answer": "",
        "output": "Third.",
        "initial_result": "First.",
        "feedbacks": [["too short", ""], "add y"],
        "edited_answer_10": "Third.",
        "edited_answer_2": "Second.",
        "final_passages": "[0] It is so.",
        "original_ctxs": [PASSAGE] * 5,
    }
    draft = as_format(record, "deepscholar-contexts")
    assert draft.report == "Third."
    assert [step.text for step in draft.steps if step.role == "assistant"] == ["First.", "Second.", "Third."]
    assert draft.steps[3].reasoning == "too short\nadd y"
    assert draft.steps[1].tool_results[0].text == "[0] It is so."
    assert draft.meta["sources"] == {"0": {"url": "https://a.example/", "title": "A"}}


def test_passages_without_a_query_answer_no_call() -> None:
    draft = as_format({"query": "x?", "ctxs": [PASSAGE, 3], "output": "So."}, "deepscholar-contexts")
    assert [step.role for step in draft.steps] == ["user", "tool", "assistant"]
    assert draft.steps[1].tool_results[0] == type(draft.steps[1].tool_results[0])("", "A https://a.example/\nIt is so.")
    assert draft.meta["sources"] == {"1": {"url": "https://a.example/", "title": "A"}}


def test_passages_with_their_queries_are_searches() -> None:
    passages = [{**PASSAGE, "search_query": query} for query in ("a", "b", "a")]
    draft = as_format({"question": "x?", "ctxs": passages, "output": "So."}, "deepscholar-contexts")
    calls = draft.steps[1].tool_calls
    assert [call.arguments for call in calls] == [{"query": "a"}, {"query": "b"}]
    assert [result.call_id for result in draft.steps[2].tool_results] == [call.id for call in calls]


def test_queries_that_a_tool_message_lists_are_calls_of_the_turn_before() -> None:
    found = [
        {"search_query": "q", "web_page_info_list": [{"title": "A", "url": "https://a.example/", "quick_summary": "s"}]}
    ]
    record = {
        "question": "x?",
        "messages": [
            {"role": "user", "content": "x?"},
            {"role": "assistant", "content": "<think>I look.</think>"},
            {"role": "tool", "content": json.dumps(found)},
            {"role": "assistant", "content": "So."},
        ],
        "tool_calls": [],
        "tool_response": [found],
        "ctxs": [PASSAGE],
        "output": "So.",
    }
    draft = as_format(record, "deepscholar-contexts")
    assert [step.role for step in draft.steps] == ["user", "assistant", "tool", "assistant"]
    assert draft.steps[1].reasoning == "I look."
    assert draft.steps[2].tool_results[0].call_id == draft.steps[1].tool_calls[0].id
    assert "https://a.example/\ns" in draft.steps[2].tool_results[0].text


def test_papers_of_the_table_beside_belong_to_the_queries_that_found_them(tmp_path: Path) -> None:
    (tmp_path / "paper.csv").write_text('title,url,snippet,query\nP,https://p.example/,"two\nlines",q1\n', "utf-8")
    (given,) = deepscholar_base.expand(BASE, LocalFolder(tmp_path, "result.json"))
    draft = deepscholar_base.read(given)
    assert draft.report == "First part, and the rest."
    assert [call.arguments for call in draft.steps[1].tool_calls] == [{"query": "q1"}]
    assert draft.steps[2].tool_results[0].text == "P https://p.example/\ntwo\nlines"
    assert "sources" not in draft.meta


def test_without_the_table_the_groups_tell_what_was_found() -> None:
    draft = as_format(BASE, "deepscholar-base")
    assert draft.steps[1].tool_results[0].text == "G https://g.example/\nidea"


def test_conversations_and_article_of_a_folder_are_one_run(tmp_path: Path) -> None:
    (tmp_path / "storm_gen_article_polished.md").write_text("It is so [3].", "utf-8")
    (tmp_path / "storm_gen_outline.txt").write_text("# Plan", "utf-8")
    url = "https://a.example/"
    index = {"url_to_unified_index": {url: 3}, "url_to_info": {url: {"title": "A"}}}
    (tmp_path / "url_to_info.json").write_text(json.dumps(index), "utf-8")
    asked = "Topic you are discussing about: Money\\nand x\nQuestion you want to answer: why?\nQueries:"
    prompt = f"You answer.\n\n---\n\n{asked}"
    history = {
        "prompt": prompt,
        "messages": [{"role": "user", "content": prompt}],
        "outputs": ["a"],
        "usage": {},
        "cost": 0,
    }
    history["response"] = {"choices": [{"message": {"role": "assistant", "content": "a"}}]}
    (tmp_path / "llm_call_history.jsonl").write_text(json.dumps(history), "utf-8")
    folder = LocalFolder(tmp_path, "conversation_log.json")
    found = detect_format(TALK)
    assert found is deepscholar_storm.FORMAT
    assert deepscholar_storm.gather(TALK) == deepscholar_storm.gather({**TALK, "perspective": "other"})
    (given,) = deepscholar_storm.expand({"records": [TALK, TALK]}, folder)
    draft = deepscholar_storm.read(given)
    assert (draft.question, draft.report) == ("Money\nand x", "It is so [3].")
    assert draft.meta["sources"] == {"3": {"url": "https://a.example/", "title": "A"}}
    assert [step.agent for step in draft.steps[:5]] == ["", "Economist", "expert", "expert", "expert"]
    results = draft.steps[3].tool_results
    assert [result.call_id for result in results] == [draft.steps[2].tool_calls[1].id, ""]
    assert len({call.id for step in draft.steps for call in step.tool_calls}) == 4
    (tmp_path / "conversation_log.json").write_text("[]", "utf-8")
    assert detect_format(history) is deepscholar_storm.FORMAT
    with pytest.raises(PartOfError, match="conversation_log"):
        list(deepscholar_storm.expand({"records": [history]}, folder))


def test_a_run_whose_topic_is_nowhere_is_set_aside_with_a_sentence() -> None:
    (given,) = deepscholar_storm.expand({"records": [TALK]}, NoFolder("conversation_log.json"))
    with pytest.raises(BadInputError, match="topic"):
        deepscholar_storm.read(given)


def test_wrong_types_end_in_a_sentence_or_a_draft() -> None:
    bad: list[dict[str, Any]] = [
        {"query": "x", "ctxs": [3, None, {"text": 3}], "output": "", "feedbacks": 3, "edited_answer_1": 4},
        {"query": "x", "ctxs": [], "output": "o", "messages": [{"role": "tool", "content": "[{"}]},
    ]
    for record in bad:
        deepscholar_contexts.read(record)
    deepscholar_base.read({"query": "x", "paperGroups": [3, {"papers": [None]}], "introduction": "y"})
    deepscholar_storm.read({"topic": "t", "conversations": [{"dlg_turns": [3, {"search_queries": 3}]}]})


def test_shared_runs_give_their_known_numbers() -> None:
    found: dict[str, tuple[int, int]] = {}
    for file in find_files([shared("deepscholar-baselines")]).files:
        if not file.name.endswith(("result.json", "conversation_log.json")):
            continue
        with open_records(file) as opened:
            for candidate in Candidates(opened.records(), file.folder()):
                assert candidate.format is not None
                value: Any = candidate.record.value
                draft = candidate.format.read(value)
                calls = sum(len(step.tool_calls) for step in draft.steps)
                found[Path(file.shown).parent.name] = (calls, len(draft.report))
    assert found == {
        "deepresearcher": (1, 4427),  # one call of three queries
        "deepscholar-base": (2, 43527),
        "deepscholar_base_gpt_4.1": (2, 3598),
        "openscholar": (0, 12088),
        "search_ai_gpt_4.1": (0, 4389),
        "storm": (36, 6057),
    }


def as_format(record: dict[str, Any], name: str) -> Draft:
    found = detect_format(record)
    assert found is not None
    assert found.name == name
    return found.read(record)
