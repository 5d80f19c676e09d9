"""Near-duplicate queries, repeated openings, redundancy, time and cost beside the other figures of activity.

NULL in what is there already: unknown until `workbench phases recompute` counts it.
"""

import sqlalchemy as sa
from alembic import op

from workbench.store.migrations.kinds import BIGINT

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("trajectories", sa.Column("near_duplicate_queries", BIGINT, nullable=True))
    op.add_column("trajectories", sa.Column("repeated_opens", BIGINT, nullable=True))
    op.add_column("trajectories", sa.Column("redundancy", sa.Double(), nullable=True))
    op.add_column("trajectories", sa.Column("duration_s", sa.Double(), nullable=True))
    op.add_column("trajectories", sa.Column("cost_usd", sa.Double(), nullable=True))
