"""Each citation with the claim that it serves and all text that the run retrieved of its source."""

from collections.abc import Sequence
from typing import NamedTuple

from workbench.phases.activity import openings
from workbench.phases.calls import call_records
from workbench.phases.citations import find_with_parts
from workbench.phases.claims import UncitedClaim, uncited_claims
from workbench.phases.documents import Part, Retrieved
from workbench.phases.lazy import Pattern
from workbench.phases.passages import MAX_PART_CHARS, MAX_PARTS
from workbench.phases.urls import normal_url
from workbench.schema.analysis import Citation
from workbench.schema.trajectory import Trajectory

# All that is kept of one source. Pages are far shorter; it bounds the work on a hostile run.
MAX_DOCUMENT_CHARS = 1_000_000
_READ = ("opened", "seen")
_EMPTY_BRACKETS = Pattern(r"\\?\[[\s,;\\]{0,40}\]|[(（][\s,;]{0,40}[)）]")
_BLANK_BEFORE_STOP = Pattern(r" (?=[.,;:!?。，；：！？](?:\s|$))")


class CitedSource(NamedTuple):
    """`claim` says what the report says there, its markers taken out. `source` names the source: equal for two
    citations of one. `document` is every stretch of the run's tool results that is text of it, opened pages first, an
    empty line between them; empty where nothing was retrieved. `left_out`: at most so many
    characters of it are not in `document`.
    """

    citation: Citation
    claim: str
    source: str
    document: str
    left_out: int = 0


def cited_sources(trajectory: Trajectory) -> tuple[CitedSource, ...]:
    """The report's citations in order, as `analyse` finds them, but for the passage, which is not looked up."""
    records = call_records(trajectory)
    sources = Retrieved(trajectory, records, openings(records))
    documents: dict[str, tuple[str, int]] = {}
    out = []
    for citation, said, parts in find_with_parts(trajectory, sources, passages=False):
        source, claim = _name(citation, parts), _tidy(said)
        if citation.retrieval not in _READ:
            out.append(CitedSource(citation, claim, source, ""))
            continue
        if source not in documents:
            documents[source] = _document(trajectory, parts)
        out.append(CitedSource(citation, claim, source, *documents[source]))
    return tuple(out)


def claims_without(report: str, citations: Sequence[Citation]) -> tuple[UncitedClaim, ...]:
    """Claims that need a citation and have none, also none that a provider recorded beside the text."""
    recorded = [citation for citation in citations if not citation.marker]
    return tuple(
        claim
        for claim in uncited_claims(report)
        if not any(c.claim_start < claim.end and claim.start < c.claim_end for c in recorded)
    )


def _tidy(said: str) -> str:
    """What a claim says without the holes that its markers leave: empty brackets, and blanks before a stop."""
    whole = " ".join(_EMPTY_BRACKETS().sub(" ", said).split())
    return _BLANK_BEFORE_STOP().sub("", whole)


def _name(citation: Citation, parts: Sequence[Part]) -> str:
    if citation.url is not None:
        return normal_url(citation.url)
    return parts[0].key if parts else f"marker:{citation.marker}"


def _document(trajectory: Trajectory, parts: Sequence[Part]) -> tuple[str, int]:
    """The texts of the parts, none twice and none that another holds, and how many characters did not fit."""
    kept: list[str] = []
    taken: dict[tuple[int, int], list[tuple[int, int]]] = {}
    seen: set[str] = set()
    size = left_out = 0
    for part in parts[:MAX_PARTS]:
        spans = taken.setdefault((part.step, part.result), [])
        if any(start <= part.start and part.end <= end for start, end in spans):
            continue
        text = trajectory.steps[part.step].tool_results[part.result].text[part.start : part.end]
        if text in seen:
            continue
        piece = text[: min(MAX_PART_CHARS, MAX_DOCUMENT_CHARS - size)]
        left_out += len(text) - len(piece)
        if piece:
            kept.append(piece)
            size += len(piece)
            seen.add(text)
            spans.append((part.start, part.end))
    # Further places are not read, so what they repeat counts as left out as well.
    left_out += sum(part.end - part.start for part in parts[MAX_PARTS:])
    return "\n\n".join(kept), left_out
