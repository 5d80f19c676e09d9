"""Questions that walk through the graph: drawn from bounded neighbourhoods, named or described, and true."""

import re
from collections import Counter

import pytest

from benchmarks.simulated_web.agents import run_agent
from benchmarks.simulated_web.agents.notebook import Notebook, needs_of
from benchmarks.simulated_web.asked import Question
from benchmarks.simulated_web.gold import judge_report, opened_pages
from benchmarks.simulated_web.least import as_of, saying_so
from benchmarks.simulated_web.neighbourhood import Expansion, draw_neighbourhood, links_of
from benchmarks.simulated_web.ontology import OLD_YEARS
from benchmarks.simulated_web.questions import make_questions, remake_question
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.sheets import question_sheet
from benchmarks.simulated_web.tools import Budget
from benchmarks.simulated_web.world import World

ROOMY = Budget(calls=80)


@pytest.fixture(scope="module")
def walks(world: World) -> tuple[Question, ...]:
    return make_questions(world, 60, 7, recipe="graph")


@pytest.mark.parametrize("seed", range(6))
def test_a_neighbourhood_keeps_its_bounds_and_leaves_are_not_gone_through(world: World, seed: int) -> None:
    bounds = Expansion(seed_degree=(3, 4), nodes=(10, 25), leaf_degree=4)
    links = links_of(world.graph)
    nodes = draw_neighbourhood(world.graph, Rng("n", seed), bounds)
    if nodes is None:
        return
    assert 3 <= len(links[nodes[0]]) <= 4 and 10 <= len(nodes) <= 25 and len(set(nodes)) == len(nodes)
    for place, node in enumerate(nodes[1:], 1):
        # Each was reached from an earlier one that is no leaf.
        assert any(
            node in links[earlier] and (earlier == nodes[0] or len(links[earlier]) <= 4) for earlier in nodes[:place]
        )


def test_neighbourhoods_of_too_few_are_refused(world: World) -> None:
    assert draw_neighbourhood(world.graph, Rng("n"), Expansion(nodes=(49, 60))) is None
    assert draw_neighbourhood(world.graph, Rng("n"), Expansion(seed_degree=(90, 99))) is None


def test_walks_have_several_hops_parts_years_and_things_without_a_name(walks: tuple[Question, ...]) -> None:
    asked = [q for q in walks if q.kind == "walk"]
    assert len(asked) == 54 and Counter(q.kind for q in walks)["no_search"] == 6
    hops = Counter(sum(any(other.via == f.id for other in q.required) for f in q.required) for q in asked)
    assert set(hops) <= {1, 2, 3} and hops[2] > 5 and hops[3] > 5
    assert sum(any(f.year for f in q.required) for q in asked) >= 3
    assert sum(any(f.kind == "comparison" for f in q.required) for q in asked) >= 10
    assert sum(bool(q.clues) for q in asked) >= 8


def test_a_walk_names_nothing_that_it_leaves_to_be_found(world: World, walks: tuple[Question, ...]) -> None:
    for question in walks:
        hidden = {world.graph.fact[f.fact_id].entity for f in question.required if f.via or f.described}
        assert not [e for e in hidden if world.graph.entity[e].root.lower() in question.text.lower()], question.text


def test_links_lead_where_they_say_and_clues_fit_one_thing_alone(world: World, walks: tuple[Question, ...]) -> None:
    graph = world.graph
    for question in walks:
        for fact in question.required:
            if fact.via:
                assert graph.fact[fact.via].value == graph.fact[fact.fact_id].entity
        if question.clues:
            start = graph.fact[question.required[0].fact_id].entity
            type_key = graph.entity[start].type_key
            fits = [
                e.id
                for e in graph.entities
                if e.type_key == type_key
                and all(clue.fits(graph.of(e.id, clue.relation_key).value) for clue in question.clues)
            ]
            assert fits == [start] and all(clue.text in question.text for clue in question.clues)


def test_a_walk_reads_as_english(walks: tuple[Question, ...]) -> None:
    for question in walks:
        assert not re.search(r"\{|\}|  |\bthe the\b|\bthat that\b|\bNone\b", question.text), question.text
        assert question.text[0].isupper() and question.text.endswith(".")


def test_recipes_have_questions_of_their_own_and_are_made_again(world: World, walks: tuple[Question, ...]) -> None:
    assert make_questions(world, 12, 7, recipe="graph") == walks[:12]
    assert all(remake_question(world, question.meta()) == question for question in walks)
    assert "recipe" not in make_questions(world, 1, 7)[0].meta()


def test_who_reads_nothing_knows_nothing_of_what_a_link_leads_to(world: World, walks: tuple[Question, ...]) -> None:
    empty = Notebook(world.graph)
    for question in walks:
        for need in needs_of(world.graph, question):
            assert (empty.entity_of(need) is None) == bool(need.via or need.clues)


def test_a_good_agent_answers_most_walks_and_gold_follows_every_hop(world: World, walks: tuple[Question, ...]) -> None:
    scores = []
    for q in walks:
        if q.kind == "walk":
            tried = run_agent("thorough+good", world, q, seed=1, attempt=0, budget=ROOMY)
            scores.append(judge_report(world, q, tried.report, opened_pages(world, tried)).score)
    assert sum(score >= 0.9 for score in scores) > 0.75 * len(scores)


def test_a_figure_of_an_earlier_year_is_read_for_that_year_alone(world: World) -> None:
    fact = next(f for f in world.graph.facts if f.relation_key == "city.population")
    year, old = fact.older[0]
    name = world.graph.entity[fact.entity].name
    required = make_questions(world, 2, 7)[1].required[0]
    wanted = type(required)(f"{fact.id}@{year}", "value", "population", fact.id, year=year)
    question = Question("?", "walk", (wanted,), None, 1, 0, 0, "graph")

    def state(report: str) -> str:
        return judge_report(world, question, report, ()).states[wanted.id]

    assert state(f"In {year} {name} had {old:,} inhabitants.") == "unsupported"
    assert state(f"In {year} {name} had {fact.number:,} inhabitants.") == "wrong"
    assert state(f"In 2025 {name} had {fact.number:,} inhabitants.") == "missing"
    assert state(f"{name} has {old:,} inhabitants.") == "missing"
    assert as_of(fact, year).value == old and as_of(fact, None) is fact
    pages = saying_so(world, fact.id, year)
    assert all(any(s.year == year and s.value == old for s in page.statements) for page in pages)


def test_sheets_of_earlier_years_look_for_the_earlier_figure(world: World, walks: tuple[Question, ...]) -> None:
    question, fact = next((q, f) for q in walks for f in q.required if f.year)
    assert fact.year in OLD_YEARS
    sheet = question_sheet(world, question)["facts"]
    entry = next(e for e in sheet if e["id"] == fact.id)  # type: ignore[union-attr, index, call-overload]
    old = as_of(world.graph.fact[fact.fact_id], fact.year).number
    assert any(str(old) in form.replace(",", "") for form in entry["any_of"])  # type: ignore[union-attr, index, call-overload]
