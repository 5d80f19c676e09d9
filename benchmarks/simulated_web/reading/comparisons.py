"""Which of two entities a report says is more."""

import re
from collections.abc import Sequence

from benchmarks.simulated_web.english.comparatives import COMPARATIVES
from benchmarks.simulated_web.graph import Graph
from benchmarks.simulated_web.reading.lexicon import Mention, lexicon_of
from benchmarks.simulated_web.reading.polarity import is_uncertain
from benchmarks.simulated_web.reading.text import ReportText, Sentence

_NOT = re.compile(r"\b(not|never|neither|no)\s*(the\s+)?$|n't\s*(the\s+)?$", re.IGNORECASE)


def said_to_be_more(
    graph: Graph, report: ReportText, relation_key: str, pair: tuple[str, str]
) -> list[tuple[str, Sentence]]:
    """For each sentence that compares the two entities of `pair` under the relation: the one that it says is more.

    "A is longer than B", "B is shorter than A", "A is the longer of the two", "Longer: A". A negated comparison says
    the opposite. Sentences that compare both ways or name neither are left out.
    """
    more, less = (re.compile(rf"\b({words})\b", re.IGNORECASE) for words in COMPARATIVES[relation_key])
    lexicon = lexicon_of(graph)
    found: list[tuple[str, Sentence]] = []
    for sentence in report.sentences:
        if is_uncertain(sentence.text):
            continue
        named = [m for m in lexicon.mentions(sentence.text) if m.entity in pair]
        hits = [
            (m, is_more)
            for pattern, is_more in ((more, True), (less, False))
            for m in pattern.finditer(sentence.text)
            if _compares(sentence.text, m)
        ]
        if not named or len(hits) != 1:
            continue
        word, is_more = hits[0]
        subject = _subject(sentence.text, word, named)
        negated = _NOT.search(sentence.text[: word.start()]) is not None
        other = pair[1] if subject == pair[0] else pair[0]
        found.append((subject if is_more != negated else other, sentence))
    return found


def _compares(text: str, word: re.Match[str]) -> bool:
    """Whether the word compares ("is longer", "longer than", "Longer: A") and is not used otherwise ("later on")."""
    before, after = text[: word.start()], text[word.end() :]
    return (
        re.match(r"\s*(than\b|:|of the (two|pair)\b|one\b)", after) is not None
        or re.search(r"\b(is|are|was|were|much|far|slightly|somewhat|clearly|the|not)\s+$", before) is not None
        or not before.strip()
    )


def _subject(text: str, word: re.Match[str], named: Sequence[Mention]) -> str:
    """Who is said to be more or less: the last name before "longer than", or before the word, else the first after it
    ("The longer of the two is A"), skipping what "than" introduces."""
    before = [m for m in named if m.start < word.start()]
    if before:
        return _not_an_aside(text, before).entity
    after = [m for m in named if m.start > word.end()]
    apart = [m for m in after if not re.search(r"\bthan\s+(the\s+)?$", text[: m.start], re.IGNORECASE)]
    return (apart or after or list(named))[0].entity


def _not_an_aside(text: str, before: Sequence[Mention]) -> Mention:
    """The last name, unless it only stands for comparison: "A, compared with B, is longer" speaks of A."""
    last = before[-1]
    if len({m.entity for m in before}) == 1:
        return last
    if re.search(r"\b(compared (with|to)|unlike|against|between|of)\s+(the\s+)?$", text[: last.start], re.IGNORECASE):
        return before[0]
    return last
