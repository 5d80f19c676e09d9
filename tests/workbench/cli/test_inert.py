"""What verbs quote from graders, runs and ballots steers no terminal, whichever verb prints it."""

from pathlib import Path

import pytest
from rich.table import Table

from tests.workbench.store.examples import example_trajectory, new
from workbench.cli.context import InertConsole
from workbench.cli.main import main
from workbench.store import Store

HOSTILE = "\x1b[31mred\x1b]0;title\x07 \u202eevil [bold]x[/bold] :skull:"
STEERING = {"\x1b", "\x07", "\u202e"}
FAILS = f"""
def fails(case):
    raise ValueError({HOSTILE!r})
"""


@pytest.fixture
def hostile(sqlite_store: Store) -> Store:
    sqlite_store.trajectories.add_batch([new(example_trajectory(run=name, model=HOSTILE)) for name in (HOSTILE, "b")])
    return sqlite_store


def test_console_of_verbs_prints_text_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    console = InertConsole()
    table = Table(HOSTILE, box=None)
    table.add_row(HOSTILE)
    console.print(HOSTILE, table, soft_wrap=True)
    out = capsys.readouterr().out
    assert not STEERING & set(out)
    assert out.count("<001b>[31mred") == 3
    assert out.count("[bold]x[/bold] :skull:") == 3


def test_reason_of_a_failed_grade_is_inert(hostile: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "fails.py").write_text(FAILS)
    grader = f"{tmp_path / 'fails.py'}:fails"
    assert main(["--store", hostile.url, "grade", "--grader", grader, "--run", HOSTILE]) == 3
    out, err = capsys.readouterr()
    assert "<001b>[31mred" in out
    assert not STEERING & set(out + err)


@pytest.mark.parametrize(
    "argv",
    [
        ["targets", "build", "--run", HOSTILE],
        ["targets", "list"],
        ["phases"],
        ["ls", "--runs"],
        ["rounds", "create", "--run", HOSTILE, "--run", "b", "--name", HOSTILE, "--raters", "1"],
        ["rounds", "list"],
        ["jobs", "list"],
        ["demo", "info"],
    ],
)
def test_names_are_inert(hostile: Store, argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for made in (["targets", "build", "--run", HOSTILE],) if argv == ["targets", "list"] else ():
        main(["--store", hostile.url, *made])
    hostile.jobs.create("import", ("import", HOSTILE))
    capsys.readouterr()
    assert main(["--store", hostile.url, *argv]) == 0
    out, err = capsys.readouterr()
    assert out
    assert not STEERING & set(out + err)
