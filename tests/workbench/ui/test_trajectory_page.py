"""The page of one trajectory without a browser: its grades, its address, what it says when there is nothing."""

from pathlib import Path

import pytest

from tests.workbench.store.examples import example_trajectory, new
from tests.workbench.ui.pages import run_page, visible
from workbench.schema.grade import CriterionVerdict, Grade
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.ui.components.viewer.mount import LAST_SHOWN


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    url = f"sqlite:///{tmp_path / 'page.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    made = open_store(url)
    made.trajectories.add_batch([new(example_trajectory(attempt=n)) for n in range(2)])
    return made


def test_each_quote_of_a_grade_leads_to_its_own_words(opened: Store) -> None:
    first = opened.trajectories.ids(TrajectoryFilter())[0]
    # Two verdicts on one criterion: names are the judge's, and nothing keeps it from repeating one.
    said = (
        CriterionVerdict("facts", "met", 1.0, "stated", "two lighthouses"),
        CriterionVerdict("facts", None, None, "", "Vell has"),
    )
    opened.grades.add(first, Grade("judge", "v1", "case", "scored", 0.5, 0.5, "mean", verdicts=said))
    app = run_page("trajectory", id=first)
    assert "no verdict" in visible(app) and "two lighthouses" in visible(app)
    buttons = [button for button in app.button if button.label == "show ↑"]
    assert len(buttons) == 2
    buttons[1].click().run()
    assert not app.exception
    assert app.session_state["viewer-turn"] == 1


def test_unknown_trajectory_is_said_with_what_to_do(opened: Store) -> None:
    assert opened.runs.list()
    shown = visible(run_page("trajectory", id="t-ffff"))
    assert "no trajectory" in shown and "Open one from the Trajectories page" in shown


def test_step_of_another_trajectory_leaves_the_address_unless_a_link_named_it(opened: Store) -> None:
    first, second = opened.trajectories.ids(TrajectoryFilter())
    app = run_page("trajectory", id=first, step="2")
    assert app.query_params["step"] in ("2", ["2"])
    app.query_params["id"] = second
    app.run()
    assert "step" not in app.query_params
    app.session_state[LAST_SHOWN] = first
    app.query_params["id"], app.query_params["step"] = first, "4"
    app.run()
    assert app.query_params["step"] in ("4", ["4"])
