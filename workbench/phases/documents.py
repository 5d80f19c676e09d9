"""What a run retrieved, by source: which stretches of which tool results are the text of which page."""

from bisect import bisect_right
from collections.abc import Sequence
from re import DOTALL
from typing import NamedTuple

from workbench.phases.activity import Opening
from workbench.phases.calls import CallRecord, Place, results
from workbench.phases.lazy import Pattern
from workbench.phases.urls import FoundUrl, find_urls, normal_url
from workbench.schema.trajectory import Trajectory

# An object of a JSON result longer than this is the whole answer and not one hit of it.
MAX_HIT_CHARS = 40_000

_STRUCTURE = Pattern(r"\\.|[\"{}]", DOTALL)  # quotes and braces; an escaped character is swallowed whole


class Part(NamedTuple):
    """A stretch of one tool result that belongs to one address.

    `opened`: the page itself was fetched; else it stands in a result beside its address. `step` and `result` say which.
    """

    key: str
    url: str
    step: int
    result: int
    start: int
    end: int
    opened: bool


# One character for one, so that places stay.
_QUOTES = str.maketrans("“”„«»「」‘’", '"""""""\'\'')


class Retrieved:
    """The parts of a run by source; of each source the opened ones first, else in the order of the run."""

    def __init__(self, trajectory: Trajectory, records: Sequence[CallRecord], pages: Sequence[Opening]) -> None:
        self._steps = trajectory.steps
        self._failed = {record.place for record in records if record.failed and record.place is not None}
        self.parts: dict[str, list[Part]] = {}
        self._titles: dict[str, tuple[Part, ...]] = {}
        self._plain: list[tuple[Place, str]] | None = None
        self._listed: dict[Place, list[Part]] | None = None
        refused = {(page.record.place, normal_url(page.url)) for page in pages if not page.opened}
        for page in pages:
            if page.opened and page.record.place is not None:
                key = normal_url(page.url)
                part = Part(key, page.url, *page.record.place, page.start, page.end, opened=True)
                self.parts.setdefault(key, []).append(part)
        for place, result in results(trajectory.steps):
            if place in self._failed or result.is_error:
                continue
            for part in _listed_parts(result.text, place):
                if (place, part.key) not in refused:
                    self.parts.setdefault(part.key, []).append(part)

    def of(self, url: str) -> Sequence[Part]:
        """The parts of an address, empty if no tool result of the run holds it."""
        return self.parts.get(normal_url(url), ())

    def listed_at(self, place: Place) -> list[Part]:
        """The parts that one result lists beside their addresses."""
        if self._listed is None:
            self._listed = {}
            for parts in self.parts.values():
                for part in parts:
                    if not part.opened:
                        self._listed.setdefault(Place(part.step, part.result), []).append(part)
        return self._listed.get(place, [])

    def titled(self, title: str) -> Sequence[Part]:
        """The parts of a source known by its title alone: in each result, from the first mention to the end.

        Curly and straight quotes are one: writers change them.
        """
        if title not in self._titles:
            if self._plain is None:
                self._plain = [
                    (place, result.text.translate(_QUOTES))
                    for place, result in results(self._steps)
                    if place not in self._failed and not result.is_error
                ]
            found, wanted = [], title.translate(_QUOTES)
            for place, text in self._plain:
                at = text.find(wanted)
                if at >= 0:
                    found.append(Part(f"title:{title}", "", *place, at, len(text), opened=False))
            self._titles[title] = tuple(found)
        return self._titles[title]


def _listed_parts(text: str, place: Place) -> list[Part]:
    """Each address that a result holds, with what stands beside it.

    In JSON that is the object around it; else from the start of its line, or the address before it on that line, to
    the next address or the line that holds it.
    """
    hits = list(find_urls(text))
    if not hits:
        return []
    objects = _objects_around(text, hits) if text.lstrip()[:1] in ("{", "[") else [None] * len(hits)
    befores = [0, *(hit.end for hit in hits)]
    starts = [max(text.rfind("\n", end, hit.start) + 1, end) for end, hit in zip(befores, hits, strict=False)]
    ends = [*starts[1:], len(text)]
    return [
        Part(normal_url(hit.url), hit.url, *place, *(around or (start, max(end, hit.end))), opened=False)
        for hit, around, start, end in zip(hits, objects, starts, ends, strict=True)
    ]


def _objects_around(text: str, hits: Sequence[FoundUrl]) -> list[tuple[int, int] | None]:
    """The innermost JSON object around each address, None where there is none or it is too long to be one hit."""
    opened: list[int] = []
    spans: list[tuple[int, int]] = []
    inside = False
    for match in _STRUCTURE().finditer(text):
        char = match.group()
        if char == '"':
            inside = not inside
        elif char == "{" and not inside:
            opened.append(match.start())
        elif char == "}" and not inside and opened:
            spans.append((opened.pop(), match.end()))
    spans.sort()
    starts = [start for start, _ in spans]
    out: list[tuple[int, int] | None] = []
    for hit in hits:
        index = bisect_right(starts, hit.start) - 1
        # Siblings before the address are skipped; a handful of steps back finds the object unless it is a huge one.
        found = None
        for back in range(index, max(index - 64, -1), -1):
            if spans[back][1] >= hit.end:
                found = spans[back]
                break
        out.append(found if found and found[1] - found[0] <= MAX_HIT_CHARS else None)
    return out
