"""Reports that a writer wrote from a trajectory's evidence, and their grades: apart from what agents wrote."""

import math
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from workbench.errors import NotFoundError
from workbench.schema.canonical import content_hash
from workbench.schema.grade import Grade, Usage
from workbench.schema.writing import WrittenReport
from workbench.store.codec import pack_json, unpack_json
from workbench.store.engine import AnyRow
from workbench.store.repositories.base import Repository, number_of
from workbench.store.repositories.grades import FAILED, grade_from, upsert_unless_final, verdict_json
from workbench.store.rows import Columns
from workbench.store.tables import RewriteGradeTable, RewriteTable, TrajectoryTable

_R, _G, _T = RewriteTable, RewriteGradeTable, TrajectoryTable
UNWRITTEN = ("writer_failed", "infra_failed")


class Rewrites(Repository):
    """A written report, and one that a writer abstained from, stay; a failed one gives way to a later try."""

    def add(self, trajectory_id: str, written: WrittenReport) -> str:
        """Keeps it, and gives its key. Raises NotFoundError for an unknown trajectory."""
        key = rewrite_key(trajectory_id, written)
        usage = written.usage
        with self._db.write() as connection:
            row = {
                "key": key,
                "trajectory": number_of(connection, trajectory_id),
                "writer": written.writer,
                "writer_version": written.writer_version,
                "case_hash": written.case_hash,
                "repeat": written.repeat,
                "outcome": written.outcome,
                "report_chars": None if written.report is None else len(written.report),
                "input_tokens": usage.input_tokens,
                "output_tokens": usage.output_tokens,
                "cost_usd": usage.cost_usd,
                "latency_s": usage.latency_s,
                "cached": usage.cached,
                "created_at": self._now(),
                "body": pack_json({"report": written.report, "reason": written.reason, "detail": written.detail}),
            }
            upsert_unless_final(self._db, connection, _R, ("key",), row, UNWRITTEN)
        return key

    def find(self, key: str) -> WrittenReport | None:
        """The report of a key, a failed one too; None where there is none."""
        with self._db.read() as connection:
            row = connection.execute(select(*_R.__table__.c).where(_R.key == key)).first()
        return None if row is None else _written(row)

    def for_trajectory(self, trajectory_id: str) -> tuple[tuple[str, WrittenReport], ...]:
        """(key, report) of all its rewrites, failed ones too, by writer, version, case and repeat."""
        with self._db.read() as connection:
            number = number_of(connection, trajectory_id)
            order = (_R.writer, _R.writer_version, _R.case_hash, _R.repeat)
            rows = connection.execute(select(*_R.__table__.c).where(_R.trajectory == number).order_by(*order)).all()
        return tuple((row.key, _written(row)) for row in rows)

    def add_grade(self, key: str, grade: Grade) -> bool:
        """False where this (rewrite, grader version, repeat) is there already, scored or abstained.

        Raises NotFoundError where there is no such rewrite.
        """
        usage = grade.usage
        with self._db.write() as connection:
            if connection.scalar(select(_R.key).where(_R.key == key)) is None:
                raise NotFoundError(f"no rewritten report {key!r} in the store")
            row = {
                "rewrite": key,
                "grader": grade.grader,
                "grader_version": grade.grader_version,
                "case_hash": grade.case_hash,
                "repeat": grade.repeat,
                "outcome": grade.outcome,
                "score": grade.score,
                "raw": None if grade.raw is None or math.isnan(grade.raw) else grade.raw,
                "scheme": grade.scheme,
                "input_tokens": usage.input_tokens,
                "output_tokens": usage.output_tokens,
                "cost_usd": usage.cost_usd,
                "latency_s": usage.latency_s,
                "cached": usage.cached,
                "created_at": self._now(),
                "body": pack_json(
                    {
                        "reason": grade.reason,
                        "verdicts": [verdict_json(verdict) for verdict in grade.verdicts],
                        "detail": grade.detail,
                    }
                ),
            }
            return upsert_unless_final(self._db, connection, _G, ("rewrite", "grader_version", "repeat"), row, FAILED)

    def grades(self, key: str, grader_version: str | None = None) -> tuple[Grade, ...]:
        """Grades of a rewritten report, failed ones too, by grader version and repeat."""
        statement = select(*_G.__table__.c).where(_G.rewrite == key)
        if grader_version is not None:
            statement = statement.where(_G.grader_version == grader_version)
        with self._db.read() as connection:
            rows = connection.execute(statement.order_by(_G.grader_version, _G.repeat)).all()
        return tuple(grade_from(row) for row in rows)

    def columns(self, grader_version: str | None = None, runs: Sequence[str] | None = None) -> Columns:
        """One list each: trajectory_id question_id run writer writer_version repeat outcome report_chars, and of its
        grades grader_version grade_repeat grade_outcome score (None where it has none), in the order of import."""
        columns = {
            "trajectory_id": _T.id,
            "question_id": _T.question_id,
            "run": _T.run,
            "writer": _R.writer,
            "writer_version": _R.writer_version,
            "repeat": _R.repeat,
            "outcome": _R.outcome,
            "report_chars": _R.report_chars,
            "grader_version": _G.grader_version,
            "grade_repeat": _G.repeat,
            "grade_outcome": _G.outcome,
            "score": _G.score,
        }
        graded = _G.rewrite == _R.key
        if grader_version is not None:
            graded &= _G.grader_version == grader_version
        joined = select(*columns.values()).select_from(_R).join(_T, _T.seq == _R.trajectory).outerjoin(_G, graded)
        if runs is not None:
            joined = joined.where(_T.run.in_(list(runs)))
        order = (_T.seq, _R.writer_version, _R.case_hash, _R.repeat, _G.grader_version, _G.repeat)
        with self._db.read() as connection:
            rows = connection.execute(joined.order_by(*order)).all()
        return {name: [row[place] for row in rows] for place, name in enumerate(columns)}


def rewrite_key(trajectory_id: str, written: WrittenReport) -> str:
    """The identity of a rewritten report in the store."""
    return content_hash([trajectory_id, written.key])


def _written(row: AnyRow) -> WrittenReport:
    body: Any = unpack_json(row.body)
    return WrittenReport(
        writer=row.writer,
        writer_version=row.writer_version,
        case_hash=row.case_hash,
        outcome=row.outcome,
        report=body["report"],
        reason=body["reason"],
        usage=Usage(row.input_tokens, row.output_tokens, row.cost_usd, row.latency_s, row.cached),
        repeat=row.repeat,
        detail=body["detail"],
    )
