"""Two reports compared by a model in both orders: what it is asked and how it is read is `rubrics.judging.pairwise`."""

import asyncio
from collections.abc import Mapping
from typing import TypeAlias

from graders.faults import ContextOverflowError, GradingStoppedError
from graders.gateway import Gateway
from graders.rubric_judge import MOST_DRAWS, REPACKS, JudgeOptions, short_model_name
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
from rubrics.judging.text import estimate_tokens
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.grade import GradeOutcome, GraderKind, OrderVerdict, PairCase, PairGrade, Side, Usage
from workbench.schema.protocols import ModelReply, ModelRequest, TransportError

_DRAW_SEEDS = 100_000
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
                plan = plan_comparison(
                    pair.question,
                    pair.left,
                    pair.right,
                    dimensions=self.dimensions,
                    budget_tokens=budget,
                    max_reply_chars=self.options.max_reply_chars,
                )
                if plan.abstain:
                    return self._unscored("abstained", plan.abstain)
                return self._graded(plan, await self._ask(plan))
            except DoesNotFitError as error:
                return self._unscored("judge_failed", f"{error}{f' ({overflow})' if overflow else ''}")
            except ContextOverflowError as error:
                # Both orders are packed anew, so that neither report is shown at more length in one of them.
                overflow = error
                budget = int(0.75 * (budget or _longest_prompt(plan)))
        return self._unscored("infra_failed", f"packed {REPACKS} times and still too long: {overflow}")

    async def _ask(self, plan: PairPlan) -> list[_Answer]:
        """An answer an order; raises after both calls have ended, so that none that was paid for is dropped."""
        asked = [self._answer(first, request) for first, request in plan.requests]
        results = await asyncio.gather(*asked, return_exceptions=True)
        errors = [result for result in results if isinstance(result, BaseException)]
        for kind in (GradingStoppedError, ContextOverflowError, BaseException):
            for error in errors:
                if isinstance(error, kind):
                    raise error
        return [result for result in results if not isinstance(result, BaseException)]

    async def _answer(self, first: Side, request: JudgeRequest) -> _Answer:
        """A kept reply that cannot be read made the pair fail before; trying again asks for one more draw."""
        try:
            for draw in range(MOST_DRAWS):
                reply = await self.gateway.send(self._model_request(request, draw), repeat=self.repeat)
                verdict = read_order(first, request, RawReply(reply.text, reply.finish))
                if not reply.usage.cached or verdict.outcome == "scored":
                    break
        except ContextOverflowError:
            raise
        except TransportError as error:
            return OrderVerdict(first, "infra_failed", reason=str(error)), None
        return verdict, reply

    def _model_request(self, request: JudgeRequest, draw: int) -> ModelRequest:
        options = self.options
        return ModelRequest(
            model=options.model,
            messages=request.messages,
            temperature=options.temperature,
            seed=options.seed + self.repeat + _DRAW_SEEDS * draw,
            max_tokens=options.max_tokens,
            schema=request.schema,
            base_url=options.base_url,
        )

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


def _longest_prompt(plan: PairPlan) -> int:
    return max(sum(estimate_tokens(m["content"]) for m in request.messages) for _, request in plan.requests)
