"""One form for what systems write differently: citation marks, vendor tags, invisible characters.

Nothing a reader could see is dropped, but for the mark itself. Code is left alone.
"""

import re
import unicodedata
from collections.abc import Callable
from html import unescape

_CODE = re.compile(
    r"(?ms)^(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^(?P=fence)[`~]*[ \t]*$|\Z)|(?P<tick>`+)(?!`).+?(?<!`)(?P=tick)(?!`)"
)

# Zero-width and direction characters, tag characters, private use: where a text could carry what no reader sees.
# The joiners U+200C and U+200D stay: Persian, Indic scripts and emoji need them.
_INVISIBLE = re.compile(
    "[\u00ad\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_CHATGPT_MARK = re.compile("\ue200[^\ue200\ue201]*\ue201")
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")

_NUMBERS = r"\d{1,4}(?:\s*[,，、;–-]\s*\d{1,4})*"
_MARKS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"【\s*({_NUMBERS})\s*(?:†[^】\n]*)?】"), r"[\1]"),
    (re.compile(r":contentReference\[oaicite:(\d+)\](?:\{index=\d+\})?"), r"[\1]"),
    (re.compile(rf"\[(?:cite|citation|ref|source|oaicite)\s*:\s*({_NUMBERS})\]", re.IGNORECASE), r"[\1]"),
    (re.compile(r"\[cite_(?:start|end)\]\s?"), ""),
    (re.compile(r"(?m)^\[\^(\d+)\]:\s*"), r"\n[\1] "),
    (re.compile(r"\[\^(\d+)\]"), r"[\1]"),
    (re.compile(rf"\[\[({_NUMBERS})\]\](?!\()"), r"[\1]"),
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_QUOTE_CITE = re.compile(r"<(?P<tag>\w+:cite)\b(?P<attributes>[^<>]*)>(?P<quote>.*?)</(?P=tag)>", re.DOTALL)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_FORM_TAGS = (
    "a abbr b big blockquote body center cite citation details div em font head html i iframe img kbd mark meta p "
    "ref s script small source span strong style sub summary sup table tbody td th thead title tr u ul ol li "
    "h1 h2 h3 h4 h5 h6"
)
_TAG = re.compile(rf"</?(?:\w+:\w[\w-]*|{'|'.join(_FORM_TAGS.split())})(?:\s[^<>]*)?/?>", re.IGNORECASE)


def normalise(report: str) -> str:
    """Markdown in one form. Quotes inside vendor citation tags move to notes at the end, numbered as their marks."""
    text = report.replace("\r\n", "\n").replace("\r", "\n")
    text = _CHATGPT_MARK.sub("", text)
    text = _PRIVATE.sub("", _INVISIBLE.sub("", unicodedata.normalize("NFC", text)))
    text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs"))
    notes = _Notes(first=1 + max((int(n) for n in re.findall(r"\[(\d{1,3})\]", text)), default=0))
    text = outside_code(text, lambda part: _QUOTE_CITE.sub(notes.mark, _COMMENT.sub("", part)))
    return outside_code(text, _one_form) + notes.text()


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Applies `change` to everything but fenced blocks and code spans."""
    parts: list[str] = []
    at = 0
    for code in _CODE.finditer(text):
        parts += [change(text[at : code.start()]), code.group(0)]
        at = code.end()
    parts.append(change(text[at:]))
    return "".join(parts)


def _one_form(text: str) -> str:
    for pattern, replacement in _MARKS:
        text = pattern.sub(replacement, text)
    return _TAG.sub("", _BREAK.sub(" ", text))


class _Notes:
    """Numbers vendor citations by their ids in order of appearance and keeps what they quote."""

    def __init__(self, *, first: int) -> None:
        self._first = first
        self._numbers: dict[str, int] = {}
        self._quotes: list[tuple[int, str]] = []

    def mark(self, match: re.Match[str]) -> str:
        key = " ".join(re.findall(r"[\w-]*\d[\w-]*", match["attributes"])) or match["attributes"].strip()
        number = self._numbers.setdefault(key, self._first + len(self._numbers))
        quote = " ".join(unescape(match["quote"]).split())
        if quote:
            self._quotes.append((number, quote))
        return f"[{number}]"

    def text(self) -> str:
        if not self._quotes:
            return ""
        return "\n\n---\n\n" + "\n\n".join(f"[{number}] “{quote}”" for number, quote in self._quotes) + "\n"
