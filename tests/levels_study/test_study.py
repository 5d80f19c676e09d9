"""The study of levels in small: pairs are labelled by what pages state, and a check by words falls with the level."""

from pathlib import Path

import pytest

from benchmarks.simulated_web.manner import LEVELS, MANNERS
from benchmarks.simulated_web.pages import Page, Rounding, Statement
from benchmarks.simulated_web.rendering import Claim
from benchmarks.simulated_web.world import World, generate_world
from graders.citation_check.lexical import LexicalChecker
from rubrics.judging.support import CitedClaim
from tests.levels_study.__main__ import main, write_sample
from tests.levels_study.pairs import LevelPair, level_pairs, truth_on
from tests.levels_study.study import SEEDS, by_level, overlap


@pytest.fixture(scope="module")
def mixed() -> World:
    return generate_world(SEEDS["development"][0], manner=MANNERS["mixed"])


@pytest.fixture(scope="module")
def pairs(mixed: World) -> list[LevelPair]:
    return list(level_pairs(mixed, pages=24))


def test_report_seeds_are_no_development_seeds() -> None:
    assert not set(SEEDS["report"]) & set(SEEDS["development"])


def test_pairs_of_every_level_language_and_truth(pairs: list[LevelPair]) -> None:
    assert {pair.level for pair in pairs} == set(LEVELS)
    assert {(p.page_language, p.claim_language) for p in pairs} == {("en", "en"), ("zh", "en"), ("zh", "zh")}
    assert {pair.truth for pair in pairs} == {"supported", "contradicted", "unrelated"}
    assert all(pair.truth == "supported" for pair in pairs if pair.source == "true")
    assert all(pair.truth != "supported" for pair in pairs if pair.source in ("taken from the page", "fact not there"))


def test_truth_follows_what_the_page_states(mixed: World) -> None:
    fact = next(f for f in mixed.graph.facts if f.relation_key == "bridge.length")
    n = fact.number

    def page(*statements: Statement) -> Page:
        return Page("https://x.example/", "x.example", "", "2025-01-01", "", (fact.entity,), statements)

    exact, rounded = Statement(fact.id, n, ""), Statement(fact.id, n, "", rounding=Rounding(n - 5, n + 5))
    assert truth_on(page(exact), Claim(fact, n)) == "supported"
    assert truth_on(page(exact), Claim(fact, n + 4)) == "contradicted"
    assert truth_on(page(rounded), Claim(fact, n + 4)) == "supported"
    assert truth_on(page(rounded), Claim(fact, n + 6)) == "contradicted"
    assert truth_on(page(Statement(fact.id, n + 99, "", denied=True)), Claim(fact, n + 99)) == "contradicted"
    assert truth_on(page(Statement(fact.id, n + 99, "", denied=True)), Claim(fact, n)) == "unrelated"
    assert truth_on(page(), Claim(fact, n)) == "unrelated"


def test_overlap_is_a_share_of_the_words_of_the_claim() -> None:
    assert overlap("The Velda Bridge is 120 m long.", "# Velda Bridge\n\nIt is long.") == pytest.approx(3 / 5)
    assert overlap("桥长一百米", "桥长一百里") == pytest.approx(3 / 4)


def test_the_check_by_words_falls_from_level_to_level(pairs: list[LevelPair]) -> None:
    """Far less than what the study measures."""
    english = [pair for pair in pairs if pair.page_language == "en"]
    verdicts = LexicalChecker().check_now([CitedClaim(pair.claim, pair.document) for pair in english])
    found = by_level(english, [v.support for v in verdicts], [v.score for v in verdicts])
    plain, reworded, distracting = (found[f"en page, en claim, {level}"] for level in LEVELS)
    assert plain["supported"]["recall"]["value"] > reworded["supported"]["recall"]["value"] + 0.15
    assert plain["supported"]["precision"]["value"] > distracting["supported"]["precision"]["value"] + 0.15


def test_pages_to_read_are_written_without_level_or_truth(tmp_path: Path) -> None:
    write_sample(11, 5, tmp_path)
    texts = [path.read_text(encoding="utf-8") for path in sorted(tmp_path.iterdir())]
    assert len(texts) == 5 and all(text.startswith("# ") for text in texts)
    assert not any(word in text for text in texts for word in ("distracting", "reworded", "fact_id"))


@pytest.mark.slow
def test_the_whole_study_is_written_as_evidence() -> None:
    levels = main()["lexical_check"]["levels"]
    plain, distracting = (levels[f"en page, en claim, {level}"] for level in ("plain", "distracting"))
    assert plain["supported"]["precision"]["low"] > distracting["supported"]["precision"]["high"]
