"""Asks a judge whether what a run retrieved supports the claims that cite it, and reads what it answers.

One source a request, with the claims that cite it: no claim can be held against another's document. A verdict other
than `unrelated` must rest on words that stand in the document as the judge saw it; one that does not is no verdict.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rubrics.judging.around import Dialect
from rubrics.judging.fence import draw_nonce, fence, make_visible
from rubrics.judging.judge import RawReply
from rubrics.judging.pack import Packed, pack
from rubrics.judging.parse import UnreadableReplyError, parse_reply
from rubrics.judging.prompt import JudgeRequest
from rubrics.judging.quotes import stands_in
from rubrics.judging.records import Criterion
from rubrics.judging.support import CitedClaim, SupportVerdict
from rubrics.judging.text import estimate_tokens
from rubrics.judging.wording import MISSING_NOTE, ORDER, UNTRUSTED, form_text, reply_schema
from workbench.schema.analysis import SUPPORTS, Support
from workbench.schema.canonical import text_hash
from workbench.schema.grade import CriterionVerdict

# From least to most support, as the form of the reply lists them; the values are not read.
SUPPORT_LABELS: Mapping[str, float] = {"unrelated": 0.0, "contradicted": 0.0, "partly": 0.5, "supported": 1.0}
BATCH = 8
# The most of one source that is shown, in tokens: the paragraphs nearest to its claims. A page may have a hundred times
# as many, and a verdict rests on a few sentences of it.
DOCUMENT_TOKENS = 8_000
_MARGIN_TOKENS = 48

_SYSTEM = (
    "You check whether a source says what a report says it says. You are given text that was retrieved of one source, "
    "and claims of a report that cite it. "
    + UNTRUSTED
    + "Decide each claim on its own, from the document alone and not from what you know. "
)
_TASK = (
    "Hold each claim against the document.\n\n{claims}\n\n"
    "supported = every assertion of the claim is stated there or follows directly from it. partly = some assertion is, "
    "another is not found. contradicted = the document states otherwise, also where only one of several assertions is "
    "denied, a figure or a direction differs, or another thing is meant. unrelated = none of the claim's assertions is "
    "there. A claim that only names a topic of the document is not supported by that. Copy a quote word for word from "
    "the document, never from a claim; leave it empty for unrelated.\n\n"
)
_CLAIM = '"{id}": the text in CLAIM {number}'
_BARE_FORM = 'Reply with {"verdict": ...} only.'
_WORDS = (_SYSTEM, _TASK, _CLAIM, _BARE_FORM, ORDER, MISSING_NOTE, form_text([], ""))
SUPPORT_PROMPT_VERSION = text_hash("\n".join(_WORDS))[:12]

# Spellings that mean nothing else: `not supported` and `unsupported` may be either of two verdicts and are none.
_ALSO: Mapping[str, str] = {
    "fully supported": "supported",
    "partially": "partly",
    "partial": "partly",
    "partly supported": "partly",
    "partially supported": "partly",
}
_DIALECT = Dialect(
    also=_ALSO,
    named=re.compile(
        r"(?i:\b(?:un)?support\w*|\bcontradict\w*|\bunrelated|\bpart(?:ly|ial\w*)|\brefut\w*|\bentail\w*|\bclaims?\b)"
    ),
    rival=re.compile(r"support|contradict|entail|conclu|decision|overall|result|answer|final"),
)
_NEEDS_QUOTE: tuple[Support, ...] = ("supported", "partly", "contradicted")


@dataclass(frozen=True, slots=True)
class SupportRequest:
    """One call: claims of one source. `document` is its text as the judge is shown it, without fences."""

    claims: tuple[CitedClaim, ...]
    request: JudgeRequest
    document: str


@dataclass(frozen=True, slots=True)
class SupportPlan:
    """The calls for one report, and the verdicts that need none, or can have none for want of room."""

    requests: tuple[SupportRequest, ...]
    settled: Mapping[CitedClaim, SupportVerdict]


def plan_support(
    question: str,
    claims: Sequence[CitedClaim],
    *,
    budget_tokens: int | None = None,
    batch_size: int = BATCH,
    document_tokens: int = DOCUMENT_TOKENS,
    max_reply_chars: int | None = None,
) -> SupportPlan:
    """The calls that decide all claims; equal claims on equal documents are asked once.

    `budget_tokens`: room for a whole prompt, None for no limit; `document_tokens` bounds the document besides.
    `max_reply_chars` bounds quote and reason; 0 asks for one bare verdict a call, without a quote.
    """
    settled: dict[CitedClaim, SupportVerdict] = {}
    by_document: dict[str, list[CitedClaim]] = {}
    for claim in dict.fromkeys(claims):
        if not claim.claim.strip() or not claim.document.strip():
            missing = "claim" if claim.document.strip() else "document"
            settled[claim] = SupportVerdict("not_checked", reason=f"the {missing} is empty")
        else:
            by_document.setdefault(claim.document, []).append(claim)
    size = 1 if max_reply_chars == 0 else batch_size
    requests = []
    for document, mine in by_document.items():
        for start in range(0, len(mine), size):
            batch = tuple(mine[start : start + size])
            made = _request(question, document, batch, budget_tokens, document_tokens, max_reply_chars)
            if isinstance(made, str):
                settled |= dict.fromkeys(batch, SupportVerdict("not_checked", reason=made))
            else:
                requests.append(made)
    return SupportPlan(tuple(requests), settled)


def _request(
    question: str,
    document: str,
    claims: tuple[CitedClaim, ...],
    budget_tokens: int | None,
    document_tokens: int,
    max_reply_chars: int | None,
) -> SupportRequest | str:
    """The call, or why there is none."""
    bare = max_reply_chars == 0
    asked, visible = make_visible(question).text, make_visible(document).text
    said = [make_visible(claim.claim).text for claim in claims]
    criteria = tuple(
        Criterion(f"claim-{number}", "", scale="labels", labels=SUPPORT_LABELS) for number in range(1, len(said) + 1)
    )
    nonce = draw_nonce([asked, visible, *said])
    system = _SYSTEM.format(nonce=nonce) + ("" if bare else ORDER)
    listed = [_CLAIM.format(id=c.id, number=number) for number, c in enumerate(criteria, 1)]
    task = _TASK.format(claims="\n".join(listed)) + (_BARE_FORM if bare else form_text(criteria, nonce))
    fenced = [fence(f"CLAIM {number}", text, nonce) for number, text in enumerate(said, 1)]
    before = [fence("QUESTION", asked, nonce)]
    room = document_tokens
    if budget_tokens is not None:
        frame = "\n\n".join([system, *before, fence("DOCUMENT", "", nonce), MISSING_NOTE, *fenced, task])
        room = min(room, budget_tokens - estimate_tokens(frame) - _MARGIN_TOKENS)
    packed = pack(visible, budget_tokens=room, focus=" ".join(said), nonce=nonce) if room > 1 else None
    if packed is None:
        return (
            f"not one paragraph of the document fits into the {budget_tokens} tokens that the judge's prompt may take"
        )
    return SupportRequest(
        claims,
        JudgeRequest(
            messages=(
                {"role": "system", "content": system},
                {"role": "user", "content": "\n\n".join([*before, *_shown(packed, nonce), *fenced, task])},
            ),
            schema=reply_schema(criteria, nonce, bare=bare, max_reply_chars=max_reply_chars),
            criteria=criteria,
            key="" if bare else nonce,
            shown={"document": (packed.shown, packed.total)},
        ),
        packed.text,
    )


def _shown(packed: Packed, nonce: str) -> list[str]:
    block = fence("DOCUMENT", packed.text, nonce)
    return [block] if packed.complete else [block, MISSING_NOTE.format(nonce=nonce)]


def read_support(asked: SupportRequest, reply: RawReply) -> tuple[SupportVerdict, ...]:
    """One verdict a claim, in order; `not_checked` with the reason where none can be read or none can be believed."""
    request = asked.request
    try:
        given = parse_reply(reply.text, request.criteria, key=request.key, finish=reply.finish, dialect=_DIALECT)
    except UnreadableReplyError as error:
        return (SupportVerdict("not_checked", reason=f"{error.kind}: {error}"),) * len(asked.claims)
    return tuple(_verdict(verdict, asked) for verdict in given)


def _verdict(given: CriterionVerdict, asked: SupportRequest) -> SupportVerdict:
    label = next((name for name in SUPPORTS if name == given.label), None)
    if label is None:
        return SupportVerdict("not_checked", reason=given.reason, quote=given.quote)
    if not asked.request.key:
        return SupportVerdict(label)
    stands = stands_in(given.quote, asked.document)
    if label in _NEEDS_QUOTE and not stands:
        fault = "its quote does not stand in the document" if given.quote.strip() else "it quotes nothing"
        return SupportVerdict("not_checked", reason=f"the judge says {label}, but {fault}: {given.reason}".strip())
    return SupportVerdict(label, reason=given.reason, quote=given.quote if stands else "")
