"""What a plan of a grading says in words: what it takes, and what it can and cannot show."""

from typing import NamedTuple

from graders.grade_plan import GradePlan
from graders.plan_power import Sight
from graders.planning import CallPlan
from workbench.schema.job import duration_words
from workbench.stats.estimate import NotMeasured


class PlanLine(NamedTuple):
    text: str
    is_head: bool = False


def plan_lines(plan: GradePlan, what: str) -> list[PlanLine]:
    """`what`: reports or pairs."""
    calls = plan.calls
    head = (
        f"{plan.grader['name']} on {plan.n} {what}, questions: {plan.questions}, runs: {len(plan.runs)}, "
        f"repeats: {plan.repeats}"
    )
    made = f"{calls.to_make} of {calls.wanted} grades are to be made; the others are in the store"
    lines = [PlanLine(head, True), PlanLine(made), *(PlanLine(line) for line in _calls(calls))]
    lines.append(PlanLine("What it can show:", True))
    lines += [PlanLine(line) for sight in plan.can_show for line in _sight(sight)]
    if plan.comparisons > len(plan.can_show):
        lines.append(PlanLine(f"{len(plan.can_show)} of {plan.comparisons} comparisons are listed"))
    return lines


def _calls(calls: CallPlan) -> list[str]:
    if calls.calls is None:
        return ["calls, tokens and cost: unknown, this grader does not say what it asks of a model"]
    more = calls.calls_most - calls.calls if calls.calls_most is not None else 0
    again = f", and up to {more} more where a kept reply cannot be read" if more else ""
    lines = [f"calls: {calls.calls:,} ({calls.kept:,} are answered by kept replies{again})"]
    if calls.without_calls and calls.calls:
        lines.append(f"{calls.without_calls} of them need no call")
    if not calls.calls:
        return lines
    out = "unknown until some are graded" if calls.tokens_out is None else f"about {calls.tokens_out:,}"
    lines.append(
        f"tokens: about {calls.tokens_in:,} in (at most {calls.tokens_in_most:,}), "
        f"{out} out (at most {calls.tokens_out_most:,})"
    )
    expected = "unknown" if calls.cost_usd is None else f"about ${calls.cost_usd:.4f}"
    if calls.cost_most_usd is None:
        lines.append("cost: unknown, this model has no listed price; give --price-in and --price-out")
    else:
        lines.append(f"cost: {expected}, at most ${calls.cost_most_usd:.4f} (one try a call)")
    limits, replies = calls.at_rate_limits_s, calls.by_latency_s
    limited = "no rate limit is set" if limits is None else f"at least {duration_words(limits)}"
    by_latency = "unknown until some are graded" if replies is None else f"about {duration_words(replies)}"
    lines.append(f"time by rate limits: {limited}; by how long replies took: {by_latency}")
    return lines


def _sight(sight: Sight) -> list[str]:
    one, two = sight.runs
    head = f"  {one} against {two}, {sight.questions} shared questions"
    if sight.basis == "none":
        return [f"{head}: nothing"]
    head += f", {sight.attempts[0]:.3g} and {sight.attempts[1]:.3g} attempts each"
    if isinstance(sight.detectable, NotMeasured):
        table = ", ".join(f"{value:.3f} if it is {sd:g}" for sd, value in sight.by_sd)
        lines = [
            f"{head}: the spread is not known yet ({sight.detectable.reason}).",
            f"    Smallest difference seen 4 times in 5, by an assumed spread of a question's difference: {table}",
        ]
    else:
        found = sight.detectable.text()
        lines = [f"{head}: smallest difference seen 4 times in 5, by stored grades: {found}"]
    if sight.difference:
        assumed = [f" if the spread is {sd:g}" for sd, _ in sight.by_sd] or [""]
        lines.extend(
            f"    a difference of {sight.difference:g}{given}: seen with chance {power:.2f}; "
            f"{needed} questions see it 4 times in 5"
            for given, power, needed in zip(assumed, sight.power, sight.questions_needed, strict=True)
        )
    return lines
