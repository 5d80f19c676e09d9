"""What is suspicious about a rubric as a whole: criteria that overlap, and scores that no report can reach."""

import re
from collections.abc import Iterator
from itertools import combinations

from rubrics.finding import Finding
from rubrics.judging.aggregate import aggregate
from rubrics.judging.records import Criterion, Rubric, labels_of
from rubrics.judging.sums import raw_sum
from rubrics.judging.text import fold
from workbench.schema.grade import CriterionVerdict

_WORD = re.compile(r"[^\W\d_]+|\d+")
# Words that statements of every rubric share; what is left says what a statement is about.
_COMMON_WORDS = """
    the a an of in on to for by with and or that which what it its is are be has have this these those as at from
    report reports text answer every each all any states state gives give contains contain says say where how than
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_OVERLAP = 0.6
_LEAST_WORDS = 3


def lint_whole(rubric: Rubric) -> Iterator[Finding]:
    """Findings that need more than one criterion, or the rule that adds them up."""
    yield from _overlaps(rubric)
    yield from _counts_for_nothing(rubric)
    yield from _reach(rubric)


def _overlaps(rubric: Rubric) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for criterion in rubric.criteria:
        text = fold(criterion.text)
        if text in first:
            message = f"it says the same as {first[text]!r} and counts it twice. Drop one"
            yield Finding("twin", "error", criterion.id, message)
        first.setdefault(text, criterion.id)
    kept = [criterion for criterion in rubric.criteria if criterion.id in first.values()]
    words = {criterion.id: _content(criterion.text) for criterion in kept}
    for one, other in combinations(kept, 2):
        shared = words[one.id] & words[other.id]
        smaller = min(len(words[one.id]), len(words[other.id]))
        if len(shared) >= _LEAST_WORDS and len(shared) >= _OVERLAP * smaller:
            named = ", ".join(sorted(shared)[:6])
            yield Finding(
                "overlap",
                "warning",
                other.id,
                f"it shares most of its words with {one.id!r} ({named}): one merit or fault may count twice. Merge "
                "them, or say in each what the other leaves out",
            )


def _content(text: str) -> frozenset[str]:
    """Words that carry meaning, without plural or verb endings; pairs of characters where a script has no spaces."""
    words: set[str] = set()
    for word in _WORD.findall(fold(text)):
        if ord(word[0]) >= 0x2E80:
            words.update(word[at : at + 2] for at in range(len(word) - 1))
        elif word not in _COMMON:
            words.add(re.sub(r"(?:ing|ed|es|s)$", "", word) if len(word) > 4 else word)
    return frozenset(words)


def _counts_for_nothing(rubric: Rubric) -> Iterator[Finding]:
    for criterion in rubric.criteria:
        if criterion.weight == 0 and not criterion.fatal:
            message = "its weight is 0: it is paid for in every call and changes no score. Give it a weight or drop it"
            yield Finding("counts-for-nothing", "warning", criterion.id, message)


def _reach(rubric: Rubric) -> Iterator[Finding]:
    """Where best or worst verdicts on everything do not lead to 1 or 0, and where they lead there too soon."""
    if rubric.score_map == "reference_share":
        return
    worst, best = ([_extreme(criterion, good) for criterion in rubric.criteria] for good in (False, True))
    low = aggregate(rubric, worst).score
    high = aggregate(rubric, best).score
    if high < 1.0 - 1e-9:
        message = f"the best verdicts on everything give {high:.3g}: no report can score more. Use affine"
        yield Finding("unreachable-score", "warning", "", message)
    if low > 1e-9:
        message = f"the worst verdicts on everything give {low:.3g}: no report can score less. Use affine"
        yield Finding("unreachable-score", "warning", "", message)
    most = raw_sum(rubric, rubric.criteria, {verdict.criterion_id: verdict.value or 0.0 for verdict in best})
    if rubric.score_map == "clip" and most > 1.0 + 1e-9:
        message = (
            f"raw sums reach {most:.3g} and are cut at 1: all reports above look alike. Use affine, or points_share"
        )
        yield Finding("saturated-score", "warning", "", message)


def _extreme(criterion: Criterion, good: bool) -> CriterionVerdict:
    labels = labels_of(criterion)
    wanted = max if good == (criterion.polarity == "positive") else min
    label = wanted(labels, key=lambda name: labels[name])
    return CriterionVerdict(criterion.id, label, labels[label])
