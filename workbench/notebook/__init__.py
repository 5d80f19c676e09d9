"""The store for notebooks and pipelines: frames, records, Parquet and JSONL. `workbench.open()` is the way in."""

from workbench.notebook.columns import TABLES, Column
from workbench.notebook.files import Written
from workbench.notebook.records import CitationRecord, GradeRecord, StepRecord
from workbench.notebook.workbench import Workbench, open_workbench

__all__ = [
    "TABLES",
    "CitationRecord",
    "Column",
    "GradeRecord",
    "StepRecord",
    "Workbench",
    "Written",
    "open_workbench",
]
