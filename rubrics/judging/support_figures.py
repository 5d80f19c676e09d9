"""From verdicts on single citations to what is said of a report: accuracy, effective citations, coverage, one score.

The pair of a claim and a source counts once. Sources of the terms: accuracy and effective citations as in FACT
(DeepResearch Bench, arXiv 2506.11763), precision and recall of citations as in ALCE (arXiv 2305.14627). Unlike FACT, a
citation whose source was never retrieved stays in the denominator, a claim without the citation it needs counts, and
`partly` is one half and not whole support.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, get_args

from workbench.schema.analysis import Retrieval, Support
from workbench.schema.canonical import JsonValue

# Credit of a verdict. A pair without one is unknown: `not_checked`, and `no_trace` where the source was not recorded.
CREDIT: Mapping[str, float] = {"supported": 1.0, "partly": 0.5, "contradicted": 0.0, "unrelated": 0.0}
PairClass: TypeAlias = Literal[
    "supported", "partly", "contradicted", "unrelated", "not_checked", "not_retrieved", "dangling", "no_trace"
]
PAIR_CLASSES: tuple[PairClass, ...] = get_args(PairClass)
_Pair: TypeAlias = tuple[str, str]
# A score whose unknown pairs leave more than this open is none: it would be made of what could not be read.
WIDEST = 0.2
SCHEME = (
    "f1(accuracy,coverage):supported=1,partly=0.5,contradicted=0,unrelated=0,not_retrieved=0,dangling=0,"
    f"unknown=0.5 within {WIDEST:g}"
)


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """One citation of a report after a check. `claim`: what it says, equal where a report says it twice; `source`: a
    name of its source, equal for two citations of one."""

    claim: str
    source: str
    retrieval: Retrieval
    support: Support


@dataclass(frozen=True, slots=True)
class Bounded:
    """A figure with its unknown parts counted as one half, and the least and most that it could be."""

    value: float
    low: float
    high: float

    def to_json(self) -> dict[str, JsonValue]:
        return {"value": self.value, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class SupportFigures:
    """What the check says of a report.

    `pairs`: distinct pairs of claim and source by class. `accuracy`: mean credit of the pairs, those that were never
    retrieved counted as 0; None without a citation. `accuracy_of_checked`: mean credit of the pairs with a verdict
    alone; None without one. `effective`: number of supported pairs, and `effective_sources` of distinct sources among
    them; `effective_high` counts the unknown pairs too. `claims`: distinct cited claims and, of them and the
    `uncited` ones together, `coverage`: mean of each claim's best credit; None where nothing needs a citation.
    `score`: harmonic mean of accuracy and coverage in [0, 1]; None where `outcome` is not `scored`, with the reason.
    """

    outcome: Literal["scored", "abstained", "judge_failed"]
    reason: str = ""
    score: Bounded | None = None
    pairs: Mapping[PairClass, int] = field(default_factory=dict)
    accuracy: Bounded | None = None
    accuracy_of_checked: float | None = None
    effective: int = 0
    effective_high: int = 0
    effective_sources: int = 0
    claims: int = 0
    uncited: int = 0
    coverage: Bounded | None = None

    def to_json(self) -> dict[str, JsonValue]:
        """What a grade's detail carries."""
        pairs: dict[str, JsonValue] = {str(name): n for name, n in self.pairs.items()}
        return {
            "pairs": pairs,
            "accuracy": self.accuracy.to_json() if self.accuracy else None,
            "accuracy_of_checked": self.accuracy_of_checked,
            "effective": self.effective,
            "effective_high": self.effective_high,
            "effective_sources": self.effective_sources,
            "cited_claims": self.claims,
            "uncited_claims": self.uncited,
            "coverage": self.coverage.to_json() if self.coverage else None,
            "low": self.score.low if self.score else None,
            "high": self.score.high if self.score else None,
        }


def class_of(citation: CheckedCitation) -> PairClass:
    """Where the citation stands: what was never retrieved has no support to speak of."""
    if citation.retrieval == "opened" or citation.retrieval == "seen":
        return citation.support
    return citation.retrieval


def support_figures(citations: Sequence[CheckedCitation], *, uncited: int, traced: bool) -> SupportFigures:
    """The figures of one report. `uncited`: how many of its claims need a citation and have none; `traced`: whether
    the report came with its run."""
    if not traced:
        return SupportFigures("abstained", "the report was imported without its trace: nothing says what was read")
    classes = _pair_classes(citations)
    if not classes and not uncited:
        return SupportFigures("abstained", "the report cites nothing and states nothing that needs a citation")
    found = _counted(classes, uncited)
    low, middle, high = (_f1(_ends(found.accuracy)[end], _ends(found.coverage)[end]) for end in range(3))
    if high - low <= WIDEST:
        return replace(found, score=Bounded(middle, low, high))
    not_read, hidden = found.pairs.get("not_checked", 0), found.pairs.get("no_trace", 0)
    open_ = [f"{not_read} could not be checked"] if not_read else []
    open_ += [f"of {hidden} the run's provider kept the source to itself"] if hidden else []
    reason = f"the score could lie anywhere from {low:.2f} to {high:.2f}: of {len(classes)} citations "
    return replace(found, outcome="judge_failed" if not_read else "abstained", reason=reason + " and ".join(open_))


def _pair_classes(citations: Sequence[CheckedCitation]) -> dict[_Pair, PairClass]:
    """Each pair of claim and source with its class; of one that stands twice the first verdict counts."""
    out: dict[_Pair, PairClass] = {}
    for citation in citations:
        key = (citation.claim, citation.source)
        if out.get(key, "not_checked") == "not_checked":
            out[key] = class_of(citation)
    return out


def _counted(classes: Mapping[_Pair, PairClass], uncited: int) -> SupportFigures:
    """All figures but the score."""
    counts = Counter(classes.values())
    best: dict[str, tuple[float, float]] = {}
    for (claim, _), found in classes.items():
        low, high = best.get(claim, (0.0, 0.0))
        best[claim] = (max(low, _credit(found)[0]), max(high, _credit(found)[1]))
    checked = [CREDIT[found] for found in classes.values() if found in CREDIT]
    return SupportFigures(
        "scored",
        pairs={name: counts[name] for name in PAIR_CLASSES if counts[name]},
        accuracy=_mean([_credit(found) for found in classes.values()]),
        accuracy_of_checked=sum(checked) / len(checked) if checked else None,
        effective=counts["supported"],
        effective_high=counts["supported"] + counts["not_checked"] + counts["no_trace"],
        effective_sources=len({source for (_, source), found in classes.items() if found == "supported"}),
        claims=len(best),
        uncited=uncited,
        coverage=_mean([*best.values(), *[(0.0, 0.0)] * uncited]),
    )


def _credit(found: PairClass) -> tuple[float, float]:
    """The least and the most credit that a pair of this class could deserve."""
    if found in ("not_checked", "no_trace"):
        return 0.0, 1.0
    credit = CREDIT.get(found, 0.0)
    return credit, credit


def _f1(accuracy: float, coverage: float) -> float:
    return 2 * accuracy * coverage / (accuracy + coverage) if accuracy + coverage else 0.0


def _ends(figure: Bounded | None) -> tuple[float, float, float]:
    """Low, middle, high; a report without any citation is accurate about nothing."""
    return (figure.low, figure.value, figure.high) if figure is not None else (0.0, 0.0, 0.0)


def _mean(bounds: Sequence[tuple[float, float]]) -> Bounded | None:
    if not bounds:
        return None
    low, high = (sum(ends[side] for ends in bounds) / len(bounds) for side in (0, 1))
    return Bounded((low + high) / 2, low, high)
