"""What a run retrieved, by address: which parts of which tool results are the text of which page."""

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.phases.activity import addresses_of, openings, parts_by_address
from workbench.phases.calls import CallRecord, Place
from workbench.phases.urls import find_urls, normal_url
from workbench.schema.trajectory import Step


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of one tool result that belongs to one address. `opened`: the page itself, not a search result."""

    key: str
    url: str
    place: Place
    start: int
    end: int
    opened: bool


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Parts by normal form of the address, opened ones first, else in order of the run."""

    parts: dict[str, tuple[Part, ...]]

    def opened(self, url: str) -> bool:
        return any(part.opened for part in self.parts.get(normal_url(url), ()))

    def seen(self, url: str) -> bool:
        return normal_url(url) in self.parts

    def of(self, url: str) -> tuple[Part, ...]:
        return self.parts.get(normal_url(url), ())


def retrieved(steps: Sequence[Step], records: Sequence[CallRecord]) -> Retrieved:
    """Reads every tool result of a run: an opened page has all of its result, other addresses what stands beside."""
    parts: dict[str, list[Part]] = {}
    for part in _opened_parts(records):
        parts.setdefault(part.key, []).append(part)
    for position, step in enumerate(steps):
        for index, result in enumerate(step.tool_results):
            for part in _listed_parts(result.text, Place(position, index)):
                parts.setdefault(part.key, []).append(part)
    return Retrieved({key: tuple(sorted(found, key=lambda part: not part.opened)) for key, found in parts.items()})


def _opened_parts(records: Sequence[CallRecord]) -> list[Part]:
    found = []
    for opening in openings(records):
        record = opening.record
        if not opening.opened or record.result is None or record.place is None:
            continue
        text = record.result.text
        pieces = parts_by_address(text, addresses_of(record.call))
        start = text.find(opening.url) if opening.url in pieces else 0
        end = start + len(pieces[opening.url]) if opening.url in pieces else len(text)
        found.append(Part(normal_url(opening.url), opening.url, record.place, start, end, opened=True))
    return found


def _listed_parts(text: str, place: Place) -> list[Part]:
    """Each address that a result holds, with the text from the start of its line to the line of the next address."""
    hits = list(find_urls(text))
    starts = [text.rfind("\n", 0, hit.start) + 1 for hit in hits]
    found = []
    for index, hit in enumerate(hits):
        following = next((start for start in starts[index + 1 :] if start > starts[index]), len(text))
        found.append(Part(normal_url(hit.url), hit.url, place, starts[index], following, opened=False))
    return found
