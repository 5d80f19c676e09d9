"""`workbench demo`: builds once, goes on where it stopped, says what there is."""

import json
from typing import Any

import pytest

from benchmarks.sample.plan import SamplePlan
from benchmarks.simulated_web.world import WorldSize
from workbench.cli.main import main
from workbench.store import open_store

SMALL = SamplePlan(
    5, questions=2, attempts=1, raters=2, stressed_reports=1, size=WorldSize(entities=24, sites=24, pages=160)
)


def run(capsys: pytest.CaptureFixture[str], url: str, *argv: str) -> tuple[int, dict[str, Any]]:
    code = main(["--store", url, "--json", *argv])
    out = capsys.readouterr().out
    return code, json.loads(out) if out else {}


def test_demo_builds_once_and_tells_what_it_built(
    sqlite_url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.sample_store.SamplePlan", lambda: SMALL)
    code, answer = run(capsys, sqlite_url, "demo", "build")
    assert (code, answer["built"]) == (0, True)
    assert answer["steps"]["rollouts"]["imported"] == SMALL.n_trajectories
    assert run(capsys, sqlite_url, "demo", "build") == (0, {"built": False, "steps": {}})
    code, info = run(capsys, sqlite_url, "demo", "info")
    assert code == 0 and info["built"]
    assert {entry["name"]: entry["trajectories"] for entry in info["runs"]} == dict.fromkeys(SMALL.runs, 2)
    with open_store(sqlite_url) as store:
        assert [(job.kind, job.state) for job in store.jobs.list()] == [("demo", "done")]


def test_info_of_an_empty_store_names_the_remedy(sqlite_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, sqlite_url, "demo", "info")[1]["built"] is False
    assert main(["--store", sqlite_url, "demo", "info"]) == 0
    assert "demo build" in capsys.readouterr().out
