"""Arms of a benchmark are trajectories of their own, with what a judge said of each; a skipped judgement is none."""

import json
from collections import Counter
from typing import Any

import pytest

from tests.support.shared_data import shared
from workbench.ingest.candidates import Candidates
from workbench.ingest.folder import NoFolder
from workbench.ingest.format import Draft
from workbench.ingest.formats import gpt_researcher, gpt_researcher_hallucination
from workbench.ingest.paths import find_files
from workbench.ingest.record_file import open_records
from workbench.ingest.registry import detect_format

COMPARED: dict[str, Any] = {
    "run_metadata": {"model": "m", "judge_model": "j", "seed": 1},
    "records": [
        {
            "topic": "x?",
            "baseline": {"report": "B.", "metrics": {"word_count": 1}},
            "baseline@25": {"report": "", "grades": [{"grade": "MISSING"}, {"grade": "correct"}]},
            "gptr": {"report": "G."},
            "verdicts": {"overall": "gptr", "depth": "tie", "sources": "baseline"},
        },
        {"task": "no question", "baseline": {"report": "B."}},
    ],
}
SYSTEMS = {
    "run_metadata": {"model": "m"},
    "systems": {
        "a": {"summary": {}, "records": [{"question": "x?", "target": "t", "prediction": "p", "grade": "CORRECT"}]}
    },
}
JUDGED = {"input": "x?", "output": "So.", "source": "Source: https://a.example/\nTitle: A\nContent: It is so."}


def drafts(record: dict[str, Any]) -> list[Draft]:
    found = detect_format(record)
    assert found is gpt_researcher.FORMAT
    return [gpt_researcher.read(each) for each in gpt_researcher.expand(record, NoFolder("reports_1.json"))]


def test_each_arm_is_a_trajectory_of_its_own_run() -> None:
    found = drafts(COMPARED)
    assert [(d.model, d.run, d.report, d.outcome) for d in found] == [
        ("baseline", "reports_1 baseline", "B.", "completed"),
        ("baseline@25", "reports_1 baseline@25", "", "failed"),
        ("gptr", "reports_1 gptr", "G.", "completed"),
    ]
    scores: list[Any] = [d.meta["recorded_scores"] for d in found]
    assert scores[0] == {"overall": "loss", "depth": "tie", "sources": "win", "metrics": {"word_count": 1}}
    assert scores[1]["grades"] == {"missing": 1, "correct": 1}
    assert found[0].meta["run_model"] == "m"


def test_a_file_of_systems_gives_one_for_each_answer() -> None:
    (draft,) = drafts(SYSTEMS)
    assert (draft.question, draft.report, draft.model) == ("x?", "p", "a")
    assert draft.meta["recorded_scores"] == {"grade": "CORRECT"}
    assert draft.meta["target"] == "t"


@pytest.mark.parametrize(
    ("flag", "scores"), [(True, {"is_hallucination": True}), (False, {"is_hallucination": False}), (None, None)]
)
def test_a_skipped_judgement_is_not_a_false_one(flag: bool | None, scores: dict[str, bool] | None) -> None:
    flat = {**JUDGED, "is_hallucination": flag, "confidence_score": flag, "reasoning": "r"}
    nested = {"query": "x?", "report": "So.", "source_text": JUDGED["source"], "evaluation": flat}
    for record in (flat, nested):
        found = detect_format(record)
        assert found is gpt_researcher_hallucination.FORMAT
        draft = found.read(record)
        assert draft.meta.get("recorded_scores") == scores
        assert draft.steps[1].tool_results[0].text == JUDGED["source"]
        assert (draft.question, draft.report) == ("x?", "So.")


def test_without_pages_there_is_no_trace() -> None:
    flat = {**JUDGED, "source": "No source text available", "is_hallucination": None}
    assert gpt_researcher_hallucination.read(flat).steps == ()


def test_wrong_types_are_no_records_of_these() -> None:
    for record in (
        {"run_metadata": {}, "records": 3, "systems": {"a": [1]}},
        {"run_metadata": {}, "records": [{"topic": 1, "a": {"report": 2}}], "systems": {"a": {"records": [None]}}},
        {"evaluation": {"is_hallucination": 1}, "query": 1},
        {"is_hallucination": True, "input": [], "output": "o", "source": "s"},
    ):
        assert not gpt_researcher.detect(record)
        assert not gpt_researcher_hallucination.detect(record)


def test_verdicts_of_the_shared_file_recount_to_its_summary() -> None:
    path = shared("gpt-researcher-benchmarks/reports_2026-07-04_14-33-21_n8.json")
    rates = json.loads(path.read_bytes())["summary"]["win_rates"]
    counted: dict[str, Counter[str]] = {dimension: Counter() for dimension in rates}
    (file,) = find_files([path]).files
    with open_records(file) as opened:
        for candidate in Candidates(opened.records(), file.folder()):
            value: Any = candidate.record.value
            draft = gpt_researcher.read(value)
            scores: Any = draft.meta["recorded_scores"]
            for dimension, count in counted.items():
                count[draft.model or ""] += scores[dimension] == "win"
    assert {d: {arm: c[arm] for arm in ("baseline", "gptr")} for d, c in counted.items()} == {
        d: {arm: rates[d][arm] for arm in ("baseline", "gptr")} for d in rates
    }
