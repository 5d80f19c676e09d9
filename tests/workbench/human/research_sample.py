"""Runs with a trace: two harnesses that search, open a page that names them, and cite it."""

from collections.abc import Sequence

from tests.workbench.human.sample import RUNS, SampleRun
from workbench.phases import analyse
from workbench.schema.canonical import question_key
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory
from workbench.store import NewTrajectory, Store

FACT = "Berth {n} of the harbour was deepened to 14 metres in 2031 after a dispute over the quay."


def question(number: int) -> str:
    return f"How deep is berth number {number}?"


def traced(run: SampleRun, number: int) -> Trajectory:
    """One search, one page opened, one citation of it, and one of a page that nothing retrieved."""
    host = f"notes-{run.name[:4]}-berths.org"
    page, other = f"https://{host}/berths/{number}", f"https://{host}/never-opened"
    asked = f"{run.model} berth {number}"
    hits = f"1. Berths\n{page}\nA page on berths, as {run.model} saw it."
    text = (
        f"# Berths\nURL: {page}\n{'Of cranes and tides. ' * 30}\n{FACT.format(n=number)} <script>hit()</script> "
        f"Notes of {run.model}, kept at {host} and https://{host}/more. {'Of locks and tides. ' * 30}"
    )
    report = (
        f"## Depth\n\n{FACT.format(n=number)} [[1]]({page}) The tide runs high in spring [[2]]({other}).\n\n"
        f"As {run.model}, I read {host}.\n"
    )
    steps = (
        Step("user", question(number)),
        Step("assistant", "", tool_calls=(ToolCall("a", "search", "search", {"query": asked}),)),
        Step("tool", tool_results=(ToolResult("a", hits),)),
        Step("assistant", "", tool_calls=(ToolCall("b", "visit", "visit", {"url": page}),)),
        Step("tool", tool_results=(ToolResult("b", text),)),
        Step("assistant", report),
    )
    return Trajectory(question(number), question_key(question(number)), run.name, run.model, steps, report)


# For stores in which the runs of `sample` have reports without a trace.
TRACED = SampleRun("north_run", "Northbound-9"), SampleRun("south_run", "Southbound-4")


def fill_traced(store: Store, *, questions: int = 3, runs: Sequence[SampleRun] = RUNS[:2]) -> Sequence[SampleRun]:
    """Two runs, traced, over the same questions."""
    for run in runs:
        store.runs.ensure(run.name, model=run.model)
        made = [traced(run, number) for number in range(1, questions + 1)]
        store.trajectories.add_batch([NewTrajectory(one, analyse(one), b"{}", "sample.jsonl") for one in made])
    return runs
