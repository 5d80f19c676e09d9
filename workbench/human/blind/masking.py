"""Names that would tell who wrote a report, masked as `[model]` on every side alike.

Names of the round's models and runs are masked wherever they stand, unless the question itself speaks of them.
Well-known vendors and models are masked only where a text speaks of its own author: a report about those companies must
stay whole.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from workbench.human.blind.folding import Folded, fold
from workbench.human.blind.names import bounded, known_patterns, needs_capital, patterns_of, plain_words_of

MASK = "[model]"

_BY = r"(?:by|with|using|with\s+the\s+help\s+of)\s+(?:[\w'’-]+\s+){0,4}?"
_KIND = r"(?:model|assistant|agent|AI|system|LLM|chatbot|bot|intelligence|tool)"
_WORK = r"(?:report|research|analysis|document|answer|response|summary|text|article|study|review|overview|brief|output)"
_MADE = r"(?:generated|written|prepared|produced|compiled|created|authored|researched|drafted|assembled|powered|made)"
_MADE_ZH = r"(?:生成|撰写|编写|制作|提供|完成|整理|开发|训练)"
_LINE_START = r"(?m:^)(?:[^\S\n]|[*_>#|（(–—-])*"
_KIND_THEN_NAME = rf"(?:[\w,’'-]+\s+){{0,5}}?{_KIND}\b,?\s+(?:[\w,’'-]+\s+){{0,5}}?NAME"

# A found name is one of these characters while self-references are looked for; a folded text has none of its own.
_NAME, _PLAIN_NAME = "\ue000", "\ue001"

# NAME stands for any name. Only the name is masked, not the words around it.
_SELF_REFERENCE: tuple[str, ...] = (
    r"\b(?:I am|I['’]m|you are (?:talking|speaking) (?:to|with))\s+(?:the\s+|called\s+|named\s+|based\s+on\s+)?NAME",
    rf"\b(?:I am|I['’]m|you are (?:talking|speaking) (?:to|with))\s+{_KIND_THEN_NAME}",
    r"\bmy\s+(?:name|developer|developers|creator|creators|maker|makers)\s+(?:is|are|at)\s+NAME",
    rf"\bI\s+was\s+(?:trained|developed|built|{_MADE})\s+{_BY}NAME",
    r"\bas\s+(?:an?\s+|the\s+|your\s+)?(?:[\w'’-]+\s+){0,7}?NAME(?:[^.\n]{0,60}?,)?\s+(?-i:I)\b(?!\.)",
    rf"\b(?:this|the|our)\s+(?:[\w-]+\s+)?{_WORK}\s+(?:was|is|has\s+been)\s+(?:[\w-]+\s+)?{_MADE}\s+{_BY}NAME",
    rf"{_LINE_START}(?:[\w-]+\s+)?(?:{_MADE}|{_WORK}|built)\s+{_BY}NAME",
    rf"{_LINE_START}(?:authors?|assistant|by|signed)\s*:[\s*_]*NAME",
    r"(?:—|--)\s*NAME[^\n]{0,40}\s*\Z",
    r"(?:我是|我叫)[^，。！？\n]{0,16}?NAME",
    r"作为[^，。！？\n]{0,12}?NAME[^。！？\n]{0,24}?我",
    rf"(?:本报告|本文|本研究|本回答|此报告)[^。！？\n]{{0,12}}?由[^。！？\n]{{0,12}}?NAME[^。！？\n]{{0,12}}?{_MADE_ZH}",
    rf"{_LINE_START}由\s*NAME[^。！？\n]{{0,12}}?{_MADE_ZH}",
    r"\b(?:soy|me llamo|je suis|je m['’]appelle|ich bin|ich heiße|eu sou|io sono)\s+(?:[\w'’-]+\s+){0,7}?NAME",
    r"(?:私は|わたしは|僕は)[^。！？\n]{0,16}?NAME",
    r"(?:저는|나는)[^.。\n]{0,16}?NAME",
    r"(?:\bя\s*[–—-]\s*|меня зовут\s+)[^.\n]{0,24}?NAME",
)


# A word that may be just a word (a run called `broad`) names the author only in the name's very place.
_END = r"(?=[\s*_]*(?:[,.;:!?)，。！？]|$|\n))"
_OUTRIGHT: tuple[str, ...] = (
    rf"\b(?:I am|I['’]m|my name is|me llamo|je m['’]appelle|ich heiße)\s+(?:called\s+|named\s+)?NAME{_END}",
    r"\bas\s+NAME,\s+(?-i:I)\b",
    rf"\b(?:{_MADE}|{_WORK})\s+by\s+[*_]*NAME{_END}",
    rf"{_LINE_START}(?:authors?|assistant|by|signed)\s*:[\s*_]*NAME{_END}",
    rf"(?:我是|我叫)\s*NAME{_END}",
)


class Masker:
    """Masks the names of one round for one question. `mask` is pure, and takes time linear in the text."""

    def __init__(self, names: Iterable[str], *, question: str = "") -> None:
        names = tuple(dict.fromkeys(names))
        own = tuple(dict.fromkeys(pattern for name in names for pattern in patterns_of(name)))
        asked = fold(question).plain
        # Masking what the question asks about would take the subject away from both reports.
        self._names = _compiled(
            tuple(pattern for pattern in own if not re.search(bounded([pattern]), asked)),
            tuple(pattern for pattern in own if re.search(bounded([pattern]), asked)),
            tuple(dict.fromkeys(pattern for name in names for pattern in plain_words_of(name))),
        )

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
            if kind == "mask" or not (kind == "own" or self_reference):
                continue
            out += [text[at : view.start[first]], MASK]
            at = view.end[last - 1]
        return "".join([*out, text[at:]])

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
def _compiled(own: tuple[str, ...], asked: tuple[str, ...], words: tuple[str, ...]) -> re.Pattern[str]:
    groups = {
        "own": [pattern for pattern in own if not needs_capital(pattern)],
        "capital": [pattern for pattern in own if needs_capital(pattern)],
        "known": [*asked, *known_patterns()],
        "plain": list(words),
    }
    named = [rf"(?P<{kind}>{bounded(patterns)})" for kind, patterns in groups.items() if patterns]
    return re.compile("|".join([rf"(?P<mask>{re.escape(MASK)})", *named]))


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], ...]:
    # To the end of the sentence: "I am X, a model trained by Y" names its author twice.
    return tuple(re.compile(_filled(pattern, _NAME) + r"[^.!?。！？\n]*", re.IGNORECASE) for pattern in _SELF_REFERENCE)


@lru_cache(maxsize=1)
def _outright() -> tuple[re.Pattern[str], ...]:
    name = f"(?P<name>[{_NAME}{_PLAIN_NAME}])"
    return tuple(re.compile(_filled(pattern, name), re.IGNORECASE) for pattern in _OUTRIGHT)


def _filled(pattern: str, name: str) -> str:
    """Found names are words to what stands around the one that is looked for."""
    return pattern.replace(r"[\w", rf"[\w{_NAME}{_PLAIN_NAME}").replace("NAME", name)
