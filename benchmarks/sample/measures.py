"""Sheets, grades, targets, the stress lab's report, a diagnosis, a reward specification."""

from dataclasses import replace

from benchmarks.sample.ballots import round_id
from benchmarks.sample.plan import REFERENCES, SamplePlan
from benchmarks.sample.quiet import QuietJob
from benchmarks.simulated_web.agents import SAMPLE
from benchmarks.simulated_web.frozen_writer import FrozenWriter
from benchmarks.simulated_web.gold import GoldGrader
from benchmarks.simulated_web.sheets import CHECKLIST, question_sheet
from graders.citation_check.grader import SupportGrader
from graders.citation_check.lexical import LexicalChecker
from graders.deterministic import load_deterministic
from graders.runner import grade_run
from workbench.diagnosis.lab import DiagnosisOptions, diagnose
from workbench.reward.core.quality import CITATION_SUPPORT
from workbench.reward.files import library_specs, read_spec_file
from workbench.reward.reference import build_from_store, save_targets
from workbench.reward.resolve import exact, find_grader, save
from workbench.reward.targets import targets_reference
from workbench.schema.canonical import JsonObject, JsonValue
from workbench.schema.protocols import Grader
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import JobHandle
from workbench.stress.cases import StressOptions
from workbench.stress.lab import run_stress

SPEC = "search-rl-checklist"
# A run with room to rise: an attack on a report that has full marks cannot show a hole.
STRESSED_RUN = "sim-narrow"
DIAGNOSED = ("terse", "broad")


def add_sheets(store: Store, plan: SamplePlan, _job: JobHandle) -> JsonObject:
    """What the checklist looks for, question by question."""
    store.sheets.put(CHECKLIST, {question.id: question_sheet(plan.world, question) for question in plan.asked})
    return {"sheets": len(plan.asked)}


def add_grades(store: Store, plan: SamplePlan, job: JobHandle) -> JsonObject:
    """Gold and the graders that need no model; what the pages say of citations is checked on part of each run."""
    answer: dict[str, JsonValue] = {}
    for grader in _graders(store):
        report = grade_run(store, grader, TrajectoryFilter(run=plan.runs), job=QuietJob(job))
        answer[grader.name] = {"graded": report.graded, "abstained": report.abstained, "mean_score": report.mean_score}
    # A tenth of a second a report: enough of each run to see every class, and no more.
    checker, some = SupportGrader(LexicalChecker(), name=CITATION_SUPPORT), plan.checked_reports
    for run in plan.runs:
        grade_run(store, checker, TrajectoryFilter(run=run), job=QuietJob(job), limit=some)
    answer[checker.name] = {"graded_of_each_run": some}
    return answer


def _graders(store: Store) -> tuple[Grader, ...]:
    return GoldGrader(), load_deterministic(CHECKLIST, store), load_deterministic("citations", store)


def add_targets(store: Store, plan: SamplePlan, _job: JobHandle) -> JsonObject:
    """The most that any research without padding used, question by question."""
    table = build_from_store(store, plan.runs_of(REFERENCES))
    save_targets(store, table)
    return {"version": table.version, "questions": len(table.targets)}


def add_stress(store: Store, plan: SamplePlan, job: JobHandle) -> JsonObject:
    """The stress lab's verdict on the checklist, which can be gamed, and on gold."""
    answer: dict[str, JsonValue] = {}
    for grader in (load_deterministic(CHECKLIST, store), GoldGrader()):
        options = StressOptions(limit=plan.stressed_reports, seed=plan.seed)
        report = run_stress(store, grader, STRESSED_RUN, options, job=QuietJob(job))
        answer[grader.name] = report.to_json()["verdict"]
    return answer


def add_diagnosis(store: Store, plan: SamplePlan, job: JobHandle) -> JsonObject:
    """Which phase holds the terse agent back, against the broad one's research, with their swap table."""
    terse, broad = (SAMPLE[name] for name in DIAGNOSED)
    if any(agent.name not in plan.agents for agent in (terse, broad)):
        return {"left_out": "the plan lacks an agent of it"}
    swap = tuple((agent.run, FrozenWriter(manner=agent.manner, name=agent.model)) for agent in (terse, broad))
    # Two attempts of every question: a diagnosis is over questions, more attempts add little.
    options = DiagnosisOptions(reference=broad.run, limit=2 * plan.questions, swap=swap)
    report = diagnose(store, GoldGrader(), FrozenWriter(), terse.run, options, job=QuietJob(job))
    return {"verdict": report.verdict, "n": report.n}


def add_spec(store: Store, plan: SamplePlan, _job: JobHandle) -> JsonObject:
    """The shaped search reward of the library on this store's targets, as a lesson of the round of ballots."""
    table = build_from_store(store, plan.runs_of(REFERENCES))
    grader = exact(find_grader(store, CHECKLIST))
    spec = read_spec_file(library_specs()[SPEC])
    spec = replace(spec, quality_grader=grader, targets=targets_reference(table.version))
    return {"spec": SPEC, "version": save(store, spec, round_id=round_id(plan))}
