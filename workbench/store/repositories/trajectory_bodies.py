"""One trajectory opened: its outline without bodies, its steps and report with them, its analysis, its source."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, and_, select

from workbench.errors import BadInputError, NotFoundError
from workbench.schema.analysis import Analysis, Citation, Passage, PhaseTotals, StepPhase
from workbench.schema.trajectory import Step, ToolCall, Trajectory
from workbench.store.codec import document_keys, join_step, unpack_bytes, unpack_json, unpack_text
from workbench.store.engine import AnyRow, AnySelect
from workbench.store.repositories.base import Repository, number_of
from workbench.store.repositories.filters import TrajectoryQuery
from workbench.store.repositories.new_rows import activity_from
from workbench.store.rows import StepOutline, TrajectoryFilter
from workbench.store.tables import (
    BodyTable,
    CitationTable,
    DocumentTable,
    PhaseCorrectionTable,
    StepTable,
    TrajectoryTable,
)

SHORTEST_PREFIX = 4
_T, _S, _C, _B = TrajectoryTable, StepTable, PhaseCorrectionTable, BodyTable
_HEAD = (
    _T.seq, _T.id, _T.question, _T.question_id, _T.run, _T.model, _T.attempt, _T.group, _T.policy_step, _T.outcome,
    _T.content_hash, _B.meta, _B.report,
)  # fmt: skip


class TrajectoryBodies(Repository):
    """The half of `Trajectories` that reads one trajectory."""

    def resolve(self, prefix: str) -> str:
        """The full id that begins like this (4 characters or more, `t-` may be left out).

        Raises NotFoundError where there is none, BadInputError where the prefix is too short or fits several.
        """
        wanted = prefix if prefix.startswith("t-") else f"t-{prefix}"
        if len(prefix) < SHORTEST_PREFIX:
            raise BadInputError(f"{prefix!r} is too short for an id; give {SHORTEST_PREFIX} characters or more")
        with self._db.read() as connection:
            statement = select(_T.id).where(_T.id.startswith(wanted, autoescape=True)).order_by(_T.id).limit(4)
            found = list(connection.scalars(statement))
        if not found:
            raise NotFoundError(f"no trajectory {prefix!r} in the store; `ls` lists what there is")
        if len(found) > 1:
            raise BadInputError(f"{prefix!r} fits several trajectories ({', '.join(found[:3])}); give more of the id")
        return found[0]

    def get(self, trajectory_id: str) -> Trajectory:
        """All of it, equal to what was imported."""
        with self._db.read() as connection:
            for _, trajectory in self._open(connection, [number_of(connection, trajectory_id)]):
                return trajectory
        raise NotFoundError(f"no trajectory {trajectory_id!r} in the store")

    def iterate(self, filter_: TrajectoryFilter, batch: int = 50) -> Iterator[Trajectory]:
        """All that pass, in the order of import, `batch` of them in memory at a time."""
        for _, trajectory in self.iterate_with_ids(filter_, batch):
            yield trajectory

    def iterate_with_ids(self, filter_: TrajectoryFilter, batch: int = 50) -> Iterator[tuple[str, Trajectory]]:
        """As `iterate`, with the id beside it: to compute it anew costs a hash of the whole."""
        query = TrajectoryQuery(self._db, filter_)
        with self._db.read() as connection:
            numbers = list(connection.scalars(query.ordered(query.select(_T.seq), "imported", False)))
        for start in range(0, len(numbers), batch):
            with self._db.read() as connection:
                found = self._open(connection, numbers[start : start + batch])
            yield from found

    def _open(self, connection: Connection, numbers: Sequence[int]) -> list[tuple[str, Trajectory]]:
        heads = connection.execute(
            select(*_HEAD).join(_B, _B.trajectory == _T.seq).where(_T.seq.in_(numbers)).order_by(_T.seq)
        ).all()
        rows = connection.execute(
            select(_S.trajectory, _S.payload).where(_S.trajectory.in_(numbers)).order_by(_S.trajectory, _S.position)
        ).all()
        steps = self._join(connection, [row.payload for row in rows])
        numbered = zip((row.trajectory for row in rows), steps, strict=True)
        by_number = {n: tuple(step for _, step in group) for n, group in groupby(numbered, key=lambda pair: pair[0])}
        return [(head.id, _trajectory(head, by_number.get(head.seq, ()))) for head in heads]

    def _join(self, connection: Connection, packed: Iterable[bytes]) -> list[Step]:
        payloads = [unpack_json(data) for data in packed]
        keys = {key for payload in payloads for key in document_keys(payload)}
        texts: dict[str, str] = {}
        if keys:
            found = select(DocumentTable.key, DocumentTable.body).where(
                DocumentTable.key.in_(self._db.values(sorted(keys)))
            )
            texts = {row.key: unpack_text(row.body) for row in connection.execute(found)}
        return [join_step(payload, texts) for payload in payloads]

    def source(self, trajectory_id: str) -> bytes:
        """The record that it was read from, byte for byte."""
        return unpack_bytes(self._body(trajectory_id, _B.source))

    def source_name(self, trajectory_id: str) -> str:
        """Where that record stood."""
        name: str = self._body(trajectory_id, _B.source_name)
        return name

    def question(self, trajectory_id: str) -> str:
        with self._db.read() as connection:
            seq = number_of(connection, trajectory_id)
            found: str = connection.execute(select(_T.question).where(_T.seq == seq)).scalar_one()
            return found

    def report(self, trajectory_id: str) -> str:
        return unpack_text(self._body(trajectory_id, _B.report))

    def _body(self, trajectory_id: str, column: Any) -> Any:
        with self._db.read() as connection:
            seq = number_of(connection, trajectory_id)
            return connection.execute(select(column).where(_B.trajectory == seq)).scalar_one()

    def steps(self, trajectory_id: str, start: int = 0, stop: int | None = None) -> tuple[Step, ...]:
        """Steps `start` to before `stop`, bodies and all."""
        with self._db.read() as connection:
            seq = number_of(connection, trajectory_id)
            statement = select(_S.payload).where(_S.trajectory == seq, _S.position >= start).order_by(_S.position)
            if stop is not None:
                statement = statement.where(_S.position < stop)
            return tuple(self._join(connection, connection.scalars(statement)))

    def outline(self, trajectory_id: str, start: int = 0, stop: int | None = None) -> tuple[StepOutline, ...]:
        """Steps `start` to before `stop` without their bodies, a person's phases applied."""
        with self._db.read() as connection:
            statement = _outline_of(number_of(connection, trajectory_id)).where(_S.position >= start)
            if stop is not None:
                statement = statement.where(_S.position < stop)
            rows = connection.execute(statement).all()
        return tuple(_outline(row) for row in rows)

    def citations(self, trajectory_id: str) -> tuple[Citation, ...]:
        """The report's citations in order, without the rest of the analysis."""
        with self._db.read() as connection:
            return _citations(connection, number_of(connection, trajectory_id))

    def analysis(self, trajectory_id: str) -> Analysis:
        """What was computed, a person's phase corrections applied to the phases (confidence 1) and not to the totals.

        `workbench.phases` makes totals of phases; the store does not know how tokens are counted.
        """
        with self._db.read() as connection:
            seq = number_of(connection, trajectory_id)
            head = connection.execute(select(*_T.__table__.c).where(_T.seq == seq)).one()
            outline = connection.execute(_outline_of(seq)).all()
            citations = _citations(connection, seq)
        phases = (_phase(row) for row in outline)
        return Analysis(
            version=head.analysis_version,
            phases=tuple(phase for phase in phases if phase is not None),
            totals={phase: PhaseTotals(**totals) for phase, totals in head.totals.items()},
            activity=activity_from(head),
            citations=citations,
        )


def _citations(connection: Connection, seq: int) -> tuple[Citation, ...]:
    rows = connection.execute(
        select(CitationTable).where(CitationTable.trajectory == seq).order_by(CitationTable.ordinal)
    )
    return tuple(_citation(row) for row in rows)


def _outline_of(seq: int) -> AnySelect:
    columns = (
        _S.position, _S.role, _S.phase, _S.confidence, _S.phase_source, _S.preview, _S.chars, _S.reasoning_chars,
        _S.result_chars, _S.n_errors, _S.outline, _C.phase.label("corrected"),
    )  # fmt: skip
    same_step = and_(_C.trajectory == _S.trajectory, _C.position == _S.position)
    return select(*columns).outerjoin(_C, same_step).where(_S.trajectory == seq).order_by(_S.position)


def _phase(row: AnyRow) -> StepPhase | None:
    if row.corrected is not None:
        return StepPhase(row.position, row.corrected, 1.0, "person")
    return None if row.phase is None else StepPhase(row.position, row.phase, row.confidence, row.phase_source)


def _outline(row: AnyRow) -> StepOutline:
    phase = _phase(row)
    return StepOutline(
        position=row.position,
        role=row.role,
        phase=phase.phase if phase else None,
        confidence=phase.confidence if phase else None,
        phase_source=phase.source if phase else None,
        preview=row.preview,
        chars=row.chars,
        reasoning_chars=row.reasoning_chars,
        tool_calls=tuple(ToolCall(**call) for call in row.outline),
        result_chars=row.result_chars,
        n_errors=row.n_errors,
    )


def _citation(row: AnyRow) -> Citation:
    passage = row.body.pop("passage")
    return Citation(
        ordinal=row.ordinal,
        retrieval=row.retrieval,
        support=row.support,
        passage=None if passage is None else Passage(**passage),
        **row.body,
    )


def _trajectory(head: AnyRow, steps: tuple[Step, ...]) -> Trajectory:
    return Trajectory(
        question=head.question,
        question_id=head.question_id,
        run=head.run,
        model=head.model,
        steps=steps,
        report=unpack_text(head.report),
        attempt=head.attempt,
        group=head.group,
        policy_step=head.policy_step,
        outcome=head.outcome,
        meta=head.meta,
    ).hashed(head.content_hash)
