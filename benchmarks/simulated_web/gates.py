"""Difficulty gates: a question is kept if nobody answers it without tools, a good agent does with them, and it takes at
least so many calls. What is dropped is counted by reason.

Sources: OpenSeeker-v2 keeps a task only if solving it took T_min tool calls or more; Step-DeepResearch drops what an
untrained model solves in a plain loop.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from benchmarks.simulated_web.agents import run_agent
from benchmarks.simulated_web.agents.notebook import Finding, Notebook, needs_of
from benchmarks.simulated_web.agents.writer import Material, write_report
from benchmarks.simulated_web.asked import Question, Recipe
from benchmarks.simulated_web.budget import Budget
from benchmarks.simulated_web.gold import judge_report, opened_pages
from benchmarks.simulated_web.graph import Graph
from benchmarks.simulated_web.least import as_of
from benchmarks.simulated_web.questions import draw_question
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.world import World
from workbench.errors import BadInputError

REFERENCE = "thorough+good"
GUESSED, TOO_HARD, TOO_SHORT, AGAIN, NONE = (
    "answered without tools",
    "not answered with tools",
    "too few tool calls needed",
    "asked already",
    "no question drawn",
)
# Draws in a row for one place before the world counts as used up.
MOST_DRAWS = 200


@dataclass(frozen=True, slots=True)
class Gates:
    """`guess_below`: the gold that no guesser may reach. `solved`: the gold that the reference agent must reach within
    `budget`. `least_calls` (T_min): the searches and pages that must be needed at the least. Questions that need no
    search are kept as they are: whoever can reckon answers them without tools, and that is what they are for."""

    guess_below: float = 0.25
    solved: float = 0.9
    least_calls: int = 4
    budget: Budget = field(default_factory=lambda: Budget(calls=80))
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Gated:
    """`questions` that passed, `drawn` in all, and `dropped` by reason. `calls` are those of the reference agent, by
    question id."""

    questions: tuple[Question, ...]
    drawn: int
    dropped: Mapping[str, int]
    calls: Mapping[str, int]


def gated_questions(
    world: World,
    n: int,
    seed: int,
    *,
    recipe: Recipe = "graph",
    gates: Gates | None = None,
    exclude: frozenset[str] = frozenset(),
) -> Gated:
    """`n` different questions that pass; the first k of n are those of n = k. Raises BadInputError where MOST_DRAWS in
    a row fail."""
    gates = gates or Gates()
    taken, kept = set(exclude), list[Question]()
    drawn, dropped, calls = 0, Counter[str](), dict[str, int]()
    for index in range(n):
        for draw in range(MOST_DRAWS):
            drawn += 1
            question = draw_question(world, seed, index, draw, recipe)
            reason = NONE if question is None else AGAIN if question.id in taken else ""
            if question is not None and not reason:
                reason, used = _fails(world, question, gates)
                if not reason:
                    kept.append(question)
                    calls[question.id] = used
                    taken.add(question.id)
                    break
            dropped[reason] += 1
        else:
            raise BadInputError(
                f"of {drawn} questions drawn in the simulated web of seed {world.seed} only {len(kept)} pass the gates "
                f"({', '.join(f'{count} {why}' for why, count in dropped.items())}); ask for fewer or open the gates"
            )
    return Gated(tuple(kept), drawn, dict(dropped), calls)


def _fails(world: World, question: Question, gates: Gates) -> tuple[str, int]:
    """Why a question is dropped (empty where it is not), and the calls that the reference agent made."""
    if question.least is None:
        return "", 0
    if question.least_calls < gates.least_calls:
        return TOO_SHORT, 0
    if max(guessers(world, question).values()) >= gates.guess_below:
        return GUESSED, 0
    used = []
    for attempt in range(gates.attempts):
        tried = run_agent(REFERENCE, world, question, seed=question.seed, attempt=attempt, budget=gates.budget)
        made = sum(len(step.tool_calls) for step in tried.steps)
        if (
            judge_report(world, question, tried.report, opened_pages(world, tried)).score >= gates.solved
            and made >= gates.least_calls
        ):
            used.append(made)
    return (TOO_HARD, 0) if not used else ("", min(used))


def guessers(world: World, question: Question) -> Mapping[str, float]:
    """Gold of what can be written without a call: `question` repeats what was asked; `prior` states the likeliest value
    of everything, as somebody would who knows how often each value occurs in this world but nothing of this thing;
    `careful` does so for names and categories alone, where a guess has a chance."""
    likely = {
        need.fact.id: Finding(likeliest(world.graph, need.fact.fact_id, need.year), need.year, (), ())
        for need in needs_of(world.graph, question)
    }
    # More than any guesser could know: the names behind the links, for the facts that are asked of them.
    named = tuple(replace(fact, via="", described=False) for fact in question.required)
    asked = replace(question, kind="survey", clues=(), required=named)
    reports = {"question": question.text}
    for name, wanted in (("prior", int | str), ("careful", str)):
        guesses = {fact: finding for fact, finding in likely.items() if isinstance(finding.value, wanted)}
        material = Material(Notebook(world.graph), guesses)
        reports[name] = write_report(world, asked, material, rng=Rng("guess", question.id))
    return {name: judge_report(world, question, report, ()).score for name, report in reports.items()}


def likeliest(graph: Graph, fact_id: str, year: int | None) -> int | str:
    """The value that most things of this type have under this relation, this one left out; of quantities and years,
    which hardly repeat, the median. The first by text among equals."""
    fact = graph.fact[fact_id]
    others = [as_of(f, year).value for f in graph.facts if f.relation_key == fact.relation_key and f.id != fact_id]
    numbers = sorted(value for value in others if isinstance(value, int))
    if numbers:
        return numbers[len(numbers) // 2]
    counts = Counter(str(value) for value in others)
    return min(counts, key=lambda value: (-counts[value], value))
