"""Builds the requests of a judge: material fenced and first, statements after it, the verdict last.

Pure: equal input gives equal messages, so that a request can be a cache key. Criteria of one scope share their
material, and the material stands before the statements, so that a server can reuse its work between calls.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rubrics.judging.evidence import NO_NONCE
from rubrics.judging.material import Material
from rubrics.judging.room import DoesNotFitError, Shown, longest, show
from rubrics.judging.rubric import Criterion, Rubric
from rubrics.judging.wording import reply_schema, system_text, task_text
from workbench.schema.canonical import JsonObject

__all__ = ["DoesNotFitError", "JudgePlan", "JudgeRequest", "plan_requests"]


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One call: what to send, and what is needed to read the reply. `shown`: part -> (characters shown, in all).

    `documents`: those of the evidence by what became of them, None where no evidence is shown. `key` is what the reply
    must repeat, empty where a bare verdict is asked for. `on_reference`: the report shown is the reference; the judge
    is not told, and never sees both, so that neither gains by its place.
    """

    messages: tuple[Mapping[str, str], ...]
    schema: JsonObject
    criteria: tuple[Criterion, ...]
    key: str
    shown: Mapping[str, tuple[int, int]]
    on_reference: bool = False
    documents: Mapping[str, int] | None = None


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
    evidence_tokens: int | None = None,
    batch_size: int | None = None,
    max_reply_chars: int | None = None,
) -> JudgePlan:
    """The calls that judge `material` by `rubric`.

    `budget_tokens`: room for the whole prompt, None for no limit. `evidence_tokens`: the most of it that evidence may
    take, None for what is left over, 0 for none. `batch_size`: criteria a call (None: all of one scope).
    `max_reply_chars`: bound on quote and reason each, for servers that enforce the schema; 0 asks for nothing but one
    verdict a call, for models so small that their own words lead them astray.
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
        if not asked:
            continue
        size = 1 if max_reply_chars == 0 else batch_size or len(asked)
        batches = [tuple(asked[start : start + size]) for start in range(0, len(asked), size)]
        # All calls of a scope show the same, whichever of them has the most to ask: so a server can reuse its work.
        words = [_words(batch, NO_NONCE, max_reply_chars) for batch in batches]
        shown = show(
            scope,
            material,
            words_tokens=longest(["".join(pair) for pair in words]),
            budget_tokens=budget_tokens,
            evidence_tokens=evidence_tokens,
        )
        requests += [_request(batch, shown, max_reply_chars) for batch in batches]
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


def _words(criteria: tuple[Criterion, ...], nonce: str, max_reply_chars: int | None) -> tuple[str, str]:
    """What the judge is told before the material and asked after it."""
    bare = max_reply_chars == 0
    return system_text(nonce, bare=bare), task_text(criteria, nonce, bare=bare)


def _request(criteria: tuple[Criterion, ...], shown: Shown, max_reply_chars: int | None) -> JudgeRequest:
    bare = max_reply_chars == 0
    system, task = _words(criteria, shown.nonce, max_reply_chars)
    return JudgeRequest(
        messages=(
            {"role": "system", "content": system},
            {"role": "user", "content": "\n\n".join([*shown.blocks, task])},
        ),
        schema=reply_schema(criteria, shown.nonce, bare=bare, max_reply_chars=max_reply_chars),
        criteria=criteria,
        key="" if bare else shown.nonce,
        shown=shown.chars,
        documents=shown.documents,
    )
