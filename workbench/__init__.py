"""Reward workbench: evaluation and reward engineering for deep-research agents."""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from workbench.notebook import Workbench


def open(url: str | None = None) -> "Workbench":
    """The store for a notebook or a pipeline: `url`, else the variable WORKBENCH_STORE, else `workbench.db` here.

    A context manager with `runs() trajectories() steps() phases() citations() grades() ballots()` as pandas frames.
    Raises StoreError where there is no store. See docs/notebooks.md.
    """
    # Here, since `import workbench` must stay free of everything else: training workers run parts of it.
    from workbench.notebook import open_workbench

    return open_workbench(url)
