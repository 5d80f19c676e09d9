"""The exact prompts and replies that a stored grade rests on, made again from its grader's definition.

A prompt is not stored; it is planned anew and hashed. Only a prompt whose hash names a kept reply is shown, so what is
shown is what was sent, to the byte, or the reason why it cannot be shown.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.asking import MOST_DRAWS, REPACKS
from graders.gateway import Gateway
from graders.reply_cache import request_key
from graders.rubric_judge import JudgeOptions, RubricJudge
from rubrics.judging.prompt import DoesNotFitError, JudgePlan
from rubrics.judging.rubric import rubric_from_json
from rubrics.judging.wording import PROMPT_VERSION
from workbench.errors import NotFoundError
from workbench.schema.canonical import JsonObject
from workbench.schema.grade import Grade, GradingCase
from workbench.store import Store
from workbench.store.rows import Reply

_OPTIONS = (
    "model", "base_url", "temperature", "seed", "max_tokens", "budget_tokens", "evidence_tokens", "batch_size",
    "max_reply_chars",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Exchange:
    """One call of a judge: the messages that were sent and the reply as it came. `draws`: replies this prompt was given
    before the one that counted, oldest first (a kept reply that could not be read is asked once more)."""

    criteria: tuple[str, ...]
    messages: tuple[Mapping[str, str], ...]
    reply: str
    finish: str
    model: str
    seed: int | None
    draws: tuple[str, ...] = ()


def exchanges_of(store: Store, trajectory_id: str, grade: Grade) -> tuple[Exchange, ...]:
    """Every call behind a grade of a model that reads a rubric, in the order of its plan.

    Raises NotFoundError with the reason where they cannot be had: the grader asks no model, the wording of prompts or
    the trajectory's evidence has changed since, or the replies are not in this store.
    """
    definition = store.grades.definition(grade.grader_version)
    if definition is None or "prompt_version" not in definition or "rubric" not in definition:
        raise NotFoundError(f"{grade.grader} asks no model one by one, so there is no prompt to show")
    if definition["prompt_version"] != PROMPT_VERSION:
        raise NotFoundError(
            f"{grade.grader}@{grade.grader_version[:8]} was asked in the wording {definition['prompt_version']}; "
            f"this version of the workbench words prompts as {PROMPT_VERSION} and cannot make that prompt again"
        )
    judge = _judge_of(definition, grade.repeat)
    trajectory = store.trajectories.get(trajectory_id)
    case = GradingCase(trajectory.question, trajectory.report, trajectory)
    if case.case_hash != grade.case_hash:
        raise NotFoundError("this grade was given to another case (a changed report or a reference of its own)")
    for plan in _plans(judge, case):
        asked = [[judge.model_request(request, draw=draw) for draw in range(MOST_DRAWS)] for request in plan.requests]
        keys = [(request_key(one), grade.repeat) for drawn in asked for one in drawn]
        kept = store.replies.get_many(keys)
        rows = [kept[at : at + MOST_DRAWS] for at in range(0, len(kept), MOST_DRAWS)]
        if rows and all(row[0] is not None for row in rows):
            return tuple(
                _exchange(judge, plan, index, [reply for reply in row if reply is not None])
                for index, row in enumerate(rows)
            )
    raise NotFoundError(
        "no kept reply belongs to the prompt of this grade: it was made in another store, or the replies are gone"
    )


def _judge_of(definition: JsonObject, repeat: int) -> RubricJudge:
    said: Any = definition
    rubric = rubric_from_json(said["rubric"])
    options = JudgeOptions(**{name: said[name] for name in _OPTIONS if name in said})
    return RubricJudge(rubric, options, Gateway(None), repeat=repeat)


def _plans(judge: RubricJudge, case: GradingCase) -> Iterator[JudgePlan]:
    """The plan, and the tighter ones that a server which found it too long would have been given."""
    material = judge.material_of(case)
    budget = judge.options.budget_tokens
    for _ in range(REPACKS):
        try:
            plan = judge.plan(judge.rubric, material, budget)
        except DoesNotFitError:
            return
        yield plan
        budget = judge.tighter(plan, budget)


def _exchange(judge: RubricJudge, plan: JudgePlan, index: int, kept: Sequence[Reply]) -> Exchange:
    request = plan.requests[index]
    bodies: list[Any] = [reply.body for reply in kept]
    return Exchange(
        criteria=tuple(criterion.id for criterion in request.criteria),
        messages=request.messages,
        reply=str(bodies[-1]["text"]),
        finish=str(bodies[-1]["finish"]),
        model=judge.options.model,
        seed=judge.model_request(request, draw=len(kept) - 1).seed,
        draws=tuple(str(body["text"]) for body in bodies[:-1]),
    )
