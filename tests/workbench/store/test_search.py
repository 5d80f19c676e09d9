"""Full-text search gives the same on both backends, in every script, and takes any text as a search."""

import contextlib
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.workbench.store.examples import example_trajectory, new
from workbench.errors import BadInputError
from workbench.schema.trajectory import Step, ToolResult
from workbench.store import Store, TrajectoryFilter
from workbench.store.rows import SortKey
from workbench.store.text.tokens import placed_tokens, tokens

REPORTS = (
    "The naïve Straße model; a lighthouse keeper's log, web_search.",
    "城市的海港有两座灯塔。カタカナ와 한국어를 쓴다.",
    "red " * 9000 + "final words here",
    "hid\u200bden and so\u00adft",
)


def ids_of(store: Store) -> list[str]:
    items = [new(example_trajectory(question=f"q{i}?", report=body, page=f"page {i}", attempt=i, run=f"run-{i % 2}"))
             for i, body in enumerate(REPORTS)]  # fmt: skip
    store.trajectories.add_batch(items)
    return [item.trajectory.id for item in items]


@pytest.mark.parametrize(
    ("searched", "expected"),
    [
        ("STRASSE naive\u0308", []), ("strasse NAI\u0308VE", [0]), ("report:light*", [0]), ("report:light", []),
        ('"lighthouse keeper\'s log"', [0]), ('"keeper lighthouse"', []), ("search report:web", [0]),
        ("report:海港", [1]), ("report:港", [1]), ("report:海灯", []), ("两座灯塔", [1]), ("タカ", [1]), ("한국", [1]),
        ("塔", [1]), ("report:final", [2]), ('"red final words"', [2]), ("hidden", [3]), ("soft", [3]),
        ("query:lighthouses", [0, 1, 2, 3]), ("result:vell -report:red", [0, 1, 3]), ('result:"page 2"', [2]),
        ("run:run-1 report:hidden", [3]), ("-run:run-0", [1, 3]), ("model:model-*", [0, 1, 2, 3]), ("model:m%", []),
        ("question:q1", [1]), ("query:vell", []),
    ],
)  # fmt: skip
def test_search_finds(store: Store, searched: str, expected: list[int]) -> None:
    ids = ids_of(store)
    assert [ids.index(found) for found in store.trajectories.ids(TrajectoryFilter(text=searched))] == expected


@pytest.mark.parametrize(
    ("searched", "said"),
    [
        ("%", "nothing to look for"), ('"open', "no closing quotation mark"), ('author:"x"', "no field 'author'"),
        ("-%", "no word"), ("report:", "no word"), ("run:", "names nothing"), ("a " * 33, "at most 32"),
        ('"' + "a " * 33 + '"', "at most 32"),
    ],
)  # fmt: skip
def test_search_that_cannot_be_read_is_a_sentence(sqlite_store: Store, searched: str, said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        sqlite_store.trajectories.ids(TrajectoryFilter(text=searched))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.text(alphabet=st.one_of(st.sampled_from("\"'*:-()^{}\\ANDOR|&!<>\x00ß中ｱ\u0301 "), st.characters()), max_size=25)
)
def test_any_text_is_a_search_or_a_sentence(store: Store, searched: str) -> None:
    with contextlib.suppress(BadInputError):
        store.trajectories.ids(TrajectoryFilter(text=searched))


@settings(max_examples=300)
@given(st.text(max_size=60))
def test_tokens_with_places_are_the_tokens(body: str) -> None:
    assert [word for word, _, _ in placed_tokens(body)] == tokens(body)
    assert all(0 <= start < end <= len(body) for _, start, end in placed_tokens(body))


def test_document_of_several_imports_is_found_in_each_trajectory(store: Store) -> None:
    store.trajectories.add_batch([new(example_trajectory(attempt=i)) for i in range(3)])
    store.trajectories.add_batch([new(example_trajectory(attempt=i)) for i in range(5)])
    assert len(store.trajectories.ids(TrajectoryFilter(text="result:harbour"))) == 5


def test_no_phrase_goes_from_one_text_into_the_next(store: Store) -> None:
    results = ("alpha beta", "gamma " * 300 + "delta", "", "城市的海", "港有两座", "x" * 450 + " omega")
    steps = tuple(Step("tool", tool_results=(ToolResult("", one),)) for one in results)
    store.trajectories.add_batch([new(replace(example_trajectory(report="beta gamma"), steps=steps))])

    def found(searched: str) -> int:
        return len(store.trajectories.ids(TrajectoryFilter(text=searched)))

    assert found('result:"alpha beta"') == found('result:"gamma gamma delta"') == found("result:" + "x" * 60 + "*") == 1
    assert found("result:城市的海") == found('result:"' + "x" * 450 + ' omega"') == found('report:"beta gamma"') == 1
    assert found('result:"beta gamma"') == found('"delta 城市"') == found("result:海港") == found('"海 港有"') == 0


@pytest.mark.parametrize(
    "searched", ["lighthouse*", "-report:red", "report:keeper run:run-0", '"page 2"', "vell -塔", "塔 page", "nowhere"]
)
@pytest.mark.parametrize("sort", ["imported", "report_chars"])
@pytest.mark.parametrize("descending", [False, True])
def test_page_of_a_search_is_a_part_of_the_whole(store: Store, searched: str, sort: SortKey, descending: bool) -> None:
    ids_of(store)
    whole = store.trajectories.ids(TrajectoryFilter(text=searched), sort=sort, descending=descending)
    for offset in range(5):
        page = store.trajectories.page(
            TrajectoryFilter(text=searched), sort=sort, descending=descending, offset=offset, limit=2
        )
        assert (tuple(row.id for row in page.items), page.total) == (whole[offset : offset + 2], len(whole))


def test_snippet_gives_field_step_and_offsets_in_the_stored_text(sqlite_store: Store) -> None:
    ids = ids_of(sqlite_store)
    (match,) = sqlite_store.trajectories.snippets(ids[3], "hidden")
    assert (match.field, REPORTS[3][match.start : match.end]) == ("report", "hid\u200bden")
    (match,) = sqlite_store.trajectories.snippets(ids[0], "query:lighthouses")
    assert (match.field, match.position, match.start, match.end) == ("query", 1, 4, 15)
    (match,) = sqlite_store.trajectories.snippets(ids[1], "result:page")
    assert (match.position, match.ordinal, match.excerpt) == (4, 0, "page 1")
    (match,) = sqlite_store.trajectories.snippets(ids[1], "两座灯塔")
    assert REPORTS[1][match.start : match.end] == "两座灯塔"
