"""From the replies of a judge to one judgment: what grading here and rewarding in a trainer both call."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rubrics.judging.aggregate import NoScoreError, aggregate, scheme_of
from rubrics.judging.parse import UnreadableReplyError, parse_reply
from rubrics.judging.prompt import JudgePlan, JudgeRequest
from rubrics.judging.rubric import Rubric
from rubrics.judging.text import fold
from rubrics.judging.wording import TASK_START
from workbench.schema.canonical import JsonValue
from workbench.schema.grade import CriterionVerdict, GradeOutcome


@dataclass(frozen=True, slots=True)
class RawReply:
    """The text of one reply and why the model stopped (`length`: cut off)."""

    text: str
    finish: str = "stop"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the replies amount to. `score` is present exactly when `outcome` is `scored`; else `reason` says why not."""

    outcome: GradeOutcome
    scheme: str
    verdicts: tuple[CriterionVerdict, ...] = ()
    raw: float | None = None
    score: float | None = None
    reason: str = ""
    detail: dict[str, JsonValue] = field(default_factory=dict)


def read_replies(rubric: Rubric, plan: JudgePlan, replies: Sequence[RawReply]) -> Judgement:
    """The judgment of one case from one reply per request of its plan, in the plan's order."""
    scheme = scheme_of(rubric, len(rubric.criteria) - len(plan.left_out))
    if plan.abstain:
        return Judgement("abstained", scheme, reason=plan.abstain)
    verdicts: list[CriterionVerdict] = []
    reference: list[CriterionVerdict] = []
    unreadable: list[str] = []
    for request, reply in zip(plan.requests, replies, strict=True):
        into = reference if request.on_reference else verdicts
        try:
            into.extend(parse_reply(reply.text, request.criteria, key=request.key, finish=reply.finish))
        except UnreadableReplyError as error:
            unreadable.append(f"{error.kind}: {error}")
            into.extend(CriterionVerdict(c.id, None, None, str(error)) for c in request.criteria)
    detail = _detail(plan, verdicts, unreadable)
    if reference:
        detail["reference_verdicts"] = [{"id": v.criterion_id, "label": v.label, "value": v.value} for v in reference]
    try:
        result = aggregate(rubric, verdicts, left_out=plan.left_out, reference=reference or None)
    except NoScoreError as error:
        reason = "; ".join([str(error), *unreadable])
        return Judgement("judge_failed", scheme, tuple(verdicts), reason=reason, detail=detail)
    detail |= {"low": result.low, "high": result.high, "missing": list(result.missing), "fatal": list(result.fatal)}
    if result.groups:
        detail["groups"] = dict(result.groups)
    if result.reference_raw is not None:
        detail["reference_raw"] = result.reference_raw
    return Judgement("scored", result.scheme, tuple(verdicts), result.raw, result.score, detail=detail)


def _detail(plan: JudgePlan, verdicts: Sequence[CriterionVerdict], unreadable: list[str]) -> dict[str, JsonValue]:
    """Accounts for what the judge did not see and what it quoted that is not there."""
    shown: dict[str, JsonValue] = {
        "reference" if request.on_reference else part: {"shown": counts[0], "total": counts[1]}
        for request in plan.requests
        for part, counts in request.shown.items()
    }
    asked = {c.id: request for request in plan.requests if not request.on_reference for c in request.criteria}
    # Long to fold, and the same for all criteria of a call.
    folded: dict[int, str] = {}
    for request in (asked[v.criterion_id] for v in verdicts if v.quote):
        if id(request) not in folded:
            folded[id(request)] = _folded_material(request)
    absent: list[JsonValue] = [
        v.criterion_id for v in verdicts if v.quote and fold(v.quote) not in folded[id(asked[v.criterion_id])]
    ]
    detail: dict[str, JsonValue] = {"material": shown, "quotes_not_found": absent}
    for request in plan.requests:
        if request.documents is not None:
            detail["documents"] = dict(request.documents)
    if plan.left_out:
        detail["left_out"] = list(plan.left_out)
    if unreadable:
        detail["unreadable"] = list(unreadable)
    return detail


def _folded_material(request: JudgeRequest) -> str:
    return fold(request.messages[-1]["content"].rpartition(TASK_START)[0])
