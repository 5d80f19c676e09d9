"""Runs, trajectories, grades, replies and question sheets."""

import sqlalchemy as sa
from alembic import op

from workbench.store.migrations.kinds import BIGINT, MOMENT, TEXT

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "documents",
        sa.Column("key", TEXT, nullable=False),
        sa.Column("chars", BIGINT, nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_documents")),
    )
    op.create_table(
        "graders",
        sa.Column("version", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("definition", TEXT, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("version", "name", name=op.f("pk_graders")),
    )
    op.create_table(
        "replies",
        sa.Column("key", TEXT, nullable=False),
        sa.Column("repeat", BIGINT, autoincrement=False, nullable=False),
        sa.Column("owner", TEXT, nullable=False),
        sa.Column("leased_until", MOMENT, nullable=False),
        sa.Column("at", MOMENT, nullable=True),
        sa.Column("reply", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("key", "repeat", name=op.f("pk_replies")),
    )
    op.create_table(
        "runs",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("model", TEXT, nullable=True),
        sa.Column("simulated", sa.Boolean(), nullable=False),
        sa.Column("meta", TEXT, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_runs")),
    )
    op.create_table(
        "sheets",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("question_id", TEXT, nullable=False),
        sa.Column("sheet", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("name", "question_id", name=op.f("pk_sheets")),
    )
    op.create_table(
        "trajectories",
        sa.Column("seq", BIGINT, autoincrement=True, nullable=False),
        sa.Column("id", TEXT, nullable=False),
        sa.Column("content_hash", TEXT, nullable=False),
        sa.Column("question", TEXT, nullable=False),
        sa.Column("question_id", TEXT, nullable=False),
        sa.Column("run", TEXT, nullable=False),
        sa.Column("model", TEXT, nullable=False),
        sa.Column("attempt", BIGINT, nullable=False),
        sa.Column("group", TEXT, nullable=True),
        sa.Column("policy_step", BIGINT, nullable=True),
        sa.Column("outcome", TEXT, nullable=False),
        sa.Column("steps", BIGINT, nullable=False),
        sa.Column("report_chars", BIGINT, nullable=False),
        sa.Column("tool_errors", BIGINT, nullable=False),
        sa.Column("imported_at", MOMENT, nullable=False),
        sa.Column("queries", BIGINT, nullable=False),
        sa.Column("distinct_queries", BIGINT, nullable=False),
        sa.Column("sites_opened", BIGINT, nullable=False),
        sa.Column("sites_cited", BIGINT, nullable=False),
        sa.Column("sites_seen", BIGINT, nullable=False),
        sa.Column("tool_calls", BIGINT, nullable=False),
        sa.Column("failed_calls", BIGINT, nullable=False),
        sa.Column("tokens", BIGINT, nullable=False),
        sa.Column("tokens_exact", sa.Boolean(), nullable=False),
        sa.Column("evidence_chars", BIGINT, nullable=False),
        sa.Column("retrieval_opened", BIGINT, nullable=False),
        sa.Column("retrieval_seen", BIGINT, nullable=False),
        sa.Column("retrieval_not_retrieved", BIGINT, nullable=False),
        sa.Column("retrieval_dangling", BIGINT, nullable=False),
        sa.Column("retrieval_no_trace", BIGINT, nullable=False),
        sa.Column("support_supported", BIGINT, nullable=False),
        sa.Column("support_partly", BIGINT, nullable=False),
        sa.Column("support_contradicted", BIGINT, nullable=False),
        sa.Column("support_unrelated", BIGINT, nullable=False),
        sa.Column("support_not_checked", BIGINT, nullable=False),
        sa.Column("analysis_version", TEXT, nullable=False),
        sa.Column("totals", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["run"], ["runs.name"], name=op.f("fk_trajectories_run")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_trajectories")),
        sa.UniqueConstraint("id", name=op.f("uq_trajectories_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_trajectories_model"), "trajectories", ["model"], unique=False)
    op.create_index(op.f("ix_trajectories_question_id"), "trajectories", ["question_id"], unique=False)
    op.create_index(op.f("ix_trajectories_run_seq"), "trajectories", ["run", "seq"], unique=False)
    op.create_table(
        "bodies",
        sa.Column("trajectory", BIGINT, autoincrement=False, nullable=False),
        sa.Column("source_name", TEXT, nullable=False),
        sa.Column("meta", TEXT, nullable=False),
        sa.Column("search", TEXT, nullable=False),
        sa.Column("report", sa.LargeBinary(), nullable=False),
        sa.Column("source", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["trajectory"], ["trajectories.seq"], name=op.f("fk_bodies_trajectory")),
        sa.PrimaryKeyConstraint("trajectory", name=op.f("pk_bodies")),
    )
    op.create_table(
        "citations",
        sa.Column("trajectory", BIGINT, autoincrement=False, nullable=False),
        sa.Column("ordinal", BIGINT, autoincrement=False, nullable=False),
        sa.Column("retrieval", TEXT, nullable=False),
        sa.Column("support", TEXT, nullable=False),
        sa.Column("body", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["trajectory"], ["trajectories.seq"], name=op.f("fk_citations_trajectory")),
        sa.PrimaryKeyConstraint("trajectory", "ordinal", name=op.f("pk_citations")),
    )
    op.create_index(op.f("ix_citations_retrieval"), "citations", ["retrieval"], unique=False)
    op.create_table(
        "grades",
        sa.Column("seq", BIGINT, autoincrement=True, nullable=False),
        sa.Column("trajectory", BIGINT, autoincrement=False, nullable=False),
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
        sa.ForeignKeyConstraint(["trajectory"], ["trajectories.seq"], name=op.f("fk_grades_trajectory")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_grades")),
        sa.UniqueConstraint(
            "trajectory",
            "grader_version",
            "case_hash",
            "repeat",
            name=op.f("uq_grades_trajectory_grader_version_case_hash_repeat"),
        ),
    )
    op.create_index(op.f("ix_grades_grader_grader_version"), "grades", ["grader", "grader_version"], unique=False)
    op.create_index(op.f("ix_grades_grader_version"), "grades", ["grader_version"], unique=False)
    op.create_table(
        "phase_corrections",
        sa.Column("trajectory", BIGINT, autoincrement=False, nullable=False),
        sa.Column("position", BIGINT, autoincrement=False, nullable=False),
        sa.Column("phase", TEXT, nullable=False),
        sa.Column("by", TEXT, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["trajectory"], ["trajectories.seq"], name=op.f("fk_phase_corrections_trajectory")),
        sa.PrimaryKeyConstraint("trajectory", "position", name=op.f("pk_phase_corrections")),
    )
    op.create_table(
        "steps",
        sa.Column("trajectory", BIGINT, autoincrement=False, nullable=False),
        sa.Column("position", BIGINT, autoincrement=False, nullable=False),
        sa.Column("role", TEXT, nullable=False),
        sa.Column("phase", TEXT, nullable=True),
        sa.Column("confidence", sa.Double(), nullable=True),
        sa.Column("phase_source", TEXT, nullable=True),
        sa.Column("preview", TEXT, nullable=False),
        sa.Column("chars", BIGINT, nullable=False),
        sa.Column("reasoning_chars", BIGINT, nullable=False),
        sa.Column("result_chars", BIGINT, nullable=False),
        sa.Column("n_errors", BIGINT, nullable=False),
        sa.Column("outline", TEXT, nullable=False),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["trajectory"], ["trajectories.seq"], name=op.f("fk_steps_trajectory")),
        sa.PrimaryKeyConstraint("trajectory", "position", name=op.f("pk_steps")),
    )
