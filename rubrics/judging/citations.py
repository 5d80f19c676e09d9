"""A score of citations from how many rest on a page that the run opened. Deterministic, needs no model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workbench.schema.analysis import Citation, Retrieval

# A page that was opened can have been read; a search result shows a sentence of it; the rest was never retrieved.
CREDIT: Mapping[Retrieval, float] = {"opened": 1.0, "seen": 0.5, "not_retrieved": 0.0, "dangling": 0.0}

SCHEME = "mean_credit:opened=1,seen=0.5,not_retrieved=0,dangling=0"


@dataclass(frozen=True, slots=True)
class CitationScore:
    """`score` in [0, 1], or None with the reason why there is nothing to score: no citations, or no trace."""

    score: float | None
    n: int
    counts: Mapping[Retrieval, int]
    reason: str = ""


def count_retrievals(citations: Sequence[Citation]) -> dict[Retrieval, int]:
    """How many citations stand in each retrieval class; absent classes are left out."""
    counts: dict[Retrieval, int] = {}
    for citation in citations:
        counts[citation.retrieval] = counts.get(citation.retrieval, 0) + 1
    return counts


def score_citations(counts: Mapping[Retrieval, int]) -> CitationScore:
    """Mean credit over the citations of a report. A report without citations or without a trace is not scored.

    An uncited report scoring 0 would confuse "cites nothing" with "cites what it never read"; what it should have
    cited is the checklist's question, not this one's.
    """
    n = sum(counts.get(retrieval, 0) for retrieval in CREDIT)
    if counts.get("no_trace", 0):
        return CitationScore(None, n, counts, "the report was imported without its trace: nothing says what was read")
    if n == 0:
        return CitationScore(None, 0, counts, "the report holds no citation")
    return CitationScore(sum(CREDIT[retrieval] * counts.get(retrieval, 0) for retrieval in CREDIT) / n, n, counts)
