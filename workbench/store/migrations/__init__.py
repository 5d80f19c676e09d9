"""Alembic migrations: one file a change of the tables, never edited once others have stores of that version."""
