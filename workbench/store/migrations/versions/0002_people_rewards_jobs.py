"""Human evaluation, rewards, stress, training runs, jobs."""

import sqlalchemy as sa
from alembic import op

from workbench.store.migrations.kinds import BIGINT, MOMENT, TEXT

revision = "0002"
down_revision = "0001"

STANDING = sa.text("undone_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "exports",
        sa.Column("seq", BIGINT, autoincrement=True, nullable=False),
        sa.Column("folder", TEXT, nullable=False),
        sa.Column("spec_version", TEXT, nullable=False),
        sa.Column("trainer", TEXT, nullable=False),
        sa.Column("manifest", TEXT, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_exports")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "jobs",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("arguments", TEXT, nullable=False),
        sa.Column("folder", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("done", BIGINT, nullable=False),
        sa.Column("total", BIGINT, nullable=True),
        sa.Column("failed_items", BIGINT, nullable=False),
        sa.Column("rate_per_s", sa.Double(), nullable=True),
        sa.Column("left_s", sa.Double(), nullable=True),
        sa.Column("cost_usd", sa.Double(), nullable=True),
        sa.Column("error", TEXT, nullable=False),
        sa.Column("result", TEXT, nullable=False),
        sa.Column("pid", BIGINT, nullable=True),
        sa.Column("host", TEXT, nullable=False),
        sa.Column("process", TEXT, nullable=False),
        sa.Column("spool", TEXT, nullable=False),
        sa.Column("spooled", BIGINT, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("started_at", MOMENT, nullable=True),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.Column("heartbeat_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    op.create_table(
        "rounds",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("runs", TEXT, nullable=False),
        sa.Column("dimensions", TEXT, nullable=False),
        sa.Column("reason_required", sa.Boolean(), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("seed", BIGINT, nullable=False),
        sa.Column("simulated", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("closed_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rounds")),
    )
    op.create_table(
        "stress_reports",
        sa.Column("grader_version", TEXT, nullable=False),
        sa.Column("run", TEXT, nullable=False),
        sa.Column("report", TEXT, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("grader_version", "run", name=op.f("pk_stress_reports")),
    )
    op.create_table(
        "targets",
        sa.Column("version", TEXT, nullable=False),
        sa.Column("meta", TEXT, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("version", name=op.f("pk_targets")),
    )
    op.create_table(
        "training_runs",
        sa.Column("run", TEXT, nullable=False),
        sa.Column("spec_version", TEXT, nullable=False),
        sa.Column("export_folder", TEXT, nullable=False),
        sa.Column("config", TEXT, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("run", name=op.f("pk_training_runs")),
    )
    op.create_table(
        "votes",
        sa.Column("source", TEXT, nullable=False),
        sa.Column("ordinal", BIGINT, autoincrement=False, nullable=False),
        sa.Column("model_a", TEXT, nullable=False),
        sa.Column("model_b", TEXT, nullable=False),
        sa.Column("winner", TEXT, nullable=False),
        sa.Column("rater", TEXT, nullable=False),
        sa.Column("question_id", TEXT, nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("scores", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("source", "ordinal", name=op.f("pk_votes")),
    )
    op.create_table(
        "job_log",
        sa.Column("job", TEXT, nullable=False),
        sa.Column("ordinal", BIGINT, autoincrement=False, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("level", TEXT, nullable=False),
        sa.Column("text", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["job"], ["jobs.id"], name=op.f("fk_job_log_job")),
        sa.PrimaryKeyConstraint("job", "ordinal", name=op.f("pk_job_log")),
    )
    op.create_table(
        "raters",
        sa.Column("round_id", TEXT, nullable=False),
        sa.Column("rater", TEXT, nullable=False),
        sa.Column("token_hash", TEXT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("revoked", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_raters_round_id")),
        sa.PrimaryKeyConstraint("round_id", "rater", name=op.f("pk_raters")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_raters_token_hash")),
    )
    op.create_table(
        "specs",
        sa.Column("version", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("round_id", TEXT, nullable=True),
        sa.Column("spec", TEXT, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_specs_round_id")),
        sa.PrimaryKeyConstraint("version", name=op.f("pk_specs")),
    )
    op.create_table(
        "target_rows",
        sa.Column("version", TEXT, nullable=False),
        sa.Column("question_id", TEXT, nullable=False),
        sa.Column("queries", BIGINT, nullable=False),
        sa.Column("sites", BIGINT, nullable=False),
        sa.Column("n_references", BIGINT, nullable=False),
        sa.ForeignKeyConstraint(["version"], ["targets.version"], name=op.f("fk_target_rows_version")),
        sa.PrimaryKeyConstraint("version", "question_id", name=op.f("pk_target_rows")),
    )
    op.create_table(
        "training_metrics",
        sa.Column("run", TEXT, nullable=False),
        sa.Column("step", BIGINT, autoincrement=False, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("value", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["run"], ["training_runs.run"], name=op.f("fk_training_metrics_run")),
        sa.PrimaryKeyConstraint("run", "step", "name", name=op.f("pk_training_metrics")),
    )
    op.create_table(
        "assignments",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("round_id", TEXT, nullable=False),
        sa.Column("rater", TEXT, nullable=False),
        sa.Column("question_id", TEXT, nullable=False),
        sa.Column("left", TEXT, nullable=False),
        sa.Column("right", TEXT, nullable=False),
        sa.Column("position", BIGINT, nullable=False),
        sa.ForeignKeyConstraint(["left"], ["trajectories.id"], name=op.f("fk_assignments_left")),
        sa.ForeignKeyConstraint(["right"], ["trajectories.id"], name=op.f("fk_assignments_right")),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_assignments_round_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignments")),
    )
    op.create_index(op.f("ix_assignments_round_id_rater"), "assignments", ["round_id", "rater"], unique=False)
    op.create_table(
        "stress_trials",
        sa.Column("seq", BIGINT, autoincrement=True, nullable=False),
        sa.Column("grader", TEXT, nullable=False),
        sa.Column("grader_version", TEXT, nullable=False),
        sa.Column("attack", TEXT, nullable=False),
        sa.Column("family", TEXT, nullable=False),
        sa.Column("trajectory", BIGINT, autoincrement=False, nullable=False),
        sa.Column("seed", BIGINT, nullable=False),
        sa.Column("outcome", TEXT, nullable=False),
        sa.Column("base_score", sa.Double(), nullable=True),
        sa.Column("attacked_score", sa.Double(), nullable=True),
        sa.Column("terms", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["trajectory"], ["trajectories.seq"], name=op.f("fk_stress_trials_trajectory")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_stress_trials")),
        sa.UniqueConstraint(
            "grader_version",
            "attack",
            "trajectory",
            "seed",
            name=op.f("uq_stress_trials_grader_version_attack_trajectory_seed"),
        ),
    )
    op.create_table(
        "ballots",
        sa.Column("seq", BIGINT, autoincrement=True, nullable=False),
        sa.Column("assignment_id", TEXT, nullable=False),
        sa.Column("round_id", TEXT, nullable=False),
        sa.Column("rater", TEXT, nullable=False),
        sa.Column("verdict", TEXT, nullable=False),
        sa.Column("scores", TEXT, nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("set_aside", TEXT, nullable=False),
        sa.Column("idempotency_key", TEXT, nullable=False),
        sa.Column("undone_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name=op.f("fk_ballots_assignment_id")),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_ballots_round_id")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_ballots")),
        sa.UniqueConstraint("idempotency_key", name=op.f("uq_ballots_idempotency_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_ballots_round_id"), "ballots", ["round_id"], unique=False)
    op.create_index(
        "uq_ballots_standing",
        "ballots",
        ["assignment_id"],
        unique=True,
        sqlite_where=sa.text("undone_at IS NULL"),
        postgresql_where=sa.text("undone_at IS NULL"),
    )
    op.create_table(
        "drafts",
        sa.Column("assignment_id", TEXT, nullable=False),
        sa.Column("draft", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name=op.f("fk_drafts_assignment_id")),
        sa.PrimaryKeyConstraint("assignment_id", name=op.f("pk_drafts")),
    )
