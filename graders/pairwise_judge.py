"""Two reports compared by a model in both orders: what it is asked and how it is read is `rubrics.judging.pairwise`."""

from collections.abc import Mapping
from typing import TypeAlias

from graders.asking import REPACKS, ask_all, draw_reply, tighter, wire_request
from graders.faults import ContextOverflowError
from graders.gateway import Gateway
from graders.rubric_judge import JudgeOptions, short_model_name
from graders.usage import add_usage
from rubrics.judging.judge import RawReply
from rubrics.judging.pairwise import (
    DIMENSIONS,
    PAIR_PROMPT_VERSION,
    LonePolicy,
    PairPlan,
    combine,
    plan_comparison,
    read_order,
)
from rubrics.judging.prompt import DoesNotFitError, JudgeRequest
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.grade import GradeOutcome, GraderKind, OrderVerdict, PairCase, PairGrade, Side, Usage
from workbench.schema.protocols import ModelReply, TransportError

_Answer: TypeAlias = tuple[OrderVerdict, ModelReply | None]


class PairwiseJudge:
    """A PairwiseGrader that asks twice, each report first once. `repeated(k)` is its k-th draw.

    `dimensions`: id -> question to the judge, `overall` among them. `lone`: what one order does where the other
    failed: `fail` (default), or `take`, declared in the version.
    """

    def __init__(
        self,
        options: JudgeOptions,
        gateway: Gateway,
        *,
        dimensions: Mapping[str, str] = DIMENSIONS,
        lone: LonePolicy = "fail",
        kind: GraderKind = "llm",
        repeat: int = 0,
    ) -> None:
        self.options = options
        self.gateway = gateway
        self.dimensions = dict(dimensions)
        self.lone: LonePolicy = lone
        self.kind = kind
        self.repeat = repeat
        self.name = f"pairwise/{short_model_name(options.model)}"
        self.version = content_hash(self.definition)

    @property
    def definition(self) -> dict[str, JsonValue]:
        """What decides a preference."""
        options = self.options
        return {
            "prompt_version": PAIR_PROMPT_VERSION,
            "dimensions": dict(self.dimensions),
            "lone": self.lone,
            "model": options.model,
            "base_url": options.base_url,
            "temperature": options.temperature,
            "seed": options.seed,
            "max_tokens": options.max_tokens,
            "budget_tokens": options.budget_tokens,
            "max_reply_chars": options.max_reply_chars,
        }

    def repeated(self, repeat: int) -> "PairwiseJudge":
        return PairwiseJudge(
            self.options, self.gateway, dimensions=self.dimensions, lone=self.lone, kind=self.kind, repeat=repeat
        )

    async def compare(self, pair: PairCase) -> PairGrade:
        """Raises GradingStoppedError (spend limit, key) and nothing else; all other failures are outcomes."""
        budget = self.options.budget_tokens
        overflow: ContextOverflowError | None = None
        for _ in range(REPACKS):
            try:
                plan = self.plan(pair, budget)
                if plan.abstain:
                    return self._unscored("abstained", plan.abstain)
                return self._graded(plan, await ask_all(self._answer(*asked) for asked in plan.requests))
            except DoesNotFitError as error:
                return self._unscored("judge_failed", f"{error}{f' ({overflow})' if overflow else ''}")
            except ContextOverflowError as error:
                # Both orders are packed anew, so that neither report is shown at more length in one of them.
                overflow = error
                budget = tighter(budget, [request for _, request in plan.requests])
        return self._unscored("infra_failed", f"packed {REPACKS} times and still too long: {overflow}")

    def plan(self, pair: PairCase, budget_tokens: int | None) -> PairPlan:
        """The requests of one pair. Raises DoesNotFitError."""
        return plan_comparison(
            pair.question,
            pair.left,
            pair.right,
            dimensions=self.dimensions,
            budget_tokens=budget_tokens,
            max_reply_chars=self.options.max_reply_chars,
        )

    async def _answer(self, first: Side, request: JudgeRequest) -> _Answer:
        """What one order says; a lost connection there is a verdict that this order has not."""

        def read(reply: ModelReply) -> OrderVerdict:
            return read_order(first, request, RawReply(reply.text, reply.finish))

        try:
            reply = await draw_reply(
                self.gateway,
                lambda draw: wire_request(self.options, request, repeat=self.repeat, draw=draw),
                lambda reply: read(reply).outcome == "scored",
                repeat=self.repeat,
            )
        except ContextOverflowError:
            raise
        except TransportError as error:
            return OrderVerdict(first, "infra_failed", reason=str(error)), None
        return read(reply), reply

    def _graded(self, plan: PairPlan, answers: list[_Answer]) -> PairGrade:
        orders = tuple(order for order, _ in answers)
        lost = any(order.outcome == "infra_failed" for order in orders)
        usage = add_usage([reply.usage if reply else Usage(cost_usd=None) for _, reply in answers])
        combined = combine(orders, lone=self.lone)
        outcome: GradeOutcome = "infra_failed" if lost else "judge_failed"
        shown: dict[str, JsonValue] = {
            part.replace("report_a", "left").replace("report_b", "right"): {"shown": counts[0], "total": counts[1]}
            for part, counts in plan.requests[0][1].shown.items()
        }
        return PairGrade(
            self.name,
            self.version,
            outcome if combined.preference is None else "scored",
            combined.preference,
            combined.reason,
            usage,
            dimensions=combined.dimensions,
            consistent=combined.consistent,
            orders=orders,
            repeat=self.repeat,
            detail={"label": combined.label, "inconsistent": list(combined.inconsistent), "material": shown},
        )

    def _unscored(self, outcome: GradeOutcome, reason: str) -> PairGrade:
        usage = Usage(cost_usd=None if outcome == "infra_failed" else 0.0)
        return PairGrade(self.name, self.version, outcome, reason=reason, usage=usage, repeat=self.repeat)
