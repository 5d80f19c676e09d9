"""Agents with one failing each: the failing shows where it should, and gold ranks them below the sound one."""

import statistics
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from benchmarks.simulated_web.agents import AGENTS, SAMPLE, agent_named, run_agent
from benchmarks.simulated_web.agents.scripted import RESEARCH
from benchmarks.simulated_web.agents.styles import STYLES
from benchmarks.simulated_web.gold import gold_grade
from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.world import World
from workbench.errors import NotFoundError
from workbench.phases import analyse
from workbench.schema.analysis import Activity

BREADTH = ("queries", "distinct_queries", "sites_opened", "sites_cited", "tool_calls", "repeated_opens")


@dataclass(frozen=True)
class Seen:
    """Means over questions: gold, states of facts, retrieval of citations, activity, characters."""

    gold: float
    states: Counter[str]
    retrieval: Counter[str]
    activity: dict[str, float]
    chars: float


@pytest.fixture(scope="module")
def seen(world: World, questions: tuple[Question, ...]) -> dict[str, Seen]:
    asked = [question for question in questions if question.kind != "no_search"][:24]
    return {name: _seen(name, world, asked) for name in AGENTS}


def _seen(name: str, world: World, asked: list[Question]) -> Seen:
    states: Counter[str] = Counter()
    retrieval: Counter[str] = Counter()
    golds: list[float] = []
    activities: list[Activity] = []
    chars: list[int] = []
    for question in asked:
        trajectory = run_agent(name, world, question, seed=9, attempt=0)
        grade = gold_grade(world, question, trajectory)
        analysis = analyse(trajectory)
        golds.append(grade.score or 0.0)
        counted: Any = grade.detail["states"]
        states.update(counted)
        retrieval.update(citation.retrieval for citation in analysis.citations)
        activities.append(analysis.activity)
        chars.append(len(trajectory.report))
    means = {field: statistics.mean(getattr(a, field) or 0 for a in activities) for field in BREADTH}
    means["near_duplicates"] = statistics.mean(a.near_duplicate_queries or 0 for a in activities)
    return Seen(statistics.mean(golds), states, retrieval, means, statistics.mean(chars))


def test_no_failing_beats_the_sound_agent_and_most_cost_something(seen: dict[str, Seen]) -> None:
    sound = seen["broad"].gold
    # Length and form alone cost nothing, gold has no taste; each agent draws its own luck, hence the margin.
    harmless = ("verbose", "list_only")
    for name, found in seen.items():
        if name in harmless:
            assert abs(found.gold - sound) < 0.1, name
        elif name != "broad":
            assert found.gold < sound - 0.02, (name, found.gold, sound)


def test_early_stop_leaves_the_second_half_unsaid_and_overconfidence_guesses_it(seen: dict[str, Seen]) -> None:
    assert seen["stopping_early"].states["missing"] > 3 * seen["broad"].states["missing"]
    assert seen["stopping_early"].activity["queries"] < 0.7 * seen["broad"].activity["queries"]
    assert seen["overconfident"].states["missing"] < seen["stopping_early"].states["missing"] / 2
    assert seen["overconfident"].states["wrong"] > 2 * seen["stopping_early"].states["wrong"]
    assert seen["overconfident"].gold < seen["stopping_early"].gold


def test_decorative_calls_open_many_sites_and_cite_few(seen: dict[str, Seen]) -> None:
    share = {name: found.activity["sites_cited"] / found.activity["sites_opened"] for name, found in seen.items()}
    assert share["decorative"] < 0.6 * share["broad"]
    assert seen["decorative"].activity["tool_calls"] > seen["broad"].activity["tool_calls"]


def test_loops_and_repeated_queries_show_in_activity_alone(seen: dict[str, Seen]) -> None:
    looping, repeating, broad = (seen[name].activity for name in ("looping", "repeating", "broad"))
    assert looping["queries"] > 2.5 * looping["distinct_queries"] and looping["repeated_opens"] > 3
    assert broad["repeated_opens"] < 0.5
    assert repeating["near_duplicates"] > 3 > broad["near_duplicates"]


def test_failings_of_writing_show_in_the_report_and_not_in_the_research(seen: dict[str, Seen]) -> None:
    broad = seen["broad"]
    assert seen["verbose"].chars > 1.5 * broad.chars
    assert seen["list_only"].chars < broad.chars
    assert seen["contradicting"].states["contradicted"] > 10 > broad.states["contradicted"]
    assert seen["off_question"].states["missing"] > 0.9 * seen["off_question"].states.total()
    assert seen["stale"].states["wrong"] > 2 * broad.states["wrong"]
    for name in ("verbose", "list_only", "contradicting", "off_question", "swapped_citations", "copying"):
        assert abs(seen[name].activity["queries"] - broad.activity["queries"]) < 1.0, name


def test_false_citations_are_never_retrieved_and_swapped_ones_are_and_do_not_say_so(seen: dict[str, Seen]) -> None:
    invented, swapped = seen["fabricating_citations"], seen["swapped_citations"]
    assert set(invented.retrieval) == {"not_retrieved"} and set(swapped.retrieval) == {"opened"}
    # What they say is right and was read: gold takes off only what a wrong citation costs.
    assert invented.states["cited"] < 0.1 * invented.states.total() < invented.states["supported"]
    assert swapped.states["cited"] < 0.2 * swapped.states.total() < swapped.states["supported"]


def test_any_research_joins_any_writing(world: World, questions: tuple[Question, ...]) -> None:
    question = next(q for q in questions if q.kind == "survey")
    for research in RESEARCH:
        for style in STYLES:
            trajectory = run_agent(f"{research}+{style}", world, question, seed=3, attempt=0)
            assert trajectory.run == f"sim-{research}+{style}" and trajectory.report.startswith("# ")
    with pytest.raises(NotFoundError, match="joined by"):
        agent_named("broad+poetic")


def test_at_least_twelve_agents_beside_the_five_of_the_sample(world: World, questions: tuple[Question, ...]) -> None:
    assert len(AGENTS) - len(SAMPLE) >= 12
    for name in AGENTS:
        for question in questions[:12]:
            assert run_agent(name, world, question, seed=4, attempt=1).outcome in ("completed", "truncated")
