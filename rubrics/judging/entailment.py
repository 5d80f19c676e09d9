"""Whether a document supports a claim, by words, figures and names: no model, the standard library only.

How far this can be trusted is measured: docs/decisions/0016-citation-support.md, docs/evidence/citation-support.json.
"""

from dataclasses import dataclass, replace

from rubrics.judging.entailment_claim import Claim
from rubrics.judging.entailment_document import Document
from rubrics.judging.entailment_match import Match, best_match
from rubrics.judging.support import SupportVerdict

# Raised whenever the same claim and document would get another verdict.
REVISION = 3
QUOTE_CHARS = 600
# A year that stands this early in a claim opens it: "In 2024, ...".
LEADING_YEAR = 6
SHORT_CLAIM = 6


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Shares of the claim's words, in [0, 1].

    `supported`: what must be there; `short`: of a claim of few words, where one that is missing changes all;
    `with_names`: where two names and more are met; `with_figures`: where all figures are; `with_both`: where figures
    and a name are; `with_telling`: where one of the figures has three digits and more. `partly`: the least for a
    verdict other than unrelated; `same`: what a place must hold to be about the same thing, so that its other figure
    contradicts; `part`: of each of several assertions.
    """

    supported: float = 0.6
    short: float = 0.75
    with_names: float = 0.5
    with_figures: float = 0.45
    with_both: float = 0.25
    with_telling: float = 0.15
    partly: float = 0.35
    same: float = 0.5
    part: float = 0.4

    def needed(self, found: "Features") -> float:
        """The share of words that a claim needs whose figures and names are met."""
        if found.figures:
            return self.with_telling if found.telling else self.with_both if found.names else self.with_figures
        if found.names > 1:
            return self.with_names
        return self.short if found.terms < SHORT_CLAIM else self.supported


THRESHOLDS = Thresholds()


@dataclass(frozen=True, slots=True)
class Features:
    """What the comparison of one claim and document found. Shares in [0, 1], counts of the claim's figures and names.

    `cover` is of the whole claim in one window, `weakest` of its least covered assertion, each in its own window.
    """

    cover: float
    weakest: float
    figures: int
    met: int
    telling: bool
    denied: int
    elsewhere: int
    terms: int
    names: int
    missing_names: int
    years_missing: int
    year_denied: bool
    opposed: str
    quote: str


def entails(claim: str, document: str) -> SupportVerdict:
    """The verdict on one claim and one document, in time about linear in the document (its first million characters).

    `score` in [0, 1] grows with support. `not_checked` where there is nothing to compare: an empty document, a claim
    without words, or the two in different scripts (English against Chinese), where shared words mean nothing.
    """
    return entails_in(Claim.read(claim), Document(document))


def entails_in(claim: Claim, document: Document) -> SupportVerdict:
    """As `entails`, with both read already: many claims of one report cite one document."""
    reason = unreadable(claim, document)
    if reason:
        return SupportVerdict("not_checked", reason=reason)
    return decide(measure(claim, document))


def unreadable(claim: Claim, document: Document) -> str:
    """Why the two cannot be compared, empty where they can."""
    if not document.spans:
        return "the document is empty"
    if not claim.terms and not claim.figures:
        return "the claim has no words to look for"
    if claim.script and document.script and claim.script != document.script:
        return "claim and document are in different scripts: words cannot be compared"
    return ""


def measure(claim: Claim, document: Document) -> Features:
    """Compares; both must be readable."""
    whole = best_match(claim, document)
    if whole is None:
        return Features(
            0.0,
            0.0,
            len(claim.figures),
            0,
            False,
            0,
            0,
            len(claim.terms),
            len(claim.names),
            len(claim.names),
            0,
            False,
            "",
            "",
        )
    parts = [best_match(part, document) for part in claim.parts] if len(claim.parts) > 1 else [whole]
    found = [match for match in parts if match is not None]
    weakest = min((_part_cover(match) for match in parts), default=0.0) if len(parts) > 1 else 1.0
    features = _features(whole, weakest)
    if len(found) == len(parts) > 1:
        # Several assertions may stand in several places: the whole is as well covered as they are together.
        apart = [_features(match, weakest) for match in found]
        weight = [sum(match.weights.values()) for match in found]
        cover = sum(f.cover * w for f, w in zip(apart, weight, strict=True)) / max(sum(weight), 1e-9)
        met = sum(f.met for f in apart)
        if met > features.met or (met == features.met and cover > features.cover):
            features = _joined(features, apart, cover)
    return features


def _part_cover(match: Match | None) -> float:
    """How far one assertion of several is there: a figure that is met says as much as words."""
    if match is None or any(state != "met" for f, state in match.figures if not f.spelled and f.kind != "year"):
        return 0.0
    met = any(state == "met" for figure, state in match.figures if not figure.spelled)
    return max(match.cover, 0.5) if met else match.cover


def _features(match: Match, weakest: float) -> Features:
    others = any(not figure.spelled and figure.kind != "year" for figure in match.claim.figures)
    # A year beside another figure, or before the sentence, says when: many documents say it once for all or not at all.
    soft = {
        figure for figure in match.claim.figures if figure.kind == "year" and (others or figure.start <= LEADING_YEAR)
    }
    hard = [(figure, state) for figure, state in match.figures if not figure.spelled and figure not in soft]
    years = [state for figure, state in match.figures if figure in soft]
    spelled = [state for figure, state in match.figures if figure.spelled]
    return Features(
        cover=match.cover,
        weakest=weakest,
        figures=len(hard),
        met=sum(state == "met" for _, state in hard),
        telling=any(state == "met" and figure.telling for figure, state in hard),
        denied=sum(state == "denied" for _, state in hard) + spelled.count("denied"),
        elsewhere=sum(state == "elsewhere" for _, state in hard),
        terms=len(match.claim.terms),
        names=len(match.claim.names),
        missing_names=len(match.missing_names) + match.first_word_missing,
        years_missing=years.count("missing") + years.count("elsewhere"),
        year_denied="denied" in years,
        opposed=match.opposed,
        quote=match.quote[:QUOTE_CHARS],
    )


def _joined(whole: Features, apart: list[Features], cover: float) -> Features:
    return replace(
        whole,
        cover=max(cover, whole.cover),
        figures=sum(f.figures for f in apart),
        telling=whole.telling or any(f.telling for f in apart),
        met=sum(f.met for f in apart),
        denied=sum(f.denied for f in apart),
        elsewhere=sum(f.elsewhere for f in apart),
        missing_names=min(whole.missing_names, sum(f.missing_names for f in apart)),
        years_missing=sum(f.years_missing for f in apart),
        year_denied=any(f.year_denied for f in apart),
        opposed=next((f.opposed for f in apart if f.opposed), ""),
    )


def decide(found: Features, limits: Thresholds = THRESHOLDS) -> SupportVerdict:
    """The verdict on what the comparison found."""
    score = found.cover
    unmet = found.figures - found.met
    there = found.met > 0 or found.cover >= limits.partly

    def verdict(support: str, share: float, reason: str) -> SupportVerdict:
        return SupportVerdict(support, round(score * share, 4), found.quote, reason)  # type: ignore[arg-type]

    if not there:
        return verdict("unrelated", 0.5, f"{found.cover:.0%} of the claim's words are there")
    if found.denied and found.cover >= limits.same:
        return verdict("contradicted", 0.2, "the place that says the rest of it gives another figure")
    if found.opposed and (found.met or found.cover >= limits.same):
        return verdict("contradicted", 0.2, found.opposed)
    if found.year_denied and found.met:
        return verdict("partly", 0.4, "it says so of another year")
    if found.year_denied and found.cover >= limits.same:
        return verdict("contradicted", 0.2, "the place that says the rest of it gives another year")
    if unmet:
        reason = f"{unmet} of {found.figures} figures are not there"
        return verdict("partly" if found.met or found.cover >= limits.same else "unrelated", 0.4, reason)
    if found.missing_names:
        return verdict("partly" if there else "unrelated", 0.6, "a name of it is not there")
    if found.weakest < limits.part:
        return verdict("partly" if there else "unrelated", 0.7, "an assertion of it is not there")
    needed = limits.needed(found)
    reason = f"{found.cover:.0%} of the claim's words are there"
    if found.cover >= needed:
        return verdict("supported", 1.0, reason)
    return verdict("partly" if there else "unrelated", 0.8, reason)
