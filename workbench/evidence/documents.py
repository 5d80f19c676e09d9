"""The documents of a run: pages that it opened, hits of its searches, answers of its other tools."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from workbench.phases.activity import openings
from workbench.phases.calls import Place, call_records, results
from workbench.phases.documents import Retrieved
from workbench.schema.trajectory import Trajectory

DocumentKind: TypeAlias = Literal["page", "hit", "output"]


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a run: a stretch of a tool result.

    `number` counts from 1 in the order of the run. `page`: an address that was opened; `hit`: what a search gave for an
    address; `output`: any other answer of a tool, or one that names no address, whole. `url` is None for an output.
    `start`/`end` are offsets in the text of the result. `failed`: the call failed, so its text is no evidence.
    """

    number: int
    kind: DocumentKind
    url: str | None
    tool: str
    step: int
    result: int
    start: int
    end: int
    failed: bool = False


def documents_of(trajectory: Trajectory) -> tuple[Document, ...]:
    """Every document in the order of the run; together they cover every tool result that holds any text.

    Text of a search result that stands beside no address (its heading) belongs to the nearest hit. In a batch of pages
    each page is a document, one that could not be had a failed one.
    """
    records = call_records(trajectory)
    by_place = {record.place: record for record in records if record.place is not None}
    pages: dict[Place, list[_Mark]] = {}
    openings_made = openings(records)
    for opening in openings_made:
        if opening.record.place is not None:
            pages.setdefault(opening.record.place, []).append(_Mark(opening.start, opening.url, not opening.opened))
    sources = Retrieved(trajectory, records, openings_made)
    found: list[Document] = []
    for place, result in results(trajectory.steps):
        record = by_place.get(place)
        failed = result.is_error or (record is not None and record.failed)
        kind: DocumentKind = "output"
        marks: list[_Mark] = []
        if record is not None and record.call.kind == "visit":
            kind, marks = "page", pages.get(place, [])
        elif record is not None and record.call.kind == "search" and not failed:
            kind, marks = "hit", [_Mark(part.start, part.url, False) for part in sources.listed_at(place)]
        tool = record.call.name if record else ""
        for mark, start, end in _stretches(marks, len(result.text)):
            found.append(
                Document(
                    number=len(found) + 1,
                    kind=kind if mark else "output",
                    url=mark.url if mark else None,
                    tool=tool,
                    step=place.step,
                    result=place.result,
                    start=start,
                    end=end,
                    failed=failed or bool(mark and mark.failed),
                )
            )
    return tuple(found)


class _Mark(NamedTuple):
    """Where the text of an address begins in a result."""

    start: int
    url: str
    failed: bool


def _stretches(marks: Sequence[_Mark], length: int) -> list[tuple[_Mark | None, int, int]]:
    """Consecutive stretches that cover a result of some length; none for an empty one.

    Several addresses that begin at one place (the link and the picture of a hit) are one: the first names it.
    """
    if not length:
        return []
    firsts: list[_Mark] = []
    for mark in sorted(marks, key=lambda mark: mark.start):
        if not firsts or mark.start > firsts[-1].start:
            firsts.append(mark)
    if not firsts:
        return [(None, 0, length)]
    edges = [0, *(mark.start for mark in firsts[1:]), length]
    return [(mark, start, end) for mark, (start, end) in zip(firsts, pairwise(edges), strict=True)]
