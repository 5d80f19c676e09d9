"""Graders that live above the graders' layer: the command line knows them and hands them down."""

from collections.abc import Mapping

from graders.registry import GraderFactory
from workbench.schema.protocols import Grader
from workbench.store import Store


def _gold(store: Store) -> Grader:
    from benchmarks.simulated_web.gold import GoldGrader

    # A run says which world it was made in; a rollout of a trainer need not say it again.
    return GoldGrader({run.name: run.meta for run in store.runs.list()})


EXTRA_GRADERS: Mapping[str, GraderFactory] = {"gold": _gold}
