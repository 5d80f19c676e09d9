"""All steps of one trajectory as columns: the map of a long one, read in the time of a short one."""

import json
from collections.abc import Sequence
from typing import Any

import orjson
from sqlalchemy import Text, select, type_coerce

from workbench.schema.trajectory import ToolKind
from workbench.store.repositories.base import Repository, number_of
from workbench.store.rows import StepColumns
from workbench.store.tables import PhaseCorrectionTable, StepTable
from workbench.store.types import unescape_text

_S, _C = StepTable, PhaseCorrectionTable
# Raw text: a decoder's call for each of 35,000 cells is most of what a typed read costs.
_RAW = tuple(type_coerce(column, Text) for column in (_S.role, _S.phase, _S.outline))


class TrajectoryColumns(Repository):
    """The part of `Trajectories` that reads all steps of one: no body, no preview and no object a step."""

    def step_columns(self, trajectory_id: str) -> StepColumns:
        """A person's phases applied. Raises NotFoundError."""
        counts = (_S.chars + _S.reasoning_chars, _S.result_chars, _S.n_errors)
        with self._db.read() as connection:
            seq = number_of(connection, trajectory_id)
            steps = select(*_RAW, *counts).where(_S.trajectory == seq).order_by(_S.position)
            rows = connection.execute(steps).all()
            corrections = select(_C.position, _C.phase).where(_C.trajectory == seq)
            corrected = {row.position: row.phase for row in connection.execute(corrections)}
        columns: list[list[Any]] = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(6)]
        roles, phases, outlines, words, results, errors = columns
        for position, phase in corrected.items():
            phases[position] = phase
        return StepColumns(
            role=roles,
            phase=phases,
            by_person=tuple(sorted(corrected)),
            calls=_shared(outlines),
            words=words,
            results=results,
            errors=errors,
        )


def _shared(outlines: Sequence[str]) -> list[tuple[tuple[ToolKind, str], ...]]:
    """Steps that call the same tools share one tuple: 35,000 of their own would keep the garbage collector busy."""
    known: dict[tuple[tuple[ToolKind, str], ...], tuple[tuple[ToolKind, str], ...]] = {}
    out = []
    for text in outlines:
        own = () if text == "[]" else tuple([(call["kind"], call["name"]) for call in _calls(text)])
        out.append(known.setdefault(own, own))
    return out


def _calls(text: str) -> Sequence[Any]:
    plain = unescape_text(text)
    try:
        return orjson.loads(plain)  # type: ignore[no-any-return]
    except ValueError:  # a lone surrogate, which only the slow way takes
        return json.loads(plain)  # type: ignore[no-any-return]
