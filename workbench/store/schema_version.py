"""Brings a store to this version's tables, and refuses one that it cannot read."""

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import DBAPIError

from workbench.errors import StoreError
from workbench.store.engine import UPGRADING, Database

MIGRATIONS = Path(__file__).resolve().parent / "migrations"
HEAD = "0006"


def bring_up_to_date(database: Database, shown_url: str) -> None:
    """Makes or upgrades the tables. Raises StoreError for a newer store, a file of another program, or no database.

    Whoever comes first does it in one transaction; others wait and find it done.
    """
    try:
        if _version(database.engine) == HEAD:
            return
        with database.write() as connection:
            database.take_turn(connection, UPGRADING)
            found = _version_on(connection)
            if found != HEAD:
                _upgrade(connection, found, shown_url)
    except DBAPIError as error:
        reason = str(error.orig).strip().splitlines()[0] if error.orig else str(error)
        raise StoreError(f"the store {shown_url} cannot be opened: {reason}") from error


def _version(engine: Engine) -> str | None:
    with engine.connect() as connection:
        return _version_on(connection)


def _version_on(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def _upgrade(connection: Connection, found: str | None, shown_url: str) -> None:
    from alembic import command
    from alembic.script import ScriptDirectory

    if found is None:
        strangers = inspect(connection).get_table_names()
        if strangers:
            raise StoreError(
                f"{shown_url} holds tables of another program ({', '.join(sorted(strangers)[:5])}); "
                "expected a workbench store or an empty database. Name another one with --store"
            )
    config = alembic_config(connection)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known:
        raise StoreError(
            f"the store {shown_url} was written by a newer workbench (its tables are at revision {found}, "
            f"this one knows up to {HEAD}); update the workbench, or name another store with --store"
        )
    command.upgrade(config, "head")


def alembic_config(connection: Connection) -> Any:
    """Alembic's configuration for the open connection; it works in the transaction that is under way."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
