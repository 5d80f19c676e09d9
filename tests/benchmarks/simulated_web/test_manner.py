"""Worlds in harder prose and in Chinese: the same truth, other words, and no gold that is wrong for it."""

import os
import re
import statistics
import subprocess
import sys
from collections import Counter

import pytest

from benchmarks.simulated_web.agents import run_agent
from benchmarks.simulated_web.agents.notebook import Finding, Notebook, needs_of
from benchmarks.simulated_web.agents.writer import Material, write_report
from benchmarks.simulated_web.chinese.sentences import NOUNS, SENTENCES
from benchmarks.simulated_web.chinese.sentences import UNDATED as CHINESE_UNDATED
from benchmarks.simulated_web.chinese_pages import chinese_name
from benchmarks.simulated_web.chinese_sayings import in_chinese_words, say_in_chinese
from benchmarks.simulated_web.english.reworded import CATEGORIES, COLUMNS, REWORDED, UNDATED
from benchmarks.simulated_web.gold import gold_grade, judge_report
from benchmarks.simulated_web.graph import draw_number, wrong_value
from benchmarks.simulated_web.hard_pages import HardWriter
from benchmarks.simulated_web.manner import MANNERS, PLAIN
from benchmarks.simulated_web.ontology import NOW, relations
from benchmarks.simulated_web.pages import Rounding, Statement
from benchmarks.simulated_web.questions import make_questions
from benchmarks.simulated_web.reading.claims import read_claims
from benchmarks.simulated_web.reading.text import read_text
from benchmarks.simulated_web.reading.verdicts import by_fact
from benchmarks.simulated_web.recording import add_runs, run_meta
from benchmarks.simulated_web.rendering import Claim
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.sayings import in_words, say_quantity, year_in_words
from benchmarks.simulated_web.search_index import words_of
from benchmarks.simulated_web.world import World, generate_world, world_from_meta
from workbench.errors import BadInputError
from workbench.store import Store, open_store
from workbench.store.jobs import NullJob

HARD = MANNERS["hard"]
PINNED = {"mixed": "71a995660f6bf671", "hard": "7c0f232ab1523da2"}

PRINT_HASH = """
from benchmarks.simulated_web.manner import MANNERS
from benchmarks.simulated_web.world import generate_world
print(generate_world(1, manner=MANNERS["hard"]).hash)
"""


@pytest.fixture(scope="module")
def hard() -> World:
    return generate_world(1, manner=HARD)


@pytest.fixture(scope="module")
def mixed() -> World:
    return generate_world(1, manner=MANNERS["mixed"])


# Manners


@pytest.mark.parametrize("name", sorted(PINNED))
def test_hash_of_a_manner_is_pinned(name: str) -> None:
    assert generate_world(1, manner=MANNERS[name]).hash[:16] == PINNED[name], (
        "the same seed and manner give another world now: raise GENERATOR and pin the new hash"
    )


def test_a_hard_world_is_the_same_in_another_process(hard: World) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRINT_HASH],
        env={**os.environ, "PYTHONHASHSEED": "77"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == hard.hash


def test_truth_sites_and_number_of_pages_are_those_of_the_plain_world(world: World, hard: World) -> None:
    assert hard.graph.to_json() == world.graph.to_json()
    assert hard.sites == world.sites
    assert len(hard.pages) == len(world.pages)


def test_a_manner_is_recorded_where_it_is_not_plain_and_makes_the_world_again(world: World, hard: World) -> None:
    assert "manner" not in world.meta()
    assert world_from_meta(hard.meta()).hash == hard.hash
    assert world.manner == PLAIN


@pytest.mark.parametrize("manner", ["hard", {"reworded": "much"}, {"shouting": 3}])
def test_a_manner_that_is_none_is_refused(hard: World, manner: object) -> None:
    with pytest.raises(BadInputError, match="no description"):
        world_from_meta({**hard.meta(), "manner": manner})  # type: ignore[dict-item]


def test_levels_and_languages_take_about_their_shares(mixed: World, hard: World) -> None:
    told = [page for page in mixed.pages if page.statements]
    levels = Counter(page.level for page in told)
    assert all(0.24 < levels[level] / len(told) < 0.43 for level in levels) and len(levels) == 3
    assert 0.12 < sum(page.language == "zh" for page in mixed.pages) / len(mixed.pages) < 0.28
    assert Counter(page.level for page in hard.pages)["distracting"] > 300


# What pages say


def test_pages_hold_the_sentences_that_they_state(hard: World, mixed: World) -> None:
    for page in (*hard.pages, *mixed.pages):
        for statement in page.statements:
            assert "|" in page.text or statement.sentence in page.text


def test_every_fact_is_told_rightly_on_two_sites(hard: World, mixed: World) -> None:
    for world in (hard, mixed):
        for fact_id, pages in world.supporters.items():
            assert len({page.site for page in pages}) >= 2, fact_id


def test_hard_pages_have_no_traces_of_templates(hard: World, mixed: World) -> None:
    for page in (*hard.pages, *mixed.pages):
        prose = "\n".join(line for line in page.text.splitlines() if not line.startswith("|"))
        assert not re.search(
            r"[{}]|  |\bthe the\b|\bNone\b| \.|\.\.|。。|，。|,,|\b(the|a) (former|latter) the\b", prose
        ), prose
        for block in page.text.split("\n\n"):
            assert block[0].isupper() or block[0] in '|-"0123456789u' or ord(block[0]) > 0x2E80, block
    assert len({page.url for page in hard.pages}) == len(hard.pages)


def test_every_relation_is_told_in_several_wordings_in_both_languages() -> None:
    for key, relation in relations().items():
        reworded = REWORDED.get(key) or tuple(CATEGORIES[key])
        assert len(reworded) >= 3 and len(SENTENCES[key]) >= 3, key
        assert key in COLUMNS and key in NOUNS
        assert relation.dated == (key in UNDATED) == (key in CHINESE_UNDATED)
        if key in CATEGORIES:
            assert set(CATEGORIES[key]) == set(relation.categories)


def test_reworded_sentences_avoid_the_cues_and_the_noun_of_their_relation() -> None:
    """A cue may stand in a few ("river" in a sentence on a city's river would be odd to avoid): 5% of them."""
    told = [(key, sentence) for table in (REWORDED, UNDATED) for key, several in table.items() for sentence in several]
    told += [(key, sentence) for key, by in CATEGORIES.items() for several in by.values() for sentence in several]
    found = []
    for key, sentence in told:
        relation = relations()[key]
        bare = re.sub(r"\{\w\}", "", sentence).lower()
        if any(re.search(cue, bare) for cue in relation.cues) or relation.noun in bare:
            found.append((key, sentence))
    assert len(found) <= 0.05 * len(told), found


def test_distracting_pages_name_other_things_and_deny_what_is_false(hard: World) -> None:
    pages = [p for p in hard.pages if p.level == "distracting" and len(p.about) == 1]
    others = sum(any(hard.graph.fact[s.fact_id].entity not in p.about for s in p.statements) for p in pages)
    denied = sum(any(s.denied for s in p.statements) for p in pages)
    assert others > 0.7 * len(pages) and denied > 0.4 * len(pages)
    for page in pages:
        for statement in page.statements:
            if statement.denied:
                assert statement.truth(hard.graph.fact[statement.fact_id]) == "current", statement


def test_copies_differ_from_their_model_in_one_value(hard: World) -> None:
    by_title: dict[str, list[frozenset[tuple[str, int | str, int | None]]]] = {}
    for page in hard.pages:
        if page.statements and "|" not in page.text:
            main = frozenset((s.fact_id, s.value, s.year) for s in page.statements if not s.denied)
            by_title.setdefault(f"{page.title} {page.about}", []).append(main)
    near = [
        (one, two)
        for several in by_title.values()
        for place, one in enumerate(several)
        for two in several[place + 1 :]
        if {f for f, _, _ in one} == {f for f, _, _ in two} and len(one - two) == 1
    ]
    assert len(near) >= 10


# Roundings


@pytest.mark.parametrize("key", [key for key, relation in relations().items() if relation.kind == "quantity"])
def test_a_rounding_holds_the_value_and_no_false_one(key: str) -> None:
    relation, rng = relations()[key], Rng("roundings", key)
    graph = generate_world(1).graph
    for _ in range(60):
        value = draw_number(rng, relation)
        fact = next(fact for fact in graph.facts if fact.relation_key == key)
        for said in (say_quantity(rng, relation, value), say_in_chinese(rng, relation, value, "reworded")):
            if said.rounding is not None:
                assert said.rounding.holds(value), (value, said)
                assert (said.rounding.high - said.rounding.low) <= 0.055 * value, (value, said)
        said = say_quantity(rng, relation, fact.number)
        if said.rounding is not None:
            assert not said.rounding.holds(float(wrong_value(rng, graph, fact))), said


def read_back(text: str) -> tuple[float, float] | None:
    """The interval that an English rounding means, from its words alone: digits only, metres or kilometres."""
    found = re.fullmatch(
        r"(about|some|roughly|just under|nearly|just over|a little over) ([\d,.]+) (kilo)?metres", text
    )
    if not found:
        return None
    number = float(found[2].replace(",", "")) * (1000 if found[3] else 1)
    step = max(s for s in (1, 5, 10, 25, 50, 100) if s <= 0.04 * number * 1.04)
    if found[1] in ("about", "some", "roughly"):
        return number - step / 2, number + step / 2
    return (number - step, number) if found[1] in ("just under", "nearly") else (number, number + step)


def test_the_interval_of_a_rounding_is_what_its_words_say() -> None:
    relation, rng, checked = relations()["bridge.length"], Rng("read back"), 0
    for _ in range(800):
        value = draw_number(rng, relation)
        said = say_quantity(rng, relation, value)
        told = read_back(said.full)
        if said.rounding is not None and told is not None:
            checked += 1
            assert told[0] <= value <= told[1], (value, said)
            assert (said.rounding.low, said.rounding.high) == pytest.approx(told, rel=0.05), (value, said)
    assert checked > 50


def test_a_rounded_statement_supports_its_fact_only_within_the_rounding(world: World) -> None:
    fact = next(fact for fact in world.graph.facts if fact.relation_key == "bridge.length")
    near = Rounding(fact.number - 10, fact.number + 10)
    off = Rounding(fact.number + 1, fact.number + 20)
    assert Statement(fact.id, fact.value, "", rounding=near).supports(fact)
    assert not Statement(fact.id, fact.value, "", rounding=off).supports(fact)


@pytest.mark.parametrize(
    ("number", "english", "chinese"),
    [
        (7, "seven", "七"),
        (12, "twelve", "十二"),
        (165, "one hundred and sixty-five", "一百六十五"),
        (3050, "three thousand and fifty", "三千零五十"),
        (205_000, "two hundred and five thousand", "二十万五千"),
        (1_200_000, "one million two hundred thousand", "一百二十万"),
        (100_010, "one hundred thousand and ten", "十万零十"),
    ],
)
def test_numbers_are_spelled_as_their_language_does(number: int, english: str, chinese: str) -> None:
    assert in_words(number) == english
    assert in_chinese_words(number) == chinese


def test_years_are_spelled_where_that_reads_well() -> None:
    assert [year_in_words(year) for year in (1962, 1240, 1905, 2004)] == [
        "nineteen sixty-two",
        "twelve forty",
        "1905",
        "2004",
    ]


# Search and gold


def test_chinese_pages_are_found_by_the_name_of_what_they_are_about(hard: World) -> None:
    found = looked = 0
    for page in [p for p in hard.pages if p.language == "zh" and len(p.about) == 1][:40]:
        entity = hard.graph.entity[page.about[0]]
        assert set(words_of(entity.root)) <= set(words_of(chinese_name(entity)))
        hits, _ = hard.index.search(entity.name, top_k=20)
        looked += 1
        found += any(hard.pages[hit.place].url == page.url for hit in hits)
    assert looked == 40 and found >= 36


def test_perfect_reports_miss_nothing_in_a_hard_world(hard: World) -> None:
    questions = make_questions(hard, 40, 7)
    for question in questions:
        if question.least is None:
            continue
        pages = [hard.page[url] for url in question.least.urls]
        material = Material(Notebook(hard.graph))
        for page in pages:
            material.notebook.read(page)
        for need in needs_of(hard.graph, question):
            fact = hard.graph.fact[need.fact.fact_id]
            url = next(page.url for page in pages if page in hard.supporters[fact.id])
            material.invented[need.fact.id] = Finding(fact.value, None, (url,), ())
        report = write_report(hard, question, material, rng=Rng("report", question.id))
        gold = judge_report(hard, question, report, pages)
        assert gold.score == 1.0 and not gold.false_asides, (question.text, gold)


def test_scripted_agents_keep_their_rank_in_a_hard_world(hard: World) -> None:
    questions = make_questions(hard, 30, 7)
    names = ("broad", "padder", "terse", "narrow", "fabricating")
    means = {
        name: statistics.mean(
            gold_grade(hard, question, run_agent(name, hard, question, seed=5, attempt=0)).score or 0.0
            for question in questions
        )
        for name in names
    }
    assert list(names) == sorted(names, key=lambda name: -means[name]), means


def test_runs_in_a_hard_world_are_alike_on_both_databases(hard: World, sqlite_store: Store, pg_url: str) -> None:
    questions = make_questions(hard, 3, 7)
    meta = run_meta(hard, 7, 3, "scripted agents of the simulated web")
    hashes = set()
    with open_store(pg_url) as other:
        for opened in (sqlite_store, other):
            add_runs(opened, hard, ["broad", "terse"], questions, attempts=1, seed=1, meta=meta, job=NullJob())
            hashes.add(opened.content_hash())
    assert len(hashes) == 1


def test_a_report_that_keeps_the_words_of_a_hard_page_is_never_read_as_wrong(world: World) -> None:
    """What the matcher does not read is missing; most quantities it reads, whatever they are called."""
    right = told = 0
    for fact in world.graph.facts:
        writer = HardWriter(Rng("copied", fact.id), world.graph, world.sites[0])
        sentence = writer.tell(Claim(fact, fact.value, NOW if fact.relation.dated else None), "full").sentence
        read = by_fact(world.graph, read_claims(world.graph, read_text(sentence)))
        assert not any(said.wrong for said in read.values()), sentence
        if fact.relation.kind == "quantity":
            told += 1
            right += fact.id in read
    assert right > 0.7 * told
