"""Trajectories and the totals of their phases, by columns."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import func, select

from workbench.schema.analysis import RETRIEVALS, SUPPORTS
from workbench.store.codec import unpack_text
from workbench.store.repositories.columns_base import BODY_BATCH, LIGHT_BATCH, ColumnReader, by_weight, to_columns
from workbench.store.repositories.new_rows import ACTIVITY
from workbench.store.rows import Columns, TrajectoryFilter
from workbench.store.tables import BodyTable, PhaseCorrectionTable, TrajectoryTable
from workbench.store.types import dump_json

_T, _B, _P = TrajectoryTable, BodyTable, PhaseCorrectionTable
_LIGHT = (
    "id", "question", "question_id", "run", "model", "attempt", "group", "policy_step", "outcome", "steps",
    "report_chars", "tool_errors", *ACTIVITY,
    *(f"retrieval_{name}" for name in RETRIEVALS), *(f"support_{name}" for name in SUPPORTS),
    "analysis_version", "imported_at",
)  # fmt: skip


class TrajectoryColumns(ColumnReader):
    """The light table, and where asked report and meta (JSON text) beside it."""

    def trajectories(self, filter_: TrajectoryFilter, *, bodies: bool = False) -> Iterator[Columns]:
        """Batches in the order of import, named as the table is; `citations` counts all, `score` as in a list."""
        passing = self._passing(filter_)
        numbers = list(passing)
        size = BODY_BATCH if bodies else LIGHT_BATCH
        for start in range(0, len(numbers), size):
            batch = numbers[start : start + size]
            columns: tuple[Any, ...] = tuple(getattr(_T, name) for name in _LIGHT)
            statement = select(_T.seq, *columns).where(_T.seq.in_(batch)).order_by(_T.seq)
            if bodies:
                statement = statement.add_columns(_B.report, _B.meta).join(_B, _B.trajectory == _T.seq)
            with self._db.read() as connection:
                rows = connection.execute(statement).all()
            for part in by_weight(rows, [row.report_chars if bodies else 0 for row in rows]):
                found = to_columns(("seq", *_LIGHT, *(("report", "meta") if bodies else ())), part)
                found["score"] = [passing[seq] for seq in found.pop("seq")]
                by_class = zip(*(found[f"retrieval_{name}"] for name in RETRIEVALS), strict=True)
                found["citations"] = [sum(counts) for counts in by_class]
                if bodies:
                    found["report"] = [unpack_text(packed) for packed in found["report"]]
                    found["meta"] = [dump_json(meta) for meta in found["meta"]]
                yield found

    def phase_totals(self, filter_: TrajectoryFilter) -> Iterator[Columns]:
        """Batches of `trajectory_id question_id run totals tokens_exact corrected`, one row a trajectory.

        `totals` as they were computed: by phase, `{steps, tokens, tool_calls, duration_s}`, of which the last may be
        missing or null. `corrected` counts the steps on which a person had the last word; totals of such a trajectory
        are to be counted anew.
        """
        for batch in self._batches(filter_, LIGHT_BATCH):
            corrected = (
                select(_P.trajectory, func.count().label("n"))
                .where(_P.trajectory.in_(batch))
                .group_by(_P.trajectory)
                .subquery()
            )
            statement = (
                select(
                    _T.id, _T.question_id, _T.run, _T.totals, _T.tokens_exact, func.coalesce(corrected.c.n, 0)
                )
                .outerjoin(corrected, corrected.c.trajectory == _T.seq)
                .where(_T.seq.in_(batch))
                .order_by(_T.seq)
            )  # fmt: skip
            with self._db.read() as connection:
                rows = connection.execute(statement).all()
            yield to_columns(("trajectory_id", "question_id", "run", "totals", "tokens_exact", "corrected"), rows)
