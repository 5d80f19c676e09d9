"""Typed declarative tables. They never leave `workbench.store`."""

from workbench.store.tables.base import Base
from workbench.store.tables.grades import GraderTable, GradeTable, ReplyTable
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
    "Base",
    "BodyTable",
    "CitationTable",
    "DocumentTable",
    "GradeTable",
    "GraderTable",
    "PhaseCorrectionTable",
    "ReplyTable",
    "RunTable",
    "SheetTable",
    "StepTable",
    "TrajectoryTable",
]
