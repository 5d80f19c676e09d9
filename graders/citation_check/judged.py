"""Citations checked by a model: what it is asked and how it is read is `rubrics.judging.support_prompt`."""

from collections.abc import Sequence
from dataclasses import replace

from graders.asking import REPACKS, ask_all, draw_reply, tighter, wire_request
from graders.faults import ContextOverflowError
from graders.gateway import Gateway
from graders.rubric_judge import JudgeOptions, short_model_name
from graders.usage import add_usage
from rubrics.judging.judge import RawReply
from rubrics.judging.support import CitedClaim, SupportVerdict
from rubrics.judging.support_prompt import (
    BATCH,
    DOCUMENT_TOKENS,
    SUPPORT_PROMPT_VERSION,
    SupportPlan,
    SupportRequest,
    plan_support,
    read_support,
)
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.grade import GraderKind, Usage
from workbench.schema.protocols import ModelReply, ModelRequest


class JudgedChecker:
    """A SupportChecker. `check` raises TransportError where the wire failed and GradingStoppedError where no more may
    be asked; a reply that cannot be read or believed is `not_checked` with its reason. `repeated(k)` is its k-th draw.
    """

    def __init__(self, options: JudgeOptions, gateway: Gateway, *, kind: GraderKind = "llm", repeat: int = 0) -> None:
        self.options = options
        self.gateway = gateway
        self.kind: GraderKind = kind
        self.repeat = repeat
        self.name = short_model_name(options.model)
        self.version = content_hash(self.definition)

    @property
    def definition(self) -> dict[str, JsonValue]:
        """What decides a verdict."""
        options = self.options
        return {
            "check": "judged",
            "prompt_version": SUPPORT_PROMPT_VERSION,
            "document_tokens": DOCUMENT_TOKENS,
            "model": options.model,
            "base_url": options.base_url,
            "temperature": options.temperature,
            "seed": options.seed,
            "max_tokens": options.max_tokens,
            "budget_tokens": options.budget_tokens,
            "batch_size": options.batch_size,
            "max_reply_chars": options.max_reply_chars,
        }

    def repeated(self, repeat: int) -> "JudgedChecker":
        return JudgedChecker(self.options, self.gateway, kind=self.kind, repeat=repeat)

    async def check(self, question: str, claims: Sequence[CitedClaim]) -> tuple[tuple[SupportVerdict, ...], Usage]:
        options, overflow = self.options, ""
        budget = options.budget_tokens
        for _ in range(REPACKS):
            plan = self.plan(question, claims, budget)
            try:
                replies = await ask_all(self._reply(asked) for asked in plan.requests)
            except ContextOverflowError as error:
                budget, overflow = tighter(budget, [asked.request for asked in plan.requests]), str(error)
                continue
            return _read(claims, plan, replies), add_usage([reply.usage for reply in replies])
        raise ContextOverflowError(f"the prompt was packed {REPACKS} times and is still too long: {overflow}")

    def plan(self, question: str, claims: Sequence[CitedClaim], budget_tokens: int | None) -> SupportPlan:
        """The calls for one report."""
        return plan_support(
            question,
            claims,
            budget_tokens=budget_tokens,
            batch_size=self.options.batch_size or BATCH,
            max_reply_chars=self.options.max_reply_chars,
        )

    def wire(self, asked: SupportRequest, *, draw: int = 0) -> ModelRequest:
        """What goes over the wire for one call of a plan."""
        return wire_request(self.options, asked.request, repeat=self.repeat, draw=draw)

    async def _reply(self, asked: SupportRequest) -> ModelReply:
        return await draw_reply(
            self.gateway,
            lambda draw: self.wire(asked, draw=draw),
            lambda reply: all(verdict.support != "not_checked" for verdict in _verdicts(asked, reply)),
            repeat=self.repeat,
        )


def _verdicts(asked: SupportRequest, reply: ModelReply) -> tuple[SupportVerdict, ...]:
    return read_support(asked, RawReply(reply.text, reply.finish))


def _read(claims: Sequence[CitedClaim], plan: SupportPlan, replies: Sequence[ModelReply]) -> tuple[SupportVerdict, ...]:
    """A verdict for each claim, in order, with what the judge did not see of its source."""
    found = dict(plan.settled)
    for asked, reply in zip(plan.requests, replies, strict=True):
        shown, total = asked.request.shown["document"]
        left_out = f" ({total - shown} of {total} characters of the source were left out)" if shown < total else ""
        for claim, verdict in zip(asked.claims, _verdicts(asked, reply), strict=True):
            found[claim] = replace(verdict, reason=verdict.reason + left_out)
    return tuple(found[claim] for claim in claims)
