"""Grades the same reports both ways and compares. Every grade is stored: a study resumes, and its grades are of use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from graders.batching.choice import Choice, choose
from graders.batching.figures import compare
from graders.batching.records import ARMS, Arm, Asked, Figures, Verdicts
from graders.rubric_judge import JudgeOptions, RubricJudge
from graders.runner import grade_run, load_trajectories
from graders.usage import add_usage
from rubrics.judging.material import material_of
from rubrics.judging.prompt import plan_requests
from rubrics.judging.rubric import Rubric, labels_of
from workbench.errors import BadInputError
from workbench.schema.canonical import JsonValue
from workbench.schema.grade import Grade, Usage
from workbench.schema.trajectory import Trajectory
from workbench.stats.estimate import FloatMatrix
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import JobHandle

TOLERANCE = 0.05
# A judge that gives bare verdicts can be asked but one a call: for the study it says a few words with each, both ways.
WORDS_CHARS = 60
WORDS_TOKENS = 640


@dataclass(frozen=True, slots=True)
class ArmCost:
    """What one way took, over its grades that were made or found. `calls` and `usage` are sums."""

    grades: int
    failed: int
    calls: int
    usage: Usage

    def to_json(self) -> dict[str, JsonValue]:
        """`calls`, tokens and `cost_usd` a grade; cost None where the price is unknown."""
        n = max(self.grades, 1)
        cost = self.usage.cost_usd
        return {
            "grades": self.grades,
            "failed": self.failed,
            "calls": self.calls,
            "calls_a_grade": self.calls / n,
            "input_tokens_a_grade": self.usage.input_tokens / n,
            "output_tokens_a_grade": self.usage.output_tokens / n,
            "latency_s_a_grade": self.usage.latency_s / n,
            "cost_usd_a_grade": None if cost is None else cost / n,
        }


@dataclass(frozen=True, slots=True)
class BatchingStudy:
    """`left`: grades that were not reached because of `stopped`. `with_words`: the judge gives bare verdicts when it
    grades, and was asked for a few words in this study."""

    graders: Mapping[Arm, str]
    n_reports: int
    n_questions: int
    repeats: int
    tolerance: float
    figures: Figures
    choice: Choice
    cost: Mapping[Arm, ArmCost]
    with_words: bool
    left: int
    stopped: str

    def to_json(self) -> dict[str, JsonValue]:
        """The answer of `workbench rubrics batching --json`."""
        return {
            "take": self.choice.take,
            "shown": self.choice.shown,
            "why": self.choice.why,
            "moved": list(self.choice.named),
            "n_reports": self.n_reports,
            "n_questions": self.n_questions,
            "repeats": self.repeats,
            "tolerance": self.tolerance,
            **self.figures.to_json(),
            "cost": {arm: cost.to_json() for arm, cost in self.cost.items()},
            "graders": _named(self.graders),
            "with_words": self.with_words,
            "left": self.left,
            "stopped": self.stopped,
        }


def _named(graders: Mapping[Arm, str]) -> dict[str, JsonValue]:
    return {arm: graders[arm] for arm in ARMS}


def study_batching(
    store: Store,
    judge: RubricJudge,
    filter_: TrajectoryFilter,
    *,
    job: JobHandle,
    repeats: int = 2,
    limit: int | None = None,
    batch_size: int | None = None,
    tolerance: float = TOLERANCE,
    concurrency: int = 4,
    seed: int = 0,
) -> BatchingStudy:
    """Grades what `filter_` selects in three arms: a call a criterion, `batch_size` (None: all of a scope) in a call,
    and those in the opposite order. `repeats` >= 2 each, since a rerun is the yardstick.

    Raises BadInputError where no call could hold two criteria, or nothing is selected.
    """
    if repeats < 2:
        raise BadInputError(f"repeats is {repeats}; atomic's own rerun noise needs at least 2")
    arms = arms_of(judge, batch_size)
    ids = store.trajectories.ids(filter_)[:limit]
    if not ids:
        raise BadInputError("no trajectory is selected")
    left, stopped = 0, ""
    for grader in arms.values():
        chosen = TrajectoryFilter(ids=tuple(ids))
        report = grade_run(store, grader, chosen, job=job, concurrency=concurrency, repeats=repeats)
        left += report.left
        stopped = stopped or report.stopped
    verdicts, cost = _read(store, arms, ids, repeats)
    figures = compare(verdicts, seed=seed)
    return BatchingStudy(
        {arm: f"{grader.name}@{grader.version[:8]}" for arm, grader in arms.items()},
        len(ids),
        len(set(verdicts.questions)),
        repeats,
        tolerance,
        figures,
        choose(figures, tolerance=tolerance),
        cost,
        judge.options.max_reply_chars == 0,
        left,
        stopped,
    )


def arms_of(judge: RubricJudge, batch_size: int | None) -> dict[Arm, RubricJudge]:
    """The three graders. Raises BadInputError where no call could hold two criteria."""
    options = judge.options
    if options.max_reply_chars == 0:
        options = replace(options, max_reply_chars=WORDS_CHARS, max_tokens=max(options.max_tokens, WORDS_TOKENS))
    rubric, batched = judge.rubric, replace(options, batch_size=batch_size)
    if all(place == 0 for place in places_of(rubric, batch_size).values()):
        raise BadInputError(f"rubric {rubric.name}: no call could hold two of its criteria; there is nothing to choose")
    backwards = replace(rubric, name=f"{rubric.name}.reversed", criteria=rubric.criteria[::-1])

    def made(asked: Rubric, how: JudgeOptions) -> RubricJudge:
        return RubricJudge(asked, how, judge.gateway, kind=judge.kind)

    return {
        "atomic": made(rubric, replace(options, batch_size=1)),
        "batched": made(rubric, batched),
        "reversed": made(backwards, batched),
    }


def places_of(rubric: Rubric, batch_size: int | None) -> dict[str, int]:
    """Where each criterion stands in its call, from 0: `plan_requests` asks those of one scope in their order."""
    found: dict[str, int] = {}
    for scope in ("report", "trace", "both"):
        asked = [criterion.id for criterion in rubric.criteria if criterion.scope == scope]
        size = batch_size or max(len(asked), 1)
        found |= {identifier: place % size for place, identifier in enumerate(asked)}
    return found


def _read(
    store: Store, arms: Mapping[Arm, RubricJudge], ids: Sequence[str], repeats: int
) -> tuple[Verdicts, dict[Arm, ArmCost]]:
    """Verdicts and scores of the stored grades as arrays, and what they took."""
    rubric = arms["atomic"].rubric
    rows = {identifier: place for place, identifier in enumerate(ids)}
    columns = {criterion.id: place for place, criterion in enumerate(rubric.criteria)}
    trajectories = load_trajectories(store, ids)
    values: dict[Arm, FloatMatrix] = {}
    scores: dict[Arm, FloatMatrix] = {}
    cost: dict[Arm, ArmCost] = {}
    for arm in ARMS:
        judge = arms[arm]
        values[arm] = np.full((len(ids), repeats, len(columns)), np.nan)
        scores[arm] = np.full((len(ids), repeats), np.nan)
        kept: list[tuple[str, Grade]] = []
        wanted = TrajectoryFilter(ids=tuple(ids), grader=f"{judge.name}@{judge.version}")
        for identifier, grade in store.columns.grade_records(wanted):
            if identifier not in rows or grade.repeat >= repeats:
                continue
            kept.append((identifier, grade))
            if grade.score is None:
                continue
            scores[arm][rows[identifier], grade.repeat] = grade.score
            for verdict in grade.verdicts:
                if verdict.value is not None:
                    values[arm][rows[identifier], grade.repeat, columns[verdict.criterion_id]] = verdict.value
        calls = {name: _calls(judge, trajectories[name]) for name in {name for name, _ in kept}}
        cost[arm] = ArmCost(
            len(kept),
            sum(grade.outcome.endswith("_failed") for _, grade in kept),
            sum(calls[name] for name, _ in kept),
            add_usage([grade.usage for _, grade in kept]),
        )
    ahead, back = (places_of(arms[arm].rubric, arms[arm].options.batch_size) for arm in ("batched", "reversed"))
    asked = tuple(
        Asked(
            criterion.id,
            tuple(sorted(set(labels_of(criterion).values()))),
            ahead[criterion.id],
            back[criterion.id],
            criterion.polarity == "negative",
        )
        for criterion in rubric.criteria
    )
    questions = tuple(trajectories[identifier].question_id for identifier in ids)
    return Verdicts(asked, questions, values, scores), cost


def _calls(judge: RubricJudge, trajectory: Trajectory) -> int:
    """How many requests a report takes; evidence changes what they hold, not how many there are."""
    plan = plan_requests(
        judge.rubric,
        material_of(trajectory.question, trajectory.report, trajectory),
        batch_size=judge.options.batch_size,
        max_reply_chars=judge.options.max_reply_chars,
    )
    return len(plan.requests)
