"""`workbench grade` and `workbench rubrics` as a user types them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.graders.fake_endpoint import FakeEndpoint, completion, failure
from tests.graders.helpers import judge_saying, put, trajectory
from workbench.cli.main import main
from workbench.store import open_store


def run(capsys: pytest.CaptureFixture[str], url: str, *words: str) -> tuple[int, dict[str, Any]]:
    code = main(["--store", url, "--json", *words])
    out = capsys.readouterr().out
    return code, json.loads(out) if out else {}


@pytest.fixture
def url(sqlite_url: str) -> str:
    with open_store(sqlite_url) as store:
        put(store, [trajectory(n) for n in range(3)])
    return sqlite_url


def test_grade_answers_with_the_contracted_keys(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run(capsys, url, "grade", "--grader", "citations", "--run", "a")
    assert code == 0
    assert {"graded", "cached", "abstained", "failed", "mean_score", "cost_usd"} <= answer.keys()
    assert (answer["graded"], answer["mean_score"]) == (3, 1.0)
    assert run(capsys, url, "grade", "--grader", "citations", "--run", "a")[1]["cached"] == 3


def test_some_failures_exit_with_3_and_the_next_run_heals_them(
    url: str, endpoint: FakeEndpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "grade",
        "--grader",
        "answer-and-sources",
        "--run",
        "a",
        "--model",
        "judge",
        "--base-url",
        endpoint.base_url,
    ]
    endpoint.script.append(completion("what?"))
    endpoint.responder = judge_saying(lambda _: "yes")
    code, answer = run(capsys, url, *words)
    assert (code, answer["graded"], answer["failed"]) == (3, 2, 1)
    assert answer["cost_usd"] is None
    code, answer = run(capsys, url, *words)
    assert (code, answer["graded"], answer["failed"], answer["cached"]) == (0, 1, 0, 2)
    assert endpoint.calls == 4


def test_a_refused_key_is_said_in_a_sentence_and_exits_with_2(
    url: str, endpoint: FakeEndpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoint.responder = lambda _: failure(401, "no such key")
    words = ["--grader", "answer-and-sources", "--run", "a", "--model", "judge", "--base-url", endpoint.base_url]
    assert main(["--store", url, "grade", *words]) == 2
    assert "WORKBENCH_ENDPOINT_KEY" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["--grader", "nope", "--run", "a"],
        ["--grader", "citations", "--run", "nope"],
        ["--grader", "citations", "--run", "a", "--price-in", "1"],
        ["--grader", "deep-research-report", "--run", "a", "--base-url", "http://127.0.0.1:1/v1"],
        ["--run", "a"],
    ],
)
def test_bad_input_exits_with_2(url: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", url, "grade", *words]) == 2
    assert capsys.readouterr().err


def test_rubrics_can_be_listed_shown_linted_and_specified(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, sqlite_url: str
) -> None:
    _, listed = run(capsys, sqlite_url, "rubrics", "list")
    assert "deep-research-report" in [rubric["name"] for rubric in listed["rubrics"]]
    code, shown = run(capsys, sqlite_url, "rubrics", "show", "deep-research-report")
    assert code == 0
    assert shown["version"] in [rubric["version"] for rubric in listed["rubrics"]]
    code, linted = run(capsys, sqlite_url, "rubrics", "lint", "deep-research-report")
    assert (code, linted["findings"]) == (0, [])
    bad = tmp_path / "bad.yaml"
    fault = "{id: a, text: It contains no fabricated facts, polarity: negative, weight: -1}"
    bad.write_text(f"name: bad\ncriteria: [{fault}]\n")
    code, linted = run(capsys, sqlite_url, "rubrics", "lint", str(bad))
    assert (code, linted["findings"][0]["rule"]) == (3, "negative-as-virtue")
    _, schema = run(capsys, sqlite_url, "rubrics", "schema")
    assert schema["properties"]["criteria"]["type"] == "array"
    assert main(["rubrics", "show", str(tmp_path / "absent.yaml")]) == 2


def test_people_can_read_it_too(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", url, "grade", "--grader", "citations", "--run", "a", "--limit", "2"]) == 0
    captured = capsys.readouterr()
    assert "2 of 3 trajectories" in captured.out
    assert "no model is asked" in captured.err
    assert main(["rubrics", "show", "answer-and-sources"]) == 0
    assert main(["rubrics", "list"]) == 0
    assert main(["rubrics", "lint", "answer-and-sources"]) == 0
    assert main(["rubrics", "schema"]) == 0
    assert "answers" in capsys.readouterr().out


def test_a_search_several_runs_or_all_of_them_are_graded(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with open_store(url) as store:
        put(store, [trajectory(n, run="b") for n in range(2)])
    found = run(capsys, url, "grade", "--grader", "citations", "--where", 'question:"bridge 1"')[1]
    assert (found["graded"], found["n"], found["n_selected"]) == (2, 2, 2)
    both = run(capsys, url, "grade", "--grader", "citations", "--run", "a", "--run", "b", "--limit", "4")[1]
    assert (both["n"], both["n_selected"], both["cached"], both["graded"]) == (4, 5, 1, 3)
    assert run(capsys, url, "grade", "--grader", "citations", "--all")[1]["cached"] == 5


@pytest.mark.parametrize(
    "words",
    [(), ("--all", "--run", "a"), ("--run", "missing"), ("--where", " "), ("--where", "xyzzy"), ("--where", '"open')],
)
def test_a_selection_that_is_none_is_said(words: tuple[str, ...], url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", url, "grade", "--grader", "citations", *words]) == 2
    assert capsys.readouterr().err.count("error:") == 1
    with open_store(url) as store:
        assert store.jobs.count() == 0


def test_a_plan_is_json_and_makes_no_job(url: str, endpoint: FakeEndpoint, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--model", "judge", "--base-url", endpoint.base_url, "--plan", "--difference", "0.1"]
    code, plan = run(capsys, url, "grade", "--grader", "answer-and-sources", "--run", "a", *words)
    assert (code, plan["n_selected"], plan["calls"], plan["cost_most_usd"], endpoint.calls) == (0, 3, 3, None, 0)
    assert [len(sight["by_sd"]) for sight in plan["can_show"]] == [4]
    with open_store(url) as store:
        put(store, [trajectory(n, run="b", report="other") for n in range(2)])
    code, plan = run(capsys, url, "compare", "--grader", "pairwise", "--runs", "a", "b", *words)
    assert (code, plan["n"], plan["calls"], endpoint.calls) == (0, 2, 4, 0)
    assert main(["--store", url, "grade", "--grader", "answer-and-sources", "--run", "a", *words]) == 0
    said = capsys.readouterr().out
    assert "calls: 3" in said
    assert "assumed spread" in said
    with open_store(url) as store:
        assert store.jobs.count() == 0
