"""Small trajectories and analyses for the store's tests."""

from workbench.schema.analysis import Activity, Analysis, Citation, Passage, PhaseTotals, StepPhase
from workbench.schema.canonical import question_key
from workbench.schema.trajectory import Step, TokenTrace, ToolCall, ToolResult, Trajectory
from workbench.store import NewTrajectory

PAGE = "The harbour of Vell has two lighthouses. " * 20


def example_trajectory(
    *,
    question: str = "Which harbour has two lighthouses?",
    run: str = "run-a",
    model: str = "model-a",
    attempt: int = 0,
    page: str = PAGE,
    report: str = "Vell has two lighthouses [1].",
) -> Trajectory:
    steps = (
        Step("user", text=question),
        Step(
            "assistant",
            reasoning="I will search first.",
            tool_calls=(ToolCall("c1", "search", "search", {"query": "two lighthouses"}),),
            tokens=TokenTrace((1, 2, 3), (1, 1, 0), (-0.5, -0.25, 0.0)),
            duration_s=1.5,
        ),
        Step("tool", tool_results=(ToolResult("c1", "1. Vell, https://vell.example/harbour"),)),
        Step("assistant", tool_calls=(ToolCall("c2", "visit", "visit", {"url": "https://vell.example/harbour"}),)),
        Step("tool", tool_results=(ToolResult("c2", page), ToolResult("c2", "timed out", is_error=True))),
        Step("assistant", text=report),
    )
    return Trajectory(
        question=question,
        question_id=question_key(question),
        run=run,
        model=model,
        steps=steps,
        report=report,
        attempt=attempt,
        group="g1",
        policy_step=7,
        outcome="completed",
        meta={"benchmark": "harbours", "reward": 0.5, "tags": ["a", "b"], "nested": {"deep": None}},
    )


def example_analysis(*, queries: int = 1, sites_opened: int = 1) -> Analysis:
    return Analysis(
        version="rules-1",
        phases=(
            StepPhase(0, "plan", 0.9),
            StepPhase(1, "research", 0.8),
            StepPhase(2, "research", 0.8),
            StepPhase(3, "research", 0.8),
            StepPhase(4, "research", 0.8),
            StepPhase(5, "synthesis", 1.0),
        ),
        totals={
            "plan": PhaseTotals(1, 10, 0),
            "research": PhaseTotals(4, 400, 2),
            "synthesis": PhaseTotals(1, 12, 0),
        },
        activity=Activity(
            queries=queries,
            distinct_queries=queries,
            sites_opened=sites_opened,
            sites_cited=1,
            sites_seen=2,
            tool_calls=2,
            failed_calls=1,
            tokens=422,
            tokens_exact=False,
            evidence_chars=860,
        ),
        citations=(
            Citation(0, "[1]", 25, 28, 0, 29, "https://vell.example/harbour", "vell.example", "opened",
                     passage=Passage(4, 0, 0, 40)),
            Citation(1, "[2]", 28, 28, 0, 29, None, None, "dangling"),
        ),
    )  # fmt: skip


def new(trajectory: Trajectory, analysis: Analysis | None = None, source: bytes = b'{"line": 1}\n') -> NewTrajectory:
    return NewTrajectory(trajectory, analysis or example_analysis(), source, "rollouts.jsonl:1")


def many(n: int, *, run: str = "run-a", model: str = "model-a") -> list[NewTrajectory]:
    """`n` attempts at one question."""
    return [new(example_trajectory(run=run, model=model, attempt=attempt)) for attempt in range(n)]
