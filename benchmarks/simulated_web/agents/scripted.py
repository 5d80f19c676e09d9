"""Five agents: broad, terse, padder, narrow, fabricating. Each is a way to research and a way to write.

By plan, gold ranks them in this order (mean over questions): broad, padder and terse below it, then narrow, then
fabricating. Broad reads two or three sites a fact and follows the majority; the padder reads two, and a good deal that
has nothing to do with the question, which it then reports; terse stops at the first source and mostly does not cite;
narrow opens one page a name and leaves gaps; fabricating reads at most one page and makes up the rest.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.simulated_web.agents.notebook import Finding, Need, needs_of
from benchmarks.simulated_web.agents.research import Researcher
from benchmarks.simulated_web.agents.writer import Manner, Material, write_report
from benchmarks.simulated_web.environment import Episode
from benchmarks.simulated_web.graph import wrong_value
from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.tools import Budget, Faults
from benchmarks.simulated_web.world import World
from workbench.errors import NotFoundError
from workbench.schema.trajectory import Trajectory

FAULT_PERCENT = 3


@dataclass(frozen=True, slots=True)
class Agent:
    """`research` fills the notebook and returns what the report is written from; `slips` is the percent of its own
    calculations that come out wrong."""

    name: str
    research: Callable[[Researcher, Question], Material]
    manner: Manner
    slips: int = 3

    @property
    def run(self) -> str:
        return f"sim-{self.name}"

    @property
    def model(self) -> str:
        return f"scripted-{self.name}"


def run_agent(
    name: str, world: World, question: Question, *, seed: int, attempt: int, budget: Budget | None = None
) -> Trajectory:
    """One attempt of a scripted agent. The same arguments give the same trajectory. Raises NotFoundError for a name
    that is none of AGENTS."""
    agent = AGENTS.get(name)
    if agent is None:
        raise NotFoundError(f"there is no scripted agent {name!r}; known are {', '.join(AGENTS)}")
    rng = Rng("agent", seed, name, question.id, attempt)
    faults = Faults(FAULT_PERCENT, f"{seed}/{name}/{question.id}/{attempt}")
    episode = Episode(world, question, budget, faults=faults)
    researcher = Researcher(episode, rng)
    episode.say(_plan(researcher, question), reasoning=rng.choice(_FIRST_THOUGHTS))
    material = agent.research(researcher, question)
    if question.kind == "no_search":
        material.answers = _slips(rng, question, agent.slips)
    elif name == "narrow" and rng.chance(0.02):
        # It now and then runs on until it is cut off, and leaves no report.
        episode.finish("", reasoning="There must be a better page than this one ...", outcome="truncated")
        return episode.trajectory(run=agent.run, model=agent.model, attempt=attempt, group=f"{agent.run}/{question.id}")
    report = write_report(world, question, material, rng=rng, manner=agent.manner)
    episode.finish(report, reasoning=rng.choice(_LAST_THOUGHTS))
    return episode.trajectory(run=agent.run, model=agent.model, attempt=attempt, group=f"{agent.run}/{question.id}")


# Research


def _broad(researcher: Researcher, question: Question) -> Material:
    for need in needs_of(researcher.graph, question):
        # Not every fact gets the same care, so that breadth differs between attempts.
        _corroborate(researcher, need, sites=researcher.rng.between(2, 3), searches=3)
    return Material(researcher.notebook)


def _terse(researcher: Researcher, question: Question) -> Material:
    for need in needs_of(researcher.graph, question):
        _corroborate(researcher, need, sites=1, searches=researcher.rng.between(1, 2))
    return Material(researcher.notebook)


def _narrow(researcher: Researcher, question: Question) -> Material:
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


def _padder(researcher: Researcher, question: Question) -> Material:
    rng = researcher.rng
    asides: list[tuple[str, str]] = []
    needs = needs_of(researcher.graph, question)
    for need in needs:
        _corroborate(researcher, need, sites=2, searches=2)
        if rng.chance(0.6):
            asides += _digress(researcher)
    if not needs or not asides:
        asides += _digress(researcher)
    return Material(researcher.notebook, asides=asides if needs else ())


def _fabricating(researcher: Researcher, question: Question) -> Material:
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


def _corroborate(researcher: Researcher, need: Need, *, sites: int, searches: int) -> None:
    """Searches and opens until `sites` sites have spoken on the need, or the searches are used up."""
    notebook = researcher.notebook
    entity_id = notebook.entity_of(need)
    if entity_id is None:
        return
    entity = researcher.graph.entity[entity_id]
    for query in researcher.queries(entity, need)[:searches]:
        if notebook.sites_on(entity_id, need.relation) >= sites or researcher.calls_left < 2:
            return
        reason = f"I still need the {need.relation.noun} of {entity.phrase}."
        candidates = researcher.fitting(researcher.search(query, why=reason), entity)
        while candidates and notebook.sites_on(entity_id, need.relation) < sites and researcher.calls_left:
            # Two at once where two are wanted: pages are independent of each other.
            batch = candidates[: 2 if sites - notebook.sites_on(entity_id, need.relation) > 1 else 1]
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


def _slips(rng: Rng, question: Question, percent: int) -> dict[str, float]:
    """Wrong results for computed facts."""
    return {
        fact.id: float(round(fact.number * rng.choice((1.1, 0.9, 2.0, 1.25))) + rng.between(1, 9))
        for fact in question.required
        if rng.below(100) < percent
    }


def _plan(researcher: Researcher, question: Question) -> str:
    if question.kind == "no_search":
        return researcher.rng.choice(
            (
                "Plan: everything is in the question, so I will work it out step by step.",
                "Plan: calculate, then answer.",
            )
        )
    parts = [
        f"{i}. find {'out' if fact.kind == 'comparison' else 'the'} {fact.part}"
        for i, fact in enumerate(question.required, 1)
    ]
    if question.kind == "linked":
        # The plan must not name what the question leaves to be found.
        parts = [parts[0], f"{len(parts[:1]) + 1}. look up the other points asked for"]
    return "Plan:\n" + "\n".join(parts) + "\nThen write the report with sources."


_FIRST_THOUGHTS = (
    "Let me break the question into parts before searching.",
    "First I should be clear about what is asked.",
    "What exactly do I have to find out?",
)
_OPENING_THOUGHTS = (
    "These results look relevant.",
    "Let me read this one.",
    "A second source would help here.",
    "Checking whether this page agrees.",
)
_LAST_THOUGHTS = (
    "I have what I need; time to write.",
    "Writing up what I found.",
    "Enough material. Now the report.",
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

AGENTS: Mapping[str, Agent] = {
    agent.name: agent
    for agent in (
        Agent("broad", _broad, Manner()),
        Agent("padder", _padder, Manner(short_names=10)),
        Agent(
            "terse",
            _terse,
            Manner(summary=False, headings=False, disagreements=False, gaps=False, bullets=True, cites=35),
        ),
        Agent("narrow", _narrow, Manner(disagreements=False, gaps=False, cites=80, short_names=40), slips=8),
        Agent("fabricating", _fabricating, Manner(disagreements=False, gaps=False), slips=80),
    )
}
