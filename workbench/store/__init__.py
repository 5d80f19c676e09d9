"""The store: the only place that knows the database. See docs/decisions/0002-store.md."""

from workbench.store.repositories.filters import SORT_KEYS
from workbench.store.rows import (
    BatchResult,
    Columns,
    ExportRow,
    GraderSummary,
    NewTrajectory,
    Page,
    RaterRow,
    Reply,
    RunSummary,
    SortKey,
    SpecRow,
    StepOutline,
    StressReport,
    StressTrial,
    TargetsRow,
    TrainingRow,
    TrajectoryFilter,
    TrajectoryRow,
)
from workbench.store.store import Store, open_store

__all__ = [
    "SORT_KEYS",
    "BatchResult",
    "Columns",
    "ExportRow",
    "GraderSummary",
    "NewTrajectory",
    "Page",
    "RaterRow",
    "Reply",
    "RunSummary",
    "SortKey",
    "SpecRow",
    "StepOutline",
    "Store",
    "StressReport",
    "StressTrial",
    "TargetsRow",
    "TrainingRow",
    "TrajectoryFilter",
    "TrajectoryRow",
    "open_store",
]
