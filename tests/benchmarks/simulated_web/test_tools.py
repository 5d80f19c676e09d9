"""Search, open, budgets and failures."""

import math
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.simulated_web.search_index import K1, B, SearchIndex, words_of
from benchmarks.simulated_web.tools import Budget, Faults, Tools
from benchmarks.simulated_web.world import World
from workbench.schema.trajectory import ToolCall

TEXTS = [("Dam", "The dam is high and the dam is old"), ("Bridge", "A bridge near the dam"), ("Bread", "Rye and water")]


def naive_bm25(documents: list[tuple[str, str]], query: str) -> list[float]:
    """The formula written out, word by word and document by document."""
    bags = [Counter(words_of(title) * 2 + words_of(f"{title}\n{text}")) for title, text in documents]
    mean = sum(sum(bag.values()) for bag in bags) / len(bags)
    scores = []
    for bag in bags:
        score = 0.0
        for word in set(words_of(query)):
            n = sum(word in other for other in bags)
            idf = math.log(1 + (len(bags) - n + 0.5) / (n + 0.5))
            f = bag[word]
            score += idf * f * (K1 + 1) / (f + K1 * (1 - B + B * sum(bag.values()) / mean)) if f else 0.0
        scores.append(score)
    return scores


@given(st.lists(st.sampled_from(["dam", "old", "rye", "bridge", "near", "zebra"]), min_size=1, max_size=4))
def test_index_gives_the_scores_of_the_formula(words: list[str]) -> None:
    query = " ".join(words)
    hits, total = SearchIndex(TEXTS).search(query, top_k=10)
    expected = naive_bm25(TEXTS, query)
    assert {hit.place: hit.score for hit in hits} == pytest.approx(
        {place: round(score, 6) for place, score in enumerate(expected) if score > 0}
    )
    assert total == sum(score > 0 for score in expected)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@given(st.integers(0, 2**32), st.integers(1, 120))
def test_results_stand_in_the_order_of_scores_and_then_of_places(world: World, seed: int, top_k: int) -> None:
    rng = random.Random(seed)
    names = [entity.name for entity in world.graph.entities]
    query = " ".join(rng.sample([*names, "height", "length", "dam", "2025", "entry", "quick facts"], rng.randint(1, 4)))
    best, total = world.index.search(query, top_k=top_k)
    everything, _ = world.index.search(query, top_k=len(world.pages))
    assert len(everything) == total and best == everything[:top_k]
    assert everything == sorted(everything, key=lambda hit: (-hit.score, hit.place))


def test_search_finds_pages_about_a_name_first(world: World) -> None:
    entity = world.graph.entities[20]
    hits, _ = world.index.search(entity.name, top_k=3)
    assert all(entity.id in world.pages[hit.place].about for hit in hits)


def test_results_name_title_address_and_extract(world: World) -> None:
    tools = Tools(world)
    entity = world.graph.entities[20]
    text = tools.search(entity.name).text
    assert text.startswith(f'Results for "{entity.name}" (5 of ')
    assert len(tools.seen) == 5
    assert all(f"   URL: {url}\n" in text for url in tools.seen)


def test_open_shows_the_page_as_it_is(world: World) -> None:
    page = world.pages[100]
    tools = Tools(world)
    result = tools.open(page.url)
    assert not result.is_error
    assert result.text.startswith(f"# {page.title}\nURL: {page.url}\n") and result.text.endswith(page.text)
    assert tools.opened == [page]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (ToolCall("1", "open_page", "visit", {"url": "https://nowhere.example/x"}), "404"),
        (ToolCall("1", "open_page", "visit", {"link": "x"}), "needs a non-empty text 'url'"),
        (ToolCall("1", "search", "search", {"query": " "}), "needs a non-empty text 'query'"),
        (ToolCall("1", "search", "search", {"query": 7}), "found 7"),
        (ToolCall("1", "browse", "other", {}), "there is no tool 'browse'"),
    ],
)
def test_wrong_calls_are_results_that_say_what_is_wrong(world: World, call: ToolCall, says: str) -> None:
    result = Tools(world).call(call)
    assert result.is_error and says in result.text


def test_no_result_is_an_answer_and_no_error(world: World) -> None:
    result = Tools(world).search("xyzzy")
    assert not result.is_error and "No page matches" in result.text


def test_budget_counts_failed_calls_and_then_refuses(world: World) -> None:
    tools = Tools(world, Budget(calls=2))
    tools.open("https://nowhere.example/")
    tools.search("dam")
    refused = tools.search("dam")
    assert refused.is_error and "budget of 2 tool calls" in refused.text
    assert tools.used == 2


def test_faults_come_at_their_rate_and_the_same_each_time(world: World) -> None:
    def failures() -> list[bool]:
        tools = Tools(world, Budget(calls=400), Faults(20, "seed"))
        return [tools.search("dam").is_error for _ in range(400)]

    first = failures()
    assert first == failures()
    assert 50 < sum(first) < 110
