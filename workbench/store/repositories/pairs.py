"""Judgments of pairs of reports."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, select

from workbench.schema.grade import CriterionVerdict, OrderVerdict, PairGrade, Usage
from workbench.store.codec import pack_json, unpack_json
from workbench.store.engine import AnyRow
from workbench.store.repositories.base import Repository, numbers_of
from workbench.store.repositories.grades import FAILED, upsert_all_unless_final
from workbench.store.tables import PairGradeTable

_P = PairGradeTable
_KEY = ("left", "right", "grader_version", "repeat")


class PairGrades(Repository):
    """A scored or abstained judgment stays; a failed one gives way to a later try."""

    def add_many(self, grades: Sequence[tuple[str, str, PairGrade]]) -> int:
        """(left trajectory id, right one, judgment) each, in one transaction; gives how many were written.

        Raises NotFoundError for an unknown trajectory, and writes nothing then.
        """
        with self._db.write() as connection:
            numbers_of(self._db, connection, [name for left, right, _ in grades for name in (left, right)])
            now = self._now()
            rows = [_row(left, right, grade, now) for left, right, grade in grades]
            return upsert_all_unless_final(self._db, connection, _P, _KEY, rows)

    def existing(self, grader_version: str) -> frozenset[tuple[str, str, int]]:
        """(left id, right id, repeat) of what this version has scored or abstained on."""
        statement = select(_P.left, _P.right, _P.repeat).where(
            _P.grader_version == grader_version, _P.outcome.not_in(FAILED)
        )
        with self._db.read() as connection:
            return frozenset((row.left, row.right, row.repeat) for row in connection.execute(statement))

    def counts(self) -> Mapping[str, int]:
        """Judgments by grader version, failed ones too."""
        statement = select(_P.grader_version, func.count().label("n")).group_by(_P.grader_version)
        with self._db.read() as connection:
            return {row.grader_version: row.n for row in connection.execute(statement)}

    def of_grader(self, grader_version: str) -> tuple[tuple[str, str, PairGrade], ...]:
        """(left id, right id, judgment), failed ones too, by left, right and repeat."""
        statement = select(*_P.__table__.c).where(_P.grader_version == grader_version)
        with self._db.read() as connection:
            rows = connection.execute(statement.order_by(_P.left, _P.right, _P.repeat)).all()
        return tuple((row.left, row.right, _grade(row)) for row in rows)


def _row(left: str, right: str, grade: PairGrade, now: Any) -> dict[str, Any]:
    usage = grade.usage
    return {
        "left": left,
        "right": right,
        "grader": grade.grader,
        "grader_version": grade.grader_version,
        "repeat": grade.repeat,
        "outcome": grade.outcome,
        "preference": grade.preference,
        "consistent": grade.consistent,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": usage.cost_usd,
        "latency_s": usage.latency_s,
        "cached": usage.cached,
        "created_at": now,
        "body": pack_json(
            {
                "reason": grade.reason,
                "dimensions": dict(grade.dimensions),
                "orders": [_order(order) for order in grade.orders],
                "detail": grade.detail,
            }
        ),
    }


def _order(order: OrderVerdict) -> dict[str, Any]:
    verdicts = [
        {"criterion_id": v.criterion_id, "label": v.label, "value": v.value, "reason": v.reason, "quote": v.quote}
        for v in order.verdicts
    ]
    return {"first": order.first, "outcome": order.outcome, "reason": order.reason, "verdicts": verdicts}


def _order_from(found: Mapping[str, Any]) -> OrderVerdict:
    verdicts = tuple(CriterionVerdict(**verdict) for verdict in found["verdicts"])
    return OrderVerdict(found["first"], found["outcome"], verdicts, found["reason"])


def _grade(row: AnyRow) -> PairGrade:
    body = unpack_json(row.body)
    return PairGrade(
        grader=row.grader,
        grader_version=row.grader_version,
        outcome=row.outcome,
        preference=row.preference,
        reason=body["reason"],
        usage=Usage(row.input_tokens, row.output_tokens, row.cost_usd, row.latency_s, row.cached),
        dimensions=body["dimensions"],
        consistent=row.consistent,
        orders=tuple(_order_from(order) for order in body["orders"]),
        repeat=row.repeat,
        detail=body["detail"],
    )
