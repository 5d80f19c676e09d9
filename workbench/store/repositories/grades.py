"""Grades by trajectory, and the graders that gave them."""

import math
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, case, func, or_, select

from workbench.schema.canonical import JsonObject
from workbench.schema.grade import CriterionVerdict, Grade, GraderKind, GraderRole, Usage
from workbench.store.codec import pack_json, unpack_json
from workbench.store.engine import AnyRow, Database
from workbench.store.repositories.base import Repository, number_of, numbers_of
from workbench.store.repositories.filters import grader_is
from workbench.store.rows import Columns, GraderSummary
from workbench.store.tables import GraderRoleTable, GraderTable, GradeTable, TrajectoryTable

_G, _T = GradeTable, TrajectoryTable
FAILED = ("judge_failed", "infra_failed")
_KEY = ("trajectory", "grader_version", "case_hash", "repeat")


class Grades(Repository):
    """A scored or abstained grade stays; a failed one gives way to a later try."""

    def add(self, trajectory_id: str, grade: Grade) -> bool:
        """False where this (trajectory, grader version, case, repeat) is there already, scored or abstained."""
        return self.add_many([(trajectory_id, grade)]) == 1

    def add_many(self, grades: Sequence[tuple[str, Grade]]) -> int:
        """As `add` for each, in one transaction; gives how many were written. A raw value of NaN is kept as None."""
        with self._db.write() as connection:
            numbers = numbers_of(self._db, connection, [trajectory_id for trajectory_id, _ in grades])
            now = self._now()
            rows = [_grade_row(grade, numbers[trajectory_id], now) for trajectory_id, grade in grades]
            return upsert_all_unless_final(self._db, connection, GradeTable, _KEY, rows)

    def existing(
        self, grader_version: str, trajectory_ids: Sequence[str] | None = None
    ) -> frozenset[tuple[str, str, int]]:
        """(trajectory id, case hash, repeat) of what this version has scored or abstained on."""
        statement = (
            select(_T.id, _G.case_hash, _G.repeat)
            .join(_T, _T.seq == _G.trajectory)
            .where(_G.grader_version == grader_version, _G.outcome.not_in(FAILED))
        )
        if trajectory_ids is not None:
            statement = statement.where(_T.id.in_(self._db.values(trajectory_ids)))
        with self._db.read() as connection:
            return frozenset((row.id, row.case_hash, row.repeat) for row in connection.execute(statement))

    def for_trajectory(self, trajectory_id: str) -> tuple[Grade, ...]:
        """All its grades, failed ones too, by grader, version, case and repeat."""
        with self._db.read() as connection:
            seq = number_of(connection, trajectory_id)
            order = (_G.grader, _G.grader_version, _G.case_hash, _G.repeat)
            rows = connection.execute(select(*_G.__table__.c).where(_G.trajectory == seq).order_by(*order))
            return tuple(grade_from(row) for row in rows)

    def scores(self, grader: str, run: str | None = None) -> Columns:
        """Columns trajectory_id question_id run repeat outcome score raw, failures included, in the order of import.

        `grader` is a name, or `name@` and the beginning of a version.
        """
        columns = {
            "trajectory_id": _T.id,
            "question_id": _T.question_id,
            "run": _T.run,
            "repeat": _G.repeat,
            "outcome": _G.outcome,
            "score": _G.score,
            "raw": _G.raw,
        }
        statement = select(*columns.values()).select_from(_G).join(_T, _T.seq == _G.trajectory).where(grader_is(grader))
        if run is not None:
            statement = statement.where(_T.run == run)
        with self._db.read() as connection:
            order = (_T.seq, _G.grader_version, _G.case_hash, _G.repeat)
            rows = connection.execute(statement.order_by(*order)).all()
        return {name: [row[place] for row in rows] for place, name in enumerate(columns)}

    def register(self, name: str, version: str, kind: GraderKind, definition: JsonObject) -> None:
        """What made this version; the first word on it stays."""
        row = {"name": name, "version": version, "kind": kind, "definition": definition, "created_at": self._now()}
        with self._db.write() as connection:
            self._db.insert_new(connection, GraderTable, [row])

    def definition(self, version: str) -> JsonObject | None:
        """What was registered of a version, None if nothing."""
        with self._db.read() as connection:
            found: JsonObject | None = connection.scalar(
                select(GraderTable.definition).where(GraderTable.version == version).order_by(GraderTable.name)
            )
            return found

    def set_role(self, name: str, version: str, role: GraderRole) -> None:
        """Gives a version its role, in place of an older one."""
        row = {"version": version, "name": name, "role": role, "at": self._now()}
        statement = self._db.insert(GraderRoleTable).values(**row)
        with self._db.write() as connection:
            connection.execute(statement.on_conflict_do_update(index_elements=["version"], set_=row))

    def roles(self) -> dict[str, GraderRole]:
        """Version -> role, of the versions that were given one."""
        with self._db.read() as connection:
            rows = connection.execute(select(GraderRoleTable.version, GraderRoleTable.role))
            return {row.version: row.role for row in rows}

    def versions(self, name: str) -> tuple[str, ...]:
        """The versions registered under this name, newest first."""
        statement = select(GraderTable.version).where(GraderTable.name == name)
        with self._db.read() as connection:
            order = (GraderTable.created_at.desc(), GraderTable.version)
            return tuple(connection.scalars(statement.order_by(*order)))

    def scored_by(self) -> dict[str, int]:
        """Names of the graders with a scored grade, each with how many grades it gave (failed ones too), most first.

        From the index: no grade is read but one of each.
        """
        counted = select(_G.grader, func.count().label("n")).group_by(_G.grader)
        with self._db.read() as connection:
            every = {row.grader: int(row.n) for row in connection.execute(counted)}
            scored = {
                name
                for name in every
                if connection.scalar(select(1).where(_G.grader == name, _G.outcome == "scored").limit(1))
            }
        return {name: every[name] for name in sorted(scored, key=lambda name: (-every[name], name))}

    def graders(self) -> tuple[GraderSummary, ...]:
        """Every version that was registered or gave a grade, by name and version."""
        counted = select(
            _G.grader,
            _G.grader_version,
            _count_of("scored").label("n_scored"),
            _count_of("abstained").label("n_abstained"),
            _count_of(*FAILED).label("n_failed"),
            func.avg(_G.score).label("mean_score"),
            func.sum(_G.cost_usd).label("cost_usd"),
            (func.count() - func.count(_G.cost_usd)).label("n_unpriced"),
        ).group_by(_G.grader, _G.grader_version)
        with self._db.read() as connection:
            kinds: dict[tuple[str, str], GraderKind] = {
                (row.name, row.version): row.kind
                for row in connection.execute(select(GraderTable.name, GraderTable.version, GraderTable.kind))
            }
            graded = {(row.grader, row.grader_version): row for row in connection.execute(counted)}
        return tuple(_summary(key, kinds.get(key), graded.get(key)) for key in sorted(kinds.keys() | graded.keys()))


def upsert_unless_final(
    database: Database,
    connection: Connection,
    table: Any,
    key: Sequence[str],
    row: dict[str, Any],
    failed: Sequence[str] = FAILED,
) -> bool:
    """Writes the row unless one of this key is there with an outcome that is no failure. True if it was written."""
    return upsert_all_unless_final(database, connection, table, key, [row], failed) == 1


def upsert_all_unless_final(
    database: Database,
    connection: Connection,
    table: Any,
    key: Sequence[str],
    rows: Sequence[dict[str, Any]],
    failed: Sequence[str] = FAILED,
) -> int:
    """As `upsert_unless_final` for each, in order, in one statement. Gives how many of the keys were written."""
    kept: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        at = tuple(row[name] for name in key)
        if at not in kept or kept[at]["outcome"] in failed:
            kept[at] = row
    if not kept:
        return 0
    statement = database.insert(table)
    replaced = {name: statement.excluded[name] for name in rows[0] if name not in key}
    # Not `in_`, whose list of parameters cannot be in a statement for many rows.
    gives_way = or_(*(table.outcome == outcome for outcome in failed))
    statement = statement.on_conflict_do_update(index_elements=list(key), set_=replaced, where=gives_way)
    # In one order everywhere, so that two writers never wait for each other's rows.
    ordered = [kept[at] for at in sorted(kept)]
    return len(connection.execute(statement.returning(table.outcome), ordered).all())


def _count_of(*outcomes: str) -> Any:
    return func.sum(case((_G.outcome.in_(outcomes), 1), else_=0))


def _summary(key: tuple[str, str], kind: GraderKind | None, row: AnyRow | None) -> GraderSummary:
    return GraderSummary(
        name=key[0],
        version=key[1],
        kind=kind,
        n_scored=int(row.n_scored) if row else 0,
        n_abstained=int(row.n_abstained) if row else 0,
        n_failed=int(row.n_failed) if row else 0,
        mean_score=row.mean_score if row else None,
        cost_usd=row.cost_usd if row else None,
        n_unpriced=row.n_unpriced if row else 0,
    )


def _grade_row(grade: Grade, seq: int, now: Any) -> dict[str, Any]:
    usage = grade.usage
    return {
        "trajectory": seq,
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
        "created_at": now,
        "body": pack_json(
            {"reason": grade.reason, "verdicts": [verdict_json(v) for v in grade.verdicts], "detail": grade.detail}
        ),
    }


def verdict_json(verdict: CriterionVerdict) -> JsonObject:
    return {
        "criterion_id": verdict.criterion_id,
        "label": verdict.label,
        "value": verdict.value,
        "reason": verdict.reason,
        "quote": verdict.quote,
    }


def grade_from(row: AnyRow) -> Grade:
    body = unpack_json(row.body)
    return Grade(
        grader=row.grader,
        grader_version=row.grader_version,
        case_hash=row.case_hash,
        outcome=row.outcome,
        score=row.score,
        raw=row.raw,
        scheme=row.scheme,
        reason=body["reason"],
        verdicts=tuple(CriterionVerdict(**verdict) for verdict in body["verdicts"]),
        usage=Usage(row.input_tokens, row.output_tokens, row.cost_usd, row.latency_s, row.cached),
        repeat=row.repeat,
        detail=body["detail"],
    )
