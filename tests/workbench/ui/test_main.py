"""The whole app without a browser: what stands on the first page in each state, and what empty pages tell one to do."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.support.servers import CHECKOUT
from tests.workbench.store.examples import example_trajectory, new
from tests.workbench.ui.pages import run_page, visible
from workbench.errors import StoreError
from workbench.schema.grade import Grade
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.ui.views import overview


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    url = f"sqlite:///{tmp_path / 'states.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    monkeypatch.delenv("WORKBENCH_PASSWORD", raising=False)
    return open_store(url)


def main_page() -> str:
    app = AppTest.from_file(str(CHECKOUT / "workbench" / "ui" / "main.py"), default_timeout=60).run()
    assert not app.exception, [found.value for found in app.exception]
    return visible(app)


def test_an_empty_store_says_how_to_fill_it(store: Store) -> None:
    assert store.runs.list() == ()
    text = main_page()
    assert "No trajectory is in this store yet." in text and "<code>make demo</code>" in text


def test_one_run_without_a_grade_says_how_to_grade_it(store: Store) -> None:
    store.trajectories.add_batch([new(example_trajectory(run="first run"))])
    text = main_page()
    assert "first run" in text
    assert "not measured" in text and "No grade yet." in text and "Graders page" in text


def test_a_graded_run_shows_its_score(store: Store) -> None:
    store.trajectories.add_batch([new(example_trajectory(attempt=n)) for n in range(3)])
    for n, identifier in enumerate(store.trajectories.ids(TrajectoryFilter())):
        store.grades.add(identifier, Grade("judge", "v1", f"case-{n}", "scored", score=0.25 * (n + 1), raw=1.0))
    text = main_page()
    assert "0.50" in text and "No grade yet." not in text


def test_a_run_whose_name_is_markup_is_shown_as_it_is_written(store: Store) -> None:
    store.trajectories.add_batch([new(example_trajectory(run=":red[x] **b** \u202e"))])
    assert r"\:" + "\u2060" + r"red\[x\] \*\*b\*\* ⟨U\+202E⟩" in main_page()


def test_an_error_of_the_input_is_said_as_it_is(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise StoreError("the database does not answer; is it running?")

    assert store is not None
    monkeypatch.setattr(overview, "page", away)
    text = main_page()
    assert "the database does not answer; is it running?" in text and "defect" not in text


def test_a_defect_is_named_without_what_it_said_and_the_rest_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("a secret of the server")

    assert store is not None
    monkeypatch.setattr(overview, "page", broken)
    text = main_page()
    assert "This part of Overview could not be drawn" in text and "RuntimeError" in text
    assert "nothing stored is harmed" in text and "a secret" not in text


def test_app_py_alone_draws_nothing_and_raises_nothing(store: Store) -> None:
    assert store is not None
    app = AppTest.from_file(str(CHECKOUT / "app.py"), default_timeout=60).run()
    assert not app.exception and visible(app).strip() == ""


@pytest.mark.parametrize(
    ("page", "says", "remedy"),
    [
        ("trajectories", "No trajectory is in this store yet.", "Jobs page"),
        ("trajectory", "", "Open one from the Trajectories page."),
        ("compare", "No trajectory is in this store yet.", "Jobs page"),
        ("phases", "No trajectory", "Jobs page"),
        ("diagnosis", "No run was diagnosed yet.", "workbench diagnose"),
        ("graders", "Nothing was graded yet.", "workbench grade"),
        ("grade", "", "Open one from the Graders page."),
        ("stress", "No grader was stressed yet.", "workbench stress"),
        ("rate", "No round", "ballots import"),
        ("reward", "No rollout is in this store yet.", "Jobs page"),
        ("training", "No training run yet.", "Reward page"),
        ("jobs", "No job yet.", "Imports"),
    ],
)
def test_an_empty_page_says_what_to_do(store: Store, page: str, says: str, remedy: str) -> None:
    assert store.runs.list() == ()
    text = visible(run_page(page))
    assert says in text and remedy in text


def test_a_failed_job_says_why_and_can_be_resumed(store: Store) -> None:
    job = store.jobs.create("import", ["import", "/nowhere/*.jsonl"])
    with store.jobs.attach(job.id) as handle:
        handle.log("looking at <b>files</b>")
        handle.fail("no file matches /nowhere/*.jsonl; check the path")
    app = run_page("jobs", job=job.id)
    assert any("no file matches" in error.value for error in app.error)
    assert any(button.label == "Resume" for button in app.button)
    assert any("looking at <b>files</b>" in code.value for code in app.code)
