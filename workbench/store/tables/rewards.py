"""Rewards and what they lead to: specs, targets, exports, stress results, training runs."""

from datetime import datetime

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from workbench.store.tables.base import Base, Json, Seq
from workbench.store.tables.trajectories import of_trajectory


class SpecTable(Base):
    """A reward spec by its content hash; `round_id` is the round of human evaluation that led to it."""

    __tablename__ = "specs"

    version: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    round_id: Mapped[str | None] = mapped_column(ForeignKey("rounds.id"))
    spec: Mapped[Json]
    created_at: Mapped[datetime]


class TargetsTable(Base):
    __tablename__ = "targets"

    version: Mapped[str] = mapped_column(primary_key=True)
    meta: Mapped[Json]
    created_at: Mapped[datetime]


class TargetRowTable(Base):
    __tablename__ = "target_rows"

    version: Mapped[str] = mapped_column(ForeignKey("targets.version"), primary_key=True)
    question_id: Mapped[str] = mapped_column(primary_key=True)
    queries: Mapped[int]
    sites: Mapped[int]
    n_references: Mapped[int]


class ExportTable(Base):
    __tablename__ = "exports"
    __table_args__ = ({"sqlite_autoincrement": True},)

    seq: Mapped[Seq]
    folder: Mapped[str]
    spec_version: Mapped[str]
    trainer: Mapped[str]
    manifest: Mapped[Json]
    created_at: Mapped[datetime]


class TrialTable(Base):
    """One attacked report. `terms` holds the change of each reward term, so that rewards re-weigh without the lab."""

    __tablename__ = "stress_trials"
    __table_args__ = (UniqueConstraint("grader_version", "attack", "trajectory", "seed"),)

    seq: Mapped[Seq]
    grader: Mapped[str]
    grader_version: Mapped[str]
    attack: Mapped[str]
    family: Mapped[str]
    trajectory: Mapped[int] = of_trajectory(primary_key=False)
    seed: Mapped[int]
    outcome: Mapped[str]
    base_score: Mapped[float | None]
    attacked_score: Mapped[float | None]
    terms: Mapped[Json]


class StressReportTable(Base):
    __tablename__ = "stress_reports"

    grader_version: Mapped[str] = mapped_column(primary_key=True)
    run: Mapped[str] = mapped_column(primary_key=True)
    report: Mapped[Json]
    created_at: Mapped[datetime]


class TrainingTable(Base):
    __tablename__ = "training_runs"

    run: Mapped[str] = mapped_column(primary_key=True)
    spec_version: Mapped[str]
    export_folder: Mapped[str]
    config: Mapped[Json]
    created_at: Mapped[datetime]


class MetricTable(Base):
    """A figure of one optimiser step. NULL where the trainer logged something that is no number."""

    __tablename__ = "training_metrics"

    run: Mapped[str] = mapped_column(ForeignKey("training_runs.run"), primary_key=True)
    step: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[float | None]
