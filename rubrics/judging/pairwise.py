"""Compares two reports on one question: the request in either order, and what two replies amount to.

Names are blinded: the judge knows Report A and Report B and not whose they are. Both orders are asked, and a report
wins only where it is preferred in both; verdicts that differ are a tie. Source of the rule: Zheng et al. 2023
(arXiv 2306.05685), section 3.4. Dimensions and the kinds of tie are those of the ADR protocol for people.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from rubrics.judging.around import Dialect
from rubrics.judging.fence import draw_nonce, fence, make_visible
from rubrics.judging.judge import RawReply
from rubrics.judging.pack import Packed, pack
from rubrics.judging.parse import UnreadableReplyError, parse_reply
from rubrics.judging.prompt import DoesNotFitError, JudgeRequest
from rubrics.judging.records import Criterion
from rubrics.judging.text import estimate_tokens
from rubrics.judging.wording import MISSING_NOTE, ORDER, UNTRUSTED, form_text, reply_schema
from workbench.schema.canonical import text_hash
from workbench.schema.grade import CriterionVerdict, OrderVerdict, Side

OVERALL = "overall"
LonePolicy: TypeAlias = Literal["fail", "take"]

# Label of the judge -> share of Report A.
PAIR_LABELS: Mapping[str, float] = {
    "report_a": 1.0,
    "tie": 0.5,
    "both_good": 0.5,
    "both_fair": 0.5,
    "both_bad": 0.5,
    "report_b": 0.0,
}
DIMENSIONS: Mapping[str, str] = {
    "information_completeness": "Which covers more of what the question needs, without gaps that matter?",
    "content_depth": "Which explains and weighs more, beyond listing facts?",
    "requirement_fitness": "Which does better what the question asks for: every part, limit and form?",
    "readability": "Which is clearer: order, wording, layout that helps?",
    OVERALL: "All in all, which serves the person who asked better?",
}
_SYSTEM = (
    "You compare two research reports that answer one question, against the material you are given. "
    + UNTRUSTED
    + "Report A and Report B stand in an arbitrary order. Order, length, confidence and formatting are no merit."
)
TASK_START = "Compare Report A with Report B on each of these."
_TASK = (
    TASK_START + "\n\n{dimensions}\n\n"
    "Verdicts: report_a = Report A is better, report_b = Report B is better, both_good, both_fair or both_bad = they "
    "are equal and good, fair or bad, tie = they are equal in another way.\n\n"
)
_BARE_FORM = 'Reply with {"verdict": ...} only.'
PAIR_PROMPT_VERSION = text_hash("\n".join((_SYSTEM, _TASK, _BARE_FORM, ORDER, MISSING_NOTE, form_text([], ""))))[:12]

_ALSO = {
    spelt: label
    for label in PAIR_LABELS
    for spelt in (label.replace("_", " "), label.replace("_", "-"))
    if spelt != label
} | {"a": "report_a", "b": "report_b", "[[a]]": "report_a", "[[b]]": "report_b"}
_DIALECT = Dialect(
    also=_ALSO,
    named=re.compile(
        r"\b[AB]\b|(?i:\b(?:better|best(?! regards| wishes)|worse|worst|prefer\w*|win\w*|won|ties?|tied|equal\w*|draw|"
        r"first|second|left|right|both|neither|former|latter|strong\w*|weak\w*|superior|inferior|option|choice|choose|"
        r"pick\w*|favou?r\w*|stands? out|report[_ -]?[ab12])\b)"
    ),
    rival=re.compile(r"winner|prefer|choice|decision|better|overall|result|pick"),
)
_MARGIN_TOKENS = 48


@dataclass(frozen=True, slots=True)
class PairPlan:
    """The two requests: the left report shown first, then the right one. `abstain`: why nothing should be asked."""

    requests: tuple[tuple[Side, JudgeRequest], ...]
    abstain: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What both orders amount to. `preference`: the left report's share, None with a reason where there is none.

    `dimensions`: name -> share; one without a readable verdict in both orders is not in it. `consistent`: whether
    both orders said the same overall, None where one order stands alone. `inconsistent`: dimensions where they differ.
    """

    preference: float | None
    label: str = ""
    reason: str = ""
    dimensions: Mapping[str, float] = field(default_factory=dict)
    consistent: bool | None = None
    inconsistent: tuple[str, ...] = ()


def plan_comparison(
    question: str,
    left: str,
    right: str,
    *,
    dimensions: Mapping[str, str] = DIMENSIONS,
    budget_tokens: int | None = None,
    max_reply_chars: int | None = None,
) -> PairPlan:
    """The two calls that compare `left` with `right`.

    `budget_tokens`: room for a whole prompt, None for no limit; both reports get the same allowance. `dimensions`: id
    -> question to the judge; `overall` must be among them. `max_reply_chars` as for rubrics; 0 asks for one bare
    verdict, the overall one. Raises DoesNotFitError, and ValueError without `overall`.
    """
    if OVERALL not in dimensions:
        raise ValueError(f"the dimensions {', '.join(dimensions) or '(none)'} lack {OVERALL!r}")
    empty = [name for name, text in (("left", left), ("right", right)) if not text.strip()]
    if empty:
        return PairPlan((), f"the {' and the '.join(empty)} case has no report to compare")
    asked = {OVERALL: dimensions[OVERALL]} if max_reply_chars == 0 else dimensions
    criteria = tuple(Criterion(name, text, scale="labels", labels=PAIR_LABELS) for name, text in asked.items())
    return PairPlan(
        (
            ("left", _request(question, left, right, criteria, budget_tokens, max_reply_chars)),
            ("right", _request(question, right, left, criteria, budget_tokens, max_reply_chars)),
        )
    )


def _request(
    question: str,
    first: str,
    second: str,
    criteria: tuple[Criterion, ...],
    budget_tokens: int | None,
    max_reply_chars: int | None,
) -> JudgeRequest:
    bare = max_reply_chars == 0
    asked = make_visible(question).text
    reports = {"REPORT A": make_visible(first).text, "REPORT B": make_visible(second).text}
    nonce = draw_nonce([asked, *reports.values()])
    system = _SYSTEM.format(nonce=nonce) + ("" if bare else ORDER)
    task = _TASK.format(dimensions="\n".join(f'"{c.id}": {c.text}' for c in criteria))
    task += _BARE_FORM if bare else form_text(criteria, nonce)
    packed = _pack_alike(reports, asked, nonce, system + task, budget_tokens)
    blocks = [fence("QUESTION", asked, nonce), *(fence(name, part.text, nonce) for name, part in packed.items())]
    if any(not part.complete for part in packed.values()):
        blocks.append(MISSING_NOTE.format(nonce=nonce))
    return JudgeRequest(
        messages=({"role": "system", "content": system}, {"role": "user", "content": "\n\n".join([*blocks, task])}),
        schema=reply_schema(criteria, nonce, bare=bare, max_reply_chars=max_reply_chars),
        criteria=criteria,
        key="" if bare else nonce,
        shown={name.lower().replace(" ", "_"): (part.shown, part.total) for name, part in packed.items()},
    )


def _pack_alike(
    reports: Mapping[str, str], question: str, nonce: str, words: str, budget_tokens: int | None
) -> dict[str, Packed]:
    """Both within one allowance: the half of the room, or what a shorter report leaves of it."""
    if budget_tokens is None:
        return {name: Packed(text, len(text), len(text)) for name, text in reports.items()}
    frames = "".join(fence(name, "", nonce) for name in ("QUESTION", *reports))
    room = budget_tokens - estimate_tokens(words + question + frames + MISSING_NOTE) - _MARGIN_TOKENS
    shortest = min(estimate_tokens(text) for text in reports.values())
    allowance = max(room // 2, room - shortest)
    out: dict[str, Packed] = {}
    for name, text in reports.items():
        part = pack(text, budget_tokens=allowance, focus=question, nonce=nonce) if room > 1 else None
        if part is None:
            raise DoesNotFitError(
                f"not one paragraph of each report fits: the judge's prompt may take {budget_tokens} tokens and "
                f"question and instructions take {budget_tokens - room}. Use a model with a longer context"
            )
        out[name] = part
    return out


def read_order(first: Side, request: JudgeRequest, reply: RawReply) -> OrderVerdict:
    """The verdicts of one order in terms of left and right; judge_failed where the overall one cannot be read."""
    try:
        given = parse_reply(reply.text, request.criteria, key=request.key, finish=reply.finish, dialect=_DIALECT)
    except UnreadableReplyError as error:
        return OrderVerdict(first, "judge_failed", reason=f"{error.kind}: {error}")
    verdicts = tuple(_unblinded(verdict, first) for verdict in given)
    overall = next(verdict for verdict in verdicts if verdict.criterion_id == OVERALL)
    if overall.value is None:
        return OrderVerdict(first, "judge_failed", verdicts, f"no overall verdict: {overall.reason}")
    return OrderVerdict(first, "scored", verdicts)


def _unblinded(verdict: CriterionVerdict, first: Side) -> CriterionVerdict:
    second: Side = "right" if first == "left" else "left"
    label = {"report_a": first, "report_b": second}.get(verdict.label or "", verdict.label)
    value = verdict.value if verdict.value is None or first == "left" else 1.0 - verdict.value
    return CriterionVerdict(verdict.criterion_id, label, value, verdict.reason, verdict.quote)


def combine(orders: Sequence[OrderVerdict], *, lone: LonePolicy = "fail") -> Comparison:
    """The verdict of both orders. `lone`: what one order alone does where the other could not be read: fail, or
    stand with `consistent` unknown."""
    scored = [order for order in orders if order.outcome == "scored"]
    if len(scored) < len(orders) and (lone == "fail" or not scored):
        failed = [f"{o.first} report first: {o.reason}" for o in orders if o.outcome != "scored"]
        return Comparison(None, reason="; ".join(failed))
    by_name: dict[str, list[CriterionVerdict]] = {}
    for order in scored:
        for verdict in order.verdicts:
            if verdict.value is not None:
                by_name.setdefault(verdict.criterion_id, []).append(verdict)
    read = {name: found for name, found in by_name.items() if len(found) == len(scored)}
    shares = {name: _one_of([verdict.value or 0.0 for verdict in found]) for name, found in read.items()}
    differ = tuple(name for name, found in read.items() if len({verdict.value for verdict in found}) > 1)
    labels = {verdict.label or "" for verdict in read[OVERALL]}
    return Comparison(
        preference=shares[OVERALL],
        label=labels.pop() if len(labels) == 1 else "tie",
        dimensions={name: share for name, share in shares.items() if name != OVERALL},
        consistent=OVERALL not in differ if len(scored) > 1 else None,
        inconsistent=differ,
    )


def _one_of(values: Sequence[float]) -> float:
    return values[0] if len(set(values)) == 1 else 0.5
