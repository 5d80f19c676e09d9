"""What the policy may write next, and what it has said once an action is complete.

    <search> (word | <eK>){1,6} <end>        a query: words, and names as pointers
    <open> <rK>                              the K-th distinct address seen in this episode's search results
    <report> (<nK> <pM>)* <end>              state note K (a sentence read on a page), citing opened page M

In a stage whose report a frozen writer makes, `<report>` alone ends the research. Sampling is masked by this grammar,
so that calls cannot become malformed; wrong, wasteful and false ones remain possible: a query of any words, a page
opened twice, a note that is beside the question, a citation of the wrong page.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from training.tokenizer import N_NOTES, N_PAGES, N_RESULTS, NAME, NOTE, PAGE, RESULT, Tokenizer

if TYPE_CHECKING:
    from torch import Tensor

MAX_QUERY_WORDS = 6
MAX_CLAIMS = 16


@dataclass(frozen=True, slots=True)
class Search:
    """`words` are vocabulary words, a name as its pointer `<eK>`."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Open:
    """`result` counts from 1."""

    result: int


@dataclass(frozen=True, slots=True)
class Report:
    """`claims` are (note, page) pairs, both from 1; empty where a frozen writer reports."""

    claims: tuple[tuple[int, int], ...] = ()


Action: TypeAlias = Search | Open | Report


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the grammar: what may follow depends on nothing else.

    turn: `count` addresses to open, `more` whether the budget allows another call. query: `count` names, `used` words.
    open: `count` addresses. say: `count` notes, `used` claims so far. cite: `count` opened pages.
    """

    kind: Literal["turn", "query", "open", "say", "cite"]
    count: int = 0
    used: int = 0
    more: bool = True


@dataclass
class Grammar:
    """Rows of allowed tokens, one a place, made when first met. One grammar serves all rollouts of a run."""

    tokenizer: Tokenizer
    own_report: bool
    _rows: dict[Place, int] = field(default_factory=dict)
    _allowed: list[NDArray[np.bool_]] = field(default_factory=list)
    _table: "Tensor | None" = None

    def row(self, place: Place) -> int:
        """The number of the row that says what may be written at `place`."""
        if place not in self._rows:
            self._rows[place] = len(self._allowed)
            self._allowed.append(self._allowed_at(place))
        return self._rows[place]

    def table(self) -> "Tensor":
        """All rows met so far: rows x vocabulary, True where allowed."""
        import torch

        if self._table is None or len(self._table) < len(self._allowed):
            self._table = torch.from_numpy(np.stack(self._allowed))
        return self._table

    def _allowed_at(self, place: Place) -> NDArray[np.bool_]:
        t = self.tokenizer
        allowed = np.zeros(len(t.vocabulary), dtype=np.bool_)
        if place.kind == "turn":
            allowed[t.mark("report")] = True
            allowed[t.mark("search")] = place.more
            allowed[t.mark("open")] = place.more and place.count > 0
        elif place.kind == "query":
            allowed[[t.ids[word] for word in t.query_words]] = place.used < MAX_QUERY_WORDS
            allowed[_pointers(t, NAME, place.count)] = place.used < MAX_QUERY_WORDS
            allowed[t.mark("end")] = place.used > 0
        elif place.kind == "open":
            allowed[_pointers(t, RESULT, min(place.count, N_RESULTS))] = True
        elif place.kind == "say":
            allowed[_pointers(t, NOTE, min(place.count, N_NOTES) if place.used < MAX_CLAIMS else 0)] = True
            allowed[t.mark("end")] = True
        else:
            allowed[_pointers(t, PAGE, min(place.count, N_PAGES))] = True
        return allowed


def _pointers(tokenizer: Tokenizer, kind: str, count: int) -> list[int]:
    return [tokenizer.pointer(kind, number) for number in range(1, count + 1)]


def action_tokens(tokenizer: Tokenizer, action: Action, *, own_report: bool) -> list[int]:
    """How the policy writes an action; `ActionReader` is its inverse."""
    t = tokenizer
    if isinstance(action, Search):
        return [t.mark("search"), *t.encode(action.words[:MAX_QUERY_WORDS]), t.mark("end")]
    if isinstance(action, Open):
        return [t.mark("open"), t.pointer(RESULT, action.result)]
    if not own_report:
        return [t.mark("report")]
    claims = [i for note, page in action.claims for i in (t.pointer(NOTE, note), t.pointer(PAGE, page))]
    return [t.mark("report"), *claims, t.mark("end")]


@dataclass
class ActionReader:
    """Reads one action token by token. The counts are what the episode has to point at."""

    tokenizer: Tokenizer
    own_report: bool
    names: int
    addresses: int
    notes: int
    pages: int
    more: bool
    written: list[int] = field(default_factory=list)

    @property
    def place(self) -> Place:
        """Where the next token stands. Only asked while the action is open."""
        t, n = self.tokenizer, len(self.written)
        if n == 0:
            return Place("turn", count=self.addresses, more=self.more)
        if self.written[0] == t.mark("search"):
            return Place("query", count=self.names, used=n - 1)
        if self.written[0] == t.mark("open"):
            return Place("open", count=self.addresses)
        return Place("say", count=self.notes, used=(n - 1) // 2) if n % 2 else Place("cite", count=self.pages)

    def take(self, token: int) -> Action | None:
        """The action that `token` completes, else None."""
        self.written.append(token)
        t, (first, *rest) = self.tokenizer, self.written
        if first == t.mark("open"):
            return Open(rest[0] - t.pointer(RESULT, 1) + 1) if rest else None
        if first == t.mark("report") and not self.own_report:
            return Report()
        if not rest or token != t.mark("end"):
            return None
        if first == t.mark("search"):
            return Search(tuple(t.vocabulary[i] for i in rest[:-1]))
        note, page = t.pointer(NOTE, 1) - 1, t.pointer(PAGE, 1) - 1
        return Report(tuple((rest[i] - note, rest[i + 1] - page) for i in range(0, len(rest) - 1, 2)))
