"""`workbench phases`: distributions by run, corrections that survive, analyses made anew."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.workbench.phases.building import report_only, run
from workbench.cli._phases import spread
from workbench.cli.main import main
from workbench.phases import RULES_VERSION, analyse
from workbench.schema.trajectory import Trajectory
from workbench.store import NewTrajectory, Store

PAGE = "https://a.example/x"
SEARCHED = run(("search", "tides", f"[A]({PAGE}) rose by 4.2 m"), ("report", f"It rose by 4.2 m ({PAGE})."))
ALONE = replace(report_only(f"It rose ({PAGE})."), run="reports")


@pytest.fixture
def url(sqlite_store: Store) -> str:
    _add(sqlite_store, SEARCHED)
    _add(sqlite_store, ALONE)
    return sqlite_store.url


def _add(store: Store, trajectory: Trajectory, version: str = RULES_VERSION) -> None:
    analysis = replace(analyse(trajectory), version=version)
    store.trajectories.add_batch([NewTrajectory(trajectory, analysis, b"{}", "f.jsonl")])


def _answer(url: str, capsys: pytest.CaptureFixture[str], *argv: str, code: int = 0) -> Any:
    assert main(["--store", url, "--json", "phases", *argv]) == code
    return json.loads(capsys.readouterr().out)


def test_runs_are_described_and_what_needs_steps_is_not_measured_without(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = {described["run"]: described for described in _answer(url, capsys)["runs"]}
    searched, alone = runs["run"], runs["reports"]
    assert searched["activity"]["queries"] == {"median": 1, "q1": 1, "q3": 1, "max": 1, "n": 1}
    assert searched["phases"]["research"]["steps"] == 3
    assert sum(phase["token_share"] for phase in searched["phases"].values()) == pytest.approx(1)
    assert searched["citations"] == {
        "total": 1,
        "by_retrieval": {"opened": 0, "seen": 1, "not_retrieved": 0, "dangling": 0, "no_trace": 0},
    }
    assert alone["activity"]["queries"] is None
    assert alone["activity"]["sites_cited"]["max"] == 1
    assert alone["phases"]["plan"]["token_share"] is None


def test_one_run_can_be_asked_for_and_a_mistyped_one_is_an_error(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert [described["run"] for described in _answer(url, capsys, "--run", "reports")["runs"]] == ["reports"]
    assert main(["--store", url, "phases", "--run", "reprots"]) == 2


def test_a_correction_survives_recomputing_and_can_be_taken_back(
    url: str, sqlite_store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    corrected = _answer(url, capsys, "correct", SEARCHED.id, "1", "plan", "--by", "R.")
    assert (corrected["phase"], corrected["source"], corrected["confidence"]) == ("plan", "person", 1.0)
    _answer(url, capsys, "recompute", "--all")
    assert sqlite_store.trajectories.analysis(SEARCHED.id).phases[1].phase == "plan"
    assert _answer(url, capsys, "--run", "run")["runs"][0]["corrected_steps"] == 1
    assert _answer(url, capsys, "correct", SEARCHED.id, "1", "none")["phase"] == "research"


def test_a_phase_that_is_none_and_a_step_that_is_not_there_are_refused(url: str) -> None:
    assert main(["--store", url, "phases", "correct", SEARCHED.id, "1", "writing"]) == 2
    assert main(["--store", url, "phases", "correct", SEARCHED.id, "99", "plan"]) == 2


def test_only_what_other_rules_analysed_is_made_anew_unless_all_is_asked(
    url: str, sqlite_store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    older = replace(SEARCHED, attempt=1)
    _add(sqlite_store, older, version="phases-0")
    answer = _answer(url, capsys, "recompute")
    assert (answer["trajectories"], answer["changed"], answer["already"]) == (3, 1, 2)
    assert sqlite_store.trajectories.analysis(older.id).version == RULES_VERSION
    again = _answer(url, capsys, "recompute", "--all")
    assert (again["changed"], again["unchanged"]) == (0, 3)


def test_what_a_check_said_of_a_citation_is_kept(
    url: str, sqlite_store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    sqlite_store.trajectories.set_supports(SEARCHED.id, {0: "supported"})
    answer = _answer(url, capsys, "recompute", "--all", "--run", "run")
    assert (answer["supports_kept"], answer["supports_lost"]) == (1, 0)
    assert sqlite_store.trajectories.analysis(SEARCHED.id).citations[0].support == "supported"


def test_the_table_names_what_it_shows(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", url, "phases"]) == 0
    shown = capsys.readouterr().out
    assert "reports: 1 trajectories, 0 with steps" in shown
    assert "not measured" in shown


def test_a_distribution_is_over_what_is_known() -> None:
    assert spread([None, 2.0, None, 4.0]) == {"median": 3.0, "q1": 2.5, "q3": 3.5, "max": 4.0, "n": 2}
    assert spread([None]) is None


def test_times_and_repeats_of_a_run_are_told_and_unknown_ones_are_not_zero(
    sqlite_store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    timed = replace(SEARCHED, steps=tuple(replace(step, duration_s=0.5) for step in SEARCHED.steps))
    _add(sqlite_store, timed)
    assert main(["--store", sqlite_store.url, "--json", "phases"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["runs"]
    assert told["activity"]["duration_s"]["max"] == 0.5 * len(timed.steps)
    assert told["activity"]["cost_usd"] is None
    assert sum(phase["duration_s"] or 0.0 for phase in told["phases"].values()) == 0.5 * len(timed.steps)
    assert main(["--store", sqlite_store.url, "phases"]) == 0
    assert "cost usd not measured" in " ".join(capsys.readouterr().out.split())
