"""Alembic's entry: runs on the connection and in the transaction of `workbench.store.schema_version`."""

from alembic import context

from workbench.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    compare_type=False,
)
context.run_migrations()
