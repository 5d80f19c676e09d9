"""From plans to pages: each page in the level and language that the manner of the world draws for it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchmarks.simulated_web.chinese_pages import ChineseWriter
from benchmarks.simulated_web.distracting import DistractingWriter
from benchmarks.simulated_web.english import filler
from benchmarks.simulated_web.graph import Graph, wrong_value
from benchmarks.simulated_web.hard_pages import HardWriter
from benchmarks.simulated_web.manner import PLAIN, Language, Level, Manner
from benchmarks.simulated_web.ontology import NOW
from benchmarks.simulated_web.pages import Page
from benchmarks.simulated_web.planning import PagePlan
from benchmarks.simulated_web.rendering import Draft, PageWriter
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.sites import Site


@dataclass(frozen=True, slots=True)
class _Order:
    """All that a page is made from: written again from the same order, it is the same."""

    label: int
    plan: PagePlan
    level: Level
    language: Language


def write_pages(seed: int, graph: Graph, plans: Sequence[PagePlan], manner: Manner) -> list[Page]:
    """The pages of a world, in the order of their plans."""
    rng = Rng("pages", seed)
    orders: list[_Order] = []
    taken: set[str] = set()
    pages: list[Page] = []
    for place, plan in enumerate(plans):
        if manner == PLAIN:
            # One stream of draws through all pages, as it was before there were manners: the hash of a seed stays.
            order, draft = _Order(place, plan, "plain", "en"), _draft(rng, graph, plan, "plain", "en")
        else:
            order = _order(seed, graph, place, plan, manner, orders)
            own = Rng("page", seed, order.label)
            draft = _draft(own, graph, order.plan, order.level, order.language)
            draft = replace(draft, text=_once(draft.text, order.plan))
            if order.plan.form == "profile":
                orders.append(order)
        pages.append(_page(rng, plan, order, draft, taken))
    return pages


def _order(seed: int, graph: Graph, place: int, plan: PagePlan, manner: Manner, orders: Sequence[_Order]) -> _Order:
    rng = Rng("manner", seed, place)
    level, language = manner.style(rng)
    if plan.form != "other":
        return _Order(place, plan, level, language)
    told = [order for order in orders[-_NEAR:] if order.plan.claims]
    if told and rng.below(100) < manner.copies:
        copied = rng.choice(told)
        return replace(copied, plan=_changed(rng, graph, copied.plan))
    return _Order(place, plan, "plain", language)


# A copy is of one of so many pages before it: a choice among all would be slow in a large world.
_NEAR = 400


def _changed(rng: Rng, graph: Graph, plan: PagePlan) -> PagePlan:
    """The same plan, one of its claims with a false value."""
    place = rng.below(len(plan.claims))
    claims = list(plan.claims)
    claims[place] = replace(claims[place], value=wrong_value(rng, graph, claims[place].fact))
    return replace(plan, claims=claims)


def _draft(rng: Rng, graph: Graph, plan: PagePlan, level: Level, language: Language) -> Draft:
    writer = _writer(rng, graph, plan, level, language)
    if plan.form == "other":
        return writer.other()
    if plan.form == "table":
        return writer.table(plan.entities, plan.claims)
    if plan.form == "ranking":
        return writer.ranking(plan.entities, plan.claims)
    return writer.profile(plan.entities[0], plan.claims)


def _once(text: str, plan: PagePlan) -> str:
    """Without the second of two equal sentences of colour: plain writers may draw one twice, and the plain world has to
    stay as it is."""
    for entity in plan.entities[:1]:
        for sentence in filler.ABOUT[entity.type_key]:
            if plan.form == "profile" and text.count(sentence) > 1:
                first, _, rest = text.partition(sentence)
                text = first + sentence + rest.replace(f" {sentence}", "").replace(f"{sentence} ", "")
    return text


def _writer(rng: Rng, graph: Graph, plan: PagePlan, level: Level, language: Language) -> PageWriter:
    if language == "zh":
        return ChineseWriter(rng, graph, plan.site, level, now=plan.year)
    if level == "plain":
        return PageWriter(rng, graph, plan.site)
    hard = HardWriter if level == "reworded" else DistractingWriter
    return hard(rng, graph, plan.site, now=plan.year)


def _page(rng: Rng, plan: PagePlan, order: _Order, draft: Draft, taken: set[str]) -> Page:
    """`plan` says who publishes the page; a copy was planned for another site."""
    published = f"{plan.year if plan.year != NOW else NOW}-{rng.between(1, 12):02d}-{rng.between(1, 28):02d}"
    url = _address(plan.site, draft.title, published, taken)
    about = tuple(entity.id for entity in order.plan.entities)
    return Page(
        url, plan.site.host, draft.title, published, draft.text, about, draft.statements, order.level, order.language
    )


PREFIX = {"registry": "entry/", "encyclopedia": "wiki/", "forum": "t/", "travel": "posts/", "listing": ""}


def _address(site: Site, title: str, published: str, taken: set[str]) -> str:
    # A Chinese title without a name in it leaves nothing to make an address of.
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "text"
    prefix = PREFIX.get(site.kind, published.replace("-", "/")[:8] if site.kind in ("newspaper", "archive") else "")
    base = f"https://{site.host}/{prefix}{slug}"
    url, number = base, 2
    while url in taken:
        url, number = f"{base}-{number}", number + 1
    taken.add(url)
    return url
