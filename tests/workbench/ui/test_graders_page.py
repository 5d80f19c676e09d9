"""The Graders page: what a grading would take before it is started, and the newest version of a grader first."""

from pathlib import Path

import pytest

from graders.registry import load_grader
from graders.runner import grade_run
from tests.graders.helpers import put, trajectory
from tests.workbench.ui.pages import run_page, visible
from workbench.schema.grade import Grade
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.jobs.handle import NullJob
from workbench.ui.components.grades.start import Asked

QUESTIONS = 3


@pytest.fixture
def graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """One run, graded by citations."""
    url = f"sqlite:///{tmp_path / 'graders.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    store = open_store(url)
    put(store, [trajectory(n) for n in range(QUESTIONS)])
    grade_run(store, load_grader("citations", store=store), TrajectoryFilter(), job=NullJob())
    return store


def test_what_a_grading_takes_is_said_before_it_is_started(graded: Store) -> None:
    app = run_page("graders")
    next(button for button in app.button if button.label == "What would it take?").click().run()
    assert not app.exception
    said = visible(app).replace("\\", "").replace("\u2060", "")
    assert f"citation-support on {QUESTIONS} reports" in said
    assert f"{QUESTIONS} of {QUESTIONS} grades are to be made" in said
    assert "calls: 0" in said
    assert graded.jobs.list() == ()
    assert graded.grades.graders()[0].n_scored == QUESTIONS


@pytest.mark.usefixtures("graded")
def test_a_plan_that_cannot_be_made_says_why() -> None:
    app = run_page("graders")
    app.selectbox(key="grade-grader").set_value("rubric file or path/file.py:Object").run()
    app.text_input(key="grade-path").set_value("nowhere/rubric.yaml").run()
    next(button for button in app.button if button.label == "What would it take?").click().run()
    assert not app.exception
    assert [error.value for error in app.error] and "nowhere/rubric.yaml" in app.error[0].value.replace("\\", "")


def test_a_form_filled_in_is_the_verb_that_a_shell_would_take() -> None:
    asked = Asked("a", "rubric.yaml", "m", "http://127.0.0.1:1/v1", first=5, repeats=2, spend_usd=1.5)
    assert asked.arguments() == [
        "grade", "--grader", "rubric.yaml", "--run", "a", "--model", "m", "--base-url", "http://127.0.0.1:1/v1",
        "--limit", "5", "--repeats", "2", "--spend-limit", "1.5",
    ]  # fmt: skip
    bare = Asked("a", "citations", "", "", first=0, repeats=1, spend_usd=0.0)
    assert bare.arguments() == ["grade", "--grader", "citations", "--run", "a"]


def test_the_newest_version_of_a_grader_is_shown_and_older_ones_are_folded(graded: Store) -> None:
    ids = graded.trajectories.ids(TrajectoryFilter())
    for version, n in (("a" * 64, 3), ("b" * 64, 1)):
        graded.grades.register("mine", version, "callable", {"version": version})
        graded.grades.add_many([(i, Grade("mine", version, "h", "scored", score=0.5)) for i in ids[:n]])
    app = run_page("graders")
    (folded,) = [expander for expander in app.expander if "older" in expander.label]
    assert folded.label == "1 older version of mine"
    assert any("aaaaaaaa" in element.value for element in folded.markdown)
    assert not any("bbbbbbbb" in element.value for element in folded.markdown)
