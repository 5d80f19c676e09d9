"""Phases where several agents act: what an agent is for counts, and what it does counts more."""

import pytest

from workbench.phases import analyse
from workbench.phases.agent_roles import role_of
from workbench.schema.trajectory import Step, ToolCall, Trajectory

FOUND = "## Findings\n\n" + "The tide rose by four metres. " * 50 + "\n\n## Sources\n\n" + "A table. " * 40
SEARCH = (ToolCall("c", "web_search", "search", {"query": "tides"}),)
HANDOFF = (ToolCall("h", "handoff_to_planner", "other", {"title": "tides"}),)


def _phases(steps: list[Step], report: str = "") -> str:
    phases = analyse(Trajectory("q", "q-1", "run", "model", tuple(steps), report)).phases
    return "".join(phase.phase[0] for phase in phases)


def _agent(agent: str, text: str = "", calls: tuple[ToolCall, ...] = ()) -> Step:
    return Step(role="assistant", agent=agent, text=text, tool_calls=calls)


def test_a_team_plans_researches_and_reports_by_its_members() -> None:
    steps = [
        _agent("coordinator", calls=HANDOFF),
        _agent("planner", '{"steps": ["look for tables"]}'),
        _agent("researcher", calls=SEARCH),
        _agent("researcher", FOUND),
        _agent("planner", '{"steps": ["look for causes"]}'),
        _agent("researcher", calls=SEARCH),
        _agent("reporter", "# Tides\n\nFour metres."),
    ]
    assert _phases(steps, "# Tides\n\nFour metres.") == "pprrprs"


def test_a_search_is_research_whoever_makes_it() -> None:
    assert _phases([_agent("planner", calls=SEARCH), _agent("reporter", calls=SEARCH)]) == "rr"


def test_one_agent_alone_is_judged_by_what_it_does() -> None:
    steps = [_agent("researcher", calls=SEARCH), _agent("researcher", FOUND), _agent("researcher", calls=SEARCH)]
    assert _phases(steps) == "rsr"


def test_the_report_is_synthesis_even_from_the_one_who_planned() -> None:
    steps = [_agent("Orchestrator", "I will ask."), _agent("WebSurfer", calls=SEARCH), _agent("Orchestrator", "4.2 m.")]
    assert _phases(steps, "4.2 m.") == "prs"


@pytest.mark.parametrize(
    ("agent", "phase"),
    [
        ("ResearchPlanner", "plan"),
        ("report_writer", "synthesis"),
        ("WebSurfer", "research"),
        ("Alice", None),
        ("", None),
    ],
)
def test_roles_are_read_from_names(agent: str, phase: str | None) -> None:
    assert role_of(agent) == phase
