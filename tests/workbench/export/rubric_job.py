"""A job whose quality is an LLM judge's, made of the small store and stored verdicts."""

from dataclasses import replace
from pathlib import Path

from rubrics.judging.rubric import Criterion, Rubric, rubric_to_json
from tests.workbench.export.exporting import checklist_spec
from tests.workbench.reward.small_store import REFERENCE, ROLLOUTS, fill
from workbench.export.build import export_job
from workbench.reward.reference import build_from_store, save_targets
from workbench.schema.canonical import JsonValue
from workbench.schema.grade import CriterionVerdict, Grade, GradingCase
from workbench.schema.trajectory import Trajectory
from workbench.store import Store

RUBRIC = Rubric(
    "depth of report",
    (
        Criterion("answer", "It answers the question.", weight=2.0),
        Criterion("trace", "The searches serve the question.", scope="trace"),
        Criterion("fault", "It states a false date.", kind="negative", polarity="negative", weight=-1.0),
    ),
    without_trace="leave_out",
)
NAME, VERSION = "depth of report/judge-1", "rubric-v1"
LABELS = {"answer": "partly", "trace": "fully", "fault": "not"}
EVIDENCE_TOKENS = 180  # a few of a rollout's pages: what is left out must be left out alike here and in the job
# (2 * 0.5 + 1 * 1 + 0 - least) / (most - least) with least -1, most 3
SCORE = (2.0 + 1.0) / 4.0


def grade(item: Trajectory, *, failed: bool) -> Grade:
    case = GradingCase(item.question, item.report, item)
    if failed:
        return Grade(NAME, VERSION, case.case_hash, "judge_failed", reason="1 of 3 verdicts are missing (fault)")
    verdicts = [(c, LABELS[c.id]) for c in RUBRIC.criteria]
    read = tuple(
        CriterionVerdict(c.id, label, {"not": 0.0, "partly": 0.5, "fully": 1.0}[label], 'says "so"', "")
        for c, label in verdicts
    )
    return Grade(NAME, VERSION, case.case_hash, "scored", score=SCORE, raw=2.0, scheme="s", verdicts=read)


def export_rubric_job(store: Store, destination: Path) -> Path:
    """Every rollout with a trace is graded; on one the judge failed."""
    fill(store)
    save_targets(store, build_from_store(store, [REFERENCE]))
    definition: dict[str, JsonValue] = {
        "rubric": rubric_to_json(RUBRIC),
        "budget_tokens": 4000,
        "evidence_tokens": EVIDENCE_TOKENS,
        "seed": 1,
        "model": "provider/judge-1",
    }
    store.grades.register(NAME, VERSION, "llm", definition)
    traced = [item for item in ROLLOUTS if len(item.steps) > 1]
    for number, item in enumerate(traced):
        store.grades.add(item.id, grade(item, failed=number == 2))
    spec = replace(checklist_spec(), quality_grader="depth of report")
    return export_job(store, spec, "trl", destination, force="a test").folder
