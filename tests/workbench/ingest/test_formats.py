"""Each format: told from content, and read for what it says."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from tests.support.shared_data import shared
from tests.workbench.store.examples import example_trajectory
from workbench.errors import BadInputError
from workbench.ingest.format import Draft
from workbench.ingest.formats.tagged_chat import question_in_prompt
from workbench.ingest.registry import FORMATS, detect_format, format_named
from workbench.schema.canonical import question_key
from workbench.schema.trajectory import trajectory_to_json

CHAT = [{"role": "user", "content": "why?"}, {"role": "assistant", "content": "because"}]
TAGGED = [{"role": "user", "content": "why?"}, {"role": "assistant", "content": "<answer>because</answer>"}]
NATIVE: dict[str, Any] = dict(trajectory_to_json(example_trajectory()))


def read(name: str, record: Mapping[str, Any]) -> Draft:
    return format_named(name).read(record)


@pytest.mark.parametrize(
    ("record", "name"),
    [
        (NATIVE, "native"),
        ({"task_id": 1, "traj": CHAT}, "tau-bench"),
        ({"messages": TAGGED}, "tagged-chat"),
        ({"messages": CHAT}, "openai-chat"),
        ({"prompt": "why?", "article": "because"}, "plain-report"),
        ({"id": 1, "prompt": "why?", "overall_score": 0.5}, None),
        ({"messages": CHAT[:1]}, None),
        ({"messages": "text"}, None),
        ({"messages": [None, 3, {"role": []}]}, None),
        ({"traj": 1, "task_id": 1}, None),
        ({"prompt": 1, "article": None}, None),
        ({}, None),
        ([], None),
        ("text", None),
    ],
)
def test_format_is_told_from_the_record(record: object, name: str | None) -> None:
    found = detect_format(record)
    assert (found.name if found else None) == name


def test_formats_have_distinct_names_and_an_unknown_name_lists_them() -> None:
    assert len({f.name for f in FORMATS}) == len(FORMATS)
    with pytest.raises(BadInputError, match="expected one of native, "):
        format_named("csv")


def test_native_record_says_everything_itself() -> None:
    trajectory = example_trajectory()
    draft = read("native", NATIVE)
    assert (draft.steps, draft.report, draft.meta) == (trajectory.steps, trajectory.report, trajectory.meta)
    assert (draft.attempt, draft.group, draft.policy_step, draft.run) == (0, "g1", 7, "run-a")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"steps": [{"role": "wizard"}]}, r"steps\.0\.role"),
        ({"attempt": "first"}, "attempt"),
        ({"question": None}, "question"),
        (
            {
                "steps": [
                    {"role": "assistant", "tool_calls": [{"id": "1", "name": "x", "kind": "fly", "arguments": {}}]}
                ]
            },
            "kind",
        ),
        ({"steps": [{"role": "assistant", "tokens": {"ids": [1, 2], "mask": [1]}}]}, r"lengths \[1, 2\]"),
        ({"question": 1, "run": 2, "model": 3, "report": 4}, "3 of 4 problems"),
    ],
)
def test_native_record_with_a_wrong_field_is_refused_by_its_name(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        read("native", NATIVE | change)


def test_chat_takes_known_fields_of_the_right_type_and_keeps_the_rest() -> None:
    draft = read(
        "openai-chat",
        {"messages": CHAT, "model": "m", "attempt": 3, "group": 7, "reward": 0.25, "tag": "x", "tools": ["t" * 5000]},
    )
    assert (draft.question, draft.report, draft.model, draft.attempt, draft.group) == ("why?", "because", "m", 3, None)
    assert draft.meta == {"recorded_reward": 0.25, "group": 7, "tag": "x", "left_in_source": ["tools"]}
    assert draft.outcome == "completed"


def test_chat_without_a_question_or_an_answer_is_refused() -> None:
    with pytest.raises(BadInputError, match="no user message"):
        read("openai-chat", {"messages": CHAT[1:]})
    with pytest.raises(BadInputError, match="no assistant message"):
        read("openai-chat", {"messages": CHAT[:1]})
    with pytest.raises(BadInputError, match="messages: input should be a valid list"):
        read("openai-chat", {"messages": {}})


def test_tau_bench_episode_that_ran_out_of_steps_is_truncated() -> None:
    call = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "look", "arguments": "{}"}}]}
    episode: dict[str, Any] = {"task_id": 4, "trial": 2, "traj": [*CHAT, call], "reward": 1.0}
    draft = read("tau-bench", episode)
    assert (draft.outcome, draft.report, draft.attempt, draft.group) == ("truncated", "", 2, "task-4")
    assert draft.meta == {"task_id": 4, "recorded_reward": 1.0}
    assert draft.question == "why?", "without an instruction, what the user said first"


def test_plain_report_has_no_trace_and_an_empty_one_is_a_failed_attempt() -> None:
    draft = read("plain-report", {"id": 7, "prompt": "why?", "article": "because"})
    assert (draft.steps, draft.report, draft.outcome, draft.meta) == ((), "because", "completed", {"id": 7})
    assert read("plain-report", {"question": "why?", "report": " "}).outcome == "failed"
    with pytest.raises(BadInputError, match=r"found id \(number\); expected texts under one of prompt"):
        read("plain-report", {"id": 1})


@pytest.mark.parametrize(
    ("prompt", "question"),
    [
        ("why?", "why?"),
        ("Example: <answer> answer here </answer>\n\nUser: why?\nUser: he said", "why?\nUser: he said"),
        ("<answer> a </answer>\nQuestion: why?", "why?"),
        ("<answer> a </answer>\nUser: ", "<answer> a </answer>\nUser: "),
    ],
)
def test_question_stands_after_the_explained_tags(prompt: str, question: str) -> None:
    assert question_in_prompt(prompt) == question


def test_webdancer_questions_reports_and_calls() -> None:
    lines = shared("webdancer-trajectories/sample_traj.jsonl").read_bytes().splitlines()
    records = [json.loads(line) for line in lines]
    assert {found.name for r in records if (found := detect_format(r))} == {"tagged-chat"}
    drafts = [read("tagged-chat", record) for record in records]
    assert len(drafts) == 160
    assert sum(len(step.tool_calls) for draft in drafts for step in draft.steps) == 177
    assert len({question_key(draft.question) for draft in drafts}) == 143
    assert all(len(d.question) < 1500 and "<tool" not in d.question and "Example" not in d.question for d in drafts)
    assert all(draft.report and "<answer>" not in draft.report for draft in drafts)
    assert {draft.outcome for draft in drafts} == {"completed"}
    assert Counter(draft.meta["tag"] for draft in drafts) == {"e2hqa": 80, "crawlqa": 80}


def test_tau_bench_trials_of_a_task_share_question_and_group() -> None:
    records = json.loads(shared("tau-bench-airline-gpt-4o/gpt-4o-airline.json").read_bytes())
    assert {found.name for r in records if (found := detect_format(r))} == {"tau-bench"}
    drafts = [read("tau-bench", record) for record in records]
    by_task = Counter((question_key(draft.question), draft.group) for draft in drafts)
    assert set(by_task.values()) == {4}
    assert len(by_task) == 30
    assert sorted({draft.attempt for draft in drafts if draft.attempt is not None}) == [0, 1, 2, 3]
    assert sum(d.meta["recorded_reward"] == 1.0 for d in drafts) == sum(r["reward"] == 1.0 for r in records) == 36
    # 97 episodes end with the user's word, 20 by handing over to a person; three hit the limit of 62 messages.
    assert Counter(draft.outcome for draft in drafts) == {"completed": 117, "truncated": 3}
    assert {len(draft.steps) for draft in drafts if draft.outcome == "truncated"} == {62}


def test_deep_research_bench_reports_of_all_systems_share_questions() -> None:
    folder = shared("deep-research-bench/reports")
    counts, questions = {}, []
    for path in sorted(folder.glob("*.jsonl")):
        drafts = [read("plain-report", json.loads(line)) for line in path.read_bytes().splitlines()]
        counts[path.name] = len(drafts)
        questions.append({question_key(draft.question) for draft in drafts})
    assert counts == {
        "claude-3-7-sonnet-search.cleaned.jsonl": 75,
        "claude-3-7-sonnet-search.raw.jsonl": 75,
        "open-deep-research_claude4-sonnet.jsonl": 73,
        "open-deep-research_gpt-4.1.jsonl": 75,
        "open-deep-research_gpt-5.jsonl": 75,
    }
    assert len(set.union(*questions)) == 75
    assert len(set.intersection(*questions)) == 73
