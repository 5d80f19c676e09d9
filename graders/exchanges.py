"""The exact prompts and replies that a stored grade rests on, made again from its grader's definition.

A prompt is not stored; it is planned anew and hashed. Only a prompt whose hash names a kept reply is shown, so what is
shown is what was sent, to the byte, or the reason why it cannot be shown.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.asking import MOST_DRAWS, REPACKS, tighter, wire_request
from graders.citation_check.judged import JudgedChecker
from graders.gateway import Gateway
from graders.reply_cache import request_key
from graders.rubric_judge import JudgeOptions, RubricJudge
from rubrics.judging.prompt import DoesNotFitError, JudgeRequest
from rubrics.judging.rubric import rubric_from_json
from rubrics.judging.support_prompt import SUPPORT_PROMPT_VERSION
from rubrics.judging.wording import PROMPT_VERSION
from workbench.errors import NotFoundError
from workbench.reward.core.citation_support import read_citations
from workbench.reward.core.quality import CITATION_SUPPORT
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
    """Every call behind a grade of a model that reads a rubric or checks citations, in the order of its plan.

    Raises NotFoundError with the reason where they cannot be had: the grader asks no model, the wording of prompts or
    the trajectory's evidence has changed since, or the replies are not in this store.
    """
    definition = store.grades.definition(grade.grader_version)
    said: Any = definition or {}
    checks = said.get("checker") if said.get("checks") == CITATION_SUPPORT else None
    asked: Any = said if "rubric" in said else checks
    if not asked or "prompt_version" not in asked:
        raise NotFoundError(f"{grade.grader} asks no model one by one, so there is no prompt to show")
    wording = PROMPT_VERSION if asked is said else SUPPORT_PROMPT_VERSION
    if asked["prompt_version"] != wording:
        raise NotFoundError(
            f"{grade.grader}@{grade.grader_version[:8]} was asked in the wording {asked['prompt_version']}; "
            f"this version of the workbench words prompts as {wording} and cannot make that prompt again"
        )
    options = JudgeOptions(**{name: asked[name] for name in _OPTIONS if name in asked})
    trajectory = store.trajectories.get(trajectory_id)
    case = GradingCase(trajectory.question, trajectory.report, trajectory)
    if case.case_hash != grade.case_hash:
        raise NotFoundError("this grade was given to another case (a changed report or a reference of its own)")
    plans = _judge_plans(said, options, case) if asked is said else _check_plans(options, case)
    for requests in plans:
        wired = [
            wire_request(options, request, repeat=grade.repeat, draw=draw)
            for request in requests
            for draw in range(MOST_DRAWS)
        ]
        kept = store.replies.get_many([(request_key(one), grade.repeat) for one in wired])
        rows = [kept[at : at + MOST_DRAWS] for at in range(0, len(kept), MOST_DRAWS)]
        if rows and all(row[0] is not None for row in rows):
            return tuple(
                _exchange(options, request, grade.repeat, [reply for reply in row if reply is not None])
                for request, row in zip(requests, rows, strict=True)
            )
    raise NotFoundError(
        "no kept reply belongs to the prompt of this grade: it was made in another store, or the replies are gone"
    )


def _judge_plans(definition: Any, options: JudgeOptions, case: GradingCase) -> Iterator[Sequence[JudgeRequest]]:
    """The plan of a judge of rubrics, and the tighter ones that a server which found it too long would have been
    given."""
    judge = RubricJudge(rubric_from_json(definition["rubric"]), options, Gateway(None))
    material = judge.material_of(case)
    budget = options.budget_tokens
    for _ in range(REPACKS):
        try:
            plan = judge.plan(judge.rubric, material, budget)
        except DoesNotFitError:
            return
        yield plan.requests
        budget = judge.tighter(plan, budget)


def _check_plans(options: JudgeOptions, case: GradingCase) -> Iterator[Sequence[JudgeRequest]]:
    """The same of a check of citations."""
    assert case.trajectory is not None
    checker, claims = JudgedChecker(options, Gateway(None)), read_citations(case.trajectory).claims
    budget = options.budget_tokens
    for _ in range(REPACKS):
        requests = [asked.request for asked in checker.plan(case.question, claims, budget).requests]
        if not requests:
            return
        yield requests
        budget = tighter(budget, requests)


def _exchange(options: JudgeOptions, request: JudgeRequest, repeat: int, kept: Sequence[Reply]) -> Exchange:
    bodies: list[Any] = [reply.body for reply in kept]
    return Exchange(
        criteria=tuple(criterion.id for criterion in request.criteria),
        messages=request.messages,
        reply=str(bodies[-1]["text"]),
        finish=str(bodies[-1]["finish"]),
        model=options.model,
        seed=wire_request(options, request, repeat=repeat, draw=len(kept) - 1).seed,
        draws=tuple(str(body["text"]) for body in bodies[:-1]),
    )
