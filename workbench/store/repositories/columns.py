"""The store's tables by columns, for frames and files."""

from workbench.store.repositories.columns_citations import CitationColumns
from workbench.store.repositories.columns_grades import GradeColumns
from workbench.store.repositories.columns_steps import StepColumns
from workbench.store.repositories.columns_trajectories import TrajectoryColumns


class ColumnReads(TrajectoryColumns, StepColumns, CitationColumns, GradeColumns):
    """Everything that is read by columns, in batches and with the filters of lists."""
