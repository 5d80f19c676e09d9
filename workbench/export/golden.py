"""Chooses rollouts for a folder's golden rows and says what their reward must be.

Rollouts of the store come first, with the counts and the quality that the store recorded: a frozen code that sees
them otherwise fails the gate. A case for which the store has no rollout (a failed judge, a question on which no
reference searched, a rollout without any call ...) is planted on a real one, by another target, sheet, reply or
question, and marked as planted; what it must give is what this checkout's code gives.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.export.grader import CarriedGrader
from workbench.export.replies import recorded_replies
from workbench.export.runtime.golden import mismatches
from workbench.export.runtime.job import Job, reward_to_json
from workbench.phases import analyse, facts_of
from workbench.reward.core.quality import quality_in_training
from workbench.reward.core.rollout import reward_of
from workbench.reward.core.spec import needs_targets
from workbench.reward.core.terms import count_of, credits_of, shaping_of
from workbench.reward.score import NOT_GRADED, Material
from workbench.schema.canonical import canonical_json
from workbench.schema.grade import Grade
from workbench.schema.reward import QuestionTarget, RewardSpec, RolloutFacts, ShapingTerm
from workbench.schema.trajectory import Step, Trajectory, trajectory_from_json, trajectory_to_json
from workbench.store import Store

CASES = ("failed_judge", "no_target", "no_report", "no_call", "zero_target", "between", "full_shaping")
ROWS_A_CASE = 2
MAX_BYTES = 400_000  # a longer rollout proves nothing more and makes a folder that is slow to copy
PLANTED_QUESTION = "q-planted-without-target"


@dataclass(frozen=True, slots=True)
class Golden:
    """Rows of golden.jsonl, and for each case how many came from the store and how many were planted."""

    rows: tuple[dict[str, Any], ...]
    coverage: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Context:
    """What a folder will score with, before it is written."""

    store: Store
    spec: RewardSpec
    material: Material
    targets: Mapping[str, QuestionTarget]
    grader: CarriedGrader

    @property
    def job(self) -> Job:
        """The folder's job in this process, by this checkout's code."""
        return Job(
            Path(), self.spec, self.targets, self.grader.sheets, self.grader.config, self.grader.rubric, judge=None
        )


def golden_rows(context: Context) -> Golden:
    """The rows, the same for equal input; none where no rollout of the store can be scored."""
    stored = [
        row for case, id_, facts in _chosen(context) if (row := _stored_row(context, case, id_, facts)) is not None
    ]
    planted = list(_planted_rows(context, stored))
    rows = tuple(stored + planted)
    return Golden(
        rows,
        {
            case: {
                "from_store": sum(row["case"] == case and not row["planted"] for row in rows),
                "planted": sum(row["case"] == case and row["planted"] for row in rows),
            }
            for case in _applicable(context.spec)
        },
    )


def _applicable(spec: RewardSpec) -> tuple[str, ...]:
    """The cases that can arise under a specification: without terms there is no shaping to lie between 0 and 1."""
    if not spec.terms:
        return ("failed_judge", "no_report", "no_call")
    return CASES if needs_targets(spec) else tuple(case for case in CASES if case not in ("no_target", "zero_target"))


def _case_of(context: Context, facts: RolloutFacts, quality: float | None) -> str:
    target = context.targets.get(facts.question_id)
    credits = credits_of(context.spec, facts, target)
    if quality is None:
        return "failed_judge"
    if credits is None:
        return "no_target"
    if facts.report_chars == 0:
        return "no_report"
    if facts.tool_calls == 0:
        return "no_call"
    if needs_targets(context.spec) and target is not None and 0 in (target.queries, target.sites):
        return "zero_target"
    shaping = shaping_of(context.spec, credits)
    return "between" if 0.0 < shaping < 1.0 else "full_shaping" if shaping == 1.0 else "none_earned"


def _chosen(context: Context) -> Iterator[tuple[str, str, RolloutFacts]]:
    """(case, trajectory id, facts) for the first rollouts of each case, by id, so that equal stores choose alike."""
    material = context.material
    taken = dict.fromkeys(CASES, 0)
    for id_, facts in sorted(material.facts, key=lambda item: item[0]):
        if material.failures.get(id_) == NOT_GRADED:
            continue
        case = _case_of(context, facts, material.quality.get(id_))
        if case in taken and taken[case] < ROWS_A_CASE:
            taken[case] += 1
            yield case, id_, facts


def _stored_row(context: Context, case: str, id_: str, facts: RolloutFacts) -> dict[str, Any] | None:
    """A rollout with what the store says of it; None where it is too long, or its verdicts make no other score."""
    trajectory = context.store.trajectories.get(id_)
    record = trajectory_to_json(trajectory)
    if len(canonical_json(record)) > MAX_BYTES:
        return None
    quality, given = context.material.quality.get(id_), {}
    if context.grader.rubric is not None:
        grade = _one_grade(context, id_)
        quality = quality_in_training(grade.score if grade else None, facts)
        given = {"judge": _replies(context, trajectory, grade)}
    expected = reward_of(context.spec, facts, quality, context.targets, failure=context.material.failures.get(id_, ""))
    return _row(context, id_, case, record, given, reward_to_json(expected), planted=False)


def _one_grade(context: Context, id_: str) -> Grade | None:
    """The first grade by the grader's version: repeats have replies of their own."""
    grades = context.store.grades.for_trajectory(id_)
    return next((grade for grade in grades if grade.grader_version == context.grader.version), None)


def _replies(context: Context, trajectory: Trajectory, grade: Grade | None) -> dict[str, Any]:
    if context.grader.rubric is None:
        return {}
    if grade is None or grade.outcome == "infra_failed":
        return {"failure": "no grade" if grade is None else grade.reason}
    return recorded_replies(context.grader.rubric, context.grader.config["plan"], trajectory, grade.verdicts)


def _row(
    context: Context,
    id_: str,
    case: str,
    record: Mapping[str, Any],
    given: Mapping[str, Any],
    expected: Mapping[str, Any],
    *,
    planted: bool,
) -> dict[str, Any]:
    """A golden row. `as_messages`: the rollout comes out the same when a trainer hands it over as chat messages."""
    row = {
        "id": id_,
        "case": case,
        "planted": planted,
        "trajectory": dict(record),
        "given": dict(given),
        "expected": dict(expected),
        "as_messages": True,
    }
    job = context.job
    same = not mismatches(job, job.score_json, [row])
    return row | {"as_messages": same}


def _planted_rows(context: Context, stored: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """One row for each case that no stored rollout shows, planted on the first stored one that earned a reward."""
    scored = [row for row in stored if row["expected"]["reward"] is not None and row["case"] != "no_report"]
    if not scored:
        return
    shown = {row["case"] for row in stored}
    # Shaping between 0 and 1 needs a rollout that did something.
    base = max(scored, key=lambda row: len(row["trajectory"]["steps"]) > 2)
    for case in _applicable(context.spec):
        if case in shown:
            continue
        planted = _plant(context, case, base)
        if planted is not None:
            yield planted


def _plant(context: Context, case: str, base: Mapping[str, Any]) -> dict[str, Any] | None:
    trajectory = trajectory_from_json(base["trajectory"])
    given: dict[str, Any] = dict(base["given"])
    facts = facts_of(trajectory, analyse(trajectory))
    if case == "failed_judge":
        trajectory, given = _without_quality(context, trajectory, given)
    elif case == "no_target":
        sheet = context.grader.sheets.get(trajectory.question_id)
        trajectory = replace(trajectory, question_id=PLANTED_QUESTION)
        given |= {"sheet": sheet} if sheet is not None else {}
    elif case == "no_report":
        trajectory = _with_report(trajectory, "")
    elif case == "no_call":
        trajectory = replace(trajectory, steps=_spoken_only(trajectory))
        if context.grader.rubric is not None:
            given["judge"] = _replies(context, trajectory, _one_grade(context, base["id"]))
    else:
        given["target"] = _target_for(context.spec, case, facts)
    expected = context.job.with_given(trajectory.question_id, given).score(trajectory)
    row = _row(context, base["id"], case, trajectory_to_json(trajectory), given, reward_to_json(expected), planted=True)
    return row if _shows(case, row) else None


def _without_quality(
    context: Context, trajectory: Trajectory, given: dict[str, Any]
) -> tuple[Trajectory, dict[str, Any]]:
    if context.grader.rubric is not None:
        return trajectory, given | {"judge": {"failure": "planted: the judge did not answer"}}
    if context.grader.sheets:
        return trajectory, given | {"sheet": None}
    # The citation grader abstains on a report that cites nothing.
    return _with_report(trajectory, "This report cites nothing."), given


def _with_report(trajectory: Trajectory, report: str) -> Trajectory:
    """The rollout with another last word."""
    steps = tuple(replace(step, text=report) if step.text == trajectory.report else step for step in trajectory.steps)
    return replace(trajectory, report=report, steps=steps)


def _spoken_only(trajectory: Trajectory) -> tuple[Step, ...]:
    steps = (replace(step, tool_calls=(), tool_results=()) for step in trajectory.steps if step.role != "tool")
    return tuple(step for step in steps if step.text or step.reasoning)


def _target_for(spec: RewardSpec, case: str, facts: RolloutFacts) -> dict[str, int]:
    sites = next((term for term in spec.terms if term.name == "distinct_sites"), ShapingTerm("distinct_sites", 0.0))
    done = {"queries": facts.distinct_queries, "sites": count_of(sites, facts)}
    if case == "zero_target":
        done = dict.fromkeys(done, 0)
    elif case == "between":
        done = {name: 2 * count + 1 for name, count in done.items()}
    return {**done, "n_references": 1}


def _shows(case: str, row: Mapping[str, Any]) -> bool:
    """Whether a planted row really is the case it was planted for."""
    expected = row["expected"]
    if case in ("failed_judge", "no_target"):
        return expected["reward"] is None
    if expected["reward"] is None:
        return False
    if case == "no_report":
        return bool(expected["components"]["quality"] == 0.0)
    shaping = float(expected["components"]["shaping"])
    if case == "between":
        return 0.0 < shaping < 1.0
    return shaping == 1.0 if case == "full_shaping" else True
