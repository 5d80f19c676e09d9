"""Steps by columns, and as records."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import and_, select

from workbench.schema.analysis import Phase, StepPhase
from workbench.schema.trajectory import Step, step_to_json
from workbench.store.codec import document_keys, join_step, unpack_json, unpack_text
from workbench.store.engine import AnyRow
from workbench.store.repositories.columns_base import BODY_BATCH, LIGHT_BATCH, ColumnReader, by_weight, to_columns
from workbench.store.repositories.filters import TrajectoryQuery
from workbench.store.rows import Columns, TrajectoryFilter
from workbench.store.tables import DocumentTable, PhaseCorrectionTable, StepTable, TrajectoryTable
from workbench.store.types import dump_json

_T, _S, _C = TrajectoryTable, StepTable, PhaseCorrectionTable
_LIGHT = (
    "trajectory_id", "question_id", "run", "position", "role", "phase", "confidence", "phase_source", "chars",
    "reasoning_chars", "tool_calls", "tools", "searches", "visits", "result_chars", "errors",
)  # fmt: skip
_BODIES = ("text", "reasoning", "calls", "results", "agent", "duration_s")


class StepColumns(ColumnReader):
    """One row a step, a person's phases applied."""

    def steps(self, filter_: TrajectoryFilter, *, bodies: bool = False) -> Iterator[Columns]:
        """Batches in the order of import and position. `calls` and `results` of the bodies are JSON text."""
        if not bodies:
            for batch in self._batches(filter_, LIGHT_BATCH):
                yield to_columns(_LIGHT, [_light(row) for row in self._step_rows(batch, ())])
            return
        for rows, steps in self._opened(filter_):
            yield to_columns(
                (*_LIGHT, *_BODIES),
                [(*_light(row), *_body(step)) for row, step in zip(rows, steps, strict=True)],
            )

    def step_records(self, filter_: TrajectoryFilter) -> Iterator[tuple[str, int, Step, StepPhase | None]]:
        """(trajectory id, position, step, phase) of each, bodies and all, in bounded memory."""
        for rows, steps in self._opened(filter_):
            for row, step in zip(rows, steps, strict=True):
                yield row.id, row.position, step, _phase(row)

    def corrected_steps(self, filter_: TrajectoryFilter) -> Iterator[tuple[str, Phase | None, Phase, Step]]:
        """(trajectory id, phase by the rules, phase by a person, step) of each step on which a person had the word."""
        query = TrajectoryQuery(self._db, replace(filter_, grader=None))
        chosen = (
            query.select(_T.id, _S.phase, _C.phase.label("by_person"), _S.payload)
            .join(_C, _C.trajectory == _T.seq)
            .join(_S, and_(_S.trajectory == _C.trajectory, _S.position == _C.position))
            .order_by(_C.trajectory, _C.position)
        )
        with self._db.read() as connection:
            rows = connection.execute(chosen).all()
        for start in range(0, len(rows), BODY_BATCH):
            part = rows[start : start + BODY_BATCH]
            for row, step in zip(part, self._join_steps([unpack_json(row.payload) for row in part]), strict=True):
                yield row.id, row.phase, row.by_person, step

    def _opened(self, filter_: TrajectoryFilter) -> Iterator[tuple[Sequence[AnyRow], list[Step]]]:
        for batch in self._batches(filter_, BODY_BATCH):
            rows = self._step_rows(batch, (_S.payload,))
            weights = [row.chars + row.reasoning_chars + row.result_chars for row in rows]
            for part in by_weight(rows, weights):
                yield part, self._join_steps([unpack_json(row.payload) for row in part])

    def _step_rows(self, batch: list[int], more: tuple[Any, ...]) -> Sequence[AnyRow]:
        columns: tuple[Any, ...] = (
            _T.id, _T.question_id, _T.run, _S.position, _S.role, _S.phase, _S.confidence, _S.phase_source, _S.chars,
            _S.reasoning_chars, _S.result_chars, _S.n_errors, _S.outline, _C.phase.label("corrected"), *more,
        )  # fmt: skip
        same_step = and_(_C.trajectory == _S.trajectory, _C.position == _S.position)
        statement = (
            select(*columns)
            .select_from(_S)
            .join(_T, _T.seq == _S.trajectory)
            .outerjoin(_C, same_step)
            .where(_S.trajectory.in_(batch))
            .order_by(_S.trajectory, _S.position)
        )
        with self._db.read() as connection:
            return connection.execute(statement).all()

    def _join_steps(self, payloads: list[Any]) -> list[Step]:
        # In a transaction after that of the rows: a document is known by its content and never changes.
        keys = sorted({key for payload in payloads for key in document_keys(payload)})
        texts: dict[str, str] = {}
        if keys:
            asked = select(DocumentTable.key, DocumentTable.body).where(DocumentTable.key.in_(self._db.values(keys)))
            with self._db.read() as connection:
                texts = {row.key: unpack_text(row.body) for row in connection.execute(asked)}
        return [join_step(payload, texts) for payload in payloads]


def _phase(row: AnyRow) -> StepPhase | None:
    if row.corrected is not None:
        return StepPhase(row.position, row.corrected, 1.0, "person")
    return None if row.phase is None else StepPhase(row.position, row.phase, row.confidence, row.phase_source)


def _light(row: AnyRow) -> tuple[Any, ...]:
    phase = _phase(row)
    kinds = [call["kind"] for call in row.outline]
    return (
        row.id, row.question_id, row.run, row.position, row.role,
        *((phase.phase, phase.confidence, phase.source) if phase else (None, None, None)),
        row.chars, row.reasoning_chars, len(kinds), ", ".join(call["name"] for call in row.outline),
        kinds.count("search"), kinds.count("visit"), row.result_chars, row.n_errors,
    )  # fmt: skip


def _body(step: Step) -> tuple[Any, ...]:
    as_json = step_to_json(step)
    calls, results = dump_json(as_json.get("tool_calls", [])), dump_json(as_json.get("tool_results", []))
    return step.text, step.reasoning, calls, results, step.agent, step.duration_s
