"""Graders that live above the graders' layer: the command line knows them and hands them down."""

from collections.abc import Mapping

from graders.registry import GraderFactory
from workbench.schema.protocols import Grader
from workbench.store import Store


def _gold(_store: Store) -> Grader:
    from benchmarks.simulated_web.gold import GoldGrader

    return GoldGrader()


EXTRA_GRADERS: Mapping[str, GraderFactory] = {"gold": _gold}
