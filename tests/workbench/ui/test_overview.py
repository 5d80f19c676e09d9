"""The Overview: every figure with its interval, the split over phases, and a sentence with the rows behind it."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.sample.plan import SamplePlan
from benchmarks.sample_store import build_sample_store
from benchmarks.simulated_web.agents import SAMPLE
from tests.workbench.store.examples import example_trajectory, new
from tests.workbench.ui.pages import run_page, visible
from workbench.phases import analyse, phase_totals
from workbench.schema.grade import Grade
from workbench.store import NewTrajectory, Store, TrajectoryFilter, open_store
from workbench.store.jobs import NullJob
from workbench.ui import data

SMALL = SamplePlan(questions=8, attempts=2, stressed_reports=0, agents=tuple(SAMPLE))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('overview') / 'sample.db'}"
    with open_store(url) as store:
        build_sample_store(store, job=NullJob(), plan=SMALL)
    return url


@pytest.fixture
def store(sample: str, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("WORKBENCH_STORE", sample)
    return open_store(sample)


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    url = f"sqlite:///{tmp_path / 'few.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    return open_store(url)


def links(app: AppTest) -> list[tuple[str, str]]:
    return [(link.proto.label, link.proto.query_string) for link in app.get("page_link")]


def test_empty_store_says_what_to_do(empty: Store) -> None:
    assert empty
    assert "No trajectory is in this store yet" in visible(run_page("overview"))


def test_means_have_an_interval_and_how_many_they_are_of(store: Store) -> None:
    text = visible(run_page("overview", grader="gold"))
    columns = store.trajectories.columns(TrajectoryFilter(run="sim-broad", grader="gold"))
    mean = sum(columns["sites_opened"]) / len(columns["id"])
    strip = re.search(rf"sites opened<b>{mean:.1f}</b>\[[\d.]+, [\d.]+\] n={len(columns['id'])}", text)
    assert strip is not None


def test_effort_is_split_over_the_phases_and_time_that_is_not_recorded_is_no_zero(empty: Store) -> None:
    items = [example_trajectory(question=f"Question {n}?") for n in range(3)]
    empty.trajectories.add_batch([NewTrajectory(one, analyse(one), b"{}", "x") for one in items])
    text = visible(run_page("overview"))
    assert re.search(r"aria-label='plan [\d.]+% \[.*research .*synthesis .*n=3'", text)
    assert "not recorded" not in text  # the example's second step has its time
    empty.trajectories.add_batch([new(example_trajectory(run="untimed"))])
    assert "<span>time</span><em>not recorded</em>" in visible(run_page("overview"))


def test_sentence_leads_to_the_rows_behind_it(store: Store) -> None:
    app = run_page("overview", grader="gold")
    assert "citations name an address that the run never retrieved" in visible(app)
    shown = [query for label, query in links(app) if label == "Show them →"]
    assert any("run=sim-fabricating" in query and "retrieval=not_retrieved" in query for query in shown)
    assert store


def test_an_import_is_seen_at_once(empty: Store) -> None:
    empty.trajectories.add_batch([new(example_trajectory(attempt=n)) for n in range(2)])
    assert "2 trajectories in 1 runs" in visible(run_page("overview"))
    empty.trajectories.add_batch([new(example_trajectory(attempt=n)) for n in range(2, 5)])
    assert "5 trajectories in 1 runs" in visible(run_page("overview"))


def test_corrections_of_a_person_are_in_the_totals(empty: Store) -> None:
    made = example_trajectory()
    (identifier,) = empty.trajectories.add_batch([NewTrajectory(made, analyse(made), b"{}", "x")]).ids
    for position, phase in ((1, "plan"), (4, "synthesis"), (5, "plan"), (5, "synthesis")):
        empty.trajectories.correct_phase(identifier, position, phase, by="a rater")  # type: ignore[arg-type]
    rows = data.whole(None).rows
    expected = phase_totals(empty.trajectories.steps(identifier), empty.trajectories.analysis(identifier).phases)
    for phase, totals in expected.items():
        for name in ("steps", "tokens", "tool_calls", "duration_s"):
            found = float(rows[f"{phase}_{name}"].iloc[0])
            wanted = getattr(totals, name)
            assert (found != found) if wanted is None else found == pytest.approx(wanted), (phase, name)


def test_many_runs_are_shown_some_at_a_time(empty: Store) -> None:
    empty.trajectories.add_batch([new(example_trajectory(run=f"run-{n:02}")) for n in range(14)])
    app = run_page("overview", page="2")
    assert "Runs 13 to 14 of 14" in visible(app)
    assert {query.split("run=")[1] for label, query in links(app) if label == "1 trajectories →"} == {
        "run-12",
        "run-13",
    }


def test_graded_questions_are_drawn_with_the_question_in_words(empty: Store) -> None:
    ids = empty.trajectories.add_batch([new(example_trajectory(question=f"Question {n}?")) for n in range(3)]).ids
    for identifier in ids:
        empty.grades.add(identifier, Grade("judge", "v", "c", "scored", score=0.5, raw=0.5))
    app = run_page("overview")
    (chart,) = app.get("plotly_chart")
    assert "Question 2?" in chart.proto.spec and "score by judge" in chart.proto.spec
