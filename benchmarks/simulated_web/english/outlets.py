"""Names of fictional sites by kind, and what each kind of site is like."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SiteKind:
    """`reliability`: percent of statements that are right. `imperial`: percent of its sites that convert units.
    `facts`: how many facts a page about one thing tells, least and most."""

    key: str
    reliability: tuple[int, int]
    imperial: int
    facts: tuple[int, int]


KINDS = (
    SiteKind("registry", (96, 99), 0, (2, 3)),
    SiteKind("encyclopedia", (92, 96), 15, (2, 4)),
    SiteKind("newspaper", (86, 93), 10, (1, 2)),
    SiteKind("official", (92, 97), 0, (2, 3)),
    SiteKind("archive", (90, 95), 0, (1, 3)),
    SiteKind("travel", (68, 78), 45, (1, 2)),
    SiteKind("forum", (54, 66), 30, (1, 2)),
    SiteKind("listing", (58, 72), 40, (2, 3)),
)

# (name, host, types it writes about; none means all)
OUTLETS: dict[str, tuple[tuple[str, str, tuple[str, ...]], ...]] = {
    "registry": (
        ("Inland Waterways Register", "waterways-register.example", ("river", "dam", "bridge")),
        ("Office of Municipal Statistics", "municipal-statistics.example", ("city", "institute", "museum")),
        ("Public Company Register", "company-register.example", ("company",)),
        ("Rolling Stock Authority", "rolling-stock-authority.example", ("vehicle",)),
        ("Survey of Engineering Works", "works-survey.example", ("bridge", "dam")),
        ("Culture and Learning Board", "culture-board.example", ("museum", "institute")),
    ),
    "encyclopedia": (
        ("Open Lexicon", "openlexicon.example", ()),
        ("The Harrow Encyclopaedia", "www.harrow-encyclopaedia.example", ()),
        ("Cyclopaedia of Land and Trade", "landandtrade.example", ("river", "city", "company", "vehicle")),
        ("Lantern Reference", "lantern-reference.example", ()),
    ),
    "newspaper": (
        ("The Harbour Ledger", "www.harbour-ledger.example", ()),
        ("Northern Courier", "northern-courier.example", ()),
        ("Evening Signal", "evening-signal.example", ()),
        ("The Valley Gazette", "valley-gazette.example", ()),
        ("Trade and Rail Weekly", "trade-and-rail.example", ("company", "vehicle", "bridge", "dam")),
        ("Morning Beacon", "www.morning-beacon.example", ()),
    ),
    "archive": (
        ("The Harbour Ledger, archive", "archive.harbour-ledger.example", ()),
        ("Yearbook Collection", "yearbook-collection.example", ()),
        ("Almanac Shelf", "almanac-shelf.example", ()),
    ),
    "travel": (
        ("Slow Roads and Ferries", "slow-roads.example", ()),
        ("Two Rucksacks", "two-rucksacks.example", ()),
        ("The Thermos Diaries", "thermos-diaries.example", ()),
        ("Weekends by Rail", "weekends-by-rail.example", ("city", "vehicle", "museum", "bridge", "river")),
        ("Bench with a View", "bench-with-a-view.example", ("river", "bridge", "dam", "museum", "city")),
    ),
    "forum": (
        ("Ask the Regulars", "ask-the-regulars.example", ()),
        ("Rivet Counters' Board", "rivet-counters.example", ("bridge", "dam", "vehicle", "company")),
        ("Common Room", "common-room.example", ()),
        ("Local Lore", "local-lore.example", ()),
    ),
    "listing": (
        ("FactStack", "factstack.example", ()),
        ("Top Sevens", "top-sevens.example", ()),
        ("QuickFigures", "quickfigures.example", ()),
        ("Everything Ranked", "everything-ranked.example", ()),
    ),
}
