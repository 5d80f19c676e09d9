"""Queries, pages opened, sites seen, failures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workbench.phases.building import run
from workbench.phases import analyse
from workbench.phases.activity import distinct_queries, openings, queries_of, repeated_opens
from workbench.phases.calls import call_records
from workbench.phases.near import MOST_QUERIES, near_duplicate_count, near_duplicate_groups
from workbench.schema.canonical import JsonObject
from workbench.schema.trajectory import Step, TokenTrace, ToolCall, ToolKind, ToolResult, Trajectory


def _call(kind: ToolKind, arguments: JsonObject, id: str = "c1") -> ToolCall:
    return ToolCall(id, kind, kind, arguments)


def _visit(arguments: JsonObject, text: str | None, *, is_error: bool = False) -> Trajectory:
    steps = [Step(role="assistant", tool_calls=(_call("visit", arguments),))]
    if text is not None:
        steps.append(Step(role="tool", tool_results=(ToolResult("c1", text, is_error),)))
    return Trajectory("q", "q-1", "run", "model", tuple(steps), "")


@pytest.mark.parametrize(
    ("arguments", "queries"),
    [
        ({"query": "tides"}, ("tides",)),
        ({"Query": ["tides", "moons", " "]}, ("tides", "moons")),
        ({"queries": '["tides", "moons"]'}, ("tides", "moons")),
        ({"queries": [{"query": "tides", "n": 3}, {"query": "moons"}]}, ("tides", "moons")),
        ({"q": "[draft] tides"}, ("[draft] tides",)),
        ({"search_query": "tides", "lang": "en"}, ("tides",)),
        ({"origin": "JFK", "destination": "SEA"}, ("SEA JFK",)),
        ({"input": {"question": "tides?"}}, ("tides?",)),
        ({"max_results": 3}, ()),
        ({}, ()),
    ],
)
def test_queries_are_read_under_any_usual_key(arguments: JsonObject, queries: tuple[str, ...]) -> None:
    assert queries_of(_call("search", arguments)) == queries


def test_only_searches_have_queries() -> None:
    assert queries_of(_call("code", {"query": "select 1"})) == ()


def test_queries_that_differ_by_case_and_punctuation_are_one() -> None:
    activity = analyse(
        run(("search", "Tides, 2024", ""), ("search", "tides 2024?", ""), ("search", "moons", ""))
    ).activity
    assert (activity.queries, activity.distinct_queries) == (3, 2)


def test_near_duplicates_are_grouped_apart_and_numbers_keep_queries_apart() -> None:
    queries = ["high tide tables north sea", "tide tables high north sea", "high tide tables of north sea", "moons"]
    queries += ["inflation france 2023", "inflation france 2024", "潮汐表查询北海", "北海潮汐表查询"]
    assert near_duplicate_groups(queries) == ((0, 1, 2),)
    assert near_duplicate_groups(queries, similar=0.5) == ((0, 1, 2), (6, 7))
    assert near_duplicate_groups([]) == ()


def test_near_duplicates_agree_with_comparing_every_pair() -> None:
    words = ["tide", "moon", "sea", "north", "table", "2024"]
    queries = [" ".join(words[i] for i in range(6) if mask >> i & 1) for mask in range(1, 64)]
    grouped = {frozenset(group) for group in near_duplicate_groups(queries, similar=0.8)}
    bags = [frozenset(query.split()) for query in queries]
    near = {
        (i, j)
        for i in range(len(bags))
        for j in range(i)
        if len(bags[i] & bags[j]) >= 0.8 * len(bags[i] | bags[j]) and ("2024" in bags[i]) == ("2024" in bags[j])
    }
    assert near
    assert all(any({i, j} <= group for group in grouped) for i, j in near)
    assert all(any(i in pair for pair in near) for group in grouped for i in group)


def test_queries_that_only_vary_an_earlier_one_are_counted_apart_from_the_distinct() -> None:
    asked = ["high tide tables north sea", "High tide tables, north sea", "tide tables high north sea"]
    asked += ["high tide tables of north sea", "moons", "inflation france 2023", "inflation france 2024"]
    activity = analyse(run(*(("search", query, "") for query in asked))).activity
    # The second is the first; the third and fourth vary it; the two years ask two things.
    assert (activity.queries, activity.distinct_queries, activity.near_duplicate_queries) == (7, 6, 2)
    assert analyse(run(("report", "From memory."))).activity.near_duplicate_queries == 0


@given(st.lists(st.lists(st.sampled_from(["tide", "moon", "sea", "north", "table", "2024"]), max_size=5).map(" ".join)))
def test_near_duplicates_leave_one_of_each_group(queries: list[str]) -> None:
    distinct = distinct_queries(queries)
    count = near_duplicate_count(distinct)
    assert count is not None
    groups = near_duplicate_groups(distinct)
    assert count == sum(map(len, groups)) - len(groups)
    assert 0 <= count <= max(0, len(distinct) - 1)
    assert near_duplicate_count(tuple(reversed(distinct))) == count


def test_more_queries_than_are_compared_are_unknown_and_a_long_one_is_read_at_its_beginning() -> None:
    assert near_duplicate_count([f"moons of planet {i}" for i in range(MOST_QUERIES + 1)]) is None
    assert near_duplicate_count([f"moons of planet {i}" for i in range(MOST_QUERIES)]) == 0
    long = "tides " + "sea " * 100_000
    assert near_duplicate_count([long + "one", long + "two"]) == 1


def test_what_is_retrieved_again_is_a_share_and_unknown_where_nothing_was() -> None:
    first, second = "a" * 60, "b" * 140
    trajectory = run(
        ("search", "x", f"{first}\n{second}"),
        ("visit", "https://a.example/x", f"Error: 404\n{first}"),
        ("visit", "https://a.example/y", f"{first}\nshort\n{'c' * 40}"),
    )
    # 60 + 140 of the search, nothing of the page that failed, 60 + 40 of the other, of which 60 came before.
    assert analyse(trajectory).activity.redundancy == 60 / 300
    assert analyse(run(("search", "x", "short"))).activity.redundancy is None
    assert analyse(run(("report", "From memory."))).activity.redundancy is None


@given(st.lists(st.lists(st.integers(0, 4), max_size=6), max_size=5))
def test_redundancy_is_a_share_and_all_of_it_where_a_result_comes_twice(results: list[list[int]]) -> None:
    texts = ["\n".join(str(line) * 50 for line in lines) for lines in results]
    share = analyse(run(*(("search", "x", text) for text in texts))).activity.redundancy
    assert share is None or 0.0 <= share < 1.0
    if texts and texts[0]:
        twice = analyse(run(("search", "x", texts[0]), ("search", "x", texts[0]))).activity.redundancy
        assert twice == 0.5


def test_a_page_is_opened_once_it_comes_back_without_error() -> None:
    trajectory = _visit({"url": "https://www.a.example/x"}, "The highest tide was 4.2 m.")
    assert analyse(trajectory).activity.sites_opened == 1


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "Error: 404",
        "404\n===\n\nPage Not Found",
        "The provided webpage content could not be accessed.",
        '{"error": "timeout"}',
        "HTTP 403 Forbidden",
        "无法访问该页面",
    ],
)
def test_a_page_that_failed_is_not_opened(text: str | None) -> None:
    activity = analyse(_visit({"url": "https://a.example/x"}, text)).activity
    assert activity.sites_opened == 0
    assert activity.failed_calls == (text is not None)


def test_the_flag_of_the_source_is_believed() -> None:
    assert analyse(_visit({"url": "https://a.example/x"}, "Fine page.", is_error=True)).activity.failed_calls == 1


def test_a_long_page_that_speaks_of_errors_is_opened() -> None:
    page = "How to fix error 404 not found. " + "Servers answer in several ways. " * 80
    assert analyse(_visit({"url": "https://a.example/x"}, page)).activity.sites_opened == 1


def test_in_a_batch_only_the_pages_that_came_back_are_opened() -> None:
    batch = {"url": ["https://a.example/x", "https://b.example/y"]}
    text = (
        "The useful information in https://a.example/x as follows:\nHighest tide 4.2 m.\n=======\n"
        "The useful information in https://b.example/y as follows:\nEvidence in page:\n404\n===\nPage Not Found\n"
    )
    found = openings(call_records(_visit(batch, text)))
    assert [(opening.url, opening.opened) for opening in found] == [
        ("https://a.example/x", True),
        ("https://b.example/y", False),
    ]


def test_in_a_batch_without_telling_parts_every_page_is_opened() -> None:
    found = openings(call_records(_visit({"urls": ["https://a.example/x", "https://b.example/y"]}, "Both say 4.2 m.")))
    assert [opening.opened for opening in found] == [True, True]


@pytest.mark.parametrize(
    ("arguments", "text", "url"),
    [
        ({"link": "a.example/x"}, "Fine.", "https://a.example/x"),
        ({"id": "3", "target": "https://a.example/x"}, "Fine.", "https://a.example/x"),
        ({"id": 3}, "Title: Tides\nURL Source: https://a.example/x\n\nFine.", "https://a.example/x"),
    ],
)
def test_the_address_of_a_page_is_found_where_it_stands(arguments: JsonObject, text: str, url: str) -> None:
    assert [opening.url for opening in openings(call_records(_visit(arguments, text)))] == [url]


def test_a_page_opened_again_counts_as_repeated() -> None:
    trajectory = run(
        ("visit", "https://a.example/x", "Fine."),
        ("visit", "http://www.a.example/x/", "Fine."),
        ("visit", "https://a.example/y", "Fine."),
    )
    assert repeated_opens(openings(call_records(trajectory))) == 1
    assert analyse(trajectory).activity.repeated_opens == 1


def test_a_page_that_failed_first_is_opened_for_the_first_time_later() -> None:
    trajectory = run(
        ("visit", "https://a.example/x", "Error: 503"),
        ("visit", "https://a.example/x", "Fine."),
        ("visit", "https://a.example/x", "Error: 503"),
        ("visit", "https://a.example/x#top", "Fine."),
        ("visit", "https://a.example/x", "Fine."),
    )
    assert analyse(trajectory).activity.repeated_opens == 2


def test_sites_seen_are_those_of_searches_that_were_not_opened() -> None:
    listing = "1. [A](https://a.example/x)\n2. [B](https://www.b.example/y)\n3. [C](https://c.example/z)"
    trajectory = run(
        ("search", "tides", listing),
        ("visit", "https://a.example/x", "Links to https://d.example/w"),
        ("report", "See https://b.example/y."),
    )
    activity = analyse(trajectory).activity
    assert (activity.sites_opened, activity.sites_seen, activity.sites_cited) == (1, 2, 1)


def test_results_of_calls_that_share_an_id_are_matched_in_order() -> None:
    call = _call("visit", {"url": "https://a.example/x"}, id="same")
    again = _call("visit", {"url": "https://b.example/y"}, id="same")
    steps = (
        Step(role="assistant", tool_calls=(call,)),
        Step(role="tool", tool_results=(ToolResult("same", "Error: no"),)),
        Step(role="assistant", tool_calls=(again,)),
        Step(role="tool", tool_results=(ToolResult("same", "Fine."),)),
    )
    found = openings(call_records(Trajectory("q", "q-1", "run", "model", steps, "")))
    assert [opening.opened for opening in found] == [False, True]


def test_tokens_are_exact_only_where_every_step_was_traced() -> None:
    trace = TokenTrace((1, 2, 3), (1, 1, 1))
    traced = (Step(role="user", text="How high?"), Step(role="assistant", text="So high.", tokens=trace))
    exact = analyse(Trajectory("q", "q-1", "run", "model", traced, "So high.")).activity
    assert (exact.tokens, exact.tokens_exact) == (3, True)
    mixed = (*traced, Step(role="assistant", text="Again."))
    assert not analyse(Trajectory("q", "q-1", "run", "model", mixed, "Again.")).activity.tokens_exact


def test_evidence_is_what_tools_gave_back_without_failing() -> None:
    trajectory = run(("search", "a", "12345"), ("visit", "https://a.example/x", "Error: no"), ("code", "1", "678"))
    assert analyse(trajectory).activity.evidence_chars == 8
