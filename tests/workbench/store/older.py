"""Stores as earlier versions left them."""

from sqlalchemy import Connection, text

ADDED_BY_0004 = ("near_duplicate_queries", "repeated_opens", "redundancy", "duration_s", "cost_usd")
# Those that point at others come first.
ADDED_BY_0005 = ("rewrite_grades", "rewrites", "pair_grades", "grader_roles", "diagnoses")


def drop_activity_columns(connection: Connection) -> None:
    """Back to the tables and columns of 0003, the rows kept."""
    for table in ADDED_BY_0005:
        connection.execute(text(f"DROP TABLE {table}"))
    for name in ADDED_BY_0004:
        connection.execute(text(f"ALTER TABLE trajectories DROP COLUMN {name}"))
