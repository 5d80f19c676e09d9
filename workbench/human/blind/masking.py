"""Names that would tell who wrote a report, masked as `[model]` on every side alike.

Names of the round's models and runs are masked wherever they stand, unless the question itself speaks of them.
Well-known vendors and models are masked only where a text speaks of its own author: a report about those companies must
stay whole.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from workbench.human.blind.doubt import Doubt, asks_about_machines, doubts_in
from workbench.human.blind.folding import Folded, fold, plain, shown
from workbench.human.blind.names import bounded, known_patterns, needs_capital, patterns_of, plain_words_of
from workbench.human.blind.self_reference import OUTRIGHT, SELF_REFERENCE

MASK = "[model]"
SITE = "[site]"

# A found name is one of these characters while self-references are looked for; a folded text has none of its own.
_NAME, _PLAIN_NAME = "\ue000", "\ue001"


class Masker:
    """Masks the names of one round for one question. `mask` is pure, and takes time linear in the text."""

    def __init__(self, names: Iterable[str], *, question: str = "", hosts: Iterable[str] = ()) -> None:
        """`hosts`: domains that only one of the round's systems turns to, masked in running text."""
        names = tuple(dict.fromkeys(names))
        own = tuple(dict.fromkeys(pattern for name in names for pattern in patterns_of(name)))
        asked = fold(question).plain
        # Masking what the question asks about would take the subject away from both reports.
        self._names = _compiled(
            tuple(pattern for pattern in own if not re.search(bounded([pattern]), asked)),
            tuple(pattern for pattern in own if re.search(bounded([pattern]), asked)),
            tuple(dict.fromkeys(pattern for name in names for pattern in plain_words_of(name))),
            tuple(sorted(host for host in hosts if plain(host) not in asked)),
        )
        self._doubts_nothing = asks_about_machines(question)

    def mask(self, text: str) -> str:
        """`text` with names masked: what the mask covers is what a reader would see as the name."""
        view = fold(text)
        found = list(self._found(view))
        if not found:
            return text
        speaking = _spoken_for(view, found)
        out: list[str] = []
        at = 0
        for (kind, first, last), self_reference in zip(found, speaking, strict=True):
            if kind == "mask" or not (kind in ("own", "host") or self_reference):
                continue
            out += [text[at : view.start[first]], SITE if kind == "host" else MASK]
            at = view.end[last - 1]
        return "".join([*out, text[at:]])

    def doubts(self, text: str) -> tuple[Doubt, ...]:
        """Where `mask` leaves a name that may yet be the author's."""
        if self._doubts_nothing:
            return ()
        view = fold(text)
        found = list(self._found(view))
        speaking = _spoken_for(view, found) if found else []
        standing = [
            (first, last)
            for (kind, first, last), self_reference in zip(found, speaking, strict=True)
            if kind == "known" and not self_reference
        ]
        return doubts_in(view, standing)

    def _found(self, view: Folded) -> Iterator[tuple[str, int, int]]:
        for match in self._names.finditer(view.plain):
            kind, (first, last) = str(match.lastgroup), match.span()
            if kind == "capital":
                kind = "own" if any(char.isupper() for char in view.text[first:last]) else "plain"
            yield kind, first, last


def _spoken_for(view: Folded, found: list[tuple[str, int, int]]) -> list[bool]:
    """For each found name, whether the text speaks of its own author there."""
    parts: list[str] = []
    places: list[int] = []
    at = length = 0
    for kind, first, last in found:
        parts += [view.text[at:first], _PLAIN_NAME if kind == "plain" else _NAME]
        length += first - at
        places.append(length)
        length += 1
        at = last
    text = "".join([*parts, view.text[at:]])
    spoken = bytearray(len(text))
    for pattern in _patterns():
        for match in pattern.finditer(text):
            spoken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
    outright = {match.start("name") for pattern in _outright() for match in pattern.finditer(text)}
    return [
        place in outright or (kind != "plain" and bool(spoken[place]))
        for place, (kind, _, _) in zip(places, found, strict=True)
    ]


@lru_cache(maxsize=64)
def _compiled(
    own: tuple[str, ...], asked: tuple[str, ...], words: tuple[str, ...], hosts: tuple[str, ...]
) -> re.Pattern[str]:
    groups = {
        "own": [pattern for pattern in own if not needs_capital(pattern)],
        "capital": [pattern for pattern in own if needs_capital(pattern)],
        "known": [*asked, *known_patterns()],
        "plain": list(words),
    }
    named = [rf"(?P<{kind}>{bounded(patterns)})" for kind, patterns in groups.items() if patterns]
    any_host = "|".join(map(re.escape, hosts))
    site = rf"(?P<host>(?<![a-z0-9.@-])(?:[a-z0-9-]+\.)*(?:{any_host})(?![a-z0-9-])(?!\.[a-z0-9]))"
    at_hosts = [site] if hosts else []
    return re.compile("|".join([rf"(?P<mask>{re.escape(MASK)})", *at_hosts, *named]))


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], ...]:
    # To the end of the sentence: "I am X, a model trained by Y" names its author twice.
    return tuple(re.compile(_filled(pattern, _NAME) + r"[^.!?。！？\n]*", re.IGNORECASE) for pattern in SELF_REFERENCE)


@lru_cache(maxsize=1)
def _outright() -> tuple[re.Pattern[str], ...]:
    name = f"(?P<name>[{_NAME}{_PLAIN_NAME}])"
    return tuple(re.compile(_filled(pattern, name), re.IGNORECASE) for pattern in OUTRIGHT)


def _filled(pattern: str, name: str) -> str:
    """Found names are words to what stands around the one that is looked for."""
    return shown(pattern).replace(r"[\w", rf"[\w{_NAME}{_PLAIN_NAME}").replace("NAME", name)
