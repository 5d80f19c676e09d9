"""What the viewer fetches: parts of one trajectory, for whoever holds its token, in windows, uncut where asked."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.workbench.store.examples import PAGE, example_trajectory, new
from workbench.schema.trajectory import Step, ToolCall, ToolResult
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.ui.components.viewer.bodies import FOLD_IN_COLUMN, FOLD_IN_STEP
from workbench.ui.components.viewer.finding import find
from workbench.ui.components.viewer.serving import MOST_STEPS, ROUTES, token_for


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    url = f"sqlite:///{tmp_path / 'served.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    made = open_store(url)
    steps = [
        *example_trajectory().steps,
        *(
            Step("assistant", text=f"thought {n}", tool_calls=(ToolCall(f"x{n}", "visit", "visit", {"n": 2**70}),))
            for n in range(600)
        ),
        Step("tool", tool_results=(ToolResult("x599", "left\u202eright \x1b[31m"),)),
    ]
    made.trajectories.add_batch([new(replace(example_trajectory(), steps=tuple(steps)))])
    return made


@pytest.fixture
def name(opened: Store) -> str:
    return opened.trajectories.ids(TrajectoryFilter())[0]


def get(name: str, part: str, query: dict[str, Any] | None = None, *, token: str = "") -> Any:
    with TestClient(Starlette(routes=ROUTES)) as client:
        return client.get(f"/viewer/{token or token_for(name)}/{name}/{part}", params=query or {})


def test_nothing_is_served_without_the_token_of_this_trajectory(name: str) -> None:
    for token in ("0" * 32, token_for("t-another")):
        reply = get(name, "columns", token=token)
        assert reply.status_code == 403
        assert "load this page again" in reply.json()["error"]


def test_map_of_all_steps_has_a_sign_for_each(opened: Store, name: str) -> None:
    found = get(name, "columns").json()
    columns = opened.trajectories.step_columns(name)
    assert found["glyph"][:6] == "ustvta" and set(found["glyph"][6:-1]) == {"v"}
    assert found["phase"][:6] == "prrrrs"
    assert (found["words"], found["results"]) == (columns.words, columns.results)
    assert found["errors"] == [4]
    assert [found["tools"][n] if n >= 0 else "" for n in found["tool"][:6]] == ["", "search", "", "visit", "", ""]


def test_windows_follow_one_another_without_a_gap(name: str) -> None:
    first = get(name, "steps", {"from": 0, "to": 10_000}).json()
    rest = get(name, "steps", {"from": MOST_STEPS, "to": 10_000}).json()
    assert [step["n"] for step in first + rest] == list(range(607))
    assert len(get(name, "rows", {"from": 100, "to": 300}).json()) == 200
    own = get(name, "steps", {"from": 0, "to": 10, "only": "own"}).json()
    assert [step["n"] for step in own] == [1, 3, 5, 6, 7, 8, 9]


def test_long_body_is_folded_in_a_window_and_whole_in_its_step(name: str) -> None:
    folded = get(name, "steps", {"from": 4, "to": 5}).json()[0]["results"][0]
    whole = get(name, "step", {"n": 4}).json()["results"][0]
    assert (folded["text"], folded["folded"], folded["chars"]) == (PAGE[: FOLD_IN_COLUMN[1]], True, len(PAGE))
    assert whole["text"] == PAGE and "folded" not in whole


def test_step_opened_from_a_citation_comes_in_three_parts(name: str) -> None:
    found = get(name, "step", {"n": 4, "cite": 0}).json()["results"][0]
    assert found["parts"] == ["", PAGE[:40], PAGE[40:]]
    assert get(name, "passage", {"cite": 0}).json()["match"] == PAGE[:40]
    assert get(name, "passage", {"cite": 1}).json() is None


def test_very_long_body_comes_whole_when_it_is_unfolded_with_its_marked_words(opened: Store) -> None:
    page = PAGE + "x" * 3 * FOLD_IN_STEP[1]
    long = example_trajectory(page=page, attempt=1)
    opened.trajectories.add_batch([new(long)])
    first = get(long.id, "step", {"n": 4}).json()["results"][0]
    assert (first["text"], first["folded"], first["chars"]) == (page[: FOLD_IN_STEP[1]], True, len(page))
    near = get(long.id, "step", {"n": 4, "cite": 0}).json()["results"][0]
    assert near["folded"] and "".join(near["parts"]) == page[: 40 + FOLD_IN_STEP[1] // 2]
    whole = get(long.id, "step", {"n": 4, "cite": 0, "whole": 1}).json()["results"][0]
    assert "".join(whole["parts"]) == page and "folded" not in whole


def test_what_is_hidden_in_a_step_is_spelt_out(name: str) -> None:
    text = get(name, "step", {"n": 606}).json()["results"][0]["text"]
    assert "\u202e" not in text and "\x1b" not in text and "U+202E" in text


@pytest.mark.parametrize(
    ("part", "query", "status", "said"),
    [
        ("cover", {}, 404, "no part 'cover'"),
        ("step", {"n": 5000}, 404, "no step 5000"),
        ("step", {"n": "-1"}, 400, "expected a whole number"),
        ("step", {"n": "²"}, 400, "expected a whole number"),
        ("rows", {"from": 0}, 400, "to is ''"),
        ("passage", {"cite": 99}, 404, "no citation 99"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(
    name: str, part: str, query: dict[str, Any], status: int, said: str
) -> None:
    reply = get(name, part, query)
    assert reply.status_code == status
    assert said in reply.json()["error"]


def test_words_are_found_where_they_stand_whatever_the_blanks(opened: Store, name: str) -> None:
    position, mark = find(opened, name, "HARBOUR  of\nVell") or (None, None)
    assert position == 4 and mark is not None
    assert PAGE[mark.start : mark.end] == "harbour of Vell"
    found = get(name, "find", {"words": "thought 599", "after": 20}).json()
    assert (found["step"], found["place"], found["start"]) == (605, "text", 0)
    assert get(name, "find", {"words": "thought 599", "after": 605}).json() is None
    assert get(name, "find", {"words": "  "}).json() is None


def test_research_groups_queries_and_tells_what_became_of_sites(name: str) -> None:
    found = get(name, "research").json()
    assert found["queries"] == [[{"text": "two lighthouses", "step": 1}]]
    site = next(site for site in found["sites"] if site["site"] == "vell.example")
    assert (site["cited"], [page["step"] for page in site["pages"]]) == (True, [3])
    assert found["breadth"] == {"queries": [1], "sites": [3]}
