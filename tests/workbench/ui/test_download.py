"""The selection is downloaded as it stands: what passes the filter, on every page of the list, and nothing else."""

import json
from pathlib import Path

import pytest

from tests.workbench.store.examples import example_trajectory, new
from tests.workbench.ui.pages import run_page, visible
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.ui.components import download as module
from workbench.ui.components.download import _as_options, _file, _given


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    url = f"sqlite:///{tmp_path / 'download.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    made = open_store(url)
    made.trajectories.add_batch([new(example_trajectory(attempt=n, run=f"run-{n % 2}")) for n in range(60)])
    return made


def test_both_files_hold_all_that_pass_the_filter(opened: Store, tmp_path: Path) -> None:
    import pandas as pd

    given = _given(TrajectoryFilter(run=("run-1",), has_report=True))
    lines = _file("selection.jsonl", given)().splitlines()
    assert len(lines) == 30 and {json.loads(line)["run"] for line in lines} == {"run-1"}
    path = tmp_path / "selection.parquet"
    path.write_bytes(_file("selection.parquet", given)())
    frame = pd.read_parquet(path)
    assert list(frame["trajectory_id"]) == list(opened.trajectories.ids(TrajectoryFilter(run="run-1")))


def test_button_counts_the_filter_and_not_the_page(opened: Store) -> None:
    app = run_page("trajectories", run="run-0")
    assert opened and any(block.proto.popover.label == "Download 30" for block in app.get("popover"))


def test_large_selections_are_given_the_command(opened: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert opened
    monkeypatch.setattr(module, "MOST", 10)
    app = run_page("trajectories", run="run-0", noted="")
    assert any("workbench dump selection.parquet --where run=run-0" in code.value for code in app.code)
    assert "Over 10 trajectories" in visible(app)


def test_command_says_each_value_and_quotes_what_a_shell_would_read() -> None:
    given = _given(TrajectoryFilter(run=("a b", "c;rm"), has_report=False, noted="mistake"))
    assert _as_options(given) == "--where 'run=a b' --where 'run=c;rm' --where has_report=false --where noted=mistake"


def test_noted_trajectories_are_a_selection_like_any_other(opened: Store) -> None:
    assert opened
    assert _file("selection.jsonl", _given(TrajectoryFilter(noted="mistake")))() == b""
