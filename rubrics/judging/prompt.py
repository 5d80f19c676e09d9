"""Builds the requests of a judge: material fenced and first, statements after it, the verdict last.

Pure: equal input gives equal messages, so that a request can be a cache key. Criteria of one scope share their
material, and the material stands before the statements, so that a server can reuse its work between calls.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rubrics.judging.fence import draw_nonce, fence, make_visible
from rubrics.judging.material import Material
from rubrics.judging.pack import Packed, pack
from rubrics.judging.rubric import Criterion, Rubric, Scope
from rubrics.judging.text import estimate_tokens
from rubrics.judging.wording import MISSING_NOTE, reply_schema, system_text, task_text
from workbench.schema.canonical import JsonObject

# Shares of the room that is left once instructions and statements are in; what one part does not need, the next may.
_SHARES: Mapping[str, float] = {"REPORT": 0.6, "TRACE": 0.25, "EVIDENCE": 0.15}
_PARTS: Mapping[Scope, tuple[str, ...]] = {
    "report": ("REPORT",),
    "trace": ("TRACE",),
    "both": ("TRACE", "EVIDENCE", "REPORT"),
}
_MARGIN_TOKENS = 48


class DoesNotFitError(Exception):
    """The material cannot be packed into the budget of the judge's context."""


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One call: what to send, and what is needed to read the reply. `shown`: part -> (characters shown, in all).

    `key` is what the reply must repeat, empty where a bare verdict is asked for. `on_reference`: the report shown
    is the reference; the judge is not told, and never sees both, so that neither gains by its place.
    """

    messages: tuple[Mapping[str, str], ...]
    schema: JsonObject
    criteria: tuple[Criterion, ...]
    key: str
    shown: Mapping[str, tuple[int, int]]
    on_reference: bool = False


@dataclass(frozen=True, slots=True)
class JudgePlan:
    """All calls for one case. `left_out`: criteria not asked because the case has no trace.

    `abstain` is the reason why nothing should be asked at all, or empty.
    """

    requests: tuple[JudgeRequest, ...]
    left_out: tuple[str, ...] = ()
    abstain: str = ""


def plan_requests(
    rubric: Rubric,
    material: Material,
    *,
    budget_tokens: int | None = None,
    batch_size: int | None = None,
    max_reply_chars: int | None = None,
) -> JudgePlan:
    """The calls that judge `material` by `rubric`.

    `budget_tokens`: room for the whole prompt, None for no limit. `batch_size`: criteria a call (None: all of one
    scope). `max_reply_chars`: bound on quote and reason each, for servers that enforce the schema; 0 asks for nothing
    but one verdict a call, for models so small that their own words lead them astray.
    Raises DoesNotFitError where the material cannot be packed into the budget.
    """
    if not material.report.strip():
        return JudgePlan((), abstain="the case has no report to judge")
    unread = tuple(c.id for c in rubric.criteria if c.scope != "report") if not material.trace else ()
    if unread and (rubric.without_trace == "abstain" or len(unread) == len(rubric.criteria)):
        return JudgePlan((), abstain=f"criteria {', '.join(unread)} need the research trace and the case has none")
    if rubric.score_map == "reference_share" and not material.reference.strip():
        return JudgePlan((), abstain="the rubric scores a report beside a reference report and the case has none")
    requests: list[JudgeRequest] = []
    for scope in ("report", "trace", "both"):
        asked = [c for c in rubric.criteria if c.scope == scope and c.id not in unread]
        size = 1 if max_reply_chars == 0 else batch_size or max(len(asked), 1)
        for start in range(0, len(asked), size):
            batch = tuple(asked[start : start + size])
            requests.append(_request(batch, scope, material, budget_tokens, max_reply_chars))
    if rubric.score_map == "reference_share":
        other = replace(rubric, score_map="affine")
        plan = plan_requests(
            other,
            Material(material.question, material.reference),
            budget_tokens=budget_tokens,
            batch_size=batch_size,
            max_reply_chars=max_reply_chars,
        )
        requests.extend(replace(request, on_reference=True) for request in plan.requests)
    return JudgePlan(tuple(requests), left_out=unread)


def _request(
    criteria: tuple[Criterion, ...],
    scope: Scope,
    material: Material,
    budget_tokens: int | None,
    max_reply_chars: int | None,
) -> JudgeRequest:
    texts = {"REPORT": material.report, "TRACE": material.trace, "EVIDENCE": material.evidence}
    visible = {name: make_visible(texts[name]).text for name in _PARTS[scope] if texts[name]}
    question = make_visible(material.question).text
    nonce = draw_nonce([question, *visible.values()])
    bare = max_reply_chars == 0
    system, task = system_text(nonce, bare=bare), task_text(criteria, nonce, bare=bare)
    packed = _pack_all(visible, question, nonce, system, task, budget_tokens)
    blocks = [fence("QUESTION", question, nonce)]
    blocks += [fence(name, packed[name].text, nonce) for name in visible]
    if any(not part.complete for part in packed.values()):
        blocks.append(MISSING_NOTE.format(nonce=nonce))
    return JudgeRequest(
        messages=(
            {"role": "system", "content": system},
            {"role": "user", "content": "\n\n".join([*blocks, task])},
        ),
        schema=reply_schema(criteria, nonce, bare=bare, max_reply_chars=max_reply_chars),
        criteria=criteria,
        key="" if bare else nonce,
        shown={name.lower(): (part.shown, part.total) for name, part in packed.items()},
    )


def _pack_all(
    visible: Mapping[str, str], question: str, nonce: str, system: str, task: str, budget_tokens: int | None
) -> dict[str, Packed]:
    if budget_tokens is None:
        return {name: Packed(text, len(text), len(text)) for name, text in visible.items()}
    frames = "".join(fence(name, "", nonce) for name in ("QUESTION", *visible))
    fixed = estimate_tokens(system + task + question + frames + MISSING_NOTE) + _MARGIN_TOKENS
    room = budget_tokens - fixed
    needs = {name: estimate_tokens(text) for name, text in visible.items()}
    out: dict[str, Packed] = {}
    for name, allowed in _divide(needs, room).items():
        part = pack(visible[name], budget_tokens=allowed, focus=question, nonce=nonce) if allowed > 0 else None
        if part is None:
            raise DoesNotFitError(
                f"the {name.lower()} takes about {needs[name]} tokens and not one paragraph of it fits: the judge's "
                f"prompt may take {budget_tokens} and question and instructions take {fixed}. "
                "Use a model with a longer context or fewer criteria a call"
            )
        out[name] = part
    return out


def _divide(needs: Mapping[str, int], room: int) -> dict[str, int]:
    """Room for each part: its need or its share, whichever is less, then what is left over in order of share."""
    total = sum(_SHARES[name] for name in needs)
    given = {name: min(need, int(room * _SHARES[name] / total)) for name, need in needs.items()}
    left = room - sum(given.values())
    for name in sorted(needs, key=lambda part: -_SHARES[part]):
        more = min(left, needs[name] - given[name])
        given[name] += more
        left -= more
    return given
