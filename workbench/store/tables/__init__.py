"""Typed declarative tables. They never leave `workbench.store`."""

from workbench.store.tables.base import Base
from workbench.store.tables.grades import GraderTable, GradeTable, ReplyTable
from workbench.store.tables.human import AssignmentTable, BallotTable, DraftTable, RaterTable, RoundTable, VoteTable
from workbench.store.tables.jobs import JobLogTable, JobTable
from workbench.store.tables.judging import (
    DiagnosisTable,
    GraderRoleTable,
    PairGradeTable,
    RewriteGradeTable,
    RewriteTable,
)
from workbench.store.tables.rewards import (
    ExportTable,
    MetricTable,
    SpecTable,
    StressReportTable,
    TargetRowTable,
    TargetsTable,
    TrainingTable,
    TrialTable,
)
from workbench.store.tables.trajectories import (
    BodyTable,
    CitationTable,
    DocumentTable,
    PhaseCorrectionTable,
    RunTable,
    SheetTable,
    StepTable,
    TrajectoryTable,
)

__all__ = [
    "AssignmentTable",
    "BallotTable",
    "Base",
    "BodyTable",
    "CitationTable",
    "DiagnosisTable",
    "DocumentTable",
    "DraftTable",
    "ExportTable",
    "GradeTable",
    "GraderRoleTable",
    "GraderTable",
    "JobLogTable",
    "JobTable",
    "MetricTable",
    "PairGradeTable",
    "PhaseCorrectionTable",
    "RaterTable",
    "ReplyTable",
    "RewriteGradeTable",
    "RewriteTable",
    "RoundTable",
    "RunTable",
    "SheetTable",
    "SpecTable",
    "StepTable",
    "StressReportTable",
    "TargetRowTable",
    "TargetsTable",
    "TrainingTable",
    "TrajectoryTable",
    "TrialTable",
    "VoteTable",
]
