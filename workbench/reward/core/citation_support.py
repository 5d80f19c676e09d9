"""A report made ready for a check of its citations, and what the verdicts on them amount to.

Grading here and rewarding in a trainer both call these, whoever gives the verdicts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rubrics.judging.entailment import entails_in
from rubrics.judging.entailment_claim import Claim
from rubrics.judging.entailment_document import Document
from rubrics.judging.support import CitedClaim, SupportVerdict
from rubrics.judging.support_figures import CheckedCitation, SupportFigures, support_figures
from rubrics.judging.text import fold
from workbench.phases.citations import has_trace
from workbench.phases.cited import CitedSource, cited_sources, claims_without
from workbench.schema.canonical import JsonValue
from workbench.schema.grade import CriterionVerdict
from workbench.schema.trajectory import Trajectory

# A quote in a grade shows where a verdict rests; the page itself is in the trajectory.
_QUOTE_CHARS = 400


@dataclass(frozen=True, slots=True)
class CitedReport:
    """The citations of one report with what the run retrieved for them; `uncited`: claims that need one and have none.

    `asked`: places in `sources` of the citations that have a document to be held against, in order.
    """

    sources: tuple[CitedSource, ...]
    uncited: int
    traced: bool
    asked: tuple[int, ...]

    @property
    def claims(self) -> tuple[CitedClaim, ...]:
        """What a checker is asked, one for each place of `asked`."""
        return tuple(CitedClaim(self.sources[place].claim, self.sources[place].document) for place in self.asked)


def read_citations(trajectory: Trajectory) -> CitedReport:
    """Pure; of a trajectory without its trace nothing can be held against anything."""
    sources = cited_sources(trajectory)
    cited = {fold(source.claim) for source in sources}
    bare = claims_without(trajectory.report, [source.citation for source in sources])
    # What is said twice is one claim, so that neither credit nor blame grows by repeating it.
    uncited = len({fold(trajectory.report[claim.start : claim.end]) for claim in bare} - cited)
    asked = tuple(place for place, source in enumerate(sources) if source.document)
    return CitedReport(sources, uncited, has_trace(trajectory), asked)


def verdicts_by_words(claims: Sequence[CitedClaim]) -> tuple[SupportVerdict, ...]:
    """Verdicts without a model, one a claim in order; each document and each claim is read once."""
    documents: dict[str, Document] = {}
    found: dict[CitedClaim, SupportVerdict] = {}
    for claim in claims:
        if claim not in found:
            if claim.document not in documents:
                documents[claim.document] = Document(claim.document)
            found[claim] = entails_in(Claim.read(claim.claim), documents[claim.document])
    return tuple(found[claim] for claim in claims)


@dataclass(frozen=True, slots=True)
class CheckedReport:
    """A report's figures, and for a grade its verdicts (accuracy and coverage) and its detail, citation by citation."""

    figures: SupportFigures
    verdicts: tuple[CriterionVerdict, ...]
    detail: dict[str, JsonValue]


def check_report(report: CitedReport, verdicts: Sequence[SupportVerdict]) -> CheckedReport:
    """`verdicts`: one for each of `report.claims`, in order. Raises ValueError where there are more or fewer."""
    given = dict(zip(report.asked, verdicts, strict=True))
    checked = [given.get(place, SupportVerdict("not_checked")) for place in range(len(report.sources))]
    figures = support_figures(
        [
            CheckedCitation(
                fold(source.claim),
                source.source,
                source.citation.retrieval,
                verdict.support,
            )
            for source, verdict in zip(report.sources, checked, strict=True)
        ],
        uncited=report.uncited,
        traced=report.traced,
    )
    rows: list[JsonValue] = [_row(source, verdict) for source, verdict in zip(report.sources, checked, strict=True)]
    return CheckedReport(figures, _criteria(figures), {**figures.to_json(), "citations": rows})


def _row(source: CitedSource, verdict: SupportVerdict) -> dict[str, JsonValue]:
    citation = source.citation
    row: dict[str, JsonValue] = {
        "ordinal": citation.ordinal,
        "start": citation.start,
        "end": citation.end,
        "url": citation.url,
        "retrieval": citation.retrieval,
        "support": verdict.support,
    }
    optional: dict[str, JsonValue] = {
        "score": verdict.score,
        "reason": verdict.reason,
        "quote": verdict.quote[:_QUOTE_CHARS],
        "left_out_chars": source.left_out or None,
    }
    return row | {name: value for name, value in optional.items() if value is not None and value != ""}


def _criteria(figures: SupportFigures) -> tuple[CriterionVerdict, ...]:
    """Accuracy and coverage as verdicts, so that they are shown and compared where the criteria of a rubric are."""
    said = ", ".join(f"{n} {name}" for name, n in figures.pairs.items()) or "no citation"
    out = []
    if figures.accuracy is not None:
        out.append(
            _criterion("accuracy", figures.accuracy.value, f"of {sum(figures.pairs.values())} citations: {said}")
        )
    if figures.coverage is not None:
        total = figures.claims + figures.uncited
        reason = f"of {total} claims that need a citation {figures.uncited} have none"
        out.append(_criterion("coverage", figures.coverage.value, reason))
    return tuple(out)


def _criterion(name: str, value: float, reason: str) -> CriterionVerdict:
    label = "all" if value == 1.0 else "none" if value == 0.0 else "some"
    return CriterionVerdict(name, label, value, reason)
