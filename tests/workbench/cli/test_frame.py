"""Options on either side of the verb, one JSON document on stdout, exit codes that mean something."""

import json
from pathlib import Path

import pytest

from workbench.cli.context import OPTIONS
from workbench.cli.main import main, take_global_options
from workbench.errors import WorkbenchError


@pytest.mark.parametrize(
    "argv",
    [
        ["--store", "sqlite:///a.db", "--json", "ls", "--run", "x"],
        ["ls", "--json", "--run", "x", "--store=sqlite:///a.db"],
        ["ls", "--run", "x", "--store", "sqlite:///a.db", "--json"],
    ],
)
def test_global_options_may_stand_before_or_after_the_verb(argv: list[str]) -> None:
    assert take_global_options(argv) == ["ls", "--run", "x"]
    assert OPTIONS.store_url == "sqlite:///a.db"
    assert OPTIONS.json


def test_what_follows_a_bare_double_dash_is_left_alone() -> None:
    assert take_global_options(["jobs", "start", "--", "ls", "--json"]) == ["jobs", "start", "--", "ls", "--json"]
    assert not OPTIONS.json


def test_job_before_the_verb_is_the_row_and_after_it_the_verbs_own() -> None:
    assert take_global_options(["--job", "j-1", "train", "--job", "folder"]) == ["train", "--job", "folder"]
    assert OPTIONS.job == "j-1"


def test_an_option_without_its_value_is_refused() -> None:
    with pytest.raises(WorkbenchError, match="--store needs a value"):
        take_global_options(["ls", "--store"])


def test_an_unknown_verb_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such-verb"]) == 2
    assert capsys.readouterr().out == ""


def test_a_reading_verb_does_not_make_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.db"
    assert main(["--store", f"sqlite:///{path}", "ls"]) == 2
    assert not path.exists()
    assert capsys.readouterr().out == ""


def test_the_doctor_names_keys_and_never_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")
    assert main(["doctor", "--json", "--store", f"sqlite:///{tmp_path}/none.db"]) == 0
    out, err = capsys.readouterr()
    findings = json.loads(out)["findings"]
    assert "OPENAI_API_KEY" in next(found["found"] for found in findings if found["part"] == "model keys")
    assert "sk-planted" not in out + err


def test_the_doctor_does_not_show_a_password_of_the_store(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json", "--store", "postgresql://someone:hunter2@127.0.0.1:1/none"]) == 0
    out, err = capsys.readouterr()
    assert "hunter2" not in out + err
