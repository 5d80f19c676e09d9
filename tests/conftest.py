"""Fixtures that every part uses: a real store, on SQLite and on PostgreSQL."""

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from psycopg import sql

from tests.support.postgres import binaries, temporary_cluster
from workbench.store import Store, open_store
from workbench.store.tables import Base

# How fast examples come is a matter of who else is at work on the machine: no test fails for it.
settings.register_profile("shared-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared-machine")

_numbers = itertools.count()


@pytest.fixture(scope="session")
def _pg_cluster() -> Iterator[str]:
    bin_folder = binaries()
    if bin_folder is None:
        pytest.skip("PostgreSQL is not installed: no initdb on the PATH or under /usr/lib/postgresql")
    with temporary_cluster(bin_folder) as socket_folder:
        yield socket_folder


def _pg(socket_folder: str, database: str) -> str:
    return f"postgresql://postgres@/{database}?host={socket_folder}"


@pytest.fixture(scope="session")
def _pg_database(_pg_cluster: str) -> str:
    """A database with the tables made. Tests take turns with it: to make one takes 0.3 s, to empty one 5 ms."""
    with psycopg.connect(_pg(_pg_cluster, "postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE store")
    url = _pg(_pg_cluster, "store")
    open_store(url).close()
    return url


@pytest.fixture
def pg_url(_pg_database: str) -> Iterator[str]:
    """URL of a PostgreSQL database with the store's tables in it and nothing else."""
    yield _pg_database
    with psycopg.connect(_pg_database, autocommit=True) as connection:
        # Whoever a test left behind must not hold the next one up.
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'store' AND pid <> pg_backend_pid()"
        )
        for table in reversed(Base.metadata.sorted_tables):
            connection.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table.name)))


@pytest.fixture
def empty_pg_url(_pg_cluster: str) -> Iterator[str]:
    """URL of a PostgreSQL database of this test's own, without any table."""
    name = f"empty_{next(_numbers)}"
    with psycopg.connect(_pg(_pg_cluster, "postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield _pg(_pg_cluster, name)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def _sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "template.db"
    open_store(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def sqlite_url(_sqlite_template: Path, tmp_path: Path) -> str:
    """URL of a SQLite file of this test's own, with the store's tables in it and nothing else."""
    path = tmp_path / "store.db"
    shutil.copyfile(_sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture
def sqlite_store(sqlite_url: str) -> Iterator[Store]:
    with open_store(sqlite_url) as store:
        yield store


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest) -> str:
    """URL of an empty store of this test's own, on each backend in turn."""
    url: str = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "pg_url")
    return url


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    """An empty store of this test's own, on each backend in turn."""
    with open_store(store_url) as opened:
        yield opened
