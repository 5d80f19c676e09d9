"""The verbs `targets`, `reward` and `export` as a user runs them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.workbench.reward.small_store import GRADER_VERSION, REFERENCE, RUN, fill
from workbench.cli.main import main
from workbench.schema.grade import Grade
from workbench.store import open_store
from workbench.store.rows import TrajectoryFilter


@pytest.fixture
def url(sqlite_url: str) -> str:
    with open_store(sqlite_url) as store:
        fill(store)
    return sqlite_url


def run(capsys: pytest.CaptureFixture[str], url: str, *argv: str) -> tuple[int, dict[str, Any]]:
    """Exit code and the one JSON document on stdout."""
    capsys.readouterr()
    code = main(["--store", url, "--json", *argv])
    out = capsys.readouterr().out
    return code, json.loads(out) if out else {}


def test_targets_are_built_listed_and_saved_once(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run(capsys, url, "targets", "build", "--run", REFERENCE)
    assert code == 0
    assert {"questions", "query_median", "site_median", "no_search_share", "version"} <= set(answer)
    assert (answer["questions"], answer["query_median"], answer["site_median"]) == (3, 2.0, 1.0)
    assert answer["no_search_share"] == pytest.approx(1 / 3)
    assert run(capsys, url, "targets", "build", "--run", REFERENCE)[1]["version"] == answer["version"]
    _, listed = run(capsys, url, "targets", "list")
    assert [row["version"] for row in listed["targets"]] == [answer["version"]]


def test_leave_one_run_out_is_an_option_of_building(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["targets", "build", "--run", REFERENCE, "--run", RUN]
    _, both = run(capsys, url, *argv)
    _, others = run(capsys, url, *argv, "--leave-out", RUN)
    _, alone = run(capsys, url, "targets", "build", "--run", REFERENCE)
    assert others["version"] == alone["version"] != both["version"]


def test_score_answers_with_the_contracted_keys(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, url, "targets", "build", "--run", REFERENCE)
    code, answer = run(capsys, url, "reward", "score", "--spec", "search-rl-checklist", "--run", RUN)
    assert code == 3  # one rollout has no reward, and the answer says why
    assert {"scored", "failed", "mean", "components"} <= set(answer)
    assert (answer["scored"], answer["failed"]) == (8, 1)
    assert answer["dropped"] == [{"reason": "no quality score: abstained", "n": 1}]
    assert set(answer["components"]) == {"quality", "shaping", "distinct_queries", "distinct_sites"}
    assert answer["mean_low"] <= answer["mean"] <= answer["mean_high"]


def test_new_specification_is_saved_found_by_version_and_by_name(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine.yaml"
    argv = ["--name", "mine", "--from", "search-rl", "--grader", "checklist", "--lambda", "0.35", "--out", str(out)]
    code, answer = run(capsys, url, "reward", "new", *argv)
    assert code == 0
    assert answer["spec"]["shaping"]["weight"] == 0.35
    for word in ("mine", answer["version"], answer["version"][:6], f"mine@{answer['version'][:4]}", str(out)):
        assert run(capsys, url, "reward", "show", word)[1]["version"] == answer["version"]


def test_library_is_shown_without_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = f"sqlite:///{tmp_path / 'none.db'}"
    code, answer = run(capsys, missing, "reward", "show", "search-rl")
    assert (code, answer["name"]) == (0, "search-rl")
    assert not (tmp_path / "none.db").exists()


def test_shown_specification_is_a_file_that_reads_back_however_wide_its_lines(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    _, table = run(capsys, url, "targets", "build", "--run", REFERENCE)
    grader = f"checklist@{GRADER_VERSION}{'0' * 64}"
    argv = ["--name", "long", "--from", "search-rl-checklist", "--grader", grader, "--targets", table["version"]]
    _, saved = run(capsys, url, "reward", "new", *argv)
    printed = {}
    for name, verb in (("new", ["new", *argv]), ("show", ["show", "long"])):
        assert main(["--store", url, "reward", *verb]) == 0
        printed[name] = capsys.readouterr().out
        (tmp_path / f"{name}.yaml").write_text(printed[name])
        assert run(capsys, url, "reward", "show", str(tmp_path / f"{name}.yaml"))[1]["version"] == saved["version"]
    assert grader in printed["show"]


def test_specifications_are_listed_saved_ones_newest_first(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        run(capsys, url, "reward", "new", "--name", name)
    code, answer = run(capsys, url, "reward", "list")
    assert code == 0
    assert [spec["name"] for spec in answer["specs"]] == ["two", "one"]
    assert {spec["name"] for spec in answer["library"]} == {"search-rl", "search-rl-checklist"}
    assert main(["--store", url, "reward", "list"]) == 0
    shown = capsys.readouterr().out
    assert all(spec["version"] in shown for spec in (*answer["specs"], *answer["library"]))


def test_library_is_listed_without_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run(capsys, f"sqlite:///{tmp_path / 'none.db'}", "reward", "list")
    assert (code, answer["specs"], len(answer["library"])) == (0, [], 2)
    assert not (tmp_path / "none.db").exists()


def test_comparison_with_quality_alone_names_what_changes(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, url, "targets", "build", "--run", REFERENCE)
    code, answer = run(capsys, url, "reward", "compare", "search-rl-checklist", "--run", RUN)
    assert code == 3
    alone, shaped = answer["specs"]
    assert alone["signal"]["leverage"] == 0.0
    assert shaped["signal"]["leverage"] > 0.0
    assert answer["flips"]["pairs"] == 8


def test_export_answers_with_the_contracted_keys(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, url, "targets", "build", "--run", REFERENCE)
    argv = ["export", "--spec", "search-rl-checklist", "--to", "trl", str(tmp_path / "job")]
    code, answer = run(capsys, url, *argv)
    assert (code, answer) == (2, {})
    assert not (tmp_path / "job").exists()
    code, answer = run(capsys, url, *argv, "--force", "nobody has voted yet")
    assert code == 0
    assert {"job", "files", "manifest", "gates"} <= set(answer)
    assert answer["gates"] == {"stress": "not_measured", "agreement": "not_measured", "golden": "passed"}
    assert answer["files"] == sum(path.is_file() for path in (tmp_path / "job").rglob("*"))
    assert json.loads(Path(answer["manifest"]).read_text())["forced"] == "nobody has voted yet"
    with open_store(url) as store:
        newest = store.jobs.list()[0]
        assert (newest.kind, newest.state) == ("export", "done")


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["targets", "build", "--run", "nobody"], "the store holds no run 'nobody'"),
        (["targets", "build", "--run", REFERENCE, "--leave-out", REFERENCE], "leave no reference rollout"),
        (["targets", "build", "--run", REFERENCE, "--counts", "all"], "--counts is 'all'; expected one of opened"),
        (["reward", "show", "nothing"], "no specification 'nothing': no such file"),
        (["reward", "show", "absent.yaml"], "absent.yaml: cannot be read"),
        (["reward", "score", "--spec", "search-rl-checklist", "--run", RUN], "names no targets and the store holds no"),
        (["reward", "score", "--spec", "search-rl-checklist", "--run", RUN, "--targets", "ff"], "fit 0 of 0 saved"),
        (["reward", "new", "--lambda", "-1"], "shaping: weight is -1.0; expected a number >= 0"),
        (["reward", "new", "--name", "a b"], "name is 'a b'; expected 1 to 80 letters"),
        (["export", "--spec", "search-rl", "--to", "trl", "job"], "names no targets"),
    ],
)
def test_bad_input_gets_a_sentence_and_exit_code_2(
    url: str, capsys: pytest.CaptureFixture[str], argv: list[str], sentence: str
) -> None:
    assert main(["--store", url, "--json", *argv]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in " ".join(err.split())


def test_two_tables_of_targets_are_not_chosen_between_silently(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, first = run(capsys, url, "targets", "build", "--run", REFERENCE)
    _, second = run(capsys, url, "targets", "build", "--run", RUN)
    argv = ["reward", "score", "--spec", "search-rl-checklist", "--run", RUN]
    assert main(["--store", url, *argv]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "holds 2 tables of targets" in said
    assert f"add `--targets {second['version']}` for the newest to this command" in said
    assert f"{first['version']} from {REFERENCE}" in said
    _, chosen = run(capsys, url, *argv, "--targets", first["version"][:6])
    assert chosen["targets"] == first["version"]


def test_targets_that_count_other_sites_than_the_term_are_refused(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, url, "targets", "build", "--run", REFERENCE, "--counts", "cited")
    assert main(["--store", url, "reward", "score", "--spec", "search-rl-checklist", "--run", RUN]) == 2
    assert "counts sites opened and targets" in " ".join(capsys.readouterr().err.split())


def test_grader_with_two_versions_must_be_named_exactly(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, url, "targets", "build", "--run", REFERENCE)
    with open_store(url) as store:
        id_ = store.trajectories.ids(TrajectoryFilter(run=RUN))[0]
        store.grades.add(id_, Grade("checklist", "other-version", "c", "scored", score=0.1, raw=0.1, scheme="s"))
    assert main(["--store", url, "reward", "score", "--spec", "search-rl-checklist", "--run", RUN]) == 2
    assert "2 versions of grader checklist gave grades" in " ".join(capsys.readouterr().err.split())
    argv = [
        "reward",
        "new",
        "--from",
        "search-rl-checklist",
        "--name",
        "exact",
        "--grader",
        f"checklist@{GRADER_VERSION}",
    ]
    run(capsys, url, *argv)
    assert run(capsys, url, "reward", "score", "--spec", "exact", "--run", RUN)[1]["scored"] == 8
