"""A rubric judged by a model through the gateway: what it is asked and how it is read is `rubrics.judging`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graders.asking import REPACKS, ask_all, draw_reply, tighter, wire_request
from graders.faults import ContextOverflowError
from graders.gateway import Gateway
from graders.usage import add_usage
from rubrics.judging.judge import Judgement, RawReply, read_replies
from rubrics.judging.material import Material
from rubrics.judging.parse import UnreadableReplyError, parse_reply
from rubrics.judging.prompt import DoesNotFitError, JudgePlan, JudgeRequest, plan_requests
from rubrics.judging.rubric import Rubric, rubric_from_json, rubric_to_json
from rubrics.judging.wording import PROMPT_VERSION
from workbench.errors import BadInputError
from workbench.evidence.judged import judged_material
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.grade import Grade, GradeOutcome, GraderKind, GradingCase, Usage
from workbench.schema.protocols import Grader, ModelReply, ModelRequest, TransportError


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How a model is asked. `budget_tokens`: room for a prompt, None for as long as it is.

    `evidence_tokens`: the most of it that retrieved text may take where a criterion reads the research, None for what
    is left over, 0 for none. `batch_size`: criteria a call, None for all of one scope. `max_reply_chars`: bound on
    quote and reason, for servers that enforce the schema; 0 asks for bare verdicts. `seed` grows by the repeat index.
    """

    model: str
    base_url: str | None = None
    temperature: float = 0.0
    seed: int = 1
    max_tokens: int = 4096
    budget_tokens: int | None = None
    evidence_tokens: int | None = None
    batch_size: int | None = None
    max_reply_chars: int | None = None


class RubricJudge:
    """A Grader, and a RepeatableGrader. A case's own rubric takes the place of the judge's; without either it abstains.

    The name carries the model, because the same rubric read by another model is another grader.
    """

    def __init__(
        self, rubric: Rubric, options: JudgeOptions, gateway: Gateway, *, kind: GraderKind = "llm", repeat: int = 0
    ) -> None:
        self.rubric = rubric
        self.options = options
        self.gateway = gateway
        self.kind = kind
        self.repeat = repeat
        self.name = f"{rubric.name}/{short_model_name(options.model)}"
        self.version = content_hash(self.definition)

    @property
    def definition(self) -> dict[str, JsonValue]:
        """What decides a score, in the form that an exported job reads."""
        options = self.options
        return {
            "rubric": rubric_to_json(self.rubric),
            "prompt_version": PROMPT_VERSION,
            "model": options.model,
            "base_url": options.base_url,
            "temperature": options.temperature,
            "seed": options.seed,
            "max_tokens": options.max_tokens,
            "budget_tokens": options.budget_tokens,
            "evidence_tokens": options.evidence_tokens,
            "batch_size": options.batch_size,
            "max_reply_chars": options.max_reply_chars,
        }

    def repeated(self, repeat: int) -> "RubricJudge":
        return RubricJudge(self.rubric, self.options, self.gateway, kind=self.kind, repeat=repeat)

    async def grade(self, case: GradingCase) -> Grade:
        """Raises GradingStoppedError (spend limit, key) and nothing else; all other failures are outcomes."""
        try:
            rubric = self.rubric if case.rubric is None else rubric_from_json(case.rubric)
        except ValueError as error:
            return self._unscored(case, "judge_failed", f"the case's rubric cannot be used: {error}")
        material = self.material_of(case)
        budget = self.options.budget_tokens
        overflow: ContextOverflowError | None = None
        for _ in range(REPACKS):
            try:
                plan = self.plan(rubric, material, budget)
                replies, judged = await self._judged(rubric, plan)
            except DoesNotFitError as error:
                return self._unscored(case, "judge_failed", f"{error}{f' ({overflow})' if overflow else ''}")
            except ContextOverflowError as error:
                overflow = error
                budget = self.tighter(plan, budget)
                continue
            except TransportError as error:
                return self._unscored(case, "infra_failed", str(error))
            return self._grade(case, judged, add_usage([reply.usage for reply in replies]))
        return self._unscored(
            case, "infra_failed", f"the prompt was packed {REPACKS} times and is still too long: {overflow}"
        )

    def material_of(self, case: GradingCase) -> Material:
        """What the judge reads of a case, before anything is left out for room."""
        return judged_material(case.question, case.report, case.trajectory, reference=case.reference)

    def tighter(self, plan: JudgePlan, budget_tokens: int | None) -> int:
        """The room to try next, in tokens, where a server found a plan of this room too long."""
        return tighter(budget_tokens, plan.requests)

    def plan(self, rubric: Rubric, material: Material, budget_tokens: int | None) -> JudgePlan:
        """The requests of one case. Raises DoesNotFitError."""
        return plan_requests(
            rubric,
            material,
            budget_tokens=budget_tokens,
            evidence_tokens=self.options.evidence_tokens,
            batch_size=self.options.batch_size,
            max_reply_chars=self.options.max_reply_chars,
        )

    async def _judged(self, rubric: Rubric, plan: JudgePlan) -> tuple[list[ModelReply], Judgement]:
        """The replies to a plan and what they amount to; kept ones that cannot be read are drawn again."""
        sent = (self.gateway.send(self.model_request(request), repeat=self.repeat) for request in plan.requests)
        replies = await ask_all(sent)
        judged = _read(rubric, plan, replies)
        kept = [reply.usage.cached for reply in replies]
        if any(kept) and (judged.outcome == "judge_failed" or "unreadable" in judged.detail):
            again = [request for request, is_kept in zip(plan.requests, kept, strict=True) if is_kept]
            drawn = iter(await ask_all(self._reply_to(rubric, request) for request in again))
            replies = [next(drawn) if is_kept else reply for reply, is_kept in zip(replies, kept, strict=True)]
            judged = _read(rubric, plan, replies)
        return replies, judged

    async def _reply_to(self, rubric: Rubric, request: JudgeRequest) -> ModelReply:
        return await draw_reply(
            self.gateway,
            lambda draw: self.model_request(request, draw=draw),
            lambda reply: _readable(rubric, request, reply),
            repeat=self.repeat,
        )

    def model_request(self, request: JudgeRequest, *, draw: int = 0) -> ModelRequest:
        """What goes over the wire for one call of a plan; each further draw has a seed of its own."""
        return wire_request(self.options, request, repeat=self.repeat, draw=draw)

    def _grade(self, case: GradingCase, judged: Judgement, usage: Usage) -> Grade:
        return Grade(
            grader=self.name,
            grader_version=self.version,
            case_hash=case.case_hash,
            outcome=judged.outcome,
            score=judged.score,
            raw=judged.raw,
            scheme=judged.scheme,
            reason=judged.reason,
            verdicts=judged.verdicts,
            usage=usage,
            repeat=self.repeat,
            detail=judged.detail,
        )

    def _unscored(self, case: GradingCase, outcome: GradeOutcome, reason: str) -> Grade:
        # A failure on the wire may have been paid for; one before any call has cost nothing.
        usage = Usage(cost_usd=None if outcome == "infra_failed" else 0.0)
        return Grade(self.name, self.version, case.case_hash, outcome, reason=reason, usage=usage, repeat=self.repeat)


def asked_otherwise(grader: Grader, *, batch_size: int | None = None, evidence_tokens: int | None = None) -> Grader:
    """The judge with another way of asking, hence of another version; None leaves an option as it is.

    Raises BadInputError for a grader that is no single judge of a rubric, and for batches of bare verdicts.
    """
    if batch_size is None and evidence_tokens is None:
        return grader
    if not isinstance(grader, RubricJudge):
        raise BadInputError(
            f"--batch-size and --evidence-tokens say how a model reads a rubric, and {grader.name} is no single judge "
            "of one"
        )
    if grader.options.max_reply_chars == 0 and (batch_size or 1) > 1:
        raise BadInputError(
            f"{grader.options.model} gives one bare verdict a call, so --batch-size can only be 1; give --model"
        )
    before = grader.options
    options = replace(
        before,
        batch_size=before.batch_size if batch_size is None else batch_size,
        evidence_tokens=before.evidence_tokens if evidence_tokens is None else evidence_tokens,
    )
    return RubricJudge(grader.rubric, options, grader.gateway, kind=grader.kind)


def short_model_name(model: str) -> str:
    """`local/SmolLM2-135M-Instruct.Q4_1@1a2b3c4d` -> `SmolLM2-135M-Instruct.Q4_1`; providers are left off."""
    return model.rpartition("/")[2].partition("@")[0]


def _read(rubric: Rubric, plan: JudgePlan, replies: Sequence[ModelReply]) -> Judgement:
    return read_replies(rubric, plan, [RawReply(reply.text, reply.finish) for reply in replies])


def _readable(rubric: Rubric, request: JudgeRequest, reply: ModelReply) -> bool:
    try:
        verdicts = parse_reply(reply.text, request.criteria, key=request.key, finish=reply.finish)
    except UnreadableReplyError:
        return False
    return rubric.missing != "fail" or all(verdict.value is not None for verdict in verdicts)
