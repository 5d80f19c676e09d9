"""Stores as earlier versions left them."""

from sqlalchemy import Connection, text

ADDED_BY_0004 = ("near_duplicate_queries", "repeated_opens", "redundancy", "duration_s", "cost_usd")


def drop_activity_columns(connection: Connection) -> None:
    """Back to the columns of 0003, the rows kept."""
    for name in ADDED_BY_0004:
        connection.execute(text(f"ALTER TABLE trajectories DROP COLUMN {name}"))
