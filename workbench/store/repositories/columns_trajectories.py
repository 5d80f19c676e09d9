"""Trajectories and the totals of their phases, by columns."""

from array import array
from collections.abc import Iterator, Sequence
from math import nan
from typing import Any

import orjson
from sqlalchemy import Text, func, literal, select, type_coerce

from workbench.schema.analysis import RETRIEVALS, SUPPORTS
from workbench.store.codec import unpack_text
from workbench.store.repositories.columns_base import BODY_BATCH, LIGHT_BATCH, ColumnReader, by_weight, to_columns
from workbench.store.repositories.figures import TOTALS, figure
from workbench.store.repositories.filters import TrajectoryQuery
from workbench.store.repositories.new_rows import ACTIVITY
from workbench.store.rows import Columns, FigureColumns, TrajectoryFilter
from workbench.store.tables import BodyTable, PhaseCorrectionTable, TrajectoryTable
from workbench.store.types import dump_json, unescape_text

FIGURE_BATCH = 5000
_NOTHING: dict[str, float] = {}
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

    def figures(self, filter_: TrajectoryFilter, names: Sequence[str]) -> FigureColumns:
        """These of FIGURES of all that pass, in one statement: a number each, NaN where it is not known.

        A person's corrections of phases are not in them: `corrected_steps` has those.
        """
        query = TrajectoryQuery(self._db, filter_)
        score = literal(None) if query.score is None else query.score
        plain = [name for name in names if name not in TOTALS]
        # Raw text: a decoder's call for each of 300,000 cells is most of what a typed read costs. Totals are taken out
        # of their text here, since SQLite would read it anew for each of them.
        raw = (type_coerce(column, Text) for column in (_T.id, _T.run, _T.question_id, _T.totals))
        wanted = (figure(name, self._db.backend) for name in plain)
        listed = query.ordered(query.select(*raw, score, *wanted), "imported", False)
        ids: list[str] = []
        runs, questions, scores = _Names(), _Names(), array("d")
        numbers = {name: array("d") for name in names}
        with self._db.read() as connection:
            found = connection.execute(listed, execution_options={"yield_per": FIGURE_BATCH})
            for rows in found.partitions():
                own, run, question, totals, scored, *columns = zip(*rows, strict=True)
                ids.extend(own)
                runs.extend(run)
                questions.extend(question)
                scores.extend(_numbers(scored))
                for name, column in zip(plain, columns, strict=True):
                    numbers[name].extend(_numbers(column))
                if len(plain) < len(names):
                    _add_totals(numbers, totals)
        return FigureColumns(ids, runs.all, questions.all, scores, numbers)

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


def _numbers(values: Sequence[float | None]) -> list[float]:
    return [nan if value is None else value for value in values]


def _add_totals(numbers: "dict[str, array[float]]", written: Sequence[str]) -> None:
    parsed = [orjson.loads(one) for one in written]
    for name in numbers.keys() & TOTALS.keys():
        phase, total = TOTALS[name]
        numbers[name].extend(_numbers([one.get(phase, _NOTHING).get(total) for one in parsed]))


class _Names:
    """Names of which many are the same: each is decoded, and held, once."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self.all: list[str] = []

    def extend(self, written: Sequence[str]) -> None:
        for one in set(written) - self._known.keys():
            self._known[one] = unescape_text(one)
        self.all.extend(map(self._known.__getitem__, written))
