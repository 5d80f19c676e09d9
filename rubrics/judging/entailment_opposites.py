"""Whether two texts about the same thing say opposite things: denied, turned round, or by a word's antonym."""

import re
from collections.abc import Sequence

from rubrics.judging.entailment_words import base_weight, directions, negations, raw_words, stem, terms

WHOLE_CHARS = 160
_CLAUSE = re.compile(
    r"[,;:，；：。]\s*|\s(?:and|but|while|although|whereas|however|though|because|so that|which|when)\s", re.IGNORECASE
)
_PAIRS = tuple(
    tuple(line.split(" / "))
    for line in (
        "increase / decrease", "high / low", "improve / worsen", "improve / degrade", "positive / negative",
        "before / after", "support / oppose", "accept / reject", "enable / prevent", "effective / ineffective",
        "above / below", "majority / minority", "major / minor", "long / short", "fast / slow", "early / late",
        "large / small", "strong / weak", "always / never", "all / none", "include / exclude", "win / lose",
        "success / failure", "easy / difficult", "cheap / expensive", "north / south", "east / west",
        "maximum / minimum", "first / last", "more / less", "more / fewer", "rich / poor", "true / false",
        "legal / illegal", "necessary / unnecessary", "possible / impossible", "stable / unstable",
        "supervised / unsupervised", "online / offline", "public / private", "internal / external", "older / newer",
    )
)  # fmt: skip
_OPPOSITE: dict[str, set[str]] = {}
for _left, _right in _PAIRS:
    _OPPOSITE.setdefault(stem(_left), set()).add(stem(_right))
    _OPPOSITE.setdefault(stem(_right), set()).add(stem(_left))


def opposed(claim: str, passage: Sequence[str], *, same_thing: float) -> str:
    """Why the sentences of a passage say the opposite of a claim; empty where they do not, or are about other things.

    Clause by clause: a clause of the claim is held against the clause of the passage that shares most words with it,
    if it shares `same_thing` of their weight.
    """
    clauses = [clause for sentence in passage for clause in _clauses(sentence)]
    # A longer sentence says more than one thing, and a "not" in it may be of another.
    clauses += [sentence for sentence in passage if len(sentence) <= WHOLE_CHARS]
    if not clauses:
        return ""
    everything = " ".join(passage)
    for said in _clauses(claim) or [claim]:
        mine = {term: base_weight(term) for term in terms(said)}
        if len(mine) < 2:
            continue
        best = max(clauses, key=lambda clause: (_shared(mine, terms(clause)), -len(clause)))
        if _shared(mine, terms(best)) < same_thing:
            continue
        found = _against(said, best, everything)
        if found:
            return found
    return ""


def _against(said: str, clause: str, everything: str) -> str:
    mine, theirs = negations(said), negations(clause)
    if (mine.rejecting > 0) != (theirs.rejecting > 0):
        return "one rejects what the other says"
    # "Without effect" may be what the other calls "does not affect".
    if (mine.plain > 0) != (theirs.plain > 0) and not mine.weak and not theirs.weak:
        return "one denies what the other says"
    # A word for the way that it goes must be absent from the whole passage: "up in 2020, down in 2021" says both.
    (up, down), (rises, falls) = directions(said), directions(clause)
    whole = directions(everything)
    if (up and not down and falls and not whole[0]) or (down and not up and rises and not whole[1]):
        return "the one rises where the other falls"
    held, around = _all_words(clause), _all_words(everything)
    for word in sorted(_all_words(said)):
        if word in _OPPOSITE and word not in around and _OPPOSITE[word] & held:
            return f"it says the opposite of {word!r}"
    return ""


def _all_words(text: str) -> frozenset[str]:
    return frozenset(stem(word.casefold()) for word, _ in raw_words(text))


def _clauses(text: str) -> list[str]:
    return [piece for piece in _CLAUSE.split(text) if piece.strip()]


def _shared(mine: dict[str, float], other: frozenset[str]) -> float:
    total = sum(mine.values())
    return sum(weight for term, weight in mine.items() if term in other) / total if total else 0.0
