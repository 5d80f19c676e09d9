"""Phases, search activity and citations: pure functions of a trajectory, standard library only.

This package is frozen into exported training jobs and runs inside training workers. Importing it compiles no pattern
and reads no file.
"""

from workbench.phases.analysis import RULES_VERSION, analyse, phase_totals
from workbench.phases.facts import facts_of

__all__ = ["RULES_VERSION", "analyse", "facts_of", "phase_totals"]
