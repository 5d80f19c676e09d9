"""Providers that search by themselves: what they say they did, what they hide, and which source supports what."""

from typing import Any

import pytest

from tests.support.shared_data import shared
from workbench.errors import BadInputError
from workbench.ingest.candidates import Candidates
from workbench.ingest.folder import NoFolder
from workbench.ingest.format import Draft
from workbench.ingest.formats import provider_response
from workbench.ingest.paths import find_files
from workbench.ingest.providers.exchanges import joined
from workbench.ingest.record_file import open_records
from workbench.ingest.registry import detect_format

NOWHERE = NoFolder("")


def drafts(record: dict[str, Any]) -> list[Draft]:
    found = detect_format(record)
    assert found is not None
    assert found.name == "provider-response"
    return [provider_response.read(each) for each in provider_response.expand(record, NOWHERE)]


def asked(question: str = "why?") -> dict[str, Any]:
    return {"role": "user", "content": question}


def claude(*content: dict[str, Any], stop: str = "end_turn") -> dict[str, Any]:
    return {"id": "m1", "type": "message", "role": "assistant", "content": list(content), "stop_reason": stop}


def use(number: int) -> dict[str, Any]:
    return {"type": "server_tool_use", "id": f"s{number}", "name": "web_search", "input": {"query": f"q{number}"}}


def found(number: int) -> dict[str, Any]:
    hit = {"type": "web_search_result", "title": "T", "url": "https://a.example/", "encrypted_content": "zz"}
    return {"type": "web_search_tool_result", "tool_use_id": f"s{number}", "content": [hit]}


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, **more}


def test_a_paused_turn_is_joined_with_the_next_and_nothing_counts_twice() -> None:
    first = claude(said("I look."), use(1), found(1), use(2), stop="pause_turn")
    second = claude(found(2), said("So "), said("it is.", citations=[{"url": "https://a.example/", "cited_text": "c"}]))
    request = {"messages": [asked()]}
    again = {"messages": [asked(), {"role": "assistant", "content": first["content"]}]}
    (draft,) = drafts(
        {"interactions": [exchanged(request, first), exchanged(again, second)]},
    )
    calls = [call.id for step in draft.steps for call in step.tool_calls]
    results = [result.call_id for step in draft.steps for result in step.tool_results]
    assert (calls, results) == (["s1", "s2"], ["s1", "s2"])
    assert (draft.report, draft.outcome) == ("So it is.", "completed")
    assert draft.meta["source_citations"] == [{"start": 3, "end": 9, "url": "https://a.example/", "cited_text": "c"}]
    assert draft.meta["results_with_titles_only"] == 2
    assert "https://a.example/" in draft.steps[2].tool_results[0].text
    assert "zz" not in str(draft.steps)


def test_a_turn_that_stays_paused_was_cut_off() -> None:
    (draft,) = drafts(claude(said("Working."), use(1), stop="pause_turn"))
    assert draft.outcome == "truncated"


def test_equal_requests_are_two_conversations() -> None:
    request = {"input": "why?"}
    replies = [responses(f"resp_{number}", message("It is so.")) for number in (1, 2)]
    assert len(drafts({"interactions": [exchanged(request, reply) for reply in replies]})) == 2


def test_a_reply_that_a_later_request_names_is_gone_on_with() -> None:
    first, second = responses("r1", message("One.")), responses("r2", message("Two."))
    (draft,) = drafts(
        {
            "interactions": [
                exchanged({"input": "why?"}, first),
                exchanged({"input": [asked("and then?")], "previous_response_id": "r1"}, second),
            ]
        }
    )
    assert [step.text for step in draft.steps] == ["why?", "One.", "and then?", "Two."]


def test_actions_of_a_hosted_search_and_its_placed_and_unplaced_citations() -> None:
    note = {"type": "url_citation", "start_index": 0, "end_index": 2, "url": "https://a.example/", "title": "A"}
    reply = responses(
        "r1",
        {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "web_search_call", "id": "ws_1", "action": {"type": "search", "queries": ["a", "b"]}},
        {"type": "web_search_call", "id": "ws_2", "action": {"type": "open_page", "url": "https://a.example/"}},
        {
            "type": "web_search_call",
            "id": "ws_3",
            "action": {"type": "find_in_page", "url": "https://a.example/", "pattern": "x"},
        },
        {"type": "web_search_call", "id": "ws_4", "name": "web_search", "arguments": '{"query": "c"}'},
        message("It is so.", [note, {"type": "url_citation", "url": "https://b.example/"}]),
    )
    (draft,) = drafts({"request": {"input": "why?"}, "response": reply})
    calls = [call for step in draft.steps for call in step.tool_calls]
    assert [call.kind for call in calls] == ["search", "visit", "visit", "search"]
    assert calls[3].arguments == {"query": "c"}
    assert draft.meta["undisclosed_results"] == 4
    assert draft.meta["source_citations"] == [{"start": 0, "end": 2, "url": "https://a.example/", "title": "A"}]
    assert draft.meta["cited_without_place"] == [{"url": "https://b.example/"}]


def test_offsets_of_grounding_are_bytes_and_become_characters() -> None:
    text = "\n 东京很大。Big."
    reply = {
        "candidates": [
            {
                "content": {"role": "model", "parts": [{"text": text[:4]}, {"text": text[4:]}]},
                "finishReason": "STOP",
                "groundingMetadata": {
                    "webSearchQueries": ["东京"],
                    "groundingChunks": [{}, {"web": {"uri": "https://redirect.example/1", "title": "a.example"}}],
                    "groundingSupports": [
                        {"segment": {"endIndex": 17}, "groundingChunkIndices": [1, 9]},
                        {"segment": {"startIndex": 17, "endIndex": 21}, "groundingChunkIndices": [1]},
                    ],
                },
            }
        ],
        "modelVersion": "g",
    }
    (draft,) = drafts({"request": {"contents": [{"role": "user", "parts": [{"text": "why?"}]}]}, "response": reply})
    assert draft.report == "东京很大。Big."
    notes: Any = draft.meta["source_citations"]
    assert [draft.report[note["start"] : note["end"]] for note in notes] == ["东京很大。", "Big."]
    assert {note["title"] for note in notes} == {"a.example"}
    assert [step.role for step in draft.steps] == ["user", "assistant", "tool", "assistant"]
    assert draft.steps[1].tool_calls[0].arguments == {"queries": ["东京"]}


def test_a_search_recorded_behind_the_output_that_cites_it_came_before() -> None:
    note = {"type": "url_citation", "start_index": 0, "end_index": 3, "url": "https://r.example/", "title": "a.example"}
    reply = {
        "object": "interaction",
        "id": "v1_x",
        "status": "completed",
        "steps": [
            {"type": "model_output", "content": [{"type": "text", "text": "Sо.", "annotations": [note]}]},
            {"type": "google_search_call", "id": "c", "arguments": {"queries": ["q"]}},
            {"type": "google_search_result", "call_id": "c", "result": [{"search_suggestions": "<style>"}]},
        ],
    }
    (draft,) = drafts(reply)
    assert [bool(step.tool_calls) for step in draft.steps] == [True, False]
    assert draft.meta["undisclosed_results"] == 1
    assert draft.meta["source_citations"] == [{"start": 0, "end": 2, "url": "https://r.example/", "title": "a.example"}]


def test_numbers_in_a_text_name_the_providers_list() -> None:
    reply = completion(
        {"role": "assistant", "content": "So it is [2]."}, citations=["https://a.example/", "https://b.example/"]
    )
    (draft,) = drafts(reply)
    assert draft.meta["sources"] == {"1": {"url": "https://a.example/"}, "2": {"url": "https://b.example/"}}
    assert draft.meta["trace"] is False


def test_tools_that_the_server_ran_are_calls_with_results() -> None:
    tool = {
        "type": "search",
        "arguments": '{"query": "q"}',
        "output": "cut",
        "search_results": {"results": [{"title": "A", "url": "https://a.example/", "content": "whole"}]},
    }
    (draft,) = drafts(completion({"role": "assistant", "content": "So.", "executed_tools": [tool], "reasoning": "hm"}))
    assert [call.kind for call in draft.steps[0].tool_calls] == ["search"]
    assert draft.steps[1].tool_results[0].text == "A https://a.example/\nwhole"
    assert (draft.steps[2].text, draft.steps[2].reasoning) == ("So.", "hm")


def test_what_an_annotation_quotes_was_retrieved_by_no_known_call() -> None:
    note = {"url": "https://a.example/", "title": "A", "start_index": 0, "end_index": 0, "content": "page"}
    message_ = {"role": "assistant", "content": "So.", "annotations": [{"type": "url_citation", "url_citation": note}]}
    (draft,) = drafts(completion(message_))
    assert not any(step.tool_calls for step in draft.steps)
    assert draft.steps[0].tool_results[0].call_id == ""
    assert draft.meta["cited_without_place"] == [{"url": "https://a.example/", "title": "A"}]


def test_citations_with_their_documents() -> None:
    document = {"id": "doc:0", "text": "It is so.", "title": "d.txt"}
    reply = {
        "id": "c1",
        "finish_reason": "COMPLETE",
        "message": {
            "role": "assistant",
            "content": [{"type": "text", "text": "So."}],
            "citations": [
                {"start": 0, "end": 2, "sources": [{"type": "document", "id": "doc:0", "document": document}]}
            ],
        },
    }
    (draft,) = drafts(reply)
    assert draft.meta["source_citations"] == [{"start": 0, "end": 2, "title": "d.txt"}]
    assert "It is so." in draft.steps[0].tool_results[0].text


def test_encrypted_results_are_not_empty_ones() -> None:
    call = {"id": "c", "function": {"name": "web_search", "arguments": '{"query": "q"}'}}
    reply = {
        "id": "x1",
        "outputs": [
            {"message": {"role": "ROLE_ASSISTANT", "tool_calls": [call], "encrypted_content": "zz"}},
            {"message": {"role": "ROLE_TOOL", "tool_calls": [call], "encrypted_content": "zz"}},
            {"finish_reason": "REASON_STOP", "message": {"role": "ROLE_ASSISTANT", "content": "So."}},
        ],
        "citations": ["https://a.example/"],
    }
    request = {"messages": [{"role": "ROLE_USER", "content": [{"text": "why?"}]}]}
    (draft,) = drafts({"interactions": [{"request_sample": {"json": request}, "response_sample": {"json": reply}}]})
    assert (draft.question, draft.report) == ("why?", "So.")
    assert [len(step.tool_calls) for step in draft.steps] == [0, 1, 0]
    assert not any(step.tool_results for step in draft.steps)
    assert draft.meta["undisclosed_results"] == 1


def test_replies_without_their_questions_are_no_answers_to_one_question() -> None:
    one, other = (drafts({**claude(said("So.")), "id": name})[0] for name in ("a", "b"))
    assert one.question_id != other.question_id
    assert one.question == "[question not recorded: reply a]"
    assert one.meta["question_recorded"] is False


def test_pieces_of_streams_are_joined_also_where_they_were_cut_off() -> None:
    start = {
        "type": "content_block_start",
        "index": 0,
        "content_block": {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
    }
    piece = {"type": "content_block_delta", "index": 0}
    body = joined(
        [
            {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": []}},
            start,
            {**piece, "delta": {"type": "input_json_delta", "partial_json": '{"query"'}},
            {**piece, "delta": {"type": "input_json_delta", "partial_json": ': "q"}'}},
            {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "So."}},
            {"type": "content_block_delta", "index": 1, "delta": {"type": "citations_delta", "citation": {"url": "u"}}},
        ]
    )
    assert body is not None
    assert body["content"][0]["input"] == {"query": "q"}
    assert body["content"][1] == {"type": "text", "text": "So.", "citations": [{"url": "u"}]}
    chunk = {"object": "chat.completion.chunk", "id": "g"}
    note = {"type": "url_citation", "url": "https://a.example/"}
    deltas = [{"content": "So", "annotations": [note]}, {"content": "."}, {"annotations": [note]}]
    body = joined([{**chunk, "choices": [{"delta": delta}]} for delta in deltas])
    assert body is not None
    assert body["choices"][0]["message"] == {"role": "assistant", "content": "So.", "annotations": [note]}


@pytest.mark.parametrize(
    "record",
    [
        {"exchanges": [{"response": 3}]},
        {"interactions": [{"request": 1, "response": {"body": {"string": "data: {"}}}]},
        {"events": [{"data": {"type": []}}, {"data": {"type": "response.output_item.done", "item": {"id": {}}}}]},
        {"candidates": [{"content": None}, 3], "output": [{"type": {}}], "outputs": [{"message": {"role": 3}}]},
        {"choices": [{"message": {"content": 3, "annotations": [{"url_citation": []}], "executed_tools": [1]}}]},
        {
            "type": "message",
            "role": "assistant",
            "content": [3, None, {"type": "web_search_tool_result", "content": 3}],
        },
    ],
)
def test_wrong_types_end_in_a_sentence_or_a_draft(record: dict[str, Any]) -> None:
    found_ = detect_format(record)
    if found_ is None or found_.expand is None:
        return
    for each in found_.expand(record, NOWHERE):
        try:
            found_.read(each)
        except (BadInputError, ValueError) as error:
            assert str(error)


KNOWN = {
    # file: (distinct ids of calls, placed citations of each conversation)
    "pydantic-ai/test_anthropic_web_fetch_tool.yaml": (1, [0]),
    "pydantic-ai/test_openai_include_raw_annotations_non_streaming.yaml": (2, [1, 1]),
    "pydantic-ai/test_openai_responses_model_builtin_tools_web_search.yaml": (6, [3]),
    "pydantic-ai/test_pause_turn_web_search_vcr.yaml": (15, [17]),
    "pydantic-ai/test_run.yaml": (7, [4]),
    "vercel-ai/anthropic-web-search-tool.1.json": (2, [3]),
    "vercel-ai/google-search.json": (1, [18]),
    "vercel-ai/openai-web-search-tool.1.json": (3, [10]),
}


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_recordings_give_their_known_numbers(name: str) -> None:
    (file,) = find_files([shared(f"provider-web-search-recordings/{name}")]).files
    calls, citations = set(), []
    with open_records(file) as opened:
        for candidate in Candidates(opened.records(), file.folder()):
            assert candidate.format is not None
            value: Any = candidate.record.value
            draft = candidate.format.read(value)
            calls |= {call.id for step in draft.steps for call in step.tool_calls}
            notes: Any = draft.meta.get("source_citations", [])
            citations.append(len(notes))
            assert all(0 <= note["start"] <= note["end"] <= len(draft.report) for note in notes)
    assert (len(calls), citations) == KNOWN[name]


def exchanged(request: dict[str, Any], response: dict[str, Any]) -> dict[str, Any]:
    return {"request": {"parsed_body": request}, "response": {"parsed_body": response}}


def responses(identity: str, *output: dict[str, Any]) -> dict[str, Any]:
    return {"object": "response", "id": identity, "status": "completed", "output": list(output)}


def message(text: str, annotations: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": annotations or []}
    return {"type": "message", "role": "assistant", "content": [part]}


def completion(message_: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "c", "object": "chat.completion", "choices": [{"message": message_, "finish_reason": "stop"}], **more}
