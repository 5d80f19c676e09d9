"""Notes and reports: what pages say is read, the majority is reported, and everything said has its citation."""

import pytest

from benchmarks.simulated_web.agents import run_agent
from benchmarks.simulated_web.questions import Question, make_questions
from benchmarks.simulated_web.sheets import question_sheet
from benchmarks.simulated_web.tools import page_text
from benchmarks.simulated_web.world import World
from tests.training.conftest import Workshop
from training.data import replay
from training.environments import Surroundings
from training.grammar import Grammar
from training.notes import Asked, Note, Reader, majority, same_value
from training.report import Found, ReadPage, choose_claims, write_report
from workbench.phases import analyse
from workbench.reward.core.quality import checklist

PAGES = tuple(ReadPage(f"https://www.{x}.example/p", f"Page {x}", x) for x in "abcd")


def note(value: float, *, entity: str = "e", said: str = "The length of E is") -> Note:
    return Note(entity, "bridge.length", value, f"{said} {value:g} m")


def test_reader_finds_what_pages_state_and_knows_no_truth(workshop: Workshop) -> None:
    world = workshop.world
    reader = Reader(world.graph)
    found = wanted = wrong_on_page = 0
    for page in world.pages:
        said = [s for s in page.statements if not s.denied and s.year in (None, 2025)]
        asked = Asked((), frozenset(world.graph.fact[s.fact_id].relation_key for s in said))
        read = {(n.entity, n.relation_key) for n in reader.notes(page_text(world, page), asked)}
        for statement in said[:8]:
            fact = world.graph.fact[statement.fact_id]
            wanted += 1
            found += (fact.entity, fact.relation_key) in read
            wrong_on_page += statement.value != fact.value and (fact.entity, fact.relation_key) in read
    assert found / wanted > 0.95
    assert wrong_on_page > 0, "wrong statements must be read as they stand"


def test_question_names_its_entities_and_relations(workshop: Workshop) -> None:
    world = workshop.world
    reader = Reader(world.graph)
    for question in make_questions(world, 20, 3):
        asked = reader.asked(question.text)
        needed = {world.graph.fact[f.fact_id].relation_key for f in question.required if f.fact_id}
        assert needed <= asked.relation_keys, question.text


def test_majority_counts_numbers_within_a_percent_as_one() -> None:
    assert majority([note(100.0), note(250.0), note(250.9)]) == 250.0
    assert majority([note(1.0), note(2.0)]) == 1.0
    assert same_value(1999.0, 1999.0) and not same_value(1999.0, 2000.0)
    with pytest.raises(ValueError, match="no notes"):
        majority([])


def test_writer_follows_the_majority_and_cites_two_sources_at_most() -> None:
    notes = ((note(7.0), 1), (note(9.0), 2), (note(9.0), 3), (note(9.0), 4), (note(5.0, entity="other"), 4))
    found = Found(Asked(("e",), frozenset({"bridge.length"})), PAGES, notes)
    assert choose_claims(found) == ((2, 2), (3, 3))


def test_claims_that_agree_become_one_sentence_and_pages_are_numbered_as_cited(workshop: Workshop) -> None:
    notes = ((note(7.0), 1), (note(9.0), 3), (note(9.0), 2))
    found = Found(Asked(("e",), frozenset()), PAGES, notes)
    report = write_report(workshop.world.graph, "How long is E?", found, ((2, 3), (3, 2)))
    assert report == (
        "The length of E is 9 m [1][2].\n\nReferences:\n"
        "[1] Page c. https://www.c.example/p\n[2] Page b. https://www.b.example/p"
    )


def test_no_claims_give_a_report_that_claims_nothing(workshop: Workshop) -> None:
    found = Found(Asked((), frozenset()), (), ())
    assert "found nothing" in write_report(workshop.world.graph, "q", found, ())


def test_scripted_broad_research_replayed_scores_well_and_is_cited(
    workshop: Workshop, around: Surroundings, grammar: Grammar
) -> None:
    """The whole chain from tokens to the exported reward's grader: with enough turns the writer states most facts."""
    world: World = workshop.world
    roomy = Surroundings(world, around.tokenizer, around.reader, own_report=True, max_turns=40)
    scores = []
    questions: list[Question] = [q for q in make_questions(world, 12, 3) if q.least is not None]
    for question in questions:
        example = replay(roomy, grammar, question, run_agent("broad", world, question, seed=1, attempt=0))
        trajectory = example.episode.trajectory(example.path, run="r", model="m", group="g", attempt=0, policy_step=0)
        quality = checklist(trajectory, question_sheet(world, question))
        assert quality.score is not None
        scores.append(quality.score)
        assert all(citation.retrieval == "opened" for citation in analyse(trajectory).citations)
    assert sum(scores) / len(scores) > 0.6
