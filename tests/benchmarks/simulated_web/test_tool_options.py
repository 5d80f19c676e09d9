"""Options of the tools, budgets of tokens and time, the kinds of faults: each does what it says, and off it does
nothing."""

import html
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.simulated_web.agents.research import Researcher
from benchmarks.simulated_web.authority import authority_of
from benchmarks.simulated_web.budget import PAGE_S, SEARCH_S, TIMEOUT_S, tokens_of
from benchmarks.simulated_web.environment import Episode
from benchmarks.simulated_web.gold import opened_pages
from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.search_index import SearchIndex
from benchmarks.simulated_web.spelling import Speller, within_one_edit
from benchmarks.simulated_web.tool_specs import TOOL_SPECS, tool_specs
from benchmarks.simulated_web.tools import Budget, Faults, Options, Tools
from benchmarks.simulated_web.world import World
from workbench.errors import BadInputError
from workbench.schema.trajectory import ToolCall

ROOMY = Budget(calls=500)
WORDS = st.text("abcd", min_size=0, max_size=5)


def edits(word: str) -> set[str]:
    """Every word over the letters that one edit makes, by definition."""
    splits = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    found = {a + b[1:] for a, b in splits if b} | {a + b[1] + b[0] + b[2:] for a, b in splits if len(b) > 1}
    found |= {a + c + b for a, b in splits for c in "abcd"}
    return found | {a + c + b[1:] for a, b in splits if b for c in "abcd"}


@given(WORDS, WORDS)
def test_one_edit_is_what_its_definition_says(one: str, other: str) -> None:
    assert within_one_edit(one, other) == (other == one or other in edits(one))


@given(st.dictionaries(st.text("abcd", min_size=3, max_size=6), st.integers(1, 9), min_size=1), WORDS)
def test_speller_gives_the_commonest_of_the_near_words(known: dict[str, int], word: str) -> None:
    near = [k for k in known if len(k) >= 4 and within_one_edit(word, k)]
    right = word in known or len(word) < 4 or not near
    assert Speller(known).put_right(word) == (word if right else min(near, key=lambda k: (-known[k], k)))


def test_another_year_or_figure_is_no_slip_of_the_finger() -> None:
    speller = Speller({"2025": 4, "1480": 2, "bridge": 9})
    assert [speller.put_right(word) for word in ("2015", "1490", "brigde")] == ["2015", "1490", "bridge"]


@pytest.mark.parametrize("slip", ["drop", "double", "swap", "other"])
def test_a_misspelt_name_finds_its_pages_where_that_is_switched_on(world: World, slip: str) -> None:
    found = {True: 0, False: 0}
    for entity in world.graph.entities:
        root = entity.root.lower()
        at = len(root) // 2
        wrong = {
            "drop": root[:at] + root[at + 1 :],
            "double": root[:at] + root[at] + root[at:],
            "swap": root[:at] + root[at + 1] + root[at] + root[at + 2 :],
            "other": root[:at] + "x" + root[at + 1 :],
        }[slip]
        for typos in found:
            tools = Tools(world, options=Options(typos=typos))
            text = tools.search(wrong).text
            found[typos] += bool(tools.seen) and entity.id in world.page[tools.seen[0]].about
            assert (f'"{wrong}" read as "{root}"' in text) <= typos
    assert found[False] <= 2 and found[True] >= 0.9 * len(world.graph.entities)


def test_pages_of_results_join_to_the_whole_list(world: World) -> None:
    whole, total = world.index.search("bridge length", top_k=len(world.pages))
    tools = Tools(world, ROOMY, options=Options(paging=True))
    for number in range(1, -(-total // 5) + 1):
        text = tools.search("bridge length", page=number).text
        first = 5 * (number - 1) + 1
        assert re.findall(r"^(\d+)\. ", text, re.M) == [str(n) for n in range(first, min(first + 5, total + 1))]
    assert tools.seen == [world.pages[hit.place].url for hit in whole]
    past = tools.search("bridge length", page=10**6)
    assert not past.is_error and f"there are {total}" in past.text


@pytest.mark.parametrize("page", [0, -1, 1.5, "2", True, None])
def test_a_page_that_is_no_number_from_one_is_refused(world: World, page: object) -> None:
    call = ToolCall("1", "search", "search", {"query": "dam", "page": page})  # type: ignore[dict-item]
    result = Tools(world, options=Options(paging=True)).call(call)
    assert result.is_error and "whole number from 1" in result.text


def test_find_gives_the_passages_of_an_opened_page_that_hold_the_words(world: World) -> None:
    page = next(page for page in world.pages if len(page.statements) > 1 and "|" not in page.text)
    sentence = page.statements[0].sentence
    tools = Tools(world, options=Options(find=True))
    assert "open it with open_page first" in tools.find(page.url, "x").text
    whole = tools.open(page.url)
    found = tools.find(page.url, sentence)
    assert not found.is_error and sentence in found.text and len(found.text) < len(whole.text)
    shuffled = " ".join(reversed(sentence.strip(".").split()))
    assert sentence in tools.find(page.url, shuffled).text
    missing = tools.find(page.url, "xyzzy")
    assert not missing.is_error and "is not on" in missing.text
    assert tools.opened == [page]


def test_authority_raises_sites_by_what_an_engine_sees_and_never_by_the_truth(world: World) -> None:
    regard = authority_of(world)
    assert regard.min() > 0 and regard.max() <= 1
    by_site = {page.site: regard[i] for i, page in enumerate(world.pages)}
    of_kind = {site.host: site.kind for site in world.sites}
    registries, forums = ([r for s, r in by_site.items() if of_kind[s] == kind] for kind in ("registry", "forum"))
    assert min(registries) > max(forums)

    def mean_regard(authority: int) -> float:
        tools = Tools(world, ROOMY, options=Options(authority=authority))
        for entity in world.graph.entities:
            tools.search(entity.name)
        return float(sum(by_site[world.page[url].site] for url in tools.seen) / len(tools.seen))

    assert mean_regard(0) < mean_regard(50) < mean_regard(200)


def test_raised_scores_are_ranked_as_the_products_are() -> None:
    import numpy as np

    index = SearchIndex([("A", "dam dam"), ("B", "dam"), ("C", "dam and more words here")])
    plain, _ = index.search("dam", top_k=3)
    raised = np.array([1.0, 1.0, 9.0])
    hits, total = index.search("dam", top_k=3, raised=raised)
    scores = {hit.place: hit.score for hit in plain}
    assert total == 3 and [hit.place for hit in hits] == sorted(scores, key=lambda p: (-scores[p] * raised[p], p))


def test_specifications_offer_what_is_switched_on_and_nothing_else(world: World) -> None:
    few, more = (json.loads(json.dumps(specs)) for specs in (TOOL_SPECS, tool_specs(Options(paging=True, find=True))))
    parameters = [[spec["function"]["parameters"] for spec in specs] for specs in (few, more)]
    assert [list(p["properties"]) for p in parameters[0]] == [["query"], ["url"]]
    assert [list(p["properties"]) for p in parameters[1]] == [["query", "page"], ["url"], ["url", "text"]]
    assert [p["required"] for p in parameters[1]] == [["query"], ["url"], ["url", "text"]]
    off = Tools(world).find(world.pages[0].url, "x")
    assert off.is_error and "the tools are search and open_page" in off.text


def test_tokens_are_counted_by_script() -> None:
    assert [tokens_of(text) for text in ("", "abcd", "abcde", "长度为", "length 长度")] == [0, 1, 2, 3, 4]


def test_answers_past_the_tokens_are_refused_whole_and_the_page_is_not_read(world: World) -> None:
    page = max(world.pages, key=lambda page: len(page.text))
    tools = Tools(world, Budget(tokens=tokens_of(page.text) // 2))
    refused = tools.open(page.url)
    assert refused.is_error and "the budget has" in refused.text and tools.opened == []
    small = min(world.pages, key=lambda page: len(page.text))
    assert not tools.open(small.url).is_error and tools.meter.tokens > 0
    tools.meter.tokens = tools.budget.tokens or 0
    assert tools.calls_left == 0 and "tokens is used up" in tools.open(small.url).text


def test_time_is_that_of_the_web_and_with_a_clock_the_agents_own_too(world: World) -> None:
    tools = Tools(world, Budget(seconds=SEARCH_S + PAGE_S / 2))
    tools.search("dam")
    assert tools.meter.seconds == SEARCH_S and tools.calls_left
    tools.open(world.pages[0].url)
    assert tools.calls_left == 0 and "seconds is used up" in tools.search("dam").text
    now = [100.0]
    watched = Tools(world, Budget(seconds=60), clock=lambda: now[0])
    now[0] = 159.0
    assert not watched.search("dam").is_error
    now[0] = 160.0
    assert watched.search("dam").is_error


def test_a_time_out_costs_the_time_that_is_waited(world: World) -> None:
    tools = Tools(world, faults=Faults(timeout=100))
    assert tools.search("dam").is_error and tools.meter.seconds == TIMEOUT_S


@pytest.mark.parametrize("kind", ["timeout", "forbidden", "empty", "changed"])
def test_each_kind_of_fault_comes_at_its_own_rate_and_shows_as_it_should(world: World, kind: str) -> None:
    struck = 0
    rate: Any = {kind: 30}
    tools = Tools(world, ROOMY, Faults(seed="s", **rate))
    for page in world.pages[:300]:
        result = tools.open(page.url)
        shown = {
            "timeout": result.is_error and "timed out" in result.text,
            "forbidden": result.is_error and "403" in result.text,
            "empty": not result.is_error and result.text == "",
            "changed": result.text.startswith("<!doctype html>"),
        }
        struck += shown[kind]
        assert sum(shown.values()) == shown[kind]
        if kind == "changed":
            told = html.unescape(re.sub("<[^>]+>", " ", result.text)).split()
            assert page.text.split() == told[-len(page.text.split()) :]
    assert 60 < struck < 120  # five standard errors around 90


def test_a_page_that_refuses_goes_on_refusing_and_searches_are_never_refused(world: World) -> None:
    tools = Tools(world, ROOMY, Faults(forbidden=100, seed="s"))
    assert all("403" in tools.open(world.pages[0].url).text for _ in range(3))
    assert not tools.search("dam").is_error and tools.opened == []


def test_results_in_another_format_are_the_same_results(world: World) -> None:
    plain, odd = Tools(world), Tools(world, faults=Faults(changed=100))
    plain.search("dam")
    items = json.loads(odd.search("dam").text)["items"]
    assert [item["link"] for item in items] == plain.seen == odd.seen


def test_an_empty_answer_says_nothing_of_a_fault(world: World) -> None:
    tools = Tools(world, faults=Faults(empty=100))
    assert tools.search("dam").text == 'No page matches "dam".' and tools.seen == []


@pytest.mark.parametrize("rates", [{"timeout": 101}, {"empty": -1}])
def test_a_rate_that_is_no_percentage_is_refused(rates: Any) -> None:
    with pytest.raises(BadInputError, match="expected 0 to 100"):
        Faults(**rates)


def test_kept_answers_take_no_time_and_cannot_fail_and_count_as_calls(world: World) -> None:
    faults = Faults(timeout=40, seed="s")
    for cache in (False, True):
        tools = Tools(world, ROOMY, faults, Options(cache=cache))
        answers = [tools.search("dam") for _ in range(60)]
        failed = [answer.is_error for answer in answers]
        if cache:
            assert not any(failed[failed.index(False) :]) and tools.meter.seconds == TIMEOUT_S * sum(failed) + SEARCH_S
        else:
            assert 10 < sum(failed) < 40
        assert tools.used == 60 and len({a.text for a in answers if not a.is_error}) == 1


def test_a_scripted_agent_reads_other_formats_and_learns_nothing_from_empty_pages(
    world: World, questions: tuple[Question, ...]
) -> None:
    entity = world.graph.entities[20]
    learnt = {}
    for kind in ("none", "changed", "empty_pages"):
        faults = Faults(changed=100) if kind == "changed" else Faults()
        episode = Episode(world, questions[1], ROOMY, faults=faults)
        researcher = Researcher(episode, Rng("r"))
        urls = [result.url for result in researcher.search(entity.name)]
        if kind == "empty_pages":
            episode.tools.faults = Faults(empty=100)
        researcher.open(*urls)
        learnt[kind] = [page.url for page in researcher.notebook.pages]
        episode.finish("# None")
        assert [page.url for page in opened_pages(world, episode.trajectory(run="r", model="m"))] == learnt[kind]
    assert learnt["changed"] == learnt["none"] and len(learnt["none"]) == 5 and learnt["empty_pages"] == []
