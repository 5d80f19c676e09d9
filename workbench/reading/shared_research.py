"""Who asked and found what: queries and sites of several attempts at one question, as sets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from workbench.phases.activity import openings, queries_of, seen_urls, sites
from workbench.phases.calls import call_records
from workbench.phases.near import MOST_QUERIES, near_duplicate_groups
from workbench.phases.suffixes import site_of
from workbench.phases.text import fold
from workbench.phases.urls import normal_url
from workbench.schema.analysis import Citation
from workbench.schema.trajectory import Trajectory


class Asked(NamedTuple):
    """A query as it was written, and the step that asked it first."""

    text: str
    step: int


class Opened(NamedTuple):
    """A page that came back without error, and the step that asked for it first."""

    url: str
    site: str
    step: int


@dataclass(frozen=True, slots=True)
class Research:
    """What one attempt asked and found. `queries` without exact repeats, `pages` a page once whatever form its address
    took, `seen`: sites in search results, opened or not, `cited`: sites that the report cites."""

    queries: tuple[Asked, ...]
    pages: tuple[Opened, ...]
    seen: frozenset[str]
    cited: frozenset[str]


@dataclass(frozen=True, slots=True)
class QueryGroup:
    """Queries that nearly repeat one another: those of each attempt in order, () where it asked none."""

    by_attempt: tuple[tuple[Asked, ...], ...]

    @property
    def holders(self) -> tuple[int, ...]:
        return tuple(n for n, asked in enumerate(self.by_attempt) if asked)

    @property
    def name(self) -> str:
        """The shortest of them: what the others say with more words."""
        return min((asked.text for own in self.by_attempt for asked in own), key=len)


@dataclass(frozen=True, slots=True)
class QuerySets:
    """All groups, those of the most attempts first. `near`: near-duplicates are together; False where there were too
    many queries to compare and only exact repeats are."""

    groups: tuple[QueryGroup, ...]
    near: bool


@dataclass(frozen=True, slots=True)
class SiteRow:
    """A site: for each attempt the pages that it opened there, whether it stood in its search results, and is cited."""

    site: str
    pages: tuple[tuple[Opened, ...], ...]
    seen: tuple[bool, ...]
    cited: tuple[bool, ...]

    @property
    def holders(self) -> tuple[int, ...]:
        """The attempts that opened a page of it."""
        return tuple(n for n, pages in enumerate(self.pages) if pages)


def research_of(trajectory: Trajectory, citations: Sequence[Citation]) -> Research:
    """Linear in the size of the trajectory; never raises."""
    records = call_records(trajectory)
    asked: dict[str, Asked] = {}
    for record in records:
        for query in queries_of(record.call):
            asked.setdefault(fold(query), Asked(query, record.step))
    pages: dict[str, Opened] = {}
    for page in openings(records):
        site = site_of(page.url)
        if page.opened and site:
            pages.setdefault(normal_url(page.url), Opened(page.url, site, page.record.step))
    return Research(
        tuple(asked.values()),
        tuple(pages.values()),
        sites(seen_urls(records)),
        frozenset(citation.site for citation in citations if citation.site),
    )


def query_sets(attempts: Sequence[Research]) -> QuerySets:
    """The queries of all attempts grouped; groups of the most attempts first, then in order of appearance."""
    texts: dict[str, str] = {}
    for attempt in attempts:
        for asked in attempt.queries:
            texts.setdefault(fold(asked.text), asked.text)
    keys = list(texts)
    near = len(keys) <= MOST_QUERIES
    group_of = {key: place for place, key in enumerate(keys)}
    for group in near_duplicate_groups([texts[key] for key in keys]) if near else ():
        for place in group:
            group_of[keys[place]] = group[0]
    members: dict[int, list[list[Asked]]] = {}
    for n, attempt in enumerate(attempts):
        for asked in attempt.queries:
            members.setdefault(group_of[fold(asked.text)], [[] for _ in attempts])[n].append(asked)
    groups = [QueryGroup(tuple(map(tuple, by_attempt))) for _, by_attempt in sorted(members.items())]
    return QuerySets(tuple(sorted(groups, key=lambda group: -len(group.holders))), near)


def site_rows(attempts: Sequence[Research]) -> tuple[SiteRow, ...]:
    """Every site that an attempt opened, saw or cites: those that most opened first, then those seen or cited alone."""
    pages: list[dict[str, list[Opened]]] = [{} for _ in attempts]
    for own, attempt in zip(pages, attempts, strict=True):
        for page in attempt.pages:
            own.setdefault(page.site, []).append(page)
    names = {site for attempt in attempts for site in attempt.seen | attempt.cited}.union(*pages)
    rows = [
        SiteRow(
            site,
            tuple(tuple(own.get(site, ())) for own in pages),
            tuple(site in attempt.seen for attempt in attempts),
            tuple(site in attempt.cited for attempt in attempts),
        )
        for site in names
    ]
    return tuple(
        sorted(rows, key=lambda row: (-len(row.holders), -sum(row.cited), -sum(map(len, row.pages)), row.site))
    )
