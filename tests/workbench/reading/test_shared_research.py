"""Queries and sites of several attempts as sets: what all have, what some share, what one alone found."""

from collections.abc import Sequence

from workbench.phases import analyse
from workbench.phases.near import MOST_QUERIES
from workbench.reading.shared_research import Asked, Research, query_sets, research_of, site_rows
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory


def attempt(queries: Sequence[str], pages: Sequence[str], report: str = "", broken: Sequence[str] = ()) -> Research:
    steps: list[Step] = []
    for n, query in enumerate(queries):
        steps.append(Step("assistant", tool_calls=(ToolCall(f"s{n}", "search", "search", {"query": query}),)))
        steps.append(Step("tool", tool_results=(ToolResult(f"s{n}", "1. Hit https://seen.example/hit"),)))
    for n, url in enumerate((*pages, *broken)):
        steps.append(Step("assistant", tool_calls=(ToolCall(f"v{n}", "visit", "visit", {"url": url}),)))
        steps.append(Step("tool", tool_results=(ToolResult(f"v{n}", "A page.", is_error=url in broken),)))
    made = Trajectory(question="Which?", question_id="q", run="r", model="m", steps=tuple(steps), report=report)
    return research_of(made, analyse(made).citations)


def test_near_duplicates_of_different_attempts_are_one_group() -> None:
    first = attempt(["height of the Halesrock Dam", "weather"], [])
    second = attempt(["The height of the Halesrock Dam", "height of the Halesrock Dam 1962", "塔里拉河 长度"], [])
    sets = query_sets([first, second])
    assert sets.near
    together, *rest = sets.groups
    assert together.holders == (0, 1) and together.name == "height of the Halesrock Dam"
    # A query that names another number asks another thing.
    assert [group.name for group in rest] == ["weather", "height of the Halesrock Dam 1962", "塔里拉河 长度"]
    assert [group.holders for group in rest] == [(0,), (1,), (1,)]


def test_query_asked_twice_stands_once_at_its_first_step() -> None:
    found = attempt(["Two lighthouses", "two  lighthouses?"], [])
    assert found.queries == (Asked("Two lighthouses", 0),)


def test_sites_say_who_opened_who_only_saw_and_who_cites() -> None:
    first = attempt(
        ["x"],
        ["https://a.example/1", "https://a.example/2", "https://www.a.example/1#top"],
        broken=["https://bad.example/"],
    )
    second = attempt([], ["https://a.example/1"], report="It holds ([b](https://b.example/p)).")
    rows = {row.site: row for row in site_rows([first, second])}
    assert next(iter(rows)) == "a.example"
    assert [len(pages) for pages in rows["a.example"].pages] == [2, 1]  # www and #top make no other page
    assert rows["a.example"].holders == (0, 1)
    assert rows["b.example"].cited == (False, True) and rows["b.example"].holders == ()
    assert rows["seen.example"].seen == (True, False)
    assert "bad.example" not in rows  # it came back as an error, and nothing else named it


def test_too_many_queries_are_grouped_by_exact_repeats_alone_and_it_is_said() -> None:
    many = attempt([f"query about thing number{n}x" for n in range(MOST_QUERIES + 1)], [])
    sets = query_sets([many, many])
    assert not sets.near and len(sets.groups) == MOST_QUERIES + 1
    assert all(group.holders == (0, 1) for group in sets.groups)


def test_nothing_searched_gives_empty_sets() -> None:
    assert query_sets([attempt([], []), attempt([], [])]).groups == ()
    assert site_rows([attempt([], [])]) == ()
