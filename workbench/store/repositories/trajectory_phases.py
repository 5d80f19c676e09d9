"""Phases of many trajectories at once: sums that would otherwise take the analysis of each."""

from collections import Counter
from math import fsum

from sqlalchemy import and_, case, func, or_, select

from workbench.schema.analysis import PHASES, Phase, PhaseTotals
from workbench.store.repositories.base import Repository
from workbench.store.repositories.filters import TrajectoryQuery
from workbench.store.rows import PhaseSummary, TrajectoryFilter
from workbench.store.tables import PhaseCorrectionTable, StepTable, TrajectoryTable

_T, _S, _C = TrajectoryTable, StepTable, PhaseCorrectionTable


class TrajectoryPhases(Repository):
    """The part of `Trajectories` that sums up analyses. No body and no outline is read."""

    def analysis_versions(self, filter_: TrajectoryFilter) -> tuple[tuple[str, str], ...]:
        """(id, version of the rules that its analysis was made by), in the order of import."""
        query = TrajectoryQuery(self._db, filter_)
        with self._db.read() as connection:
            rows = connection.execute(query.ordered(query.select(_T.id, _T.analysis_version), "imported", False))
            return tuple((row.id, row.analysis_version) for row in rows)

    def phase_summary(self, filter_: TrajectoryFilter, *, unsure_below: float) -> PhaseSummary:
        """Sums over the trajectories that pass. A step that a person corrected is not unsure (`unsure_below`, in
        [0, 1], bounds the confidence of the others)."""
        query = TrajectoryQuery(self._db, filter_)
        by_person = _C.phase.is_not(None)
        counts = (
            select(
                func.count(),
                func.coalesce(func.sum(case((and_(~by_person, _S.confidence < unsure_below), 1), else_=0)), 0),
                func.count(_C.phase),
            )
            .select_from(_S)
            .outerjoin(_C, and_(_C.trajectory == _S.trajectory, _C.position == _S.position))
            .where(_S.trajectory.in_(query.select(_T.seq)), or_(_S.phase.is_not(None), by_person))
        )
        versions: Counter[str] = Counter()
        sums: dict[Phase, list[PhaseTotals]] = {phase: [] for phase in PHASES}
        with self._db.read() as connection:
            for row in connection.execute(query.select(_T.analysis_version, _T.totals)):
                versions[row.analysis_version] += 1
                for phase, totals in row.totals.items():
                    sums[phase].append(PhaseTotals(**totals))
            steps, unsure, corrected = connection.execute(counts).one()
        totals_of = {phase: _sum(every) for phase, every in sums.items()}
        return PhaseSummary(dict(versions), totals_of, steps, int(unsure), corrected)


def _sum(every: list[PhaseTotals]) -> PhaseTotals:
    timed = [one.duration_s for one in every if one.duration_s is not None]
    return PhaseTotals(
        steps=sum(one.steps for one in every),
        tokens=sum(one.tokens for one in every),
        tool_calls=sum(one.tool_calls for one in every),
        duration_s=fsum(timed) if timed else None,
    )
