"""A small store of rollouts with every case that a reward must tell apart, graded by the checklist."""

from collections.abc import Sequence

from workbench.phases import analyse
from workbench.reward.core.quality import checklist
from workbench.schema.canonical import canonical_json
from workbench.schema.grade import Grade, GradingCase
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory, trajectory_to_json
from workbench.store import NewTrajectory, Store

SHEETS = {
    "q-broad": {"facts": [{"id": "year", "any_of": ["1841"]}, {"id": "stone", "any_of": ["granite"]}]},
    "q-easy": {"facts": [{"id": "sum", "any_of": ["42"]}]},
    "q-plain": {"facts": [{"id": "colour", "any_of": ["green"]}]},
}
QUESTIONS = {
    "q-broad": "How was the harbour pier of Sandvik built?",
    "q-easy": "What is 6 times 7?",
    "q-plain": "Which colour has the flag of the Sandvik rowing club?",
    "q-unseen": "Who was the first keeper of the Sandvik lighthouse?",
}
GRADER_VERSION = "checklist-v1"
RUN, REFERENCE = "policy", "reference"


def rollout(
    question_id: str, *, run: str, attempt: int, queries: int, sites: int, report: str, cite: bool = True
) -> Trajectory:
    """A rollout that searches `queries` times, opens a page on each of `sites` sites and then reports."""
    steps: list[Step] = []
    for number in range(queries):
        call = ToolCall(f"s{number}", "search", "search", {"query": f"{question_id} part {number}"})
        found = f"Result https://www.seen{number}.org/page about it"
        steps += [Step("assistant", tool_calls=(call,)), Step("tool", tool_results=(ToolResult(call.id, found),))]
    for number in range(sites):
        call = ToolCall(f"v{number}", "visit", "visit", {"url": f"https://www.site{number}.org/page"})
        page = f"Page {number}: built in 1841 of granite."
        steps += [Step("assistant", tool_calls=(call,)), Step("tool", tool_results=(ToolResult(call.id, page),))]
    if cite and sites:
        report = f"{report} (https://www.site0.org/page)."
    steps.append(Step("assistant", text=report))
    return Trajectory(
        QUESTIONS[question_id], question_id, run, "small", tuple(steps), report, attempt=attempt, outcome="completed"
    )


ROLLOUTS: tuple[Trajectory, ...] = (
    rollout("q-broad", run=REFERENCE, attempt=0, queries=5, sites=2, report="It was built in 1841"),
    rollout("q-broad", run=REFERENCE, attempt=1, queries=3, sites=4, report="It was built in 1841 of granite"),
    rollout("q-easy", run=REFERENCE, attempt=0, queries=0, sites=0, report="It is 42."),
    rollout("q-plain", run=REFERENCE, attempt=0, queries=2, sites=1, report="It is green"),
    rollout("q-broad", run=RUN, attempt=0, queries=2, sites=1, report="It was built in 1841"),
    rollout("q-broad", run=RUN, attempt=1, queries=4, sites=3, report="It was built in 1841 of granite"),
    rollout("q-broad", run=RUN, attempt=2, queries=6, sites=6, report="Nobody knows"),
    rollout("q-broad", run=RUN, attempt=3, queries=0, sites=0, report="It was built in 1841."),
    rollout("q-easy", run=RUN, attempt=0, queries=1, sites=0, report="It is 42."),
    rollout("q-easy", run=RUN, attempt=1, queries=0, sites=0, report="It is 41."),
    rollout("q-plain", run=RUN, attempt=0, queries=1, sites=1, report="It is green"),
    rollout("q-plain", run=RUN, attempt=1, queries=2, sites=1, report="It is red"),
    rollout("q-unseen", run=RUN, attempt=0, queries=1, sites=1, report="Nobody knows"),
)


def fill(store: Store, rollouts: Sequence[Trajectory] = ROLLOUTS) -> None:
    """Rollouts with their analyses, the sheets, and a grade each; the question without a sheet is abstained on."""
    batch = [
        NewTrajectory(item, analyse(item), canonical_json(trajectory_to_json(item)), "small.jsonl") for item in rollouts
    ]
    store.trajectories.add_batch(batch)
    store.sheets.put("checklist", SHEETS)
    store.grades.register("checklist", GRADER_VERSION, "deterministic", {"function": "checklist"})
    store.grades.add_many([(item.id, grade_of(item)) for item in rollouts])


def grade_of(trajectory: Trajectory) -> Grade:
    """The checklist's grade of a rollout."""
    quality = checklist(trajectory, SHEETS.get(trajectory.question_id))
    case = GradingCase(trajectory.question, trajectory.report, trajectory)
    return Grade(
        "checklist",
        GRADER_VERSION,
        case.case_hash,
        "abstained" if quality.score is None else "scored",
        score=quality.score,
        raw=quality.score,
        scheme=quality.scheme,
        reason=quality.reason or "scored",
        verdicts=quality.verdicts,
    )
