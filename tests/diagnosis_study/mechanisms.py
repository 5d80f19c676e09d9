"""Agents whose research and whose writing are worse, or only different, by a chosen amount.

`Searching` says how an agent looks, `Writing` what of its notebook gets into the report. Rates are shares in [0, 1] of
the things that a full answer needs; each question multiplies them by its own factor, so that deficits are uneven.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from benchmarks.simulated_web.agents.notebook import Finding, Need, needs_of
from benchmarks.simulated_web.agents.research import Researcher
from benchmarks.simulated_web.agents.writer import PLAIN, Manner, Material, write_report
from benchmarks.simulated_web.environment import Episode
from benchmarks.simulated_web.graph import wrong_value
from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.tools import Budget, Faults
from benchmarks.simulated_web.world import World

BUDGET = Budget(calls=60)
FAULT_PERCENT = 3
FACTORS = (0.0, 0.5, 1.0, 1.5, 2.0)  # mean 1: some questions are spared, some hit twice


@dataclass(frozen=True, slots=True)
class Searching:
    """`sites` that must have spoken on a need before it is left, within `searches`. `skipped`: never looked up.
    `astray`: pages about something else opened in place of a fitting one. `early`: chance to stop for good after a
    need. `repeats`: further searches a need that ask the same again and open nothing. `detours`: pages a question
    that have nothing to do with it."""

    sites: int = 3
    searches: int = 4
    skipped: float = 0.0
    astray: float = 0.0
    early: float = 0.0
    repeats: int = 0
    detours: int = 0


@dataclass(frozen=True, slots=True)
class Writing:
    """`dropped`, `misstated`, `uncited`: shares of what was read. `asides`: sentences from opened pages that nobody
    asked for. `chatter`: paragraphs that say nothing. `weighs`: chance that, where sources disagree, the right one is
    believed although it is in the minority: better than the reference writer, who goes by the majority."""

    manner: Manner = PLAIN
    dropped: float = 0.0
    misstated: float = 0.0
    uncited: float = 0.0
    asides: int = 0
    chatter: int = 0
    weighs: float = 0.0


STRONG = Searching()
REFERENCE = Writing()


def factor(rng: Rng) -> float:
    """How hard a question is hit."""
    return rng.choice(FACTORS)


def scaled_search(plan: Searching, by: float) -> Searching:
    return replace(
        plan, skipped=min(0.95, plan.skipped * by), astray=min(0.95, plan.astray * by), early=min(0.95, plan.early * by)
    )


def scaled_writing(plan: Writing, by: float) -> Writing:
    return replace(
        plan,
        dropped=min(0.95, plan.dropped * by),
        misstated=min(0.95, plan.misstated * by),
        uncited=min(1.0, plan.uncited * by),
        asides=round(plan.asides * by),
    )


def research(world: World, question: Question, plan: Searching, *, name: str) -> Researcher:
    """One episode up to the report. The same arguments give the same episode."""
    rng = Rng("planted research", name, question.id)
    episode = Episode(world, question, BUDGET, faults=Faults(FAULT_PERCENT, f"{name}/{question.id}"))
    researcher = Researcher(episode, rng)
    episode.say("Plan: look up each point, then write the report with sources.")
    for need in needs_of(researcher.graph, question):
        if not rng.chance(plan.skipped):
            _look_up(researcher, need, plan)
        if rng.chance(plan.early):
            break
    if question.kind != "no_search":
        for _ in range(plan.detours):
            other = rng.choice(researcher.graph.entities)
            found = researcher.search(f"{other.name} history", why="Some background.")
            researcher.open(*[result.url for result in found[:1]], why="Background.")
    return researcher


def _look_up(researcher: Researcher, need: Need, plan: Searching) -> None:
    notebook, rng = researcher.notebook, researcher.rng
    entity_id = notebook.entity_of(need)
    if entity_id is None:
        return
    entity = researcher.graph.entity[entity_id]
    for query in researcher.queries(entity, need)[: plan.searches]:
        if notebook.sites_on(entity_id, need.relation) >= plan.sites or researcher.calls_left < 2:
            break
        results = researcher.search(query, why=f"I need the {need.relation.noun} of {entity.phrase}.")
        fitting = researcher.fitting(results, entity)
        others = [r.url for r in results if r.url not in researcher.opened and r.url not in fitting]
        while fitting and notebook.sites_on(entity_id, need.relation) < plan.sites and researcher.calls_left:
            url = fitting.pop(0)
            if rng.chance(plan.astray):
                url = others.pop(0) if others else ""
            if url:
                researcher.open(url, why="Let me read this one.")
    for _ in range(plan.repeats):
        if researcher.calls_left > 8:
            researcher.search(f"{entity.name} {need.relation.noun} again", why="Is there anything else?")


@dataclass(slots=True)
class _Chosen(Material):
    """A notebook without the needs that the writer leaves out."""

    left_out: frozenset[str] = field(default_factory=frozenset)

    def finding(self, need: Need) -> Finding | None:
        # Not `super()`: a dataclass with slots is a new class, which the zero-argument form does not know.
        return None if need.fact.id in self.left_out else Material.finding(self, need)


def report_of(world: World, question: Question, researcher: Researcher, plan: Writing, *, name: str) -> str:
    """The report that this way of writing makes of what was read. The reference writer is `REFERENCE`."""
    rng = Rng("planted writing", name, question.id)
    if plan == REFERENCE:
        return write_report(world, question, Material(researcher.notebook), rng=rng, manner=PLAIN)
    material = _chosen(world, question, researcher, plan, rng)
    manner = replace(plan.manner, cites=min(plan.manner.cites, round(100 * (1 - plan.uncited))))
    report = write_report(world, question, material, rng=rng, manner=manner)
    return _with_chatter(world, question, report, plan.chatter)


def _chosen(world: World, question: Question, researcher: Researcher, plan: Writing, rng: Rng) -> _Chosen:
    graph, notebook = world.graph, researcher.notebook
    material, left_out = _Chosen(notebook), set[str]()
    for need in needs_of(graph, question):
        found = Material.finding(material, need)
        if found is None:
            continue
        fact = graph.fact[need.fact.fact_id]
        right = tuple(reading for reading in found.rivals if reading.value == fact.value)
        if rng.chance(plan.dropped):
            left_out.add(need.fact.id)
        elif rng.chance(plan.misstated):
            material.invented[need.fact.id] = Finding(wrong_value(rng, graph, fact), found.year, found.urls, ())
        elif right and rng.chance(plan.weighs):
            urls = tuple(dict.fromkeys(reading.url for reading in right))
            material.invented[need.fact.id] = Finding(fact.value, right[0].year, urls, ())
    material.left_out = frozenset(left_out)
    material.asides = _asides(researcher, plan.asides, rng)
    if question.kind == "no_search":
        wrong = [fact for fact in question.required if rng.chance(plan.misstated)]
        material.answers = {fact.id: float(round(fact.number * 1.25) + 3) for fact in wrong}
    return material


def _asides(researcher: Researcher, n: int, rng: Rng) -> Sequence[tuple[str, str]]:
    """Sentences from the pages opened last, which are the detours where there were any."""
    taken = [
        (sentence.strip(" .\n") + ".", page.url)
        for page in researcher.notebook.pages[-2:]
        for block in page.text.split("\n\n")[:3]
        for sentence in block.split(". ")
        if 30 < len(sentence) < 160 and "|" not in sentence
    ]
    return rng.sample(taken, n)


_REMARKS = (
    "A word on method: for {S}, I read what the pages say side by side and kept what they share.",
    "Readers who know {S} will find nothing surprising here, and the wording is kept plain on purpose.",
    "It is worth noting that this note on {S} keeps to what was asked, point by point, in the order of the question.",
    "All in all, the picture of {S} that emerges is the one set out above, and it can be read on its own.",
)


def _with_chatter(world: World, question: Question, report: str, paragraphs: int) -> str:
    """The report with paragraphs about the topic that state nothing, before the list of sources."""
    if not paragraphs or not question.entities:
        return report
    first = world.graph.entity[question.entities[0]].phrase if question.kind != "linked" else "the subject"
    told = [" ".join(remark.replace("{S}", first) for remark in _REMARKS)] * paragraphs
    head, mark, sources = report.partition("\n\n## Sources")
    return "\n\n".join([head, *told]) + mark + sources
