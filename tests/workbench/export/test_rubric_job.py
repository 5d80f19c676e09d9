"""A job whose quality is an LLM judge's: golden rows replay its verdicts, a lost judge drops the rollout."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from graders.gateway import Gateway
from graders.rubric_judge import JudgeOptions, RubricJudge
from rubrics.judging.judge import RawReply
from rubrics.judging.prompt import JudgeRequest
from rubrics.judging.rubric import Criterion, Rubric, rubric_to_json
from tests.workbench.export.exporting import check, rows
from tests.workbench.export.rubric_job import EVIDENCE_TOKENS, LABELS, RUBRIC, SCORE, export_rubric_job
from tests.workbench.reward.small_store import ROLLOUTS
from workbench.errors import BadInputError
from workbench.export.grader import carried_grader
from workbench.export.runtime.batch import BatchRewards
from workbench.export.runtime.job import open_job
from workbench.export.runtime.judge import JudgeFailedError
from workbench.reward.core.completions import messages_of
from workbench.schema.canonical import JsonValue
from workbench.schema.grade import GradingCase
from workbench.schema.trajectory import Trajectory
from workbench.store import Store
from workbench.store.rows import GraderSummary


@pytest.fixture
def folder(sqlite_store: Store, tmp_path: Path) -> Path:
    return export_rubric_job(sqlite_store, tmp_path / "job")


class ScriptedJudge:
    """Answers every request with the labels above; the wire is the only thing that is not real."""

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken
        self.requests: list[JudgeRequest] = []

    def __call__(self, request: JudgeRequest) -> RawReply:
        self.requests.append(request)
        if self.broken:
            raise JudgeFailedError("judge judge-1 gave no reply in 4 tries: HTTP 500")
        verdicts = {c.id: {"quote": "", "reason": "", "verdict": LABELS[c.id]} for c in request.criteria}
        return RawReply(json.dumps({"key": request.key, "verdicts": verdicts}))


def batch(item: Trajectory) -> tuple[list[object], list[object], dict[str, object]]:
    return ["prompt"], [messages_of(item.steps)], {"question": [item.question], "question_id": [item.question_id]}


def test_folder_carries_the_rubric_and_how_it_was_asked(folder: Path) -> None:
    grader = json.loads((folder / "grader.json").read_text())
    assert grader["rubric"] == "rubrics/depth-of-report.json"
    assert grader["plan"] == {"budget_tokens": 4000, "evidence_tokens": EVIDENCE_TOKENS}
    assert grader["request"] == {"seed": 1}
    assert json.loads((folder / grader["rubric"]).read_text()) == rubric_to_json(RUBRIC)
    assert (folder / "sheets.jsonl").read_text() == ""


def test_golden_rows_replay_the_judges_verdicts_without_a_judge(folder: Path) -> None:
    done = check(folder)
    assert done.returncode == 0, done.stderr
    golden = rows(folder, "golden.jsonl")
    stored = [row for row in golden if not row["planted"] and row["expected"]["reward"] is not None]
    assert stored
    assert all(row["expected"]["components"]["quality"] == SCORE for row in stored)
    assert all(row["given"]["judge"]["replies"] for row in stored)
    assert {row["case"]: row["planted"] for row in golden}["failed_judge"] is False


def test_live_judge_gives_the_graded_score(folder: Path) -> None:
    judge = ScriptedJudge()
    job = replace(open_job(folder), judge=judge)
    reward = job.score(ROLLOUTS[4])
    assert reward.components["quality"] == SCORE
    assert len(judge.requests) == 2  # one request a scope


def test_the_frozen_judge_is_asked_what_the_judge_here_is_asked(folder: Path) -> None:
    judge, item = ScriptedJudge(), ROLLOUTS[6]
    replace(open_job(folder), judge=judge).score(item)
    options = JudgeOptions("judge-1", budget_tokens=4000, evidence_tokens=EVIDENCE_TOKENS)
    here = RubricJudge(RUBRIC, options, Gateway(None))
    plan = here.plan(RUBRIC, here.material_of(GradingCase(item.question, item.report, item)), options.budget_tokens)
    assert list(plan.requests) == judge.requests
    documents = plan.requests[1].documents
    assert documents is not None
    assert documents["budget"] > 0
    assert documents["whole"] > 0


def test_a_grade_given_in_another_wording_is_not_exported(sqlite_store: Store) -> None:
    definition: dict[str, JsonValue] = {"rubric": rubric_to_json(RUBRIC), "model": "m", "prompt_version": "words-1"}
    sqlite_store.grades.register("old/judge-1", "v1", "llm", definition)
    summary = GraderSummary("old/judge-1", "v1", "llm", 1, 0, 0, 0.5, None, 1)
    with pytest.raises(BadInputError, match="grade again"):
        carried_grader(sqlite_store, "old/judge-1", summary)


def test_lost_judge_gives_none_in_every_function(folder: Path) -> None:
    rewards = BatchRewards(replace(open_job(folder), judge=ScriptedJudge(broken=True)))
    prompts, completions, columns = batch(ROLLOUTS[4])
    for name in ("reward", *rewards.job.component_names):
        assert rewards.column(name, prompts, completions, columns) == [None]  # type: ignore[arg-type]


def test_job_without_a_judge_in_the_environment_does_not_start(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REWARD_JUDGE_URL", raising=False)
    prompts, completions, columns = batch(ROLLOUTS[4])
    with pytest.raises(RuntimeError, match="set REWARD_JUDGE_URL"):
        BatchRewards(open_job(folder)).column("reward", prompts, completions, columns)  # type: ignore[arg-type]


def test_an_ensemble_is_refused_with_the_reason(sqlite_store: Store) -> None:
    sqlite_store.grades.register("both/m", "v1", "llm", {"kind": "ensemble", "combine": "mean", "members": []})
    summary = GraderSummary("both/m", "v1", "llm", 1, 0, 0, 0.5, None, 1)
    with pytest.raises(BadInputError, match="asks several judges"):
        carried_grader(sqlite_store, "both/m", summary)


def test_a_rubric_that_needs_a_reference_report_is_refused(sqlite_store: Store) -> None:
    beside = Rubric("beside", (Criterion("a", "It explains why."),), aggregation="tree", score_map="reference_share")
    definition: dict[str, JsonValue] = {"rubric": rubric_to_json(beside), "model": "provider/judge-1"}
    sqlite_store.grades.register("beside/judge-1", "v1", "llm", definition)
    summary = GraderSummary("beside/judge-1", "v1", "llm", 1, 0, 0, 0.5, None, 1)
    with pytest.raises(BadInputError, match="beside a reference"):
        carried_grader(sqlite_store, "beside/judge-1", summary)
