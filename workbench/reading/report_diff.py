"""Where two reports differ, sentence by sentence, for a reader.

A sentence that stands elsewhere in the other report is one thing (moved), not one taken out and another put in; one
that says nearly the same is one thing (changed) with the words that differ marked. Latin and Chinese alike.
"""

import math
from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from workbench.phases.sentences import Span, sentences
from workbench.phases.text import fold, prose_words
from workbench.reading.increasing import longest_increasing

Kind: TypeAlias = Literal["same", "changed", "moved", "moved_changed", "only"]

# Share of the words in common, each weighed by how rare it is in the two reports, from which two sentences are versions
# of one: under it the words that agree are the subject's name and little else.
SIMILAR: Final = 0.5
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


def compare_reports(left: str, right: str) -> ReportDiff:
    """The sentences of two reports paired, the most alike first. Empty reports give empty sides."""
    left_spans, right_spans = sentences(left), sentences(right)
    pairs, exact = _pairs([left[s.start : s.end] for s in left_spans], [right[s.start : s.end] for s in right_spans])
    ordered = sorted(pairs.items())
    # Long sentences decide what counts as the order of the text: a heading that moved is not a chapter that did.
    kept = longest_increasing(
        [to for _, to in ordered], [left_spans[at].end - left_spans[at].start for at, _ in ordered]
    )
    anchors = [ordered[place] for place in kept]
    in_order = {at for at, _ in anchors}

    def kind(at: int) -> Kind:
        if at in in_order:
            return "same" if at in exact else "changed"
        return "moved" if at in exact else "moved_changed"

    back = {to: at for at, to in ordered}
    return ReportDiff(
        tuple(_sentence(s, kind(n) if n in pairs else "only", pairs.get(n)) for n, s in enumerate(left_spans)),
        tuple(_sentence(s, kind(back[n]) if n in back else "only", back.get(n)) for n, s in enumerate(right_spans)),
        _rows(anchors, exact, len(left_spans), len(right_spans)),
    )


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


def _pairs(left: Sequence[str], right: Sequence[str]) -> tuple[dict[int, int], set[int]]:
    """Index of the left -> index of the right sentence, and which of the left are word for word the same."""
    waiting: dict[str, deque[int]] = defaultdict(deque)
    for place, text in enumerate(right):
        waiting[fold(text)].append(place)
    pairs: dict[int, int] = {}
    for place, text in enumerate(left):
        if same := waiting.get(fold(text)):
            pairs[place] = same.popleft()
    exact = set(pairs)
    taken = set(pairs.values())
    free_left = [n for n in range(len(left)) if n not in exact]
    free_right = [n for n in range(len(right)) if n not in taken]
    bags = {("l", n): frozenset(prose_words(left[n])) for n in free_left}
    bags |= {("r", n): frozenset(prose_words(right[n])) for n in free_right}
    for _, n, other in sorted(_near(bags, len(left), len(right))):
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
