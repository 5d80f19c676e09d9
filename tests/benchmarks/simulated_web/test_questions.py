"""Questions: different, answerable with the least research, and not without tools."""

from collections import Counter

import pytest

from benchmarks.simulated_web import arithmetic
from benchmarks.simulated_web.agents.notebook import Finding, Notebook, needs_of
from benchmarks.simulated_web.agents.writer import Material, write_report
from benchmarks.simulated_web.gold import judge_report
from benchmarks.simulated_web.pages import Page
from benchmarks.simulated_web.questions import Question, make_questions, remake_question
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.tools import Budget, Tools
from benchmarks.simulated_web.world import World, generate_world
from workbench.errors import BadInputError
from workbench.schema.canonical import question_key


def true_report(world: World, question: Question, pages: list[Page]) -> str:
    """What a perfect writer makes of these pages: of each fact what a page that is right says, citing that page."""
    notebook = Notebook(world.graph)
    material = Material(notebook)
    for need in needs_of(world.graph, question):
        fact = world.graph.fact[need.fact.fact_id]
        right = [page for page in pages if page in world.supporters[fact.id]]
        if right:
            material.invented[need.fact.id] = Finding(fact.value, None, (right[0].url,), ())
    for page in pages:
        notebook.read(page)
    return write_report(world, question, material, rng=Rng("report", question.id))


def test_questions_differ_and_their_ids_are_their_texts(questions: tuple[Question, ...]) -> None:
    assert len({question.id for question in questions}) == len(questions)
    assert all(question.id == question_key(question.text) for question in questions)


def test_one_in_ten_needs_no_search(questions: tuple[Question, ...]) -> None:
    kinds = Counter(question.kind for question in questions)
    assert kinds["no_search"] == len(questions) / 10
    assert all((question.least is None) == (question.kind == "no_search") for question in questions)
    assert set(kinds) == {"profile", "linked", "comparison", "survey", "no_search"}


def test_questions_ask_two_to_six_things_and_differ_in_the_research_they_need(questions: tuple[Question, ...]) -> None:
    assert {len(question.required) for question in questions} >= {2, 3, 4, 5}
    assert all(2 <= len(question.required) <= 6 for question in questions)
    assert len({len(question.least.urls) for question in questions if question.least}) >= 3


def test_the_first_questions_are_those_of_a_shorter_set(world: World, questions: tuple[Question, ...]) -> None:
    assert make_questions(world, 10, 7) == questions[:10]


def test_held_out_questions_are_none_of_those_excluded(world: World, questions: tuple[Question, ...]) -> None:
    known = frozenset(question.id for question in questions)
    held_out = make_questions(world, 60, 8, exclude=known)
    assert not known & {question.id for question in held_out}


def test_a_question_is_made_again_from_its_meta(world: World, questions: tuple[Question, ...]) -> None:
    assert all(remake_question(world, question.meta()) == question for question in questions)
    with pytest.raises(BadInputError, match="no description"):
        remake_question(world, {"seed": 7})


def test_more_questions_than_there_are_is_refused(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arithmetic, "draw", lambda _rng: ("What is two and two?", ()))
    with pytest.raises(BadInputError, match="ask for fewer"):
        make_questions(world, 18, 7)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_least_research_suffices_for_full_gold(seed: int) -> None:
    world = generate_world(seed)
    for question in make_questions(world, 60, 11):
        if question.least is None:
            continue
        tools = Tools(world, Budget(calls=len(question.least.queries) + len(question.least.urls)))
        for query in question.least.queries:
            tools.search(query)
        assert set(question.least.urls) <= set(tools.seen)
        for url in question.least.urls:
            assert not tools.open(url).is_error
        report = true_report(world, question, tools.opened)
        gold = judge_report(world, question, report, tools.opened)
        assert gold.score == 1.0, (question.text, report, gold.states)


def test_no_page_of_the_least_research_can_be_left_out(world: World, questions: tuple[Question, ...]) -> None:
    for question in questions:
        if question.least is None:
            continue
        needed = {fact.fact_id for fact in question.required if fact.fact_id}
        for left_out in question.least.urls:
            told = {
                fact
                for url in question.least.urls
                if url != left_out
                for fact in needed
                if world.page[url] in world.supporters[fact]
            }
            assert told != needed


def test_search_questions_cannot_be_answered_without_tools(world: World, questions: tuple[Question, ...]) -> None:
    """Neither by repeating the question nor by the likeliest guess for everything asked."""
    scores = []
    for question in questions:
        if question.kind == "no_search":
            continue
        assert judge_report(world, question, question.text, ()).score == 0.0
        material = Material(Notebook(world.graph))
        for need in needs_of(world.graph, question):
            values = Counter(f.value for f in world.graph.facts if f.relation_key == need.relation.key)
            material.invented[need.fact.id] = Finding(values.most_common(1)[0][0], None, (), ())
        guess = write_report(world, question, material, rng=Rng("guess", question.id))
        scores.append(judge_report(world, question, guess, ()).score)
    assert sum(scores) / len(scores) < 0.05
    assert max(scores) < 0.5


def test_no_search_questions_are_answered_from_the_question_alone(
    world: World, questions: tuple[Question, ...]
) -> None:
    for question in questions:
        if question.kind == "no_search":
            report = write_report(world, question, Material(Notebook(world.graph)), rng=Rng("x", question.id))
            assert judge_report(world, question, report, ()).score == 1.0, report
