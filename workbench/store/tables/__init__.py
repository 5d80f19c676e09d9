"""Typed declarative tables. They never leave `workbench.store`."""

from workbench.store.tables.base import Base
from workbench.store.tables.grades import GraderTable, GradeTable, ReplyTable
from workbench.store.tables.human import (
    AssignmentTable,
    BallotLogTable,
    BallotTable,
    DraftTable,
    RaterTable,
    RoundTable,
    VoteTable,
)
from workbench.store.tables.jobs import JobLogTable, JobTable
from workbench.store.tables.judging import (
    DiagnosisTable,
    GraderRoleTable,
    PairGradeTable,
    RewriteGradeTable,
    RewriteTable,
)
from workbench.store.tables.notes import NoteTable, SavedFilterTable
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
    "BallotLogTable",
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
    "NoteTable",
    "PairGradeTable",
    "PhaseCorrectionTable",
    "RaterTable",
    "ReplyTable",
    "RewriteGradeTable",
    "RewriteTable",
    "RoundTable",
    "RunTable",
    "SavedFilterTable",
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
