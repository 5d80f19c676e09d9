"""A store from before full-text search is indexed when it is opened, as an import would have indexed it."""

from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import text

from tests.workbench.store.examples import example_trajectory, new
from tests.workbench.store.older import drop_activity_columns
from workbench.store import TrajectoryFilter, open_store
from workbench.store.schema_version import alembic_config

SEARCHES = ("question:harbour", "report:lighthouses", "query:lighthouses", 'result:"timed out"', "海港", "result:two")


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'old.db'}"
    return str(request.getfixturevalue("empty_pg_url"))


def _back_to_0002(store_url: str) -> None:
    """The tables as 0002 left them, with the bodies that are there."""
    with open_store(store_url) as store, store._database.write() as connection:
        connection.execute(text("DROP TABLE text_index"))
        connection.execute(text("ALTER TABLE bodies ADD COLUMN search TEXT NOT NULL DEFAULT ''"))
        drop_activity_columns(connection)
        command.stamp(alembic_config(connection), "0002")


def test_older_store_is_indexed_on_opening(empty_url: str) -> None:
    items = [new(example_trajectory(attempt=i, report=f"{i} lighthouses, 城市的海港")) for i in range(3)]
    with open_store(empty_url) as store:
        store.trajectories.add_batch(items)
        before = [store.trajectories.ids(TrajectoryFilter(text=searched)) for searched in SEARCHES]
        content = store.content_hash()
    _back_to_0002(empty_url)
    with open_store(empty_url) as store:
        assert [store.trajectories.ids(TrajectoryFilter(text=searched)) for searched in SEARCHES] == before
        assert all(len(found) == 3 for found in before)
        assert store.content_hash() == content
