"""Grades by columns, and as records."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import select

from workbench.schema.grade import Grade
from workbench.store.codec import unpack_json
from workbench.store.engine import AnyRow
from workbench.store.repositories.columns_base import BODY_BATCH, LIGHT_BATCH, ColumnReader, to_columns
from workbench.store.repositories.filters import grader_is
from workbench.store.repositories.grades import grade_from
from workbench.store.rows import Columns, TrajectoryFilter
from workbench.store.tables import GradeTable, TrajectoryTable
from workbench.store.types import dump_json

_T, _G = TrajectoryTable, GradeTable
_PLAIN = (
    "grader", "grader_version", "case_hash", "repeat", "outcome", "score", "raw", "scheme", "input_tokens",
    "output_tokens", "cost_usd", "latency_s", "cached", "created_at",
)  # fmt: skip
_LIGHT = ("trajectory_id", "question_id", "run", *_PLAIN)


class GradeColumns(ColumnReader):
    """One row a grade, failed ones too. A filter's grader is also whose grades these are."""

    def grades(self, filter_: TrajectoryFilter, *, bodies: bool = False) -> Iterator[Columns]:
        """Batches in the order of import. With bodies reason, verdicts and detail, the last two as JSON text."""
        columns: tuple[Any, ...] = tuple(getattr(_G, name) for name in _PLAIN)
        for batch in self._batches(filter_, BODY_BATCH if bodies else LIGHT_BATCH):
            rows = self._grade_rows(batch, filter_, (*columns, *((_G.body,) if bodies else ())))
            found = to_columns((*_LIGHT, *(("body",) if bodies else ())), rows)
            if bodies:
                said = [unpack_json(packed) for packed in found.pop("body")]
                found["reason"] = [body["reason"] for body in said]
                found["verdicts"] = [dump_json(body["verdicts"]) for body in said]
                found["detail"] = [dump_json(body["detail"]) for body in said]
            yield found

    def grade_records(self, filter_: TrajectoryFilter) -> Iterator[tuple[str, Grade]]:
        """(trajectory id, grade) of each, in bounded memory."""
        for batch in self._batches(filter_, BODY_BATCH):
            for row in self._grade_rows(batch, filter_, tuple(_G.__table__.c)):
                yield row.id, grade_from(row)

    def _grade_rows(self, batch: list[int], filter_: TrajectoryFilter, columns: tuple[Any, ...]) -> Sequence[AnyRow]:
        statement = (
            select(_T.id, _T.question_id, _T.run, *columns)
            .select_from(_G)
            .join(_T, _T.seq == _G.trajectory)
            .where(_G.trajectory.in_(batch))
            .order_by(_T.seq, _G.grader, _G.grader_version, _G.case_hash, _G.repeat)
        )
        if filter_.grader is not None:
            # Bare, the name would draw SQLite to the index of graders, and every batch would read all that one gave.
            statement = statement.where(grader_is(filter_.grader, name=_G.grader + ""))
        with self._db.read() as connection:
            return connection.execute(statement).all()
