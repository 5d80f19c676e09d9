"""Roles of graders, judged pairs, rewritten reports and their grades, diagnoses."""

import sqlalchemy as sa
from alembic import op

from workbench.store.migrations.kinds import BIGINT, MOMENT, TEXT

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "grader_roles",
        sa.Column("version", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("role", TEXT, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("version", name=op.f("pk_grader_roles")),
    )
    op.create_table(
        "pair_grades",
        sa.Column("seq", BIGINT, autoincrement=True, nullable=False),
        sa.Column("left", TEXT, nullable=False),
        sa.Column("right", TEXT, nullable=False),
        sa.Column("grader", TEXT, nullable=False),
        sa.Column("grader_version", TEXT, nullable=False),
        sa.Column("repeat", BIGINT, nullable=False),
        sa.Column("outcome", TEXT, nullable=False),
        sa.Column("preference", sa.Double(), nullable=True),
        sa.Column("consistent", sa.Boolean(), nullable=True),
        sa.Column("input_tokens", BIGINT, nullable=False),
        sa.Column("output_tokens", BIGINT, nullable=False),
        sa.Column("cost_usd", sa.Double(), nullable=True),
        sa.Column("latency_s", sa.Double(), nullable=False),
        sa.Column("cached", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["left"], ["trajectories.id"], name=op.f("fk_pair_grades_left")),
        sa.ForeignKeyConstraint(["right"], ["trajectories.id"], name=op.f("fk_pair_grades_right")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_pair_grades")),
        sa.UniqueConstraint(
            "left", "right", "grader_version", "repeat", name=op.f("uq_pair_grades_left_right_grader_version_repeat")
        ),
    )
    op.create_index(op.f("ix_pair_grades_grader_version"), "pair_grades", ["grader_version"], unique=False)
    op.create_table(
        "rewrites",
        sa.Column("key", TEXT, nullable=False),
        sa.Column("trajectory", BIGINT, autoincrement=False, nullable=False),
        sa.Column("writer", TEXT, nullable=False),
        sa.Column("writer_version", TEXT, nullable=False),
        sa.Column("case_hash", TEXT, nullable=False),
        sa.Column("repeat", BIGINT, nullable=False),
        sa.Column("outcome", TEXT, nullable=False),
        sa.Column("report_chars", BIGINT, nullable=True),
        sa.Column("input_tokens", BIGINT, nullable=False),
        sa.Column("output_tokens", BIGINT, nullable=False),
        sa.Column("cost_usd", sa.Double(), nullable=True),
        sa.Column("latency_s", sa.Double(), nullable=False),
        sa.Column("cached", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["trajectory"], ["trajectories.seq"], name=op.f("fk_rewrites_trajectory")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_rewrites")),
    )
    op.create_index(op.f("ix_rewrites_trajectory"), "rewrites", ["trajectory"], unique=False)
    op.create_index(op.f("ix_rewrites_writer_version"), "rewrites", ["writer_version"], unique=False)
    op.create_table(
        "rewrite_grades",
        sa.Column("seq", BIGINT, autoincrement=True, nullable=False),
        sa.Column("rewrite", TEXT, nullable=False),
        sa.Column("grader", TEXT, nullable=False),
        sa.Column("grader_version", TEXT, nullable=False),
        sa.Column("case_hash", TEXT, nullable=False),
        sa.Column("repeat", BIGINT, nullable=False),
        sa.Column("outcome", TEXT, nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("raw", sa.Double(), nullable=True),
        sa.Column("scheme", TEXT, nullable=False),
        sa.Column("input_tokens", BIGINT, nullable=False),
        sa.Column("output_tokens", BIGINT, nullable=False),
        sa.Column("cost_usd", sa.Double(), nullable=True),
        sa.Column("latency_s", sa.Double(), nullable=False),
        sa.Column("cached", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["rewrite"], ["rewrites.key"], name=op.f("fk_rewrite_grades_rewrite")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_rewrite_grades")),
        sa.UniqueConstraint(
            "rewrite", "grader_version", "repeat", name=op.f("uq_rewrite_grades_rewrite_grader_version_repeat")
        ),
    )
    op.create_index(op.f("ix_rewrite_grades_grader_version"), "rewrite_grades", ["grader_version"], unique=False)
    op.create_table(
        "diagnoses",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("grader_version", TEXT, nullable=False),
        sa.Column("report", TEXT, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_diagnoses")),
    )
