"""The repository of trajectories: writing, opening one, listing many."""

from workbench.store.repositories.trajectory_bodies import TrajectoryBodies
from workbench.store.repositories.trajectory_lists import TrajectoryLists
from workbench.store.repositories.trajectory_writes import TrajectoryWrites


class Trajectories(TrajectoryWrites, TrajectoryBodies, TrajectoryLists):
    """Everything that the store does with trajectories."""
