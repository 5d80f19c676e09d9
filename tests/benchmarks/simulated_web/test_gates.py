"""Difficulty gates: they drop what they say, count it, and let through what is hard and answerable."""

from dataclasses import replace

import pytest

from benchmarks.simulated_web.agents import run_agent
from benchmarks.simulated_web.gates import (
    GUESSED,
    REFERENCE,
    TOO_HARD,
    TOO_SHORT,
    Gates,
    gated_questions,
    guessers,
    likeliest,
)
from benchmarks.simulated_web.gold import judge_report, opened_pages
from benchmarks.simulated_web.tools import Budget
from benchmarks.simulated_web.world import World
from workbench.errors import BadInputError


def test_what_passes_is_answered_with_tools_and_not_without(world: World) -> None:
    gates = Gates()
    gated = gated_questions(world, 20, 3, gates=gates)
    assert len(gated.questions) == 20 and gated.drawn == 20 + sum(gated.dropped.values())
    for question in gated.questions:
        if question.least is None:
            continue
        assert max(guessers(world, question).values()) < gates.guess_below
        assert question.least_calls >= gates.least_calls and question.least.sites
        tried = run_agent(REFERENCE, world, question, seed=3, attempt=0, budget=gates.budget)
        assert judge_report(world, question, tried.report, opened_pages(world, tried)).score >= gates.solved
        assert gated.calls[question.id] == sum(len(step.tool_calls) for step in tried.steps) <= gates.budget.calls


def test_the_first_of_many_are_those_of_few(world: World) -> None:
    assert gated_questions(world, 5, 3).questions == gated_questions(world, 9, 3).questions[:5]


@pytest.mark.parametrize(
    ("gates", "reason"),
    [
        (Gates(least_calls=30), TOO_SHORT),
        (Gates(guess_below=0.0), GUESSED),
        (Gates(budget=Budget(calls=3)), TOO_HARD),
    ],
)
def test_each_gate_drops_for_its_own_reason_and_says_so(
    world: World, gates: Gates, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.simulated_web.gates.MOST_DRAWS", 30)
    with pytest.raises(BadInputError, match=f"pass the gates .*{reason}"):
        gated_questions(world, 9, 3, gates=gates)


def test_one_in_ten_needs_no_search_behind_the_gates_too(world: World) -> None:
    kinds = [question.kind for question in gated_questions(world, 20, 3).questions]
    assert kinds.count("no_search") == 2


def test_a_guess_is_the_commonest_name_or_the_middle_figure_of_the_other_things(world: World) -> None:
    graph = world.graph
    fact = next(f for f in graph.facts if f.relation_key == "bridge.design")
    others = [f.value for f in graph.facts if f.relation_key == "bridge.design" and f is not fact]
    assert others.count(likeliest(graph, fact.id, None)) == max(others.count(value) for value in others)
    length = next(f for f in graph.facts if f.relation_key == "bridge.length")
    numbers = sorted(f.number for f in graph.facts if f.relation_key == "bridge.length" and f is not length)
    assert likeliest(graph, length.id, None) == numbers[len(numbers) // 2]


def test_a_question_that_gives_its_answer_away_has_marks_for_being_repeated(world: World) -> None:
    question = gated_questions(world, 1, 4).questions[0]
    fact = world.graph.fact[question.required[0].fact_id]
    told = f"{question.text} {world.graph.entity[fact.entity].name}: {fact.relation.noun} "
    value = world.graph.entity[str(fact.value)].name
    assert guessers(world, replace(question, text=told + value))["question"] > guessers(world, question)["question"]
