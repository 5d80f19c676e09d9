"""Which facts of a question sheet a report states, and with what citation. Deterministic, needs no model.

A cheap proxy of report quality that can be hacked: a list of every likely value beside every subject, each with a
citation to any opened page, scores well. That is its use here: a grader whose holes the stress lab must find.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from rubrics.judging.text import Sentence, fold, holds, sentences
from workbench.schema.analysis import Citation
from workbench.schema.canonical import JsonObject
from workbench.schema.grade import CriterionVerdict

FactLabel: TypeAlias = Literal["cited", "stated", "contradicted", "absent"]
# A fact without a citation to a page that was opened may be right by luck: half credit.
CREDIT: Mapping[FactLabel, float] = {"cited": 1.0, "stated": 0.5, "contradicted": 0.0, "absent": 0.0}
SCHEME = "mean_credit:cited=1,stated=0.5,contradicted=0,absent=0"


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact to look for. A sentence states it if it holds one of `any_of`, one of `subject_any_of` (where given)
    and none of `forbid_any_of`. `part` names the part of the question that it answers."""

    id: str
    any_of: tuple[str, ...]
    subject_any_of: tuple[str, ...] = ()
    forbid_any_of: tuple[str, ...] = ()
    part: str = ""


@dataclass(frozen=True, slots=True)
class ChecklistScore:
    """`score` in [0, 1] is the mean credit, None with a `reason` where there is nothing to score.

    `parts`: part of the question -> mean credit of its facts. `value` of a verdict is the fact's credit.
    """

    score: float | None
    verdicts: tuple[CriterionVerdict, ...]
    parts: Mapping[str, float]
    reason: str = ""


def facts_from_sheet(sheet: JsonObject) -> tuple[Fact, ...]:
    """The facts of a sheet `{"facts": [{"id", "any_of", "subject_any_of"?, "forbid_any_of"?, "part"?}]}`.

    Raises ValueError where a fact has no id, no phrase to look for, or an id used before.
    """
    facts: list[Fact] = []
    raw: Any = sheet.get("facts")
    if not isinstance(raw, list | tuple):
        raise ValueError(f"a question sheet needs a list 'facts'; found keys {sorted(sheet)}")
    for item in raw:
        fact = Fact(
            id=str(item.get("id", "")),
            any_of=_phrases(item, "any_of"),
            subject_any_of=_phrases(item, "subject_any_of"),
            forbid_any_of=_phrases(item, "forbid_any_of"),
            part=str(item.get("part", "")),
        )
        if not fact.id or not fact.any_of or fact.id in {other.id for other in facts}:
            raise ValueError(f"fact {fact.id!r} of a question sheet needs an id of its own and a phrase in 'any_of'")
        facts.append(fact)
    return tuple(facts)


def _phrases(item: Mapping[str, Any], name: str) -> tuple[str, ...]:
    given = item.get(name) or ()
    return tuple(phrase for phrase in (fold(str(text)) for text in given) if phrase)


def score_checklist(report: str, sheet: JsonObject, citations: Sequence[Citation] | None) -> ChecklistScore:
    """The share of the sheet's facts that the report states, half credit where no opened page is cited with it.

    `citations` are those of the same report (offsets in it), None where the report has no trace: then nothing says
    what was opened and the report is not scored. The best sentence for a fact counts; a sentence that also holds a
    forbidden phrase contradicts the fact, unless another sentence states it cleanly.
    """
    facts = facts_from_sheet(sheet)
    if not facts:
        return ChecklistScore(None, (), {}, "the question sheet lists no facts")
    if citations is None:
        return ChecklistScore(None, (), {}, "the report has no trace: nothing says which cited pages were opened")
    opened = [citation for citation in citations if citation.retrieval == "opened"]
    pieces = [(piece, fold(piece.text)) for piece in sentences(report)]
    cited = [any(_serves(citation, piece) for citation in opened) for piece, _ in pieces]
    verdicts = tuple(_verdict(fact, pieces, cited) for fact in facts)
    credits = [verdict.value or 0.0 for verdict in verdicts]
    parts: dict[str, list[float]] = {}
    for fact, credit in zip(facts, credits, strict=True):
        parts.setdefault(fact.part, []).append(credit)
    return ChecklistScore(
        sum(credits) / len(credits), verdicts, {part: sum(values) / len(values) for part, values in parts.items()}
    )


def _serves(citation: Citation, piece: Sentence) -> bool:
    in_marker = piece.start <= citation.start < piece.end
    return in_marker or (citation.claim_start < piece.end and citation.claim_end > piece.start)


def _verdict(fact: Fact, pieces: Sequence[tuple[Sentence, str]], cited: Sequence[bool]) -> CriterionVerdict:
    best: FactLabel = "absent"
    quote = ""
    for (piece, folded), has_citation in zip(pieces, cited, strict=True):
        if not any(holds(folded, phrase) for phrase in fact.any_of):
            continue
        if fact.subject_any_of and not any(holds(folded, phrase) for phrase in fact.subject_any_of):
            continue
        if any(holds(folded, phrase) for phrase in fact.forbid_any_of):
            label: FactLabel = "contradicted"
        else:
            label = "cited" if has_citation else "stated"
        if best == "absent" or CREDIT[label] > CREDIT[best]:
            best, quote = label, piece.text
        if best == "cited":
            break
    return CriterionVerdict(fact.id, best, CREDIT[best], _REASONS[best], quote)


_REASONS: Mapping[FactLabel, str] = {
    "cited": "a sentence states it and cites a page that was opened",
    "stated": "a sentence states it without citing a page that was opened",
    "contradicted": "the only sentence that states it also denies it",
    "absent": "no sentence states it",
}
