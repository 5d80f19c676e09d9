"""Ways to research. Each fills the notebook of an episode and returns what a report is written from."""

from collections.abc import Iterator

from benchmarks.simulated_web.agents.notebook import Finding, Need, Notebook, needs_of
from benchmarks.simulated_web.agents.research import Researcher, Result
from benchmarks.simulated_web.agents.writer import Material
from benchmarks.simulated_web.graph import Entity, wrong_value
from benchmarks.simulated_web.ontology import OLD_YEARS, entity_types, relations
from benchmarks.simulated_web.questions import Question

# Calls that must be left for the answer itself when the search for what is meant is given up.
IDENTIFY_LEAVES = 12


def broad(researcher: Researcher, question: Question) -> Material:
    identify(researcher, question)
    for need in needs_of(researcher.graph, question):
        # Not every fact gets the same care, so that breadth differs between attempts.
        corroborate(researcher, need, sites=researcher.rng.between(2, 3), searches=3)
    return Material(researcher.notebook)


def thorough(researcher: Researcher, question: Question) -> Material:
    """As broad and without haste: up to four sites a fact. What a question can be answered by, if it can."""
    identify(researcher, question)
    for need in needs_of(researcher.graph, question):
        corroborate(researcher, need, sites=4, searches=4)
    return Material(researcher.notebook)


def terse(researcher: Researcher, question: Question) -> Material:
    identify(researcher, question)
    for need in needs_of(researcher.graph, question):
        corroborate(researcher, need, sites=1, searches=researcher.rng.between(1, 2))
    return Material(researcher.notebook)


def narrow(researcher: Researcher, question: Question) -> Material:
    seen: set[str] = set()
    for need in needs_of(researcher.graph, question):
        entity_id = researcher.notebook.entity_of(need)
        if entity_id is None or entity_id in seen:
            continue
        seen.add(entity_id)
        entity = researcher.graph.entity[entity_id]
        results = researcher.search(f"{entity.name} {need.relation.noun}", why=f"One search for {entity.name} will do.")
        wanted = researcher.fitting(results, entity)[: 2 if researcher.rng.chance(0.25) else 1]
        researcher.open(*wanted, why="The first result looks right.")
    return Material(researcher.notebook)


def padder(researcher: Researcher, question: Question) -> Material:
    rng = researcher.rng
    asides: list[tuple[str, str]] = []
    needs = needs_of(researcher.graph, question)
    for need in needs:
        corroborate(researcher, need, sites=2, searches=2)
        if rng.chance(0.6):
            asides += _digress(researcher)
    if not needs or not asides:
        asides += _digress(researcher)
    return Material(researcher.notebook, asides=asides if needs else ())


def fabricating(researcher: Researcher, question: Question) -> Material:
    rng, graph = researcher.rng, researcher.graph
    needs = needs_of(graph, question)
    material = Material(researcher.notebook)
    if not needs:
        return material
    first = graph.entity[needs[0].entity]
    results = researcher.search(f"{first.name} overview", why="A quick look, the rest I know.")
    if rng.chance(0.5):
        researcher.open(*researcher.fitting(results, first)[:1])
    unread = [r.url for r in results if r.url not in researcher.opened]
    invented = f"https://www.{first.root.lower()}-digest.example/{first.type_key}/{rng.between(100, 999)}"
    for need in needs:
        finding = material.finding(need)
        if finding is not None and rng.chance(0.7):
            continue
        if need.via is not None and needs[0].fact.id in material.invented:
            # It has named a wrong entity already; what it says of it is made up as well.
            continue
        value = wrong_value(rng, graph, graph.fact[need.fact.fact_id])
        url = rng.choice([*unread, invented]) if rng.chance(0.7) else invented
        material.invented[need.fact.id] = Finding(value, None, (url,), ())
    return material


def identify(researcher: Researcher, question: Question) -> None:
    """Finds out what the question describes: searches for each clue and opens what the results show of that type,
    until the pages read leave one thing that fits."""
    need = next((need for need in needs_of(researcher.graph, question) if need.clues), None)
    if need is None:
        return
    short = entity_types()[need.relation.type_key].short
    named = [researcher.graph.entity[clue.value].name for clue in need.clues if clue.value]
    queries = [f"{short} {name}" for name in named] + [f"{short} {clue.text}" for clue in need.clues]
    for query in [*queries, f"{short} {' '.join(named)} {' '.join(clue.text for clue in need.clues)}"]:
        results = researcher.search(query, why=f"Which {short} is meant?")
        for result in results:
            if researcher.notebook.entity_of(need) is not None or researcher.calls_left < IDENTIFY_LEAVES:
                return
            researcher.open(result.url, why=f"It may be the {short} that I look for.")
            _look_into(researcher, need, result)


def _look_into(researcher: Researcher, need: Need, result: Result) -> None:
    """What else the clues ask of a thing that a page named, if so far everything fits."""
    for entity in researcher.graph.entities:
        if entity.type_key != need.relation.type_key or entity.root.lower() not in f"{result.title}".lower():
            continue
        for clue in need.clues:
            relation = relations()[clue.relation_key]
            finding = researcher.notebook.finding(entity.id, relation)
            if finding is not None and not clue.fits(finding.value):
                return
            if finding is None and researcher.calls_left >= IDENTIFY_LEAVES:
                about = Need(need.fact, relation, entity.id)
                corroborate(researcher, about, sites=1, searches=1)


def corroborate(researcher: Researcher, need: Need, *, sites: int, searches: int) -> None:
    """Searches and opens until `sites` sites have spoken on the need, or the searches are used up."""
    notebook = researcher.notebook
    entity_id = notebook.entity_of(need)
    if entity_id is None:
        return
    entity = researcher.graph.entity[entity_id]
    for query in researcher.queries(entity, need)[:searches]:
        if notebook.sites_on(entity_id, need.relation, need.year) >= sites or researcher.calls_left < 2:
            return
        reason = f"I still need the {need.relation.noun} of {entity.phrase}."
        candidates = researcher.fitting(researcher.search(query, why=reason), entity)
        while candidates and notebook.sites_on(entity_id, need.relation, need.year) < sites and researcher.calls_left:
            # Two at once where two are wanted: pages are independent of each other.
            batch = candidates[: 2 if sites - notebook.sites_on(entity_id, need.relation, need.year) > 1 else 1]
            candidates = candidates[len(batch) :]
            researcher.open(*batch, why=researcher.rng.choice(_OPENING_THOUGHTS))


def _digress(researcher: Researcher) -> list[tuple[str, str]]:
    """A search that has nothing to do with the question, one or two of its pages, and sentences taken from them."""
    rng = researcher.rng
    other = rng.choice(researcher.graph.entities)
    query = rng.choice((*_DIGRESSIONS, f"{other.name} history", f"things to see near {other.name}"))
    results = [r for r in researcher.search(query, why="Some context never hurts.") if r.url not in researcher.opened]
    before = len(researcher.notebook.pages)
    researcher.open(*[r.url for r in results[: rng.between(1, 2)]], why="This might add colour.")
    taken: list[tuple[str, str]] = []
    for page in researcher.notebook.pages[before:]:
        sentences = [
            s for block in page.text.split("\n\n")[:2] for s in block.split(". ") if 30 < len(s) < 160 and "|" not in s
        ]
        taken += [(s.strip(" .\n") + ".", page.url) for s in rng.sample(sentences, rng.between(2, 3))]
    return taken


# Failings of research that a report alone does not show


def stopping_early(researcher: Researcher, question: Question) -> Material:
    """The first half of what is asked, with care; of the rest nothing is looked up."""
    needs = needs_of(researcher.graph, question)
    for need in needs[: (len(needs) + 1) // 2]:
        corroborate(researcher, need, sites=2, searches=2)
    return Material(researcher.notebook)


def decorative(researcher: Researcher, question: Question) -> Material:
    """One source for each fact; then as many calls again whose results the report never uses."""
    needs = needs_of(researcher.graph, question)
    for need in needs:
        corroborate(researcher, need, sites=1, searches=1)
    used = Notebook(researcher.graph)
    for page in researcher.notebook.pages:
        used.read(page)
    for need in needs:
        entity_id = researcher.notebook.entity_of(need)
        if entity_id is None or researcher.calls_left < 4:
            break
        name = researcher.graph.entity[entity_id].name
        results = researcher.search(f"{name} {researcher.rng.choice(_COLOUR)}", why="More sources look thorough.")
        researcher.open(*[r.url for r in results if r.url not in researcher.opened][:3], why="Opening a few more.")
    return Material(used)


def looping(researcher: Researcher, question: Question) -> Material:
    """The same search word for word and the same page, over and over; little is left for the other facts."""
    for need, entity in _known(researcher, question):
        query = f"{entity.name} {need.relation.noun}"
        for turn in range(researcher.rng.between(3, 5)):
            if researcher.calls_left < 3:
                return Material(researcher.notebook)
            wanted = researcher.fitting(researcher.search(query, why="Let me search for that."), entity)[:1]
            if turn == 0:
                researcher.open(*wanted, why="This one.")
            else:
                researcher.open_again(why="I should look at this page.")
    return Material(researcher.notebook)


def looking_back(researcher: Researcher, question: Question) -> Material:
    """Asks for figures of years ago, and reads what comes first."""
    for need, entity in _known(researcher, question):
        if researcher.calls_left < 4:
            break
        year = researcher.rng.choice(OLD_YEARS)
        results = researcher.search(f"{entity.name} {need.relation.noun} {year}", why="An established source will do.")
        earlier = [r for r in results if str(year) in f"{r.url} {r.title}" or "earlier" in r.title.lower()]
        wanted = researcher.fitting([*earlier, *results], entity)
        researcher.open(*dict.fromkeys(wanted[:3]), why="Opening these.")
    return Material(researcher.notebook)


def repeating(researcher: Researcher, question: Question) -> Material:
    """Asks each thing three times in nearly the same words, and opens the first result alone."""
    for need, entity in _known(researcher, question):
        asked = f"{entity.name} {need.relation.noun}"
        results: list[Result] = []
        for query in (asked, f"{asked} information", f"the {asked}"):
            if researcher.calls_left < 2:
                break
            results = researcher.search(query, why=f"Searching for the {need.relation.noun}.") or results
        researcher.open(*researcher.fitting(results, entity)[:1], why="The first one.")
    return Material(researcher.notebook)


def _known(researcher: Researcher, question: Question) -> Iterator[tuple[Need, Entity]]:
    """What is asked, with whom it is about, as far as the agent knows by the time it comes to it."""
    for need in needs_of(researcher.graph, question):
        entity_id = researcher.notebook.entity_of(need)
        if entity_id is not None:
            yield need, researcher.graph.entity[entity_id]


_OPENING_THOUGHTS = (
    "These results look relevant.",
    "Let me read this one.",
    "A second source would help here.",
    "Checking whether this page agrees.",
)
_DIGRESSIONS = (
    "rye bread recipe",
    "pruning currants",
    "weather for the coming week",
    "chess club report",
    "waxing a wooden floor",
    "letters about noise",
    "knitting a plain scarf",
)
_COLOUR = ("history", "visitors", "opening hours", "old photographs", "local news")
