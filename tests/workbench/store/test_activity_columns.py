"""The later figures of activity: kept whole, unknown in a store from before them, counted by recomputing."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import text

from tests.workbench.store.examples import example_analysis, example_trajectory, new
from tests.workbench.store.older import ADDED_BY_0004, drop_activity_columns
from workbench.cli.main import main
from workbench.phases import analyse
from workbench.schema.analysis import Analysis, PhaseTotals
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.schema_version import alembic_config

FIGURES = {"near_duplicate_queries": 2, "repeated_opens": 3, "redundancy": 0.1, "duration_s": 12.75, "cost_usd": 1e-7}
UNKNOWN = dict.fromkeys(FIGURES)
ALL = TrajectoryFilter()


def _analysis(**figures: float | None) -> Analysis:
    known = example_analysis()
    return replace(
        known,
        activity=replace(known.activity, **figures),  # type: ignore[arg-type]  # names are those of the fields
        totals=known.totals | {"research": PhaseTotals(4, 400, 2, 12.75)},
    )


@pytest.mark.parametrize("figures", [FIGURES, UNKNOWN, dict.fromkeys(FIGURES, 0)], ids=["known", "unknown", "zero"])
def test_figures_come_back_as_they_went_in(store: Store, figures: dict[str, float | None]) -> None:
    trajectory, analysis = example_trajectory(), _analysis(**figures)
    store.trajectories.add_batch([new(trajectory, analysis)])
    assert store.trajectories.analysis(trajectory.id) == analysis
    assert store.trajectories.row(trajectory.id).activity == analysis.activity
    (columns,) = store.columns.trajectories(ALL)
    listed = store.trajectories.columns(ALL)
    assert {name: columns[name] for name in figures} == {name: [value] for name, value in figures.items()}
    assert {name: listed[name] for name in figures} == {name: [value] for name, value in figures.items()}


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'old.db'}"
    return str(request.getfixturevalue("empty_pg_url"))


def test_older_store_says_unknown_until_it_is_recomputed(empty_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    trajectory = example_trajectory()
    with open_store(empty_url) as store:
        store.trajectories.add_batch([new(trajectory, _analysis(**FIGURES))])
        with store._database.write() as connection:
            drop_activity_columns(connection)
            # As the version before wrote totals: no time in them.
            totals = {name: {"steps": 1, "tokens": 2, "tool_calls": 3} for name in ("plan", "research", "synthesis")}
            connection.execute(text("UPDATE trajectories SET totals = :totals"), {"totals": json.dumps(totals)})
            command.stamp(alembic_config(connection), "0003")
    with open_store(empty_url) as store:
        analysis = store.trajectories.analysis(trajectory.id)
        assert {name: getattr(analysis.activity, name) for name in ADDED_BY_0004} == UNKNOWN
        assert analysis.activity.distinct_queries == _analysis().activity.distinct_queries
        assert analysis.totals["plan"] == PhaseTotals(1, 2, 3, None)
        (id_, facts) = store.trajectories.facts(ALL)[0]
        assert (id_, facts.distinct_queries) == (trajectory.id, 1)
    assert main(["--store", empty_url, "--json", "phases", "recompute"]) == 0
    capsys.readouterr()
    with open_store(empty_url) as store:
        assert store.trajectories.analysis(trajectory.id).activity == analyse(trajectory).activity
        assert store.trajectories.row(trajectory.id).activity.near_duplicate_queries == 0
