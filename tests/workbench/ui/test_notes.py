"""Notes are written beside a trajectory, become a filter of the table, and the filter is kept under a name."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.workbench.store.examples import example_trajectory, new
from workbench.store import Store, TrajectoryFilter, open_store


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    url = f"sqlite:///{tmp_path / 'notes.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    made = open_store(url)
    made.trajectories.add_batch([new(example_trajectory(attempt=n)) for n in range(2)])
    return made


def show(name: str) -> AppTest:
    # Streamlit runs this text as a script of its own.
    return AppTest.from_string(
        f"""
import streamlit as st
from workbench.ui import routes
from workbench.ui.views.{name} import page
st.navigation(list(routes.pages().values()))
page()
""",
        default_timeout=30,
    )


def test_note_written_on_a_step_is_kept_and_shown(opened: Store) -> None:
    first, second = opened.trajectories.ids(TrajectoryFilter())
    app = show("trajectory")
    app.query_params["id"] = first
    app.query_params["step"] = "4"
    app.run()
    assert "None yet. A note of a kind becomes a filter" in " ".join(m.value for m in app.markdown)
    kind = next(box for box in app.selectbox if box.label == "Kind")
    kind.set_value("near_miss")
    next(area for area in app.text_area if area.label == "What you saw").input("opens the *right* page, reads past it")
    next(field for field in app.text_input if field.label == "By").input("rater-3")
    next(button for button in app.button if button.label == "Add").click().run()
    (note,) = opened.notes.of_trajectory(first)
    assert (note.kind, note.position, note.by) == ("near_miss", 4, "rater-3")
    shown = " ".join(m.value for m in app.markdown)
    assert "near miss" in shown and r"\*right\*" in shown  # a note is text, whatever it holds
    assert opened.notes.of_trajectory(second) == ()


def test_empty_note_is_refused_with_a_sentence(opened: Store) -> None:
    app = show("trajectory")
    app.query_params["id"] = opened.trajectories.ids(TrajectoryFilter())[0]
    app.run()
    next(button for button in app.button if button.label == "Add").click().run()
    (said,) = [error.value for error in app.error]
    assert "Not added" in said and "a mistake without words; write what you saw" in said


def test_table_is_filtered_by_a_kind_of_note_and_the_filter_is_kept(opened: Store) -> None:
    first, _ = opened.trajectories.ids(TrajectoryFilter())
    app = show("trajectory")
    app.query_params["id"] = first
    app.run()
    next(area for area in app.text_area if area.label == "What you saw").input("cites a page it never opened")
    next(button for button in app.button if button.label == "Add").click().run()

    table = show("trajectories")
    table.query_params["noted"] = "mistake"
    table.run()
    assert any("1 of 2" in m.value for m in table.markdown)
    next(field for field in table.text_input if field.label == "Name").input("mistakes")
    next(button for button in table.button if button.label == "Keep this filter").click().run()
    assert opened.notes.saved_filters() == {"mistakes": "noted=mistake"}

    other = show("trajectories")
    other.query_params["noted"] = "hack"
    other.run()
    assert any("0 of 2" in m.value for m in other.markdown)
