"""Question sheets: the contract with the checklist, and what the checklist makes of perfect and false reports."""

from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.sheets import question_sheet
from benchmarks.simulated_web.world import World
from rubrics.judging.checklist import facts_from_sheet, score_checklist
from tests.benchmarks.simulated_web.test_gold import report_with


def test_sheets_list_every_required_fact_in_the_form_of_the_checklist(
    world: World, questions: tuple[Question, ...]
) -> None:
    for question in questions:
        facts = facts_from_sheet(question_sheet(world, question))
        assert [fact.id for fact in facts] == [fact.id for fact in question.required]
        assert all(fact.part for fact in facts)
        assert all(not set(fact.any_of) & set(fact.forbid_any_of) for fact in facts)


def test_a_perfect_report_states_every_fact_of_its_sheet(world: World, questions: tuple[Question, ...]) -> None:
    missed = 0
    total = 0
    for question in questions:
        if question.kind != "no_search":
            score = score_checklist(report_with(world, question, wrong=0), question_sheet(world, question), [])
            missed += sum(verdict.label == "absent" for verdict in score.verdicts)
            total += len(score.verdicts)
    # Sentences that say "the bridge" instead of the name are missed: the checklist reads each sentence alone.
    assert missed / total < 0.12


def test_a_false_report_states_none(world: World, questions: tuple[Question, ...]) -> None:
    for question in questions:
        if question.kind == "profile":
            report = report_with(world, question, wrong=len(question.required))
            score = score_checklist(report, question_sheet(world, question), [])
            assert sum(verdict.label == "stated" for verdict in score.verdicts) == 0, report
