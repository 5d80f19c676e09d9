"""ls, show and search: contracted keys, N of M, and text that cannot steer the terminal."""

import json
import sys
from dataclasses import replace
from typing import Any

import pytest

from tests.workbench.store.examples import example_analysis, example_trajectory, many, new
from workbench.cli.main import main
from workbench.phases import analyse
from workbench.schema.grade import Grade
from workbench.store import Store

HOSTILE = "\x1b[31mred\x07 \u202eevil [bold]not bold[/bold] \ud800"


def run_json(store: Store, *argv: str, capsys: pytest.CaptureFixture[str], code: int = 0) -> Any:
    assert main(["--store", store.url, "--json", *argv]) == code
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def filled(sqlite_store: Store) -> Store:
    other = example_trajectory(question="Which STRASSE?", run="run-b", model="model-b", report="Die Straße.")
    sqlite_store.trajectories.add_batch([*many(3), new(other)])
    sqlite_store.grades.add(other.id, Grade("judge", "v1", "c", "scored", score=0.75))
    return sqlite_store


def test_ls_says_n_of_m(filled: Store, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", filled.url, "ls", "--limit", "2", "--offset", "1"]) == 0
    assert capsys.readouterr().out.rstrip().endswith("2-3 of 4")
    assert main(["--store", filled.url, "ls", "--text", "nowhere"]) == 0
    assert capsys.readouterr().out.strip() == "0 of 0"


def test_ls_filters_and_sorts(filled: Store, capsys: pytest.CaptureFixture[str]) -> None:
    answer = run_json(filled, "ls", "--run", "run-a", capsys=capsys)
    assert (answer["total"], len(answer["trajectories"])) == (3, 3)
    answer = run_json(filled, "ls", "--grader", "judge", "--sort", "score", "--desc", capsys=capsys)
    assert [row["score"] for row in answer["trajectories"]] == [0.75, None, None, None]
    answer = run_json(filled, "ls", "--model", "model-b", "--text", "strasse", capsys=capsys)
    assert [row["run"] for row in answer["trajectories"]] == ["run-b"]


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--run", "none"], "no run 'none' in the store; it has: run-a, run-b"),
        (["--sort", "colour"], "cannot sort by 'colour'; expected one of imported"),
        (["--sort", "score"], "needs the grader"),
        (["--outcome", "great"], "--outcome is 'great'; expected one of completed"),
    ],
)
def test_ls_refuses_what_does_not_exist(
    filled: Store, argv: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--store", filled.url, "ls", *argv]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in " ".join(err.split())


def test_ls_runs_gives_an_overview(filled: Store, capsys: pytest.CaptureFixture[str]) -> None:
    answer = run_json(filled, "ls", "--runs", capsys=capsys)
    assert answer["total"] == 2
    assert {run["name"]: run["trajectories"] for run in answer["runs"]} == {"run-a": 3, "run-b": 1}


@pytest.mark.parametrize("argv", [["ls", "--runs"], ["ls"]])
def test_runs_that_differ_at_the_end_of_a_long_name_can_be_told_apart(
    sqlite_store: Store, argv: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    names = [f"search-rl-on-the-second-corpus-with-longer-context-seed-{seed}" for seed in (1, 2)]
    for name in names:
        sqlite_store.trajectories.add_batch([new(example_trajectory(run=name))])
    assert main(["--store", sqlite_store.url, *argv]) == 0
    out = capsys.readouterr().out
    column = out.splitlines()[0].index("run")
    width = out.splitlines()[0].index("mod" if "--runs" in argv else "que") - column
    folded = "".join(line[column : column + width].strip() for line in out.splitlines()[1:])
    assert all(name in folded for name in names)


def test_show_says_what_is_unknown_and_not_zero(filled: Store, capsys: pytest.CaptureFixture[str]) -> None:
    id_ = example_trajectory().id
    assert main(["--store", filled.url, "show", id_]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "nearly repeated queries: unknown, pages opened again: unknown, retrieved before: unknown" in out
    assert "time: not recorded, cost: not recorded" in out
    known = example_analysis()
    figures = {
        "near_duplicate_queries": 0,
        "repeated_opens": 2,
        "redundancy": 0.25,
        "duration_s": 90.5,
        "cost_usd": 0.5,
    }
    activity = replace(known.activity, **figures)  # type: ignore[arg-type]  # names are those of the fields
    filled.trajectories.replace_analysis(id_, replace(known, activity=activity))
    assert main(["--store", filled.url, "show", id_]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "nearly repeated queries: 0, pages opened again: 2, retrieved before: 25.0%" in out
    assert "time: 90.5 s, cost: $0.5000" in out


def test_show_has_the_contracted_keys(filled: Store, capsys: pytest.CaptureFixture[str]) -> None:
    trajectory = example_trajectory()
    answer = run_json(filled, "show", trajectory.id[:12], capsys=capsys)
    assert {"id", "question", "run", "model", "attempt", "steps", "report_chars"} <= answer.keys()
    assert answer["id"] == trajectory.id
    assert answer["steps"] == 6
    assert set(answer["phases"]) == {"plan", "research", "synthesis"}
    assert answer["phases"]["research"] == {"steps": 4, "tokens": 400, "tool_calls": 2, "duration_s": None}
    activity = ("queries", "distinct_queries", "sites_opened", "sites_cited", "sites_seen", "tool_calls", "tokens")
    assert set(activity) <= answer["activity"].keys()
    later = ("near_duplicate_queries", "repeated_opens", "redundancy", "duration_s", "cost_usd")
    assert {name: answer["activity"][name] for name in later} == dict.fromkeys(later)
    assert set(later) <= run_json(filled, "ls", capsys=capsys)["trajectories"][0].keys()
    assert answer["citations"]["total"] == 2
    assert answer["citations"]["by_retrieval"]["dangling"] == 1
    assert answer["citations"]["by_support"]["not_checked"] == 2


def test_show_counts_phases_anew_after_a_correction(sqlite_store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    trajectory = example_trajectory()
    sqlite_store.trajectories.add_batch([new(trajectory, analyse(trajectory))])
    before = run_json(sqlite_store, "show", trajectory.id, capsys=capsys)
    moved = sqlite_store.trajectories.outline(trajectory.id)[1]
    target = "plan" if moved.phase != "plan" else "research"
    sqlite_store.trajectories.correct_phase(trajectory.id, 1, target, by="rater-1")  # type: ignore[arg-type]
    after = run_json(sqlite_store, "show", trajectory.id, capsys=capsys)
    assert after["phases"][target]["steps"] == before["phases"][target]["steps"] + 1
    assert sum(phase["tokens"] for phase in after["phases"].values()) == before["activity"]["tokens"]
    assert after["phases_corrected"] == 1


def test_show_adds_outline_and_report_when_asked(filled: Store, capsys: pytest.CaptureFixture[str]) -> None:
    trajectory = example_trajectory()
    answer = run_json(filled, "show", trajectory.id, "--steps", "--report", "--source", capsys=capsys)
    assert [step["position"] for step in answer["outline"]] == [0, 1, 2, 3, 4, 5]
    assert answer["report"] == trajectory.report
    assert (answer["source"], answer["source_encoding"]) == ('{"line": 1}\n', "utf-8")


def test_show_source_prints_the_record_byte_for_byte(
    sqlite_store: Store, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    trajectory = example_trajectory()
    source = b'{"a": "\xff\x00"}\r\n'
    sqlite_store.trajectories.add_batch([new(trajectory, source=source)])
    assert main(["--store", sqlite_store.url, "show", trajectory.id, "--source"]) == 0
    sys.stdout.flush()
    assert capfdbinary.readouterr().out == source


def test_show_of_an_unknown_id_is_said_so(filled: Store, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", filled.url, "show", "t-ffffffff"]) == 2
    assert "no trajectory 't-ffffffff' in the store" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["ls", "show", "search"])
def test_hostile_text_steers_no_terminal_and_breaks_no_json(
    sqlite_store: Store, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    trajectory = replace(example_trajectory(question=HOSTILE, run=HOSTILE, model=HOSTILE, report=HOSTILE))
    sqlite_store.trajectories.add_batch([new(trajectory, example_analysis())])
    argv = {"ls": ["ls"], "show": ["show", trajectory.id, "--steps", "--report"], "search": ["search", "EVIL"]}[verb]
    assert main(["--store", sqlite_store.url, *argv]) == 0
    out = capsys.readouterr().out
    assert not {"\x1b", "\x07", "\u202e", "\ud800"} & set(out)
    assert "<001b>" in out
    if verb != "ls":
        assert "[bold]not bold[/bold]" in out
    answer = run_json(sqlite_store, *argv, capsys=capsys)
    assert json.dumps(HOSTILE)[1:-1] in json.dumps(answer)


def test_search_shows_what_stands_around(filled: Store, capsys: pytest.CaptureFixture[str]) -> None:
    answer = run_json(filled, "search", "report:STRASSE.", capsys=capsys)
    (hit,) = answer["found"]
    assert (hit["where"], hit["excerpt"]) == ("report", "Die Straße.")
    assert "Die Straße."[hit["start"] : hit["end"]] == "Straße"
    answer = run_json(filled, "search", "harbour", "--limit", "2", capsys=capsys)
    assert (answer["total"], len(answer["found"]), answer["found"][0]["where"]) == (answer["total"], 2, "question")


def test_search_for_nothing_is_refused(filled: Store, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", filled.url, "search", " "]) == 2
    assert "give a text" in capsys.readouterr().err
