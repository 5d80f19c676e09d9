"""From text to the tokens that both backends index: NFKC, case-folded; scripts without spaces by pairs of characters.

A run of n such characters (Han, Kana, Hangul, Thai, Lao, Khmer, Burmese) gives its n - 1 pairs and its last character
alone: every character begins a token, so that one character is found as the beginning of a token, two as a token, more
as a phrase. Underscores part words; format characters (zero-width ones, soft hyphens) are left out.
"""

import re
import sys
import unicodedata
from functools import lru_cache

LONGEST_TOKEN = 200  # characters; longer ones are cut into several. PostgreSQL takes 2046 bytes
_PAIRED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e80-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007\u3041-\u309f\u30a1-\u30fa"
    "\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
_ASCII = re.compile(f"[a-z0-9]{{1,{LONGEST_TOKEN}}}")
_NOT_ASCII = re.compile("[^\x00-\x7f]+")
_SPACE = re.compile("[ \n]")
_IS_PAIRED = re.compile(f"[{_PAIRED}]")


@lru_cache(maxsize=1)
def _classes() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Words, format characters, and a character with the marks on it. Built on first use: it looks at every mark."""
    marks, formats = [], []
    for number in range(0x300, min(sys.maxunicode + 1, 0x20000)):
        category = unicodedata.category(chr(number))
        if category in ("Mn", "Mc"):
            marks.append(re.escape(chr(number)))
        elif category == "Cf":
            formats.append(re.escape(chr(number)))
    mark, letter = "[" + "".join(marks) + "]", f"[^\\W_{_PAIRED}]"
    hidden = "[\u00ad" + "".join(formats) + "\U000e0001\U000e0020-\U000e007f]"
    cluster = f"[^\u1160-\u11ff](?:{mark}|{hidden}|[\u1160-\u11ff])*|[\u1160-\u11ff]"
    return (
        re.compile(f"[{_PAIRED}]+|{letter}+(?:{mark}+{letter}*)*"),
        re.compile(hidden + "+"),
        re.compile(cluster, re.DOTALL),
    )


def tokens(text: str) -> list[str]:
    """Tokens in order; each holds letters, digits and marks only."""
    if text.isascii():
        return _ASCII.findall(text.lower())
    # Most texts are ASCII with a few quotes: what stands between spaces is folded by itself, and alike.
    found: list[str] = []
    done = 0
    for odd in _NOT_ASCII.finditer(text):
        if odd.start() >= done:
            start = max(done, text.rfind(" ", done, odd.start()))
            space = _SPACE.search(text, odd.end())
            found += _ASCII.findall(text[done:start].lower())
            done = space.start() if space else len(text)
            found += _tokens_of_any_script(text[start:done])
    return found + _ASCII.findall(text[done:].lower())


def _tokens_of_any_script(text: str) -> list[str]:
    found: list[str] = []
    for word in _classes()[0].findall(_folded(text)):
        if len(word) <= LONGEST_TOKEN and (word[0] < "\u0e01" or not _IS_PAIRED.match(word)):
            found.append(word)
        else:
            found.extend(piece for piece, _, _ in _pieces(word, 0))
    return found


def placed_tokens(text: str) -> list[tuple[str, int, int]]:
    """The same tokens with the offsets in `text` that each came from."""
    if text.isascii():
        return [(found.group(), found.start(), found.end()) for found in _ASCII.finditer(text.lower())]
    words, _, clusters = _classes()
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for cluster in clusters.finditer(text):
        folded = _folded(cluster.group())
        parts.append(folded)
        starts.extend([cluster.start()] * len(folded))
        ends.extend([cluster.end()] * len(folded))
    return [
        (piece, starts[start], ends[end - 1])
        for word in words.finditer("".join(parts))
        for piece, start, end in _pieces(word.group(), word.start())
    ]


def phrase_tokens(text: str, *, prefix: bool = False) -> tuple[tuple[str, ...], bool]:
    """The tokens that a searched text must find in a row, and whether the last may go on.

    Where the text ends in a run of pairs, its last character alone is no token to look for: the run may go on.
    """
    found = tokens(text)
    if found and _IS_PAIRED.match(found[-1]):
        if len(found) > 1 and len(found[-2]) == 2 and _IS_PAIRED.match(found[-2]) and found[-2][1] == found[-1]:
            return tuple(found[:-1]), False
        return tuple(found), True
    return tuple(found), prefix


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return folded if folded.isascii() else _classes()[1].sub("", folded)


def _pieces(word: str, at: int) -> list[tuple[str, int, int]]:
    if _IS_PAIRED.match(word):
        return [(word[i : i + 2], at + i, at + min(i + 2, len(word))) for i in range(len(word))]
    return [
        (word[i : i + LONGEST_TOKEN], at + i, at + min(i + LONGEST_TOKEN, len(word)))
        for i in range(0, len(word), LONGEST_TOKEN)
    ]
