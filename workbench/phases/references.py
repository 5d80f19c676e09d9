"""The reference list of a report: where it stands and which source each entry names."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from re import IGNORECASE, MULTILINE, Match
from typing import NamedTuple

from workbench.phases.author_year import entry_keys, is_authored
from workbench.phases.lazy import Pattern
from workbench.phases.sentences import Lines, Span
from workbench.phases.urls import find_urls, link_target

# Titles that can only be those of a list of sources, and titles that prose may have as well.
_STRONG = (
    r"(?:key |selected |full |main )?references?(?: list)?|works cited|bibliography|(?:key )?citations|endnotes"
    r"|footnotes|references (?:and|&) (?:notes|sources|citations|further reading)"
    r"|(?:主要|核心|重要)?参考(?:文献|资料|来源|链接)(?:列表|清单)?|参考文献(?:与|和|及)\w{1,8}|引用(?:文献|来源|列表)|(?:关键|主要|核心|重要)引用|脚注|尾注|参考サイト|出典"
)
_WEAK = (
    r"(?:key |selected |main |full |cited |primary |web |data |information )?sources?(?: list| cited| used| consulted)?"
    r"|sources (?:and|&) \w{1,20}|literature(?: cited)?|notes|links|further reading"
    r"|(?:主要|关键|核心)?(?:资料|信息|数据|引用|文献)?(?:来源|出处|链接)(?:列表|清单|汇总|说明)?|参考|引用|注释|资料|文献"
)
_NUMBERING = r"(?:(?:\d{1,2}|[ivx]{1,5}|[一二三四五六七八九十]{1,3})(?:\\?[.)、．：:]|[ \t])[ \t]{0,4})?"
_HEADING = Pattern(
    rf"^[ \t]{{0,3}}(?P<level>#{{1,6}}[ \t])?[ \t]{{0,4}}(?P<bold>[*_]{{2,3}}|【|\[)?{_NUMBERING}"
    rf"(?:(?P<strong>{_STRONG})|(?P<weak>{_WEAK}))"
    r"(?P<colon>[ \t]?[:：])?(?:[*_]{2,3}|】|\])?(?P<late>[ \t]?[:：])?[ \t]{0,4}\r?$",
    IGNORECASE | MULTILINE,
)
_ANY_HEADING = Pattern(r"^[ \t]{0,3}(#{1,6})[ \t]{1,4}\S", MULTILINE)
_ENTRY = Pattern(
    r"^[ \t>]{0,8}(?:[-*+•][ \t]{1,4})?(?:\*\*)?(?:"
    r"\[\[?\^?(?P<square>\d{1,4})\]?\](?:\*\*)?[ \t]{0,2}[:：.]?|【(?P<lenticular>\d{1,4})】[ \t]{0,2}[:：.]?"
    r"|［(?P<wide>\d{1,4})］|(?P<plain>\d{1,4})(?:\\?[.)]|、|：|:|[ \t](?=\[|https?://))(?:\*\*)?"
    r"|\((?P<round>\d{1,4})\)|（(?P<full>\d{1,4})）|(?P<sup><sup>\d{1,4}</sup>)"
    r")[ \t]{0,4}(?=\S)",
    MULTILINE,
)
_NOTE = Pattern(r"^[ \t]{0,3}\[\^(?P<name>[^\]\s]{1,60})\]:[ \t]{0,4}", MULTILINE)
_ENTRY_LINE = Pattern(
    r"^[ \t]{0,8}\[\d{1,4}\][:：.]?[ \t]{0,4}(?:\[[^\]\n]{1,300}\]\(https?:|https?:)[^\n]*", MULTILINE
)
_ENTRY_MARK = Pattern(r"\[(\d{1,4})\][:：.]?[ \t]{0,4}(?=\[[^\]\n]{1,300}\]\(https?:|https?:)")
_BULLET = Pattern(r"^[ \t]{0,8}[-*+•][ \t]{1,4}(?=\S)", MULTILINE)
_BLANK = Pattern(r"\n[ \t]{0,20}\n+")
_DOI = Pattern(r"\b10\.\d{4,9}/[^\s\"<>]+", IGNORECASE)
_ARXIV = Pattern(r"\barxiv[:\s]{1,3}(\d{4}\.\d{4,5})", IGNORECASE)
_AFTER_YEAR = Pattern(r"\((?:1[89]|20)\d\d[a-z]?\)[.,:]?[ \t](?P<title>[^.\n]{8,300})\.")
_QUOTED = Pattern(r"[\"“《]([^\"“”《》\n]{12,300})[\"”》]")
# An entry longer than this, or a gap, is prose after the list.
MAX_ENTRY_CHARS = 1200
# Of an entry that is known by its own words: enough of them to be found nowhere else by chance.
FIRST_WORDS_CHARS = 80
SHORTEST_WORDS_CHARS = 25


class Reference(NamedTuple):
    """An entry. `label`: its number, or the name of a footnote, empty if it has none; `span`: its place.

    `url`: the first address, DOI or arXiv number it gives; `title`: what it quotes, for one that gives none; `keys`:
    its author and year.
    """

    label: str
    span: Span
    url: str | None
    title: str | None
    keys: tuple[str, ...] = ()


class ReferenceList:
    """All entries of a report in order, and `spans`: the stretches of it that are list and not prose."""

    def __init__(self, entries: Sequence[Reference], spans: Sequence[Span]) -> None:
        self.entries = tuple(entries)
        self.spans = tuple(spans)
        self._by_label: dict[str, list[Reference]] = defaultdict(list)
        self._by_key: dict[str, list[Reference]] = defaultdict(list)
        for entry in entries:
            if entry.label:
                self._by_label[entry.label].append(entry)
            for key in entry.keys:
                self._by_key[key].append(entry)

    def labels(self) -> frozenset[str]:
        """Labels that a marker can name."""
        return frozenset(self._by_label)

    def keys(self) -> frozenset[str]:
        """Author and year of entries, by which a marker can name them too (`author_year`)."""
        return frozenset(self._by_key)

    def resolve(self, label: str, position: int) -> Reference | None:
        """The entry that a marker at `position` means.

        Of several under one label those with an address come first, of these the next one below the marker, else the
        last.
        """
        same = self._by_label.get(label) or self._by_key.get(label)
        if not same:
            return None
        same = [entry for entry in same if entry.url] or same
        below = bisect_right(same, position, key=lambda entry: entry.span.start)
        return same[min(below, len(same) - 1)]


def find_references(report: str, code: Sequence[Span] = ()) -> ReferenceList:
    """Sections with a title, footnote definitions anywhere, else a numbered list of addresses that ends the report."""
    sections = _sections(report, code)
    if not sections and (tail := _unheaded_tail(report)) is not None:
        sections = [tail]
    entries = [entry for section in sections for entry in _entries(report, section)]
    spans = list(sections)
    for entry in [*_notes(report), *_lines(report)]:
        if not _inside(sections, entry.span.start):
            entries.append(entry)
            spans.append(entry.span)
    entries.sort(key=lambda entry: entry.span.start)
    return ReferenceList(entries, sorted(spans))


def _sections(report: str, code: Sequence[Span]) -> list[Span]:
    headings = [match for match in _HEADING().finditer(report) if not _inside(code, match.start())]
    # Every heading ends the section before it, so that a section is never read twice.
    levels = [(match.start(), len(match[1])) for match in _ANY_HEADING().finditer(report)]
    found: list[Span] = []
    for index, match in enumerate(headings):
        if found and match.start() < found[-1].end:
            continue
        limit = headings[index + 1].start() if index + 1 < len(headings) else len(report)
        level = len((match["level"] or "").strip())
        end = min(limit, _section_end(levels, match.end(), level, len(report)))
        if not level:
            end = _end_of_entries(report, match.end(), end)
        if _is_list(report, match, Span(match.end(), end)):
            found.append(Span(match.start(), end))
    return found


def _section_end(levels: Sequence[tuple[int, int]], start: int, level: int, end: int) -> int:
    """Up to the next heading of the same or a higher level; of any level, for a heading without one."""
    for index in range(bisect_right(levels, (start, 0)), len(levels)):
        place, other = levels[index]
        if not level or other <= level:
            return place
    return end


def _end_of_entries(report: str, start: int, end: int) -> int:
    """Where a list under a plain title stops: at a blank line that no further entry follows."""
    position = start
    for gap in _BLANK().finditer(report, start, end):
        if gap.start() > position and not _starts_entry(report, gap.end()):
            return gap.end()
        position = gap.end()
    return end


def _starts_entry(report: str, position: int) -> bool:
    return bool(
        _ENTRY().match(report, position)
        or _BULLET().match(report, position)
        or _NOTE().match(report, position)
        or report.startswith(("http://", "https://"), position)
    )


def _is_list(report: str, heading: Match[str], body: Span) -> bool:
    """Whether what follows a title is a list of sources: for a weak title most of its lines must look like entries."""
    lines = [line for line in report[body.start : body.end].splitlines() if line.strip()]
    if not lines:
        return False
    entries = sum(1 for line in lines if _ENTRY().match(line) or _NOTE().match(line))
    addressed = sum(1 for line in lines if "://" in line or _DOI().search(line))
    titled = heading["level"] or heading["bold"] or heading["colon"] or heading["late"]
    if heading["strong"] and titled:
        return entries + addressed > 0 or any(_BULLET().match(line) or is_authored(line) for line in lines)
    # Entries without any address under a title like "Sources" are as likely an enumeration in prose.
    return addressed * 2 >= len(lines) or (addressed > 0 and max(entries, addressed) * 2 >= len(lines))


def _unheaded_tail(report: str) -> Span | None:
    """Entries with addresses that close a report without a title: at least two, or one whose number is in brackets."""
    end = len(report.rstrip())
    start, count, bracketed = end, 0, False
    for match in reversed(list(_ENTRY().finditer(report))):
        piece = report[match.end() : min(start, match.end() + MAX_ENTRY_CHARS)]
        if start - match.end() > MAX_ENTRY_CHARS or next(find_urls(piece), None) is None:
            break
        start, count, bracketed = match.start(), count + 1, bool(match["square"] or match["lenticular"])
    return Span(start, len(report)) if count >= 2 or bracketed else None


def _entries(report: str, section: Span) -> list[Reference]:
    """Numbered entries of a section; where it has none, its bullets or lines, without a label."""
    matches = list(_ENTRY().finditer(report, section.start, section.end))
    if matches:
        numbers = [int(next(group for group in match.groups() if group).strip("</sup>")) for match in matches]
        if len(numbers) > 1 and set(numbers) == {1}:
            numbers = list(range(1, len(numbers) + 1))  # Markdown numbers a list of ones by itself
        ends = [match.start() for match in matches[1:]] + [section.end]
        return [
            _reference(str(number), report, Span(match.start(), end), match.end())
            for number, match, end in zip(numbers, matches, ends, strict=True)
        ]
    body = report[section.start : section.end]
    found = {match.start() - section.start for match in _BULLET().finditer(report, section.start, section.end)}
    found |= _authored_lines(body)
    if not found:
        lines = Lines(body)
        found = {lines.start(hit.start) for hit in find_urls(body)}
    starts = sorted(section.start + start for start in found)
    ends = [*starts[1:], section.end]
    return [_reference("", report, Span(start, end), start) for start, end in zip(starts, ends, strict=False)]


def _authored_lines(body: str) -> set[int]:
    """Beginnings of lines that are entries by author and year."""
    out, start = set(), 0
    for line in body.splitlines(keepends=True):
        if is_authored(line):
            out.add(start)
        start += len(line)
    return out


def _notes(report: str) -> list[Reference]:
    """Markdown footnote definitions, wherever they stand; each ends with its line."""
    found = []
    for match in _NOTE().finditer(report):
        end = report.find("\n", match.end())
        span = Span(match.start(), len(report) if end < 0 else end)
        name = match["name"]
        found.append(_reference(str(int(name)) if name.isdecimal() else name, report, span, match.end()))
    return found


def _lines(report: str) -> list[Reference]:
    """Lines of entries in the midst of the prose: `[26] [title](address) | [27] [title](address)`, `[3] address`."""
    found = []
    for line in _ENTRY_LINE().finditer(report):
        marks = list(_ENTRY_MARK().finditer(report, line.start(), line.end()))
        ends = [mark.start() for mark in marks[1:]] + [line.end()]
        for mark, end in zip(marks, ends, strict=False):
            found.append(_reference(str(int(mark[1])), report, Span(mark.start(), end), mark.end()))
    return found


def _reference(label: str, report: str, span: Span, body: int) -> Reference:
    text = report[body : min(span.end, body + MAX_ENTRY_CHARS)]
    url = address_in(text)
    quoted = _QUOTED().search(text) if url is None else None
    return Reference(label, span, url, _title(text, quoted) if url is None else None, entry_keys(text))


def _title(text: str, quoted: Match[str] | None) -> str | None:
    """What an entry without an address is known by: what it quotes, the sentence after the year of one by author and
    year, else its own first words, since some lists give the passages themselves."""
    if quoted:
        return quoted.group(1).strip()
    found = _AFTER_YEAR().search(text) if is_authored(text) else None
    if found:
        return found["title"].strip(" *_")
    words = text.strip().split("\n", 1)[0][:FIRST_WORDS_CHARS].strip(" *_.")
    return words if len(words) >= SHORTEST_WORDS_CHARS else None


def address_in(text: str) -> str | None:
    """The address of an entry: where its first link leads, else the first address in it, a DOI or an arXiv number."""
    link = text.find("](http")
    target = link_target(text, link + 2) if link >= 0 else None
    if target is not None:
        return target[1]
    hit = next(find_urls(text), None)
    if hit is not None:
        return hit.url
    doi = _DOI().search(text)
    if doi:
        return "https://doi.org/" + doi.group().rstrip(".,;)]")
    paper = _ARXIV().search(text)
    return f"https://arxiv.org/abs/{paper.group(1)}" if paper else None


def _inside(spans: Sequence[Span], position: int) -> bool:
    """Whether a position lies in one of sorted spans that do not overlap."""
    index = bisect_right(spans, position, key=lambda span: span.start) - 1
    return index >= 0 and spans[index].start <= position < spans[index].end
