"""Deciding which page on which site tells which facts, and whether rightly. No text yet."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.simulated_web.english.outlets import KINDS
from benchmarks.simulated_web.graph import Entity, Fact, Graph, wrong_value
from benchmarks.simulated_web.ontology import NOW, OLD_YEARS, Relation, entity_types
from benchmarks.simulated_web.rendering import Claim
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.sites import Site

OTHER_SHARE = 15  # percent of pages that tell nothing of the graph
LIST_SHARE = 14  # percent of pages that tell a little of several entities
LEAST_SUPPORT = 2  # sites that tell each fact rightly


@dataclass(slots=True)
class PagePlan:
    """A page to be written. `form` is profile, table, ranking or other."""

    site: Site
    form: str
    entities: tuple[Entity, ...]
    claims: list[Claim] = field(default_factory=list)
    year: int = NOW


def plan_pages(rng: Rng, graph: Graph, sites: Sequence[Site], n_pages: int) -> list[PagePlan]:
    """`n_pages` plans; afterwards every fact is told rightly on at least LEAST_SUPPORT sites, if there are enough
    pages for that (about five for each entity)."""
    n_other = n_pages * OTHER_SHARE // 100
    n_lists = n_pages * LIST_SHARE // 100
    planner = _Planner(rng, graph, sites)
    plans = [planner.listing() for _ in range(n_lists)]
    plans += planner.profiles(n_pages - n_other - n_lists)
    plans += [PagePlan(rng.choice(planner.readable), "other", ()) for _ in range(n_other)]
    _ensure_support(graph, plans)
    return plans


class _Planner:
    def __init__(self, rng: Rng, graph: Graph, sites: Sequence[Site]) -> None:
        self.rng, self.graph, self.sites = rng, graph, sites
        self.kinds = {kind.key: kind for kind in KINDS}
        self.readable = [s for s in sites if s.kind in ("newspaper", "travel", "forum", "listing")]
        self.told = {fact.id: 0 for fact in graph.facts}

    def profiles(self, n_pages: int) -> list[PagePlan]:
        """Entities in turn, each time on a site that has no page about it yet."""
        plans: list[PagePlan] = []
        left = {
            entity.id: self.rng.shuffled([site for site in self.sites if site.covers(entity)])
            for entity in self.graph.entities
        }
        # Own site and registries first, so that even a small world has reliable pages on everything.
        for queue in left.values():
            queue.sort(key=lambda site: site.kind not in ("official", "registry"))
        while len(plans) < n_pages and any(left.values()):
            for entity in self.rng.shuffled(self.graph.entities):
                if len(plans) < n_pages and left[entity.id]:
                    plans.append(self._profile(entity, left[entity.id].pop(0)))
        return plans

    def _profile(self, entity: Entity, site: Site) -> PagePlan:
        year = self.rng.choice(OLD_YEARS) if site.kind == "archive" else NOW
        least, most = self.kinds[site.kind].facts
        facts = self._least_told(self.graph.facts_of[entity.id], self.rng.between(least, most))
        return PagePlan(site, "profile", (entity,), [self._claim(fact, site, year) for fact in facts], year)

    def listing(self) -> PagePlan:
        """Three to six entities of one type: a table of two or three relations, or a ranking."""
        kind = self.rng.choice(list(entity_types().values()))
        entities = [e for e in self.graph.entities if e.type_key == kind.key]
        chosen = self.rng.sample(entities, self.rng.between(3, 6))
        if self.rng.chance(0.5):
            site = self.rng.choice(
                [s for s in self.sites if s.kind in ("listing", "encyclopedia") and s.covers(chosen[0])]
            )
            columns: list[Relation] = self.rng.sample(kind.relations, self.rng.between(2, 3))
            facts = [self.graph.of(e.id, r.key) for e in chosen for r in columns if self.rng.chance(0.9)]
            form = "table"
        else:
            site = self.rng.choice([s for s in self.sites if s.kind in ("listing", "travel") and s.covers(chosen[0])])
            facts = [fact for e in chosen for fact in self._least_told(self.graph.facts_of[e.id], 1)]
            form = "ranking"
        for fact in facts:
            self.told[fact.id] += 1
        return PagePlan(site, form, tuple(chosen), [self._claim(fact, site, NOW) for fact in facts])

    def _least_told(self, facts: Sequence[Fact], n: int) -> list[Fact]:
        """`n` facts, those first that few pages tell; in the order in which the relations stand."""
        order = sorted(self.rng.shuffled(facts), key=lambda fact: self.told[fact.id])[:n]
        for fact in order:
            self.told[fact.id] += 1
        return [fact for fact in facts if fact in order]

    def _claim(self, fact: Fact, site: Site, year: int) -> Claim:
        right = self.rng.below(100) < site.reliability
        if not fact.relation.dated:
            return Claim(fact, fact.value if right else wrong_value(self.rng, self.graph, fact))
        if year != NOW:
            old = dict(fact.older)[year]
            return Claim(fact, old if right else old * 5 // 4 // fact.relation.step * fact.relation.step, year)
        undated = site.kind in ("travel", "forum", "listing") and self.rng.chance(0.6)
        if right:
            return Claim(fact, fact.value, None if undated else NOW)
        if self.rng.chance(0.6):
            return Claim(fact, self.rng.choice([value for _, value in fact.older]))
        return Claim(fact, wrong_value(self.rng, self.graph, fact), None if undated else NOW)


def _ensure_support(graph: Graph, plans: Sequence[PagePlan]) -> None:
    """Where too few sites tell a fact rightly, the most reliable of those that tell it are put right, and then
    further pages about its entity tell it too."""
    by_fact: dict[str, list[PagePlan]] = {fact.id: [] for fact in graph.facts}
    by_entity: dict[str, list[PagePlan]] = {entity.id: [] for entity in graph.entities}
    for plan in plans:
        for claim in plan.claims:
            by_fact[claim.fact.id].append(plan)
        if plan.form == "profile":
            by_entity[plan.entities[0].id].append(plan)
    for fact in graph.facts:
        telling = sorted(by_fact[fact.id], key=lambda plan: -plan.site.reliability)
        silent = sorted(
            (plan for plan in by_entity[fact.entity] if plan not in telling), key=lambda plan: -plan.site.reliability
        )
        for plan in [*telling, *silent]:
            if (
                len({p.site.host for p in by_fact[fact.id] if any(_right(c) for c in p.claims if c.fact == fact)})
                >= LEAST_SUPPORT
            ):
                break
            if plan.year == NOW or not fact.relation.dated:
                _put_right(plan, fact)
                by_fact[fact.id].append(plan)


def _put_right(plan: PagePlan, fact: Fact) -> None:
    right = Claim(fact, fact.value, NOW if fact.relation.dated else None)
    for place, claim in enumerate(plan.claims):
        if claim.fact == fact:
            if not _right(claim):
                plan.claims[place] = right
            return
    plan.claims.append(right)


def _right(claim: Claim) -> bool:
    return claim.value == claim.fact.value and claim.year in (None, NOW)
