"""What grading would take before money is spent: the calls that no kept reply answers, their tokens, price and time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from graders.asking import wire_request
from graders.ensemble import Ensemble
from graders.gateway import Gateway, listed_price
from graders.local import FREE as FREE_PRICE
from graders.local import LOCAL_PREFIX
from graders.pairwise import PointwisePairs
from graders.pairwise_judge import PairwiseJudge
from graders.rate_limits import tokens_booked
from graders.repeated import RepeatedGrader
from graders.reply_cache import request_key
from graders.rubric_judge import RubricJudge
from graders.spending import Price, most_input_tokens
from rubrics.judging.prompt import DoesNotFitError
from rubrics.judging.rubric import rubric_from_json
from rubrics.judging.text import estimate_tokens
from workbench.schema.canonical import JsonValue
from workbench.schema.grade import GradingCase, PairCase
from workbench.schema.protocols import ModelRequest, RepeatableGrader
from workbench.store import Store

FREE = frozenset({"deterministic", "learned", "gold"})
_CHUNK = 32
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A request that a grader would send, and its repeat index there."""

    request: ModelRequest
    repeat: int
    gateway: Gateway


@runtime_checkable
class PlansCalls(Protocol):
    """A grader that says, without asking anyone, which calls a case (a GradingCase or a PairCase) takes."""

    def planned(self, case: Any) -> Sequence[PlannedCall]: ...


@dataclass(frozen=True, slots=True)
class Known:
    """What stored grades of this version took: means a grade, over `n` of them."""

    n: int
    output_tokens: float
    latency_s: float


@dataclass(frozen=True, slots=True)
class CallPlan:
    """`to_make` of `wanted` grades are not in the store. `calls` is what they ask of a model now, after `kept` replies;
    `calls_most` counts besides the kept replies of failed grades, each of which is asked again if it cannot be read.
    None: the grader does not say what it asks.

    `tokens_in` is estimated, `tokens_in_most` and `tokens_out_most` are bounds (bytes; the limit of each reply).
    `tokens_out` and the time by latency go by stored grades of this version, None without any. `cost_usd` is what to
    expect and `cost_most_usd` the bound of one try a call; None where a price, or what to expect, is unknown.
    `at_rate_limits_s`: the least that requests and tokens a minute allow, None where no limit is set.
    """

    wanted: int
    to_make: int
    calls: int | None
    calls_most: int | None
    kept: int
    tokens_in: int
    tokens_in_most: int
    tokens_out: int | None
    tokens_out_most: int
    cost_usd: float | None
    cost_most_usd: float | None
    at_rate_limits_s: float | None
    by_latency_s: float | None
    without_calls: int

    def to_json(self) -> dict[str, JsonValue]:
        return {name: getattr(self, name) for name in self.__slots__}


def calls_of(grader: Any, case: Any, repeat: int = 0) -> list[PlannedCall] | None:
    """The calls of one grade if no prompt is found too long; empty where no model is asked, None where a grader within
    does not say."""
    if isinstance(grader, RubricJudge):
        return _judge_calls(grader.repeated(repeat), case)
    if isinstance(grader, PairwiseJudge):
        return _pair_calls(grader.repeated(repeat), case)
    if isinstance(grader, PlansCalls):
        drawn: Any = grader.repeated(repeat) if repeat and isinstance(grader, RepeatableGrader) else grader
        return list(drawn.planned(case))
    if isinstance(grader, PointwisePairs):
        assert isinstance(case, PairCase)
        sides = ((case.left, case.left_trajectory), (case.right, case.right_trajectory))
        return _all(calls_of(grader.grader, GradingCase(case.question, *side), repeat) for side in sides)
    if isinstance(grader, Ensemble):
        return _all(calls_of(member, case, repeat) for member in grader.members)
    if isinstance(grader, RepeatedGrader):
        return _all(calls_of(grader.inner, case, draw) for draw in range(grader.k))
    return [] if grader.kind in FREE else None


def _all(parts: Iterator[list[PlannedCall] | None]) -> list[PlannedCall] | None:
    out: list[PlannedCall] = []
    for part in parts:
        if part is None:
            return None
        out.extend(part)
    return out


def _judge_calls(judge: RubricJudge, case: GradingCase) -> list[PlannedCall]:
    try:
        rubric = judge.rubric if case.rubric is None else rubric_from_json(case.rubric)
        plan = judge.plan(rubric, judge.material_of(case), judge.options.budget_tokens)
    except (ValueError, DoesNotFitError):
        return []  # a failure that no call is made for
    requests = [wire_request(judge.options, request, repeat=judge.repeat) for request in plan.requests]
    return [PlannedCall(request, judge.repeat, judge.gateway) for request in requests]


def _pair_calls(judge: PairwiseJudge, pair: PairCase) -> list[PlannedCall]:
    try:
        asked = judge.plan(pair, judge.options.budget_tokens).requests
    except DoesNotFitError:
        return []
    requests = [wire_request(judge.options, request, repeat=judge.repeat) for _, request in asked]
    return [PlannedCall(request, judge.repeat, judge.gateway) for request in requests]


def plan_calls(
    store: Store,
    grader: Any,
    todo: Sequence[Item],
    load: Callable[[Sequence[Item]], Sequence[Any]],
    *,
    repeat_of: Callable[[Item], int],
    failed_before: Callable[[Item], bool],
    wanted: int,
    concurrency: int,
    known: Known | None,
) -> CallPlan:
    """Reads and packs every case that is still to be graded, a few at a time, and asks nobody."""
    sums = _Sums()
    planned: set[tuple[str, int]] = set()
    for start in range(0, len(todo), _CHUNK):
        chunk = todo[start : start + _CHUNK]
        found = [(item, calls_of(grader, case, repeat_of(item))) for item, case in zip(chunk, load(chunk), strict=True)]
        if any(calls is None for _, calls in found):
            return _unknown(wanted, len(todo))
        asked = [(item, call, request_key(call.request)) for item, calls in found for call in calls or ()]
        have = store.replies.have([(key, call.repeat) for _, call, key in asked])
        sums.without_calls += sum(not calls for _, calls in found)
        for item, call, key in asked:
            if (key, call.repeat) in have:
                sums.kept += 1
                sums.kept_of_failed += failed_before(item)
            elif (key, call.repeat) in planned:
                sums.kept += 1  # two reports that are alike to the letter share one reply
            else:
                planned.add((key, call.repeat))
                sums.add(call)
    return sums.plan(wanted, len(todo), concurrency, known)


def _unknown(wanted: int, to_make: int) -> CallPlan:
    return CallPlan(
        wanted=wanted,
        to_make=to_make,
        calls=None if to_make else 0,
        calls_most=None if to_make else 0,
        kept=0,
        tokens_in=0,
        tokens_in_most=0,
        tokens_out=None,
        tokens_out_most=0,
        cost_usd=None,
        cost_most_usd=None,
        at_rate_limits_s=None,
        by_latency_s=None,
        without_calls=0,
    )


class _Sums:
    """Adds up calls as they are planned; a lane's time is that of its requests, or of its tokens, whichever is more."""

    def __init__(self) -> None:
        self.calls = self.kept = self.kept_of_failed = self.without_calls = 0
        self.tokens_in = self.tokens_in_most = self.tokens_out_most = 0
        self.input_usd: float | None = 0.0
        self.most_usd: float | None = 0.0
        self.output_usd_a_token: float | None = 0.0
        self._lanes: dict[str, tuple[Any, int, int]] = {}
        self._prices: dict[tuple[str, str | None, int], Price | None] = {}

    def add(self, call: PlannedCall) -> None:
        into = sum(estimate_tokens(message["content"]) for message in call.request.messages)
        most, out = most_input_tokens(call.request), call.request.max_tokens or 0
        self.calls += 1
        self.tokens_in += into
        self.tokens_in_most += most
        self.tokens_out_most += out
        price = self._price(call)
        if price is None or call.request.max_tokens is None:
            self.most_usd = None
        elif self.most_usd is not None:
            self.most_usd += price.of(most, out)
        if price is None or self.input_usd is None or self.output_usd_a_token is None:
            self.input_usd = None
        else:
            self.input_usd += price.of(into, 0)
            self.output_usd_a_token += price.of(0, 1)
        lane = call.gateway.lane(call.request)
        _, calls, tokens = self._lanes.get(lane.name, (lane, 0, 0))
        self._lanes[lane.name] = (lane, calls + 1, tokens + tokens_booked(call.request))

    def plan(self, wanted: int, to_make: int, concurrency: int, known: Known | None) -> CallPlan:
        waits = [
            max(calls * 60.0 / (lane.limits.rpm or float("inf")), tokens * 60.0 / (lane.limits.tpm or float("inf")))
            for lane, calls, tokens in self._lanes.values()
            if lane.limits.rpm is not None or lane.limits.tpm is not None
        ]
        asking = to_make - self.without_calls
        calls_a_grade = (self.calls + self.kept) / asking if asking else 0.0
        tokens_out = seconds = None
        if known is not None and calls_a_grade:
            tokens_out = round(known.output_tokens / calls_a_grade * self.calls)
            seconds = known.latency_s / calls_a_grade * self.calls / max(1, concurrency)
        return CallPlan(
            wanted=wanted,
            to_make=to_make,
            calls=self.calls,
            calls_most=self.calls + self.kept_of_failed,
            kept=self.kept,
            tokens_in=self.tokens_in,
            tokens_in_most=self.tokens_in_most,
            tokens_out=0 if not self.calls else tokens_out,
            tokens_out_most=self.tokens_out_most,
            cost_usd=self._expected(tokens_out),
            cost_most_usd=self.most_usd,
            at_rate_limits_s=max(waits) if waits else None,
            by_latency_s=0.0 if not self.calls else seconds,
            without_calls=self.without_calls,
        )

    def _expected(self, tokens_out: int | None) -> float | None:
        if not self.calls:
            return 0.0
        if self.input_usd is None or self.output_usd_a_token is None:
            return None
        if tokens_out is None:
            return self.input_usd if self.output_usd_a_token == 0.0 else None
        return self.input_usd + tokens_out * self.output_usd_a_token / self.calls

    def _price(self, call: PlannedCall) -> Price | None:
        """Found once a model: litellm's table takes seconds to load."""
        request, given = call.request, call.gateway.options.price
        key = (request.model, request.base_url, id(call.gateway))
        if key not in self._prices:
            own = FREE_PRICE if request.base_url is None and request.model.startswith(LOCAL_PREFIX) else None
            listed = None if request.base_url is not None or given or own else listed_price(request.model)
            self._prices[key] = given or own or listed
        return self._prices[key]
