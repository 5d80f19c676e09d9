"""The repository of trajectories: writing, opening one, listing many."""

from workbench.store.repositories.trajectory_columns import TrajectoryColumns
from workbench.store.repositories.trajectory_lists import TrajectoryLists
from workbench.store.repositories.trajectory_phases import TrajectoryPhases
from workbench.store.repositories.trajectory_questions import TrajectoryQuestions
from workbench.store.repositories.trajectory_search import TrajectorySearch
from workbench.store.repositories.trajectory_writes import TrajectoryWrites


class Trajectories(
    TrajectoryWrites, TrajectorySearch, TrajectoryPhases, TrajectoryQuestions, TrajectoryColumns, TrajectoryLists
):
    """Everything that the store does with trajectories."""
