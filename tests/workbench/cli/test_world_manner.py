"""`workbench world --manner`: the same agents in a web that is harder to read."""

import json

import pytest

from workbench.cli.main import main
from workbench.store import open_store


def test_a_run_says_in_which_manner_its_web_was_written(sqlite_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    run = ["--store", sqlite_url, "--json", "world", "run", "--agent", "broad", "--questions", "2", "--attempts", "1"]
    assert main([*run, "--manner", "hard"]) == 0
    assert json.loads(capsys.readouterr().out)["imported"] == 2
    with open_store(sqlite_url) as store:
        world = store.runs.list()[0].meta["world"]
    assert isinstance(world, dict) and world["manner"]["distracting"] > 50
    # The plain web is another world, and one run is of one world.
    assert main(run) != 0
    assert "--manner" in capsys.readouterr().err


def test_a_manner_that_is_none_is_refused_by_name(sqlite_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", sqlite_url, "world", "run", "--agent", "broad", "--manner", "loud"]) != 0
    assert "there is no manner 'loud'" in capsys.readouterr().err
