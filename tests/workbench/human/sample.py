"""A store with two or three runs that wrote reports on the same questions, and the names that must stay hidden."""

from dataclasses import dataclass

from workbench.schema.analysis import Activity, Analysis, PhaseTotals, StepPhase
from workbench.schema.canonical import question_key
from workbench.schema.trajectory import Step, Trajectory
from workbench.store import NewTrajectory, Store

NOTHING = PhaseTotals(0, 0, 0)


@dataclass(frozen=True, slots=True)
class SampleRun:
    name: str
    model: str
    simulated: bool = False


RUNS = (
    SampleRun("vessel-7b_run", "Vessel-7B"),
    SampleRun("quill-xl_run", "QuillXL-2"),
    SampleRun("third_run", "Third-1"),
)


def trajectory_of(run: SampleRun, question: str, report: str, attempt: int = 0) -> Trajectory:
    steps = (Step("user", question), Step("assistant", report))
    return Trajectory(question, question_key(question), run.name, run.model, steps, report, attempt=attempt)


def analysis_of(trajectory: Trajectory) -> Analysis:
    """Of a plain report: all of it is synthesis, no search, no citation."""
    return Analysis(
        version="sample",
        phases=tuple(StepPhase(i, "synthesis", 1.0) for i in range(len(trajectory.steps))),
        totals={"plan": NOTHING, "research": NOTHING, "synthesis": PhaseTotals(len(trajectory.steps), 10, 0)},
        activity=Activity(0, 0, 0, 0, 0, 0, 0, 10, False, 0),
        citations=(),
    )


def add(store: Store, *trajectories: Trajectory) -> tuple[str, ...]:
    items = [NewTrajectory(one, analysis_of(one), b"{}", "sample.jsonl") for one in trajectories]
    return store.trajectories.add_batch(items).ids


def question(number: int) -> str:
    return f"What holds back harbour number {number}?"


def report(run: SampleRun, number: int) -> str:
    """Each names its run and model, its vendor-like habits, and where it found things."""
    paragraphs = "\n\n".join(
        f"Obstacle {i} of harbour {number} is a matter of {run.name[:5]} days and cranes [{i}]." for i in range(1, 9)
    )
    return (
        f"# Harbour {number}\n\nAs {run.model}, I looked into this. Written by {run.name}.\n\n{paragraphs}\n\n"
        f"[1] https://{run.name.replace('_', '-')}.example/pages/{number}?utm_source={run.model}\n"
    )


def fill(store: Store, *, runs: int = 2, questions: int = 4, missing: int = 0, simulated: bool = False) -> None:
    """`questions` questions; the second run lacks the last `missing` of them."""
    for position, run in enumerate(RUNS[:runs]):
        store.runs.ensure(run.name, model=run.model, simulated=simulated)
        last = questions - (missing if position == 1 else 0)
        add(store, *(trajectory_of(run, question(i), report(run, i)) for i in range(1, last + 1)))
