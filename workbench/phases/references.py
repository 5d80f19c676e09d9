"""The reference list of a report: where it stands and which address each entry gives."""

from collections.abc import Iterable
from re import IGNORECASE, MULTILINE
from typing import NamedTuple

from workbench.phases.lazy import Pattern
from workbench.phases.sentences import Span
from workbench.phases.urls import find_urls

_TITLES = (
    r"(?:key |selected |main |full |cited |primary |web )?"
    r"(?:references?|sources?|works cited|bibliography|citations?|footnotes|endnotes|literature)"
    r"(?: (?:list|cited|used|consulted|and (?:notes|further reading|sources|references|citations)))?"
    r"|(?:sources?|references?) (?:&|and) (?:notes|references?|sources?|citations?)"
    r"|(?:主要|关键|核心)?(?:参考|引用|引证|资料|信息|数据)?(?:文献|资料|来源|引用|链接|出处)(?:来源|列表|清单|目录|汇总)?"
    r"|参考|引用|(?:参考文献|资料)(?:与|和|及)(?:来源|数据来源|链接|资料)|脚注|注释|尾注|参照|出典|参考サイト"
)
_HEADING = Pattern(
    rf"^[ \t]{{0,3}}(?P<level>#{{1,6}}[ \t]+)?(?P<bold>[*_]{{0,3}}|【|\[)[ \t]*"
    rf"(?:(?:\d{{1,2}}|[ivx]{{1,5}}|[一二三四五六七八九十]{{1,3}})(?:\\?[.)、．]|[ \t])[ \t]*)?"
    rf"(?:{_TITLES})[ \t]*(?P<colon>[:：])?[ \t]*(?:[*_]{{0,3}}|】|\])[ \t]*(?P<colon2>[:：])?[ \t]*$",
    IGNORECASE | MULTILINE,
)
_ANY_HEADING = Pattern(r"^[ \t]{0,3}(#{1,6})[ \t]+\S", MULTILINE)
_ENTRY = Pattern(
    r"^[ \t>]{0,8}(?:[-*+•][ \t]+)?(?:\*\*)?(?:"
    r"\[\^?(?P<a>\d{1,4})\](?:\*\*)?[ \t]*[:：.]?|【(?P<b>\d{1,4})】[ \t]*[:：.]?|［(?P<c>\d{1,4})］"
    r"|(?P<d>\d{1,4})(?:\\?[.)]|、|：|:|[ \t](?=\[|https?://))(?:\*\*)?|\((?P<e>\d{1,4})\)|（(?P<f>\d{1,4})）"
    r")[ \t]*(?=\S)",
    MULTILINE,
)
_NAMED_NOTE = Pattern(r"^[ \t]{0,3}\[\^(?P<name>[^\]\s]{1,60})\]:[ \t]*", MULTILINE)
_DOI = Pattern(r"\b(?:doi[:\s]\s*|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/[^\s\"<>]+)", IGNORECASE)
_ARXIV = Pattern(r"\barxiv[:\s]\s*(\d{4}\.\d{4,5})", IGNORECASE)
_BULLET = Pattern(r"^[ \t]{0,8}[-*+•][ \t]+(?=\S)", MULTILINE)


class Reference(NamedTuple):
    """An entry: its label (`7`, or the name of a footnote; empty if unnumbered), its place, the address it gives."""

    label: str
    span: Span
    url: str | None
    text: str


class ReferenceList(NamedTuple):
    """All entries of a report in order, and the parts of it that are list and not prose."""

    entries: tuple[Reference, ...]
    spans: tuple[Span, ...]

    def labels(self) -> frozenset[str]:
        return frozenset(entry.label for entry in self.entries if entry.label)

    def resolve(self, label: str, position: int) -> Reference | None:
        """The entry that a marker at a position means: of several, the next one below it, else the last."""
        same = [entry for entry in self.entries if entry.label == label]
        return next((entry for entry in same if entry.span.start > position), same[-1] if same else None)


def find_references(report: str, code: Iterable[Span] = ()) -> ReferenceList:
    """Reference sections by their headings, footnote definitions anywhere, a numbered list of addresses at the end."""
    walls = tuple(code)
    sections = _sections(report, walls)
    if not sections and (tail := _unheaded_tail(report)) is not None:
        sections = [tail]
    entries = [entry for section in sections for entry in _entries(report, section)]
    spans = list(sections)
    for note in _notes(report):
        if not any(section.start <= note.span.start < section.end for section in sections):
            entries.append(note)
            spans.append(note.span)
    entries.sort(key=lambda entry: entry.span.start)
    return ReferenceList(tuple(entries), tuple(sorted(spans)))


def _sections(report: str, code: tuple[Span, ...]) -> list[Span]:
    found: list[Span] = []
    for match in _HEADING().finditer(report):
        if (found and match.start() < found[-1].end) or _inside(code, match.start()):
            continue
        level = len((match["level"] or "").strip())
        # A plain line with a word like "Sources" is a heading only if it ends with a colon, is bold, or a list follows.
        plain = not level and not match["bold"] and not (match["colon"] or match["colon2"])
        if plain and not _ENTRY().match(report, _next_line(report, match.end())):
            continue
        end = _section_end(report, match.end(), level)
        if _holds_entries(report, Span(match.end(), end)):
            found.append(Span(match.start(), end))
    return found


def _section_end(report: str, start: int, level: int) -> int:
    """Up to the next heading of the same or a higher level (of any level, for a heading that has none)."""
    for match in _ANY_HEADING().finditer(report, start):
        if not level or len(match[1]) <= level:
            return match.start()
    return len(report)


def _holds_entries(report: str, span: Span) -> bool:
    body = report[span.start : span.end]
    return bool(_ENTRY().search(body) or next(find_urls(body), None) or _BULLET().search(body))


def _next_line(report: str, position: int) -> int:
    while position < len(report) and report[position] in " \t\r\n":
        position += 1
    line = report.rfind("\n", 0, position) + 1
    return line if line <= position else position


def _unheaded_tail(report: str) -> Span | None:
    """The numbered entries with addresses that close a report without a heading, if there are at least two."""
    matches = list(_ENTRY().finditer(report))
    start = None
    count = 0
    end = len(report.rstrip())
    for match in reversed(matches):
        piece = report[match.end() : end]
        if len(piece) > 800 or "\n\n\n" in piece or next(find_urls(piece), None) is None:
            break
        start, end, count = match.start(), match.start(), count + 1
    return Span(start, len(report)) if start is not None and count >= 2 else None


def _entries(report: str, section: Span) -> list[Reference]:
    """Numbered entries of a section; where it has none, its bullets or lines with an address, without a label."""
    matches = list(_ENTRY().finditer(report, section.start, section.end))
    if matches:
        labels = [next(group for group in match.groups() if group) for match in matches]
        if len(labels) > 1 and set(labels) == {"1"}:
            labels = [str(index + 1) for index in range(len(labels))]  # Markdown numbers a list of ones by itself
        ends = [match.start() for match in matches[1:]] + [section.end]
        return [
            _reference(str(int(label)), report, Span(match.start(), end), match.end())
            for label, match, end in zip(labels, matches, ends, strict=True)
        ]
    starts = [match.start() for match in _BULLET().finditer(report, section.start, section.end)]
    if not starts:
        starts = [
            max(section.start, report.rfind("\n", 0, hit.start + section.start) + 1)
            for hit in find_urls(report[section.start : section.end])
        ]
        starts = sorted(set(starts))
    ends = [*starts[1:], section.end]
    return [_reference("", report, Span(start, end), start) for start, end in zip(starts, ends, strict=True)]


def _notes(report: str) -> list[Reference]:
    """Markdown footnote definitions, wherever they stand; each ends with its line."""
    found = []
    for match in _NAMED_NOTE().finditer(report):
        end = report.find("\n", match.end())
        end = len(report) if end < 0 else end
        label = match["name"]
        found.append(
            _reference(str(int(label)) if label.isdecimal() else label, report, Span(match.start(), end), match.end())
        )
    return found


def _reference(label: str, report: str, span: Span, body: int) -> Reference:
    text = report[body : span.end]
    return Reference(label, span, address_in(text), text.strip())


def address_in(text: str) -> str | None:
    """The first address of an entry: a link, else a DOI or an arXiv number."""
    hit = next(find_urls(text), None)
    if hit is not None:
        return hit.url
    doi = _DOI().search(text)
    if doi:
        return "https://doi.org/" + doi.group(1).rstrip(".,;)]")
    paper = _ARXIV().search(text)
    return f"https://arxiv.org/abs/{paper.group(1)}" if paper else None


def _inside(spans: tuple[Span, ...], position: int) -> bool:
    return any(span.start <= position < span.end for span in spans)
