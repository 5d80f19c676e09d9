"""Where two reports differ, sentence by sentence, for a reader.

A sentence that stands elsewhere in the other report is one thing (moved), not one taken out and another put in; one
that says nearly the same is one thing (changed) with the words that differ marked. Latin and Chinese alike.
"""

import math
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from workbench.phases.sentences import Span, sentences
from workbench.phases.text import fold, prose_words
from workbench.reading.increasing import longest_increasing

Kind: TypeAlias = Literal["same", "changed", "moved", "moved_changed", "only"]

# Share of the words in common, each weighed by how rare it is in the two reports, from which two sentences are versions
# of one: under it the words that agree are the subject's name and little else.
SIMILAR: Final = 0.5
# The same between two sentences that are paired already: what stands at one place in both texts is about one thing.
SIMILAR_IN_PLACE: Final = 0.25
# A sentence is compared with those that share its rarest words. Bounds against texts made to be near to everything.
_RAREST = 6
_CANDIDATES = 40


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of one report. `partner` is the index of its version in the other report, None where `kind` is only.

    `moved`: the versions stand in another order than most; `changed`: the words differ.
    """

    start: int
    end: int
    kind: Kind
    partner: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """What stands side by side: indices of sentences of the left and of the right report, in their order.

    A row of `same` or `changed` holds one sentence a side; a row of `apart` holds what stands between two such rows.
    """

    kind: Literal["same", "changed", "apart"]
    left: tuple[int, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReportDiff:
    """Both reports' sentences, and the rows in which every sentence of either stands exactly once."""

    left: tuple[Sentence, ...]
    right: tuple[Sentence, ...]
    rows: tuple[Row, ...]

    @property
    def counts(self) -> Mapping[str, int]:
        """same, changed, moved (a pair counts once, changed or not), only_left, only_right."""
        kinds = Counter(sentence.kind for sentence in self.left)
        return {
            "same": kinds["same"],
            "changed": kinds["changed"],
            "moved": kinds["moved"] + kinds["moved_changed"],
            "only_left": kinds["only"],
            "only_right": sum(sentence.kind == "only" for sentence in self.right),
        }


def compare_reports(left: str, right: str, *, markers: tuple[Sequence[Span], Sequence[Span]] = ((), ())) -> ReportDiff:
    """The sentences of two reports paired, the most alike first. Empty reports give empty sides.

    `markers` are the places of citations in either, sorted and apart: they belong to the sentence that they follow, and
    their numbers make no difference, since every report counts its own sources.
    """
    sides = [_Text(text, spans) for text, spans in zip((left, right), markers, strict=True)]
    pairs, exact = _pairs(sides[0], sides[1])
    anchors = _in_order(pairs, sides[0])
    for at, to in _in_place(anchors, pairs, sides[0], sides[1]):
        pairs[at] = to
    anchors = _in_order(pairs, sides[0])
    in_order = {at for at, _ in anchors}

    def kind(at: int) -> Kind:
        if at in in_order:
            return "same" if at in exact else "changed"
        return "moved" if at in exact else "moved_changed"

    back = {to: at for at, to in pairs.items()}
    return ReportDiff(
        tuple(_sentence(s, kind(n) if n in pairs else "only", pairs.get(n)) for n, s in enumerate(sides[0].spans)),
        tuple(_sentence(s, kind(back[n]) if n in back else "only", back.get(n)) for n, s in enumerate(sides[1].spans)),
        _rows(anchors, exact, len(sides[0].spans), len(sides[1].spans)),
    )


def without(text: str, spans: Sequence[Span]) -> str:
    """The text with blanks in place of these spans, so that all other offsets hold."""
    out, at = [], 0
    for start, end in spans:
        out += [text[at:start], " " * (end - max(start, at))]
        at = max(at, end)
    return "".join([*out, text[at:]])


class _Text:
    """One report's sentences, each with its words apart from citations."""

    def __init__(self, text: str, markers: Sequence[Span]) -> None:
        self.spans = sentences(text, opaque=markers, trailing=markers)
        bare = without(text, markers)
        self.texts = [bare[span.start : span.end] for span in self.spans]
        self.keys = [fold(text) for text in self.texts]
        self.bags = [frozenset(prose_words(text)) for text in self.texts]


def _in_order(pairs: Mapping[int, int], left: _Text) -> list[tuple[int, int]]:
    """The pairs that keep their order. Long sentences decide: a heading that moved is not a chapter that did."""
    ordered = sorted(pairs.items())
    weights = [left.spans[at].end - left.spans[at].start for at, _ in ordered]
    return [ordered[place] for place in longest_increasing([to for _, to in ordered], weights)]


def _in_place(
    anchors: Sequence[tuple[int, int]], pairs: Mapping[int, int], left: _Text, right: _Text
) -> Iterator[tuple[int, int]]:
    """Pairs more among the sentences between two anchors, in order, each with the first that is like it."""
    taken = set(pairs.values())
    at = to = 0
    for stop_at, stop_to in (*anchors, (len(left.spans), len(right.spans))):
        if (stop_at - at) * (stop_to - to) <= _CANDIDATES**2:
            for n in range(at, stop_at):
                if n in pairs:
                    continue
                for other in range(to, stop_to):
                    if other not in taken and _alike(left.bags[n], right.bags[other]) >= SIMILAR_IN_PLACE:
                        yield n, other
                        to = other + 1
                        break
        at, to = stop_at + 1, stop_to + 1


def _alike(left: frozenset[str], right: frozenset[str]) -> float:
    return len(left & right) / len(left | right) if left or right else 0.0


def _sentence(span: Span, kind: Kind, partner: int | None) -> Sentence:
    return Sentence(span.start, span.end, kind, partner)


def _rows(anchors: Sequence[tuple[int, int]], exact: set[int], n_left: int, n_right: int) -> tuple[Row, ...]:
    rows: list[Row] = []
    at, to = 0, 0
    for left, right in (*anchors, (n_left, n_right)):
        if left > at or right > to:
            rows.append(Row("apart", tuple(range(at, left)), tuple(range(to, right))))
        if left < n_left:
            rows.append(Row("same" if left in exact else "changed", (left,), (right,)))
        at, to = left + 1, right + 1
    return tuple(rows)


def _pairs(left: _Text, right: _Text) -> tuple[dict[int, int], set[int]]:
    """Index of the left -> index of the right sentence, and which of the left are word for word the same."""
    waiting: dict[str, deque[int]] = defaultdict(deque)
    for place, key in enumerate(right.keys):
        waiting[key].append(place)
    pairs: dict[int, int] = {}
    for place, key in enumerate(left.keys):
        if same := waiting.get(key):
            pairs[place] = same.popleft()
    exact = set(pairs)
    taken = set(pairs.values())
    bags = {("l", n): bag for n, bag in enumerate(left.bags) if n not in exact}
    bags |= {("r", n): bag for n, bag in enumerate(right.bags) if n not in taken}
    for _, n, other in sorted(_near(bags, len(left.spans), len(right.spans))):
        if n not in pairs and other not in taken:
            pairs[n] = other
            taken.add(other)
    return pairs, exact


def _near(
    bags: Mapping[tuple[str, int], frozenset[str]], n_left: int, n_right: int
) -> list[tuple[tuple[float, float], int, int]]:
    """((-likeness, distance in place), left, right) of pairs that are versions of one sentence."""
    frequency = Counter(word for bag in bags.values() for word in bag)
    weight = {word: math.log(1 + len(bags) / n) for word, n in frequency.items()}
    holders: dict[str, list[int]] = defaultdict(list)
    for (side, n), bag in bags.items():
        if side == "r":
            for word in _rarest(bag, frequency):
                holders[word].append(n)
    total = {key: math.fsum(weight[word] for word in bag) for key, bag in bags.items()}
    found = []
    for (side, n), bag in bags.items():
        if side != "l":
            continue
        shared = Counter(other for word in _rarest(bag, frequency) for other in holders.get(word, ())[:_CANDIDATES])
        for other, _ in shared.most_common(_CANDIDATES):
            common = math.fsum(weight[word] for word in bag & bags["r", other])
            likeness = common / (total["l", n] + total["r", other] - common)
            if likeness >= SIMILAR:
                found.append(((-likeness, abs(n / n_left - other / n_right)), n, other))
    return found


def _rarest(bag: frozenset[str], frequency: Mapping[str, int]) -> list[str]:
    # A word that only one sentence holds leads to no other.
    held = [word for word in bag if frequency[word] > 1]
    return sorted(held, key=lambda word: (frequency[word], word))[:_RAREST]
