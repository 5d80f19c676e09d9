"""Gold: ranks the planted agents, falls with planted corruption, and abstains where it knows nothing."""

import asyncio
import itertools
import statistics
from dataclasses import replace

import pytest

from benchmarks.simulated_web.agents import SAMPLE, run_agent
from benchmarks.simulated_web.agents.notebook import Finding, Notebook, needs_of
from benchmarks.simulated_web.agents.writer import Material, write_report
from benchmarks.simulated_web.gold import CREDIT, GoldGrader, gold_grade, judge_report, opened_pages
from benchmarks.simulated_web.graph import wrong_value
from benchmarks.simulated_web.pages import Page
from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.world import World
from workbench.schema.canonical import JsonObject
from workbench.schema.grade import GradingCase
from workbench.schema.protocols import Grader


def evidence(world: World, question: Question) -> list[Page]:
    assert question.least is not None
    return [world.page[url] for url in question.least.urls]


def report_with(world: World, question: Question, *, wrong: int) -> str:
    """A perfect report in which the values of the first `wrong` facts are replaced by false ones."""
    pages = evidence(world, question)
    material = Material(Notebook(world.graph))
    for page in pages:
        material.notebook.read(page)
    for place, need in enumerate(needs_of(world.graph, question)):
        fact = world.graph.fact[need.fact.fact_id]
        url = next(page.url for page in pages if page in world.supporters[fact.id])
        value = wrong_value(Rng("corrupt", fact.id), world.graph, fact) if place < wrong else fact.value
        material.invented[need.fact.id] = Finding(value, None, (url,), ())
    return write_report(world, question, material, rng=Rng("report", question.id))


def test_agents_are_ranked_as_planted(world: World, questions: tuple[Question, ...]) -> None:
    means = {
        name: statistics.mean(
            gold_grade(world, question, run_agent(name, world, question, seed=5, attempt=0)).score or 0.0
            for question in questions[:30]
        )
        for name in SAMPLE
    }
    assert list(SAMPLE) == sorted(SAMPLE, key=lambda name: -means[name]), means
    assert means["broad"] > 0.8
    assert means["fabricating"] < 0.15


def test_each_corrupted_value_lowers_gold(world: World, questions: tuple[Question, ...]) -> None:
    checked = 0
    for question in questions:
        if question.kind in ("no_search", "linked"):
            continue  # a wrong link makes the rest about another entity: more than one value is corrupted
        pages = evidence(world, question)
        n = len(needs_of(world.graph, question))
        scores = [
            judge_report(world, question, report_with(world, question, wrong=k), pages).score for k in range(n + 1)
        ]
        assert scores[0] == 1.0
        for earlier, later in itertools.pairwise(scores):
            # A comparison turned by one false value may be turned back by the next: it makes up for that one.
            assert later < earlier or later == 0.0 or (later == earlier and question.kind == "comparison"), scores
        assert scores[-1] == 0.0
        checked += 1
    assert checked >= 30


def test_right_without_an_opened_page_is_worth_less(world: World, questions: tuple[Question, ...]) -> None:
    question = next(q for q in questions if q.kind == "profile")
    report = report_with(world, question, wrong=0)
    assert judge_report(world, question, report, evidence(world, question)).score == 1.0
    assert judge_report(world, question, report, ()).score == pytest.approx(CREDIT["unsupported"])


def test_right_without_a_citation_is_worth_a_little_less(world: World, questions: tuple[Question, ...]) -> None:
    question = next(q for q in questions if q.kind == "profile")
    uncited = report_with(world, question, wrong=0).split("## Sources")[0]
    assert judge_report(world, question, uncited, evidence(world, question)).score == pytest.approx(CREDIT["supported"])


def test_saying_both_values_is_a_contradiction(world: World, questions: tuple[Question, ...]) -> None:
    question = next(q for q in questions if q.kind == "survey" and len(q.required) == 2)
    both = report_with(world, question, wrong=0) + "\n\n" + report_with(world, question, wrong=2)
    gold = judge_report(world, question, both, evidence(world, question))
    assert set(gold.states.values()) == {"contradicted"}


def test_false_statements_about_other_things_and_padding_cost_something(
    world: World, questions: tuple[Question, ...]
) -> None:
    question = next(q for q in questions if q.kind == "profile")
    pages, report = evidence(world, question), report_with(world, question, wrong=0)
    other = next(e for e in world.graph.entities if e.type_key == "bridge" and e.id not in question.entities)
    false = judge_report(world, question, f"{report.replace('## Sources', f'{other.name} is 9,999 m long.')}", pages)
    assert len(false.false_asides) == 1 and false.score < 1.0
    sentence = "Rye bread is baked from rye flour and needs time to rest. "
    filler = "\n\n## Background\n\n" + sentence * 60 + "\n\n## Sources"
    padded = judge_report(world, question, report.replace("\n\n## Sources", filler), pages)
    assert padded.aside_share > 0.7 and 0.85 < padded.score < 0.95


def test_empty_report_misses_everything(world: World, questions: tuple[Question, ...]) -> None:
    gold = judge_report(world, questions[0], "", ())
    assert gold.score == 0.0 and set(gold.states.values()) == {"missing"}


def test_only_pages_opened_without_error_count_as_opened(world: World, questions: tuple[Question, ...]) -> None:
    for attempt in range(12):
        trajectory = run_agent("broad", world, questions[1], seed=9, attempt=attempt)
        failed = {r.call_id for step in trajectory.steps for r in step.tool_results if r.is_error}
        calls = [c for step in trajectory.steps for c in step.tool_calls if c.kind == "visit" and c.id not in failed]
        assert {page.url for page in opened_pages(world, trajectory)} == {c.arguments["url"] for c in calls}


def test_grader_makes_the_world_again_from_the_trajectory(world: World, questions: tuple[Question, ...]) -> None:
    grader = GoldGrader()
    assert isinstance(grader, Grader) and grader.kind == "gold"
    for question in questions[:6]:
        trajectory = run_agent("broad", world, question, seed=1, attempt=0)
        case = GradingCase(question.text, trajectory.report, trajectory)
        grade = asyncio.run(grader.grade(case))
        assert grade.score == gold_grade(world, question, trajectory).score
        assert grade.case_hash == case.case_hash
        assert [v.criterion_id for v in grade.verdicts] == [fact.id for fact in question.required]


def test_grader_reads_the_report_of_the_case(world: World, questions: tuple[Question, ...]) -> None:
    trajectory = run_agent("broad", world, questions[1], seed=1, attempt=0)
    attacked = GradingCase(questions[1].text, "Solution", trajectory)
    assert GoldGrader().grade_now(attacked).score == 0.0


def test_run_meta_stands_in_for_a_trajectory_without_its_world(world: World, questions: tuple[Question, ...]) -> None:
    trajectory = replace(run_agent("broad", world, questions[3], seed=1, attempt=0), meta={})
    case = GradingCase(trajectory.question, trajectory.report, trajectory)
    assert GoldGrader().grade_now(case).outcome == "abstained"
    meta: dict[str, JsonObject] = {trajectory.run: {"world": world.meta(), "questions": [{"seed": 7, "n": 60}]}}
    assert GoldGrader(meta).grade_now(case).outcome == "scored"


@pytest.mark.parametrize("meta", [{}, {"world": {"seed": 1}}, {"world": "x"}])
def test_grader_abstains_with_a_reason_on_what_is_not_simulated(
    world: World, questions: tuple[Question, ...], meta: dict[str, object]
) -> None:
    trajectory = replace(run_agent("narrow", world, questions[1], seed=1, attempt=0), meta=meta)  # type: ignore[arg-type]
    grade = GoldGrader().grade_now(GradingCase(trajectory.question, trajectory.report, trajectory))
    assert grade.outcome == "abstained" and grade.reason
    alone = GoldGrader().grade_now(GradingCase(trajectory.question, trajectory.report))
    assert alone.outcome == "abstained"
