"""Full-text search: tokens made here, so that SQLite and PostgreSQL find the same."""
