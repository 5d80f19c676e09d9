"""Opening: new, older, newer, foreign and impossible stores."""

import sqlite3
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event, text

from tests.support.processes import start_process
from tests.workbench.store.examples import example_trajectory, many, new
from workbench.errors import StoreError
from workbench.store import Store, open_store
from workbench.store.engine import Database, make_engine, parse_url
from workbench.store.schema_version import HEAD, alembic_config
from workbench.store.tables import Base

FIRST = "0001"


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of a database without any table."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'new.db'}"
    url: str = request.getfixturevalue("empty_pg_url")
    return url


def raw_database(url: str) -> Database:
    parsed, backend = parse_url(url)
    return Database(make_engine(parsed, backend), backend)


def set_version(url: str, version: str) -> None:
    database = raw_database(url)
    with database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})
    database.engine.dispose()


def _spoken_of(_object: object, name: str | None, *_rest: object) -> bool:
    """The full-text index is the backend's own kind of table, with shadow tables beside it on SQLite."""
    return "text_index" not in (name or "")


def test_new_store_has_the_tables_that_the_code_speaks_of(empty_url: str) -> None:
    with open_store(empty_url) as store, store._database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": False, "include_object": _spoken_of})
        assert compare_metadata(context, Base.metadata) == []


def test_head_is_the_last_revision(tmp_path: Path) -> None:
    database = raw_database(f"sqlite:///{tmp_path / 'x.db'}")
    with database.write() as connection:
        assert ScriptDirectory.from_config(alembic_config(connection)).get_heads() == [HEAD]
    database.engine.dispose()


def test_store_of_the_first_revision_is_upgraded_with_all_it_holds(empty_url: str) -> None:
    database = raw_database(empty_url)
    with database.write() as connection:
        command.upgrade(alembic_config(connection), FIRST)
        # As the first version of the store wrote it, in plain SQL: the code of today must not be needed to make it.
        connection.execute(
            text("INSERT INTO runs VALUES ('run-a', 'model-a', :no, '{\"seed\": 7}', :at)"),
            {"no": False, "at": "2026-11-29 12:00:00.000000"},
        )
        connection.execute(text("INSERT INTO sheets VALUES ('facts', 'q1', '{\"facts\":[\"a\"]}')"))
    database.engine.dispose()
    with open_store(empty_url) as store:
        assert store.runs.get("run-a").meta == {"seed": 7}
        assert store.sheets.all("facts") == {"q1": {"facts": ["a"]}}
        assert store.human.rounds() == ()
        assert store.jobs.list() == ()
        with store._database.engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": False, "include_object": _spoken_of})
            assert compare_metadata(context, Base.metadata) == []


def test_newer_store_is_refused_with_a_sentence(store_url: str) -> None:
    set_version(store_url, "9999")
    try:
        with pytest.raises(StoreError, match=f"newer workbench .*revision 9999, this one knows up to {HEAD}"):
            open_store(store_url)
    finally:
        set_version(store_url, HEAD)


def test_store_is_opened_again_as_it_was(store_url: str) -> None:
    with open_store(store_url) as store:
        store.runs.ensure("run-a", model="m")
    with open_store(store_url, create=False) as store:
        assert store.runs.get("run-a").model == "m"


def test_missing_file_is_not_made_where_one_only_reads(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    with pytest.raises(StoreError, match=r"there is no store at .*none\.db; import something first"):
        open_store(f"sqlite:///{path}", create=False)
    assert not path.exists()


def test_missing_folder_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"the folder .* does not exist"):
        open_store(f"sqlite:///{tmp_path / 'none' / 'x.db'}")


def test_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"tables of another program \(songs\)"):
        open_store(f"sqlite:///{path}")
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("songs",)]
    assert len(path.read_bytes()) == len(before)


def test_file_that_is_no_database_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("These are notes, and no database at all." * 100)
    with pytest.raises(StoreError, match="cannot be opened: file is not a database"):
        open_store(f"sqlite:///{path}")


def test_database_that_does_not_answer_is_said_so_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened") as found:
        open_store(f"postgresql://me:hush-hush@/x?host={tmp_path}")
    assert "hush-hush" not in str(found.value)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("workbench.db", "is not a URL; expected sqlite:///"),
        ("mysql://root:hush-hush@host/x", "is of kind 'mysql'; expected sqlite or postgresql"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
    ],
)
def test_url_that_names_no_store_is_refused(url: str, sentence: str) -> None:
    with pytest.raises(StoreError, match=sentence) as found:
        open_store(url)
    assert "hush-hush" not in str(found.value)


def test_both_spellings_of_a_postgresql_url_are_taken(pg_url: str) -> None:
    for url in (pg_url, pg_url.replace("postgresql://", "postgresql+psycopg://")):
        with open_store(url) as store:
            assert store.backend == "postgresql"
            assert store.runs.list() == ()


def test_relative_path_is_the_same_store_from_every_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with open_store("sqlite:///x.db") as store:
        assert store.url == f"sqlite:///{tmp_path / 'x.db'}"


def test_shown_url_hides_the_password(pg_url: str) -> None:
    with open_store(pg_url.replace("postgres@", "postgres:hush-hush@")) as store:
        assert "hush-hush" not in store.shown_url
        assert "hush-hush" in store.url


def _open_once(url: str) -> None:
    with open_store(url) as store:
        store.runs.ensure("run-a", model="m")


def test_processes_that_make_one_store_together_agree(empty_url: str) -> None:
    processes = [start_process(_open_once, empty_url) for _ in range(4)]
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * 4
    with open_store(empty_url) as store:
        assert len(store.runs.list()) == 1


def test_foreign_keys_hold(store: Store) -> None:
    with pytest.raises(Exception, match=r"(?i)foreign key"), store._database.write() as connection:
        connection.execute(
            text("INSERT INTO target_rows (version, question_id, queries, sites, n_references) VALUES ('x','q',0,0,0)")
        )


def test_commit_reaches_the_disk_and_writers_wait(sqlite_store: Store) -> None:
    with sqlite_store._database.engine.connect() as connection:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        found = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names}
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 30_000}


def test_write_that_the_database_refuses_is_said_so_and_leaves_nothing(sqlite_store: Store) -> None:
    sqlite_store.trajectories.add_batch(many(1))
    before = sqlite_store.content_hash()
    with sqlite_store._database.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()

    @event.listens_for(sqlite_store._database.engine, "checkout")
    def fill_the_disk(connection: sqlite3.Connection, *_rest: object) -> None:
        connection.execute(f"PRAGMA max_page_count={pages}")

    heavy = [new(example_trajectory(attempt=n, report="".join(map(chr, range(0x4E00, 0x9E00))))) for n in range(5)]
    with pytest.raises(StoreError, match="refused a write: database or disk is full"):
        sqlite_store.trajectories.add_batch(heavy)
    assert sqlite_store.content_hash() == before


def test_store_that_may_only_be_read_is_read_and_refuses_to_be_written(sqlite_url: str) -> None:
    with open_store(sqlite_url) as store:
        store.runs.ensure("run-a", model="m")

        @event.listens_for(store._database.engine, "checkout")
        def forbid_writing(connection: sqlite3.Connection, *_rest: object) -> None:
            connection.execute("PRAGMA query_only=ON")

        assert store.runs.get("run-a").model == "m"
        with pytest.raises(StoreError, match="refused a write: attempt to write a readonly database"):
            store.runs.ensure("run-b", model="m")
