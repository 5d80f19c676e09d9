"""${message}."""

import sqlalchemy as sa
from alembic import op
from workbench.store.migrations.kinds import BIGINT, MOMENT, TEXT

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}
