"""Notes on trajectories, saved filters; what a ballot is for, settings of a round, and a log that shows tampering."""

import sqlalchemy as sa
from alembic import op

from workbench.store.migrations.kinds import BIGINT, MOMENT, TEXT

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("assignments", sa.Column("purpose", TEXT, nullable=False, server_default="rating"))
    op.add_column("assignments", sa.Column("expected", TEXT, nullable=True))
    op.add_column("assignments", sa.Column("feedback", TEXT, nullable=True))
    op.add_column("rounds", sa.Column("settings", TEXT, nullable=False, server_default="{}"))
    op.create_table(
        "ballot_log",
        sa.Column("seq", BIGINT, autoincrement=True, nullable=False),
        sa.Column("round_id", TEXT, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("event", TEXT, nullable=False),
        sa.Column("body", TEXT, nullable=False),
        sa.Column("previous", TEXT, nullable=False),
        sa.Column("hash", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_ballot_log_round_id")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_ballot_log")),
        sa.UniqueConstraint("round_id", "previous", name=op.f("uq_ballot_log_round_id_previous")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "notes",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("trajectory", BIGINT, autoincrement=False, nullable=False),
        sa.Column("anchor", TEXT, nullable=False),
        sa.Column("position", BIGINT, nullable=True),
        sa.Column("start", BIGINT, nullable=True),
        sa.Column("end", BIGINT, nullable=True),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("text", TEXT, nullable=False),
        sa.Column("by", TEXT, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("removed_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["trajectory"], ["trajectories.seq"], name=op.f("fk_notes_trajectory")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notes")),
    )
    op.create_index(op.f("ix_notes_trajectory"), "notes", ["trajectory"], unique=False)
    op.create_index(op.f("ix_notes_kind"), "notes", ["kind"], unique=False)
    op.create_table(
        "saved_filters",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("query", TEXT, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_saved_filters")),
    )
