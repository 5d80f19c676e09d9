"""Names that would tell who wrote a report, masked as `[model]` on every side alike.

Names of the round's models and runs are masked wherever they stand, unless the question itself speaks of them.
Well-known vendors and models are masked only where a text speaks of its own author: a report about those companies must
stay whole.
"""

import re
from collections.abc import Iterable
from copy import copy
from functools import lru_cache

from workbench.human.blind.names import WELL_KNOWN, bounded, loose, patterns_of, pieces_of, words_of

MASK = "[model]"

_BY = r"(?:by|with|using|with\s+the\s+help\s+of)\s+(?:[\w'’-]+\s+){0,4}?"
_KIND = r"(?:model|assistant|agent|AI|system|LLM|chatbot|bot|intelligence|tool)"
_WORK = r"(?:report|research|analysis|document|answer|response|summary|text|article|study|review|overview|brief|output)"
_MADE = r"(?:generated|written|prepared|produced|compiled|created|authored|researched|drafted|assembled|powered|made)"
_MADE_ZH = r"(?:生成|撰写|编写|制作|提供|完成|整理|开发|训练)"
_LINE_START = r"(?m:^)[\s*_>#|（(–—-]*"
_KIND_THEN_NAME = rf"(?:[\w,’'-]+\s+){{0,5}}?{_KIND}\b,?\s+(?:[\w,’'-]+\s+){{0,5}}?NAME"

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


class Masker:
    """Masks the names of one round for one question. `mask` is pure."""

    def __init__(self, names: Iterable[str], *, question: str = "") -> None:
        own = tuple(dict.fromkeys(pattern for name in names for pattern in patterns_of(name)))
        # Masking what the question asks about would take the subject away from both reports.
        self._everywhere = tuple(p for p in own if not re.search(bounded([p]), question, re.IGNORECASE))
        known = dict.fromkeys([*map(loose, WELL_KNOWN), *own])
        self._known = tuple((pieces_of(pattern), pattern) for pattern in known)

    def narrowed(self, text: str) -> "Masker":
        """The same for `text` and any part of it, but faster: only names whose words are in it are looked for."""
        found = copy(self)
        found._known = self._present(text)
        return found

    def mask(self, text: str) -> str:
        """`text` with names masked."""
        if not self._present(text):
            return text
        # Patterns of all names still looked for, not of those in this piece alone: compiling costs more than searching.
        known = tuple(pattern for _, pattern in self._known)
        name, self_references = _compiled(known)
        for pattern in self_references:
            text = pattern.sub(lambda found: name.sub(MASK, found.group(0)), text)
        everywhere = tuple(pattern for pattern in self._everywhere if pattern in known)
        return _bounded(everywhere).sub(MASK, text) if everywhere else text

    def _present(self, text: str) -> tuple[tuple[frozenset[str], str], ...]:
        if not self._known:
            return ()
        folded = text.casefold()
        words = words_of(folded)
        return tuple(
            (pieces, pattern)
            for pieces, pattern in self._known
            # Chinese does not part its words: there a name may stand within a run.
            if all(piece in words or (not piece.isascii() and piece in folded) for piece in pieces)
        )


@lru_cache(maxsize=512)
def _bounded(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(bounded(patterns), re.IGNORECASE)


@lru_cache(maxsize=512)
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], tuple[re.Pattern[str], ...]]:
    name = bounded(patterns)
    return _bounded(patterns), tuple(
        # To the end of the sentence: "I am X, a model trained by Y" names its author twice.
        re.compile(pattern.replace("NAME", f"(?:{name})") + r"[^.!?。！？\n]*", re.IGNORECASE)
        for pattern in _SELF_REFERENCE
    )
