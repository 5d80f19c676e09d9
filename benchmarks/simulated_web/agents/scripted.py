"""Scripted agents: each is a way to research and a way to write.

The five of the sample store are ranked by gold in this order, by plan (mean over questions): broad, padder and terse
below it, then narrow, then fabricating. Broad reads two or three sites a fact and follows the majority; the padder
reads two, and a good deal that has nothing to do with the question, which it then reports; terse stops at the first
source and mostly does not cite; narrow opens one page a name and leaves gaps; fabricating reads at most one page and
makes up the rest. The others have one failing each, of research or of writing, and `agent_named` joins any two;
`thorough+good` reads up to four sites a fact and is the reference by which questions are found answerable.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from benchmarks.simulated_web.agents import policies
from benchmarks.simulated_web.agents.research import Researcher
from benchmarks.simulated_web.agents.styles import STYLES, Write, in_manner
from benchmarks.simulated_web.agents.writer import PLAIN, Manner, Material
from benchmarks.simulated_web.environment import Episode
from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.tools import Budget, Faults, Options
from benchmarks.simulated_web.world import World
from workbench.errors import NotFoundError
from workbench.schema.trajectory import Trajectory

FAULT_PERCENT = 3
_JOINT = "+"

Research = Callable[[Researcher, Question], Material]


@dataclass(frozen=True, slots=True)
class Agent:
    """`research` fills the notebook and returns what the report is written from; `style` writes it, None for the plain
    writer in `manner`. `slips` is the percent of its own calculations that come out wrong."""

    name: str
    research: Research
    manner: Manner = PLAIN
    slips: int = 3
    style: Write | None = None

    @property
    def run(self) -> str:
        return f"sim-{self.name}"

    @property
    def model(self) -> str:
        return f"scripted-{self.name}"

    @property
    def write(self) -> Write:
        return self.style or in_manner(self.manner)


def agent_named(name: str) -> Agent:
    """One of AGENTS, or RESEARCH+STYLE, such as `broad+stale`. Raises NotFoundError for any other name."""
    if name in AGENTS:
        return AGENTS[name]
    research, joint, style = name.partition(_JOINT)
    if not joint or research not in RESEARCH or style not in STYLES:
        raise NotFoundError(
            f"there is no scripted agent {name!r}; known are {', '.join(AGENTS)}, or one of {', '.join(RESEARCH)} "
            f"joined by {_JOINT!r} with one of {', '.join(STYLES)}"
        )
    return Agent(name, RESEARCH[research], style=STYLES[style])


def run_agent(
    name: str,
    world: World,
    question: Question,
    *,
    seed: int,
    attempt: int,
    budget: Budget | None = None,
    faults: Faults | None = None,
    options: Options | None = None,
) -> Trajectory:
    """One attempt of a scripted agent. The same arguments give the same trajectory. `faults` stand for the few
    time-outs that there are without them, each attempt with a seed of its own. Raises NotFoundError for a name that
    `agent_named` does not know."""
    agent = agent_named(name)
    rng = Rng("agent", seed, name, question.id, attempt)
    faults = replace(faults or Faults(FAULT_PERCENT), seed=f"{seed}/{name}/{question.id}/{attempt}")
    episode = Episode(world, question, budget, faults=faults, options=options)
    researcher = Researcher(episode, rng)
    episode.say(_plan(researcher, question), reasoning=rng.choice(_FIRST_THOUGHTS))
    material = agent.research(researcher, question)
    if question.kind == "no_search":
        material.answers = _slips(rng, question, agent.slips)
    elif name == "narrow" and rng.chance(0.02):
        # It now and then runs on until it is cut off, and leaves no report.
        episode.finish("", reasoning="There must be a better page than this one ...", outcome="truncated")
        return episode.trajectory(run=agent.run, model=agent.model, attempt=attempt, group=f"{agent.run}/{question.id}")
    report = agent.write(world, question, material, rng)
    episode.finish(report, reasoning=rng.choice(_LAST_THOUGHTS))
    return episode.trajectory(run=agent.run, model=agent.model, attempt=attempt, group=f"{agent.run}/{question.id}")


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
    if question.kind == "walk":
        return "Plan: find out what is meant, follow the links one by one, then look up the points asked for."
    if question.kind == "linked":
        # The plan must not name what the question leaves to be found.
        parts = [parts[0], f"{len(parts[:1]) + 1}. look up the other points asked for"]
    return "Plan:\n" + "\n".join(parts) + "\nThen write the report with sources."


_FIRST_THOUGHTS = (
    "Let me break the question into parts before searching.",
    "First I should be clear about what is asked.",
    "What exactly do I have to find out?",
)
_LAST_THOUGHTS = (
    "I have what I need; time to write.",
    "Writing up what I found.",
    "Enough material. Now the report.",
)

TERSE = Manner(summary=False, headings=False, disagreements=False, gaps=False, bullets=True, cites=35)

# The sample store's, from which its targets, diagnosis and ratings come.
SAMPLE: Mapping[str, Agent] = {
    agent.name: agent
    for agent in (
        Agent("broad", policies.broad),
        Agent("padder", policies.padder, Manner(short_names=10)),
        Agent("terse", policies.terse, TERSE),
        Agent("narrow", policies.narrow, Manner(disagreements=False, gaps=False, cites=80, short_names=40), slips=8),
        Agent("fabricating", policies.fabricating, Manner(disagreements=False, gaps=False), slips=80),
    )
}

RESEARCH: Mapping[str, Research] = {
    "broad": policies.broad,
    "thorough": policies.thorough,
    "terse": policies.terse,
    "narrow": policies.narrow,
    "padder": policies.padder,
    "stopping_early": policies.stopping_early,
    "decorative": policies.decorative,
    "looping": policies.looping,
    "repeating": policies.repeating,
    "looking_back": policies.looking_back,
}

# One failing each: of research with the good writer, of writing with the broad research.
_OF_RESEARCH = ("stopping_early", "decorative", "looping", "repeating")
_OF_WRITING = tuple(style for style in STYLES if style != "good")
# There is something to guess only where research left gaps, and something stale where it came upon old pages.
_SHOWN_BY: Mapping[str, str] = {"overconfident": "stopping_early", "stale": "looking_back"}

AGENTS: Mapping[str, Agent] = {
    **SAMPLE,
    **{name: Agent(name, RESEARCH[name], style=STYLES["good"]) for name in _OF_RESEARCH},
    **{name: Agent(name, RESEARCH[_SHOWN_BY.get(name, "broad")], style=STYLES[name]) for name in _OF_WRITING},
}
