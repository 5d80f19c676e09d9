"""Stores as earlier versions left them."""

from sqlalchemy import Connection, text

ADDED_BY_0004 = ("near_duplicate_queries", "repeated_opens", "redundancy", "duration_s", "cost_usd")
# Those that point at others come first.
ADDED_BY_0005 = ("rewrite_grades", "rewrites", "pair_grades", "grader_roles", "diagnoses")

ADDED_BY_0006 = ("ballot_log", "notes", "saved_filters")
COLUMNS_OF_0006 = (
    ("assignments", "purpose"),
    ("assignments", "expected"),
    ("assignments", "feedback"),
    ("rounds", "settings"),
)


def drop_activity_columns(connection: Connection) -> None:
    """Back to the tables and columns of 0003, the rows kept."""
    for table in (*ADDED_BY_0006, *ADDED_BY_0005):
        connection.execute(text(f"DROP TABLE {table}"))
    for table, name in COLUMNS_OF_0006:
        connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {name}"))
    for name in ADDED_BY_0004:
        connection.execute(text(f"ALTER TABLE trajectories DROP COLUMN {name}"))
