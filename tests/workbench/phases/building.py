"""Small trajectories for tests."""

from workbench.schema.trajectory import Step, ToolCall, ToolKind, ToolResult, Trajectory

KEYS = {"search": "query", "visit": "url", "code": "code"}


def call(kind: ToolKind, value: object, *, name: str = "", id: str = "c1") -> ToolCall:
    """A call of a kind with its usual argument."""
    return ToolCall(id, name or kind, kind, {KEYS.get(kind, "input"): value})  # type: ignore[dict-item]


def run(*turns: tuple[str, ...], question: str = "How high?", outcome: str = "completed") -> Trajectory:
    """A trajectory from turns: (search|visit|code, argument, result), (say, text), (user, text), (report, text)."""
    steps = [Step(role="user", text=question)]
    report = ""
    for number, turn in enumerate(turns):
        kind = turn[0]
        if kind in ("say", "report"):
            steps.append(Step(role="assistant", text=turn[1]))
            report = turn[1] if kind == "report" else report
        elif kind == "user":
            steps.append(Step(role="user", text=turn[1]))
        else:
            made = call(kind, turn[1], id=f"c{number}")  # type: ignore[arg-type]
            steps.append(Step(role="assistant", tool_calls=(made,)))
            if len(turn) > 2:
                steps.append(Step(role="tool", tool_results=(ToolResult(made.id, turn[2]),)))
    return Trajectory(question, "q-1", "run", "model", tuple(steps), report, outcome=outcome)  # type: ignore[arg-type]


def report_only(report: str) -> Trajectory:
    """A report imported without its run."""
    return Trajectory("How high?", "q-1", "run", "model", (), report)
