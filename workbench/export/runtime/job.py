"""A job folder opened for scoring: specification, targets, sheets and grader, and the reward of one rollout."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rubrics.judging.judge import read_replies
from rubrics.judging.prompt import DoesNotFitError, plan_requests
from rubrics.judging.rubric import Rubric, rubric_from_json
from workbench.evidence.judged import judged_material
from workbench.export.runtime.judge import Judge, JudgeFailedError, RecordedJudge, judge_from_environment
from workbench.phases import analyse, facts_of
from workbench.reward.core.names import component_names
from workbench.reward.core.quality import DETERMINISTIC, quality_in_training
from workbench.reward.core.rollout import reward_of
from workbench.reward.core.spec import parse_spec
from workbench.schema.analysis import Analysis
from workbench.schema.canonical import JsonObject, question_key
from workbench.schema.reward import QuestionTarget, Reward, RewardSpec
from workbench.schema.trajectory import Trajectory, trajectory_from_json


@dataclass(frozen=True, slots=True)
class Job:
    """What the folder holds. `judge` is None until it is asked for: a deterministic grader never needs one.

    `grader`, as the exporter wrote it: {"kind": "deterministic", "function"} or {"kind": "rubric", "rubric", "plan",
    "request"}.
    """

    folder: Path
    spec: RewardSpec
    targets: Mapping[str, QuestionTarget]
    sheets: Mapping[str, JsonObject]
    grader: Mapping[str, Any]
    rubric: Rubric | None = None
    judge: Judge | None = None

    @property
    def component_names(self) -> tuple[str, ...]:
        """Names of the reward's components, in order."""
        return component_names(self.spec)

    @property
    def asks_a_judge(self) -> bool:
        return self.rubric is not None

    def with_judge(self) -> "Job":
        """Ready to score. Raises RuntimeError where a judge is needed and the environment names none."""
        if not self.asks_a_judge or self.judge is not None:
            return self
        return replace(self, judge=judge_from_environment(self.grader["request"]))

    def with_given(self, question_id: str, given: Mapping[str, Any]) -> "Job":
        """The job as a golden row fixes it for its question: `target`, `sheet` and recorded `judge`, each optional."""
        job = self
        if "target" in given:
            job = replace(job, targets={**job.targets, question_id: QuestionTarget(question_id, **given["target"])})
        if "sheet" in given:
            sheets = {key: sheet for key, sheet in job.sheets.items() if key != question_id}
            job = replace(job, sheets=sheets if given["sheet"] is None else {**sheets, question_id: given["sheet"]})
        if "judge" in given:
            job = replace(job, judge=RecordedJudge(given["judge"]))
        return job

    def score(self, trajectory: Trajectory) -> Reward:
        """The reward of one rollout, or why it has none. A failed or abstaining grader drops it."""
        analysis = analyse(trajectory)
        facts = facts_of(trajectory, analysis)
        quality, reason = (None, "") if facts.report_chars == 0 else self._quality(trajectory, analysis)
        return reward_of(self.spec, facts, quality_in_training(quality, facts), self.targets, failure=reason)

    def score_json(self, trajectory: Mapping[str, Any]) -> dict[str, Any]:
        """`score` for a trajectory in its native JSON form: {"reward", "components", "dropped"}."""
        return reward_to_json(self.score(trajectory_from_json(trajectory)))

    def _sheet(self, trajectory: Trajectory) -> JsonObject | None:
        """The question's sheet, by its id or by its text, as grading in the workbench finds it."""
        return self.sheets.get(trajectory.question_id) or self.sheets.get(question_key(trajectory.question))

    def _quality(self, trajectory: Trajectory, analysis: Analysis) -> tuple[float | None, str]:
        """(G in [0, 1], "") or (None, why there is none)."""
        if self.rubric is None:
            grade = DETERMINISTIC[self.grader["function"]]
            quality = grade(trajectory, self._sheet(trajectory), analysis)
            return quality.score, quality.reason
        judge = self.judge or judge_from_environment(self.grader["request"])
        material = judged_material(trajectory.question, trajectory.report, trajectory)
        try:
            plan = plan_requests(self.rubric, material, **self.grader["plan"])
            judgement = read_replies(self.rubric, plan, [judge(request) for request in plan.requests])
        except (DoesNotFitError, JudgeFailedError) as error:
            return None, str(error)
        return judgement.score, judgement.reason


def open_job(folder: Path) -> Job:
    """Reads a job folder. Raises OSError or ValueError where a file is missing or damaged."""
    grader = json.loads((folder / "grader.json").read_text(encoding="utf-8"))
    rubric = None
    if grader["kind"] == "rubric":
        rubric = rubric_from_json(json.loads((folder / grader["rubric"]).read_text(encoding="utf-8")))
    return Job(
        folder=folder,
        spec=parse_spec(json.loads((folder / "spec.json").read_text(encoding="utf-8")), source="spec.json"),
        targets={row["question_id"]: QuestionTarget(**row) for row in read_lines(folder / "targets.jsonl")},
        sheets={row["question_id"]: row["sheet"] for row in read_lines(folder / "sheets.jsonl")},
        grader=grader,
        rubric=rubric,
    )


def read_lines(path: Path) -> list[Any]:
    """The records of a JSON Lines file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def reward_to_json(reward: Reward) -> dict[str, Any]:
    """{"reward": number or null, "components": {name: number or null}, "dropped": reason or ""}."""
    return {"reward": reward.value, "components": dict(reward.components), "dropped": reward.dropped}
