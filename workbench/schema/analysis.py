"""What is computed from a trajectory alone: phases, search activity, citations."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Phase: TypeAlias = Literal["plan", "research", "synthesis"]
PHASES: tuple[Phase, ...] = ("plan", "research", "synthesis")

Retrieval: TypeAlias = Literal["opened", "seen", "not_retrieved", "dangling", "no_trace"]
RETRIEVALS: tuple[Retrieval, ...] = ("opened", "seen", "not_retrieved", "dangling", "no_trace")

Support: TypeAlias = Literal["supported", "partly", "contradicted", "unrelated", "not_checked"]
SUPPORTS: tuple[Support, ...] = ("supported", "partly", "contradicted", "unrelated", "not_checked")


@dataclass(frozen=True, slots=True)
class StepPhase:
    """The phase of one step. `confidence` in [0, 1]; `source` is `person` where someone corrected it."""

    position: int
    phase: Phase
    confidence: float
    source: Literal["rule", "person"] = "rule"


@dataclass(frozen=True, slots=True)
class PhaseTotals:
    """Sums over the steps of one phase. Tokens are an estimate unless `Activity.tokens_exact`.

    `duration_s`: seconds, over the steps that recorded theirs; None where none did.
    """

    steps: int = 0
    tokens: int = 0
    tool_calls: int = 0
    duration_s: float | None = None


@dataclass(frozen=True, slots=True)
class Activity:
    """How the agent searched. Counts; sites are registered domains (eTLD+1) by the bundled suffix snapshot.

    `sites_opened`: a page of it was fetched without error. `sites_cited`: the report cites it.
    `sites_seen`: it stood in a search result and no page of it was opened.

    None is unknown, and never zero: the source did not record it, or rules from before these figures made the record.
    `near_duplicate_queries`: distinct queries beyond the first of each group that nearly repeat one another, so that
    `distinct_queries - near_duplicate_queries` things were asked; None also over 500 distinct queries.
    `repeated_opens`: pages fetched without error that had been fetched before, whatever form the address took.
    `redundancy`: share in [0, 1] of the retrieved characters, in lines of 40 or more, that an earlier result held.
    `duration_s`: seconds, of the steps that recorded theirs, else what the source gives for the whole.
    `cost_usd`: what the source says that the run cost, in US dollars.
    """

    queries: int
    distinct_queries: int
    sites_opened: int
    sites_cited: int
    sites_seen: int
    tool_calls: int
    failed_calls: int
    tokens: int
    tokens_exact: bool
    evidence_chars: int
    near_duplicate_queries: int | None = None
    repeated_opens: int | None = None
    redundancy: float | None = None
    duration_s: float | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """A place in a tool result: step position, which result of that step, character offsets in its text."""

    step: int
    result: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation of the report, on two axes: was the source retrieved, and does it support the claim.

    `start`/`end` are character offsets of the marker in the report, `claim_start`/`claim_end` of the sentence it
    serves. `passage` is the text of the run that it rests on, None where nothing was retrieved.
    `retrieval`: opened (a page fetched), seen (only in search results), not_retrieved (an address that no tool result
    of the run holds), dangling (a number without an entry in the reference list), no_trace (a report imported alone).
    """

    ordinal: int
    marker: str
    start: int
    end: int
    claim_start: int
    claim_end: int
    url: str | None
    site: str | None
    retrieval: Retrieval
    support: Support = "not_checked"
    passage: Passage | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """All of it for one trajectory. `version` names the rules that made it."""

    version: str
    phases: tuple[StepPhase, ...]
    totals: dict[Phase, PhaseTotals]
    activity: Activity
    citations: tuple[Citation, ...]
