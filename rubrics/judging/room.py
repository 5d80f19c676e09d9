"""How the room of a prompt is shared between report, trace and evidence, and what of each goes in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rubrics.judging.evidence import NO_NONCE, SUMMARY_TOKENS, EvidenceView, render
from rubrics.judging.fence import draw_nonce, fence, make_visible
from rubrics.judging.material import Material
from rubrics.judging.pack import Packed, pack
from rubrics.judging.rubric import Scope
from rubrics.judging.text import estimate_tokens
from rubrics.judging.wording import EVIDENCE_NOTE, MISSING_NOTE

EVIDENCE = "EVIDENCE"
PARTS: Mapping[Scope, tuple[str, ...]] = {
    "report": ("REPORT",),
    "trace": ("TRACE", EVIDENCE),
    "both": ("TRACE", EVIDENCE, "REPORT"),
}
# Shares of the room that is left once instructions and statements are in. What one part does not need the next may
# take, in this order: so where room gets scarce the evidence gives way first, down to its share.
_SHARES: Mapping[str, float] = {"REPORT": 0.6, "TRACE": 0.25, EVIDENCE: 0.15}
_MARGIN_TOKENS = 48


class DoesNotFitError(Exception):
    """The material cannot be packed into the budget of the judge's context."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What all prompts of one scope show: fenced blocks under one nonce, and what was left out of them.

    `chars`: part -> (characters shown, in all). `documents`: documents of the evidence by what became of them, None
    where the scope has no evidence.
    """

    nonce: str
    blocks: tuple[str, ...]
    chars: Mapping[str, tuple[int, int]]
    documents: Mapping[str, int] | None = None


def show(
    scope: Scope,
    material: Material,
    *,
    words_tokens: int,
    budget_tokens: int | None,
    evidence_tokens: int | None,
) -> Shown:
    """Fits what a scope reads into a prompt of `budget_tokens`, of which instructions take `words_tokens`.

    `evidence_tokens` bounds the evidence besides: None for what the prompt has room for, 0 for none.
    Raises DoesNotFitError where not one paragraph of a report or a trace fits.
    """
    question = make_visible(material.question).text
    texts = {"REPORT": material.report, "TRACE": material.trace}
    visible = {name: make_visible(texts[name]).text for name in PARTS[scope] if texts.get(name)}
    evidence = material.evidence if EVIDENCE in PARTS[scope] and evidence_tokens != 0 else None
    wanted = 0 if evidence is None else evidence.need
    if evidence_tokens is not None:
        wanted = min(wanted, evidence_tokens)
    rooms = _rooms(visible, wanted, question, words_tokens, budget_tokens)
    view = None
    if evidence is not None and wanted:
        view = evidence.within(evidence_tokens if rooms is None else rooms.given[EVIDENCE])
    nonce = draw_nonce([question, *visible.values(), *(view.texts if view else [])])
    packed = _packed(visible, rooms, question, nonce)
    return _shown(scope, question, packed, view, nonce)


def _shown(scope: Scope, question: str, packed: Mapping[str, Packed], view: EvidenceView | None, nonce: str) -> Shown:
    blocks = [fence("QUESTION", question, nonce)]
    for name in PARTS[scope]:
        if name in packed:
            blocks.append(fence(name, packed[name].text, nonce))
        elif name == EVIDENCE and view is not None:
            blocks.append(fence(name, render(view, nonce), nonce))
    if view is not None:
        blocks.append(EVIDENCE_NOTE.format(nonce=nonce))
    if any(not part.complete for part in packed.values()) or (view is not None and not view.complete):
        blocks.append(MISSING_NOTE.format(nonce=nonce))
    chars = {name.lower(): (part.shown, part.total) for name, part in packed.items()}
    if view is not None:
        chars[EVIDENCE.lower()] = view.chars
    return Shown(nonce, tuple(blocks), chars, None if view is None else view.counts)


@dataclass(frozen=True, slots=True)
class _Rooms:
    """Tokens for each part, and what they were divided from."""

    given: Mapping[str, int]
    needs: Mapping[str, int]
    budget: int
    fixed: int


def _rooms(
    visible: Mapping[str, str], evidence_tokens: int, question: str, words_tokens: int, budget_tokens: int | None
) -> _Rooms | None:
    if budget_tokens is None:
        return None
    names = ("QUESTION", *visible, *([EVIDENCE] if evidence_tokens else ()))
    frames = "".join(fence(name, "", NO_NONCE) for name in names)
    fixed = words_tokens + estimate_tokens(question + frames + MISSING_NOTE) + _MARGIN_TOKENS
    needs = {name: estimate_tokens(text) for name, text in visible.items()}
    if evidence_tokens:
        # Even where no passage fits, how many documents there are is said.
        fixed += estimate_tokens(EVIDENCE_NOTE) + SUMMARY_TOKENS
        needs[EVIDENCE] = evidence_tokens
    return _Rooms(_divide(needs, budget_tokens - fixed), needs, budget_tokens, fixed)


def _divide(needs: Mapping[str, int], room: int) -> dict[str, int]:
    """Room for each part: its need or its share, whichever is less, then what is left over in order of share."""
    total = sum(_SHARES[name] for name in needs)
    given = {name: max(0, min(need, int(room * _SHARES[name] / total))) for name, need in needs.items()}
    left = room - sum(given.values())
    for name in sorted(needs, key=lambda part: -_SHARES[part]):
        more = max(0, min(left, needs[name] - given[name]))
        given[name] += more
        left -= more
    return given


def _packed(visible: Mapping[str, str], rooms: _Rooms | None, question: str, nonce: str) -> dict[str, Packed]:
    if rooms is None:
        return {name: Packed(text, len(text), len(text)) for name, text in visible.items()}
    out: dict[str, Packed] = {}
    for name, text in visible.items():
        allowed = rooms.given[name]
        part = pack(text, budget_tokens=allowed, focus=question, nonce=nonce) if allowed > 0 else None
        if part is None:
            raise DoesNotFitError(
                f"the {name.lower()} takes about {rooms.needs[name]} tokens and not one paragraph of it fits: the "
                f"judge's prompt may take {rooms.budget} and question and instructions take {rooms.fixed}. "
                "Use a model with a longer context or fewer criteria a call"
            )
        out[name] = part
    return out


def longest(words: Sequence[str]) -> int:
    """Tokens of the longest of several instructions: what every prompt of a scope must leave room for."""
    return max((estimate_tokens(text) for text in words), default=0)
