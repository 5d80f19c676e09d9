"""The phase of every step, over the shapes that runs have."""

import pytest

from tests.workbench.phases.building import run
from workbench.phases import analyse
from workbench.schema.trajectory import Step, ToolCall, ToolKind, ToolResult, Trajectory

PAGE = "https://a.example/x"
REPORT = "# Tides\n\n" + "The tide rose by four metres in March. " * 40 + "\n\n## Causes\n\n" + "The moon pulls. " * 40


def _agent_phases(trajectory: Trajectory) -> str:
    """One letter for each step of the agent: p, r or s."""
    phases = analyse(trajectory).phases
    return "".join(p.phase[0] for p, step in zip(phases, trajectory.steps, strict=True) if step.role == "assistant")


@pytest.mark.parametrize(
    ("turns", "phases"),
    [
        ((("report", "It was 4.2 m."),), "s"),
        ((("say", "I will first look for tables."), ("search", "t", "x"), ("report", "4.2 m.")), "prs"),
        ((("search", "t", "x"), ("visit", PAGE, "y"), ("report", "4.2 m.")), "rrs"),
        # Several drafts, a search after the first one.
        ((("search", "t", "x"), ("say", REPORT), ("search", "u", "y"), ("report", REPORT + " More.")), "rsrs"),
        # A plan revised midway, and a remark.
        ((("search", "t", "x"), ("say", "Let me revise the plan: next, look at 2024."), ("search", "u", "y")), "rpr"),
        ((("search", "t", "x"), ("say", "The table has no value for March."), ("search", "u", "y")), "rrr"),
        # No report at the end.
        ((("say", "Plan: first the tables."), ("search", "t", "x")), "pr"),
        # A conversation without any search.
        ((("say", "Which year do you mean?"), ("user", "2024"), ("report", "It was 4.2 m.")), "ps"),
    ],
)
def test_phases_of_the_agents_steps(turns: tuple[tuple[str, ...], ...], phases: str) -> None:
    assert _agent_phases(run(*turns)) == phases


def test_tool_answers_share_the_phase_of_their_call_and_prompts_that_of_the_answer() -> None:
    trajectory = run(("search", "t", "x"), ("report", "4.2 m."))
    assert [phase.phase for phase in analyse(trajectory).phases] == ["research", "research", "research", "synthesis"]


def test_in_a_step_of_several_calls_each_answer_has_the_phase_of_its_own() -> None:
    calls = (_tool("write_todos", "other", "a"), _tool("web_search", "search", "b"))
    steps = (
        Step(role="assistant", tool_calls=calls),
        Step(role="tool", tool_results=(ToolResult("a", "ok"),)),
        Step(role="tool", tool_results=(ToolResult("b", "found"),)),
    )
    phases = analyse(Trajectory("q", "q-1", "run", "model", steps, "")).phases
    assert [phase.phase for phase in phases] == ["research", "plan", "research"]


def _tool(name: str, kind: ToolKind, id: str = "c") -> ToolCall:
    return ToolCall(id, name, kind, {})


@pytest.mark.parametrize(
    ("name", "phase"),
    [
        ("write_todos", "plan"),
        ("think", "plan"),
        ("ask_clarification", "plan"),
        ("get_user_details", "research"),
        ("visual_question_answering", "research"),
        ("write_file", "synthesis"),
        ("final_answer", "synthesis"),
        ("book_reservation", "synthesis"),
        ("frobnicate", "research"),
    ],
)
def test_tools_of_no_known_kind_are_told_by_their_names(name: str, phase: str) -> None:
    steps = (Step(role="assistant", tool_calls=(_tool(name, "other"),)),)
    assert analyse(Trajectory("q", "q-1", "run", "model", steps, "")).phases[0].phase == phase


def test_after_the_report_was_written_running_things_is_delivering() -> None:
    names: list[tuple[str, ToolKind]] = [
        ("web_search", "search"),
        ("bash", "code"),
        ("write_file", "other"),
        ("bash", "code"),
        ("write_todos", "other"),
    ]
    steps = tuple(
        Step(role="assistant", tool_calls=(_tool(name, kind, str(i)),)) for i, (name, kind) in enumerate(names)
    )
    assert _agent_phases(Trajectory("q", "q-1", "run", "model", steps, "")) == "rrssp"


def test_a_persons_next_wish_begins_anew() -> None:
    steps = (
        Step(role="assistant", tool_calls=(_tool("web_search", "search", "1"),)),
        Step(role="assistant", tool_calls=(_tool("write_file", "other", "2"),)),
        Step(role="assistant", text="It is written."),
        Step(role="user", text="Now count the words."),
        Step(role="assistant", tool_calls=(_tool("bash", "code", "3"),)),
    )
    assert _agent_phases(Trajectory("q", "q-1", "run", "model", steps, "")) == "rssr"


def test_a_run_cut_off_after_research_did_not_write_its_report() -> None:
    cut = run(("search", "t", "x"), ("say", "The table says"), outcome="truncated")
    assert _agent_phases(cut) == "rr"
    assert analyse(cut).phases[-1].confidence <= 0.5


def test_totals_count_every_step_once_and_no_prompt_tokens() -> None:
    trajectory = run(("search", "t", "x" * 400), ("report", "It was 4.2 m."), question="How high? " * 300)
    analysis = analyse(trajectory)
    assert sum(total.steps for total in analysis.totals.values()) == len(trajectory.steps)
    assert sum(total.tokens for total in analysis.totals.values()) == analysis.activity.tokens
    assert analysis.activity.tokens < 300
    assert analysis.totals["research"].tool_calls == 1
    assert analysis.totals["plan"].steps == 0


def test_confidence_is_lower_where_a_step_both_plans_and_searches() -> None:
    both = "Plan:\n1. tables\n2. causes\n3. dates\nLet me start with the tables."
    steps = (Step(role="assistant", text=both, tool_calls=(_tool("web_search", "search"),)),)
    clear = (Step(role="assistant", tool_calls=(_tool("web_search", "search"),)),)
    mixed = analyse(Trajectory("q", "q-1", "run", "model", steps, "")).phases[0]
    plain = analyse(Trajectory("q", "q-1", "run", "model", clear, "")).phases[0]
    assert mixed.phase == plain.phase == "research"
    assert mixed.confidence < plain.confidence
