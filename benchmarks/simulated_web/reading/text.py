"""A report as sentences, each with its heading and block; what a reader does not see is taken out first."""

import re
import unicodedata
from dataclasses import dataclass

from benchmarks.simulated_web.reading.number_words import in_digits
from benchmarks.simulated_web.units import UNITS

_COMMENT = re.compile(r"<!--.*?(-->|\Z)", re.DOTALL)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
_EMPHASIS = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")
_LINK = re.compile(r"!?\[([^\]\[]*)\]\(\s*<?(https?://[^\s)>]+)>?[^)]*\)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s+")
# "Length: 1,240 m" on a line of its own is an entry, not the middle of a sentence.
_LABEL = re.compile(r"\s*(?:\*\*|__)?[A-Z][\w ()²³/,'-]{1,48}:(?:\*\*|__)?\s+\S.{0,70}$")
_SOURCES = re.compile(r"^\W*(sources|references|bibliography|works cited|citations|links)\W*$", re.IGNORECASE)
# A full stop ends a sentence unless it belongs to a number or a short abbreviation.
_END = re.compile(
    r"(?<=[.!?])(?<!\bapprox\.)(?<!\bca\.)(?<!\bc\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bNo\.)[\"')\]]*\s+(?=[A-Z0-9\"'(\[])"
)
_MARK = re.compile(r"\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]")
_ENTRY = re.compile(r"^\s*(?:[-*]\s*)?\[?(\d{1,3})[\].:)]+\s*(.*)$")
_HEAD_UNIT = re.compile(
    r"(?P<noun>.+?)(?:\s*[(\[,]\s*|\s+in\s+)(?P<unit>(?:(?:thousand|million|billion)\s+)?(?:"
    + "|".join(sorted((re.escape(w) for u in UNITS.values() for w in u.words), key=len, reverse=True))
    + r"))[)\]]?",
    re.IGNORECASE,
)
_BARE_CELL = re.compile(r"\W{0,2}\d[\d,.\u202f\u00a0 ']*")
URL = re.compile(r"https?://[^\s<>\])\"']+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`block` numbers the paragraph, list item or table row that it stands in; `heading` is the heading above.
    `cited` are URLs that its markers resolve to, or, where it has none, those of the next marker in the block."""

    text: str
    heading: str
    block: int
    kind: str
    cited: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportText:
    """The body without its list of sources, and that list by number."""

    sentences: tuple[Sentence, ...]
    sources: dict[str, str]


def visible(text: str) -> str:
    """The text as a reader sees it: no comments, tags, invisible characters or emphasis marks; full-width folded."""
    text = unicodedata.normalize(
        "NFKC", _INVISIBLE.sub("", _COMMENT.sub(" ", text)).replace("²", "^2").replace("³", "^3")
    )
    return _TAG.sub(" ", text).replace("\u2212", "-").replace("m^2", "m²").replace("m^3", "m³").replace("’", "'")


def read_text(report: str) -> ReportText:
    """Splits a markdown report. Table cells become sentences `row name, column: cell`."""
    body, sources = _split_sources(in_digits(visible(report)).splitlines())
    sentences: list[Sentence] = []
    heading, block = "", 0
    paragraph: list[str] = []
    table_head: list[str] | None = None

    def close(kind: str = "prose") -> None:
        nonlocal block
        if paragraph:
            block += 1
            sentences.extend(_sentences(" ".join(paragraph), heading, block, kind, sources))
            paragraph.clear()

    for line in body:
        stripped = line.strip()
        if stripped.startswith("|") and stripped.count("|") > 1:
            close()
            cells = [cell.strip() for cell in stripped.strip("|").split("|")]
            if table_head is None:
                table_head = cells
            elif not all(re.fullmatch(r":?-{2,}:?", cell.replace(" ", "")) for cell in cells):
                block += 1
                sentences.extend(_cells(table_head, cells, heading, block, sources))
            continue
        table_head = None
        found = _HEADING.match(line)
        if found:
            close()
            heading = _plain(found.group(1))
        elif not stripped:
            close()
        elif _ITEM.match(line):
            close()
            paragraph.append(_ITEM.sub("", line, count=1))
            close("item")
        elif _LABEL.match(line):
            close()
            paragraph.append(stripped)
            close("item")
        else:
            paragraph.append(stripped)
    close()
    return ReportText(tuple(sentences), sources)


def _split_sources(lines: list[str]) -> tuple[list[str], dict[str, str]]:
    """The lines before the last heading that announces sources, and the numbered entries after it."""
    cut = len(lines)
    for place, line in enumerate(lines):
        if _SOURCES.match(line.strip().strip("#*: ")) and len(line.strip()) < 40:
            cut = place
    sources: dict[str, str] = {}
    for number, line in enumerate(lines[cut + 1 :], 1):
        address = URL.search(line)
        entry = _ENTRY.match(line)
        if address and entry:
            sources.setdefault(entry.group(1), address.group(0).rstrip(".,;"))
        elif address:
            sources.setdefault(str(number), address.group(0).rstrip(".,;"))
    return lines[:cut], sources


def _plain(text: str) -> str:
    return " ".join(_EMPHASIS.sub("", _LINK.sub(r"\1", text)).split())


def _sentences(text: str, heading: str, block: int, kind: str, sources: dict[str, str]) -> list[Sentence]:
    # A marker after the full stop belongs to the sentence before it.
    text = re.sub(r"([.!?])(\s*(?:\[\d[\d,; ]*\]\s*)+)(?=\s|$)", r"\2\1 ", text)
    parts = [part for part in _END.split(text) if part.strip()]
    cited = [_cited(part, sources) for part in parts]
    for place in range(len(parts) - 2, -1, -1):
        cited[place] = cited[place] or cited[place + 1]
    return [
        Sentence(_plain(_MARK.sub("", part)), heading, block, kind, urls)
        for part, urls in zip(parts, cited, strict=True)
        if _plain(_MARK.sub("", part))
    ]


def _cells(head: list[str], cells: list[str], heading: str, block: int, sources: dict[str, str]) -> list[Sentence]:
    row = " ".join(cells)
    cited = _cited(row, sources)
    plain = [_plain(_MARK.sub("", cell)) for cell in cells]
    return [
        Sentence(f"{plain[0]}, {_entry(_plain(column), cell)}", heading, block, "cell", cited)
        for column, cell in zip(head[1:], plain[1:], strict=False)
        if cell
    ]


def _entry(column: str, cell: str) -> str:
    """`Weight (t)` over `165` says `Weight: 165 t`."""
    found = _HEAD_UNIT.fullmatch(column)
    if found is None or not _BARE_CELL.fullmatch(cell):
        return f"{column}: {cell}"
    return f"{found['noun']}: {cell} {found['unit']}"


def _cited(text: str, sources: dict[str, str]) -> tuple[str, ...]:
    numbers = [number.strip() for mark in _MARK.findall(text) for number in re.split(r"[,;]", mark)]
    urls = [sources[number] for number in numbers if number in sources]
    urls += [url.rstrip(".,;") for url in URL.findall(text)]
    return tuple(dict.fromkeys(urls))
