"""Lists, columns and reward facts: the light table alone, whatever the bodies weigh."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, literal, select

from workbench.schema.analysis import RETRIEVALS, SUPPORTS
from workbench.schema.reward import RolloutFacts
from workbench.store.engine import AnyRow
from workbench.store.repositories.base import Repository, number_of
from workbench.store.repositories.filters import TrajectoryQuery, deciding
from workbench.store.repositories.new_rows import ACTIVITY, activity_from
from workbench.store.rows import Columns, Page, SortKey, TrajectoryFilter, TrajectoryRow
from workbench.store.tables import TrajectoryTable

_T = TrajectoryTable
_PLAIN = (
    "id", "question", "question_id", "run", "model", "attempt", "group", "policy_step", "outcome", "steps",
    "report_chars",
)  # fmt: skip
_COUNTS = tuple(f"retrieval_{name}" for name in RETRIEVALS) + tuple(f"support_{name}" for name in SUPPORTS)
_ONCE = 1000  # rows fetched by number; a statement takes a limited number of parameters
_LIGHT = tuple(getattr(_T, name) for name in _PLAIN + ACTIVITY + _COUNTS)


class TrajectoryLists(Repository):
    """The half of `Trajectories` that reads many."""

    def row(self, trajectory_id: str, grader: str | None = None) -> TrajectoryRow:
        with self._db.read() as connection:
            number_of(connection, trajectory_id)
            query = TrajectoryQuery(self._db, TrajectoryFilter(ids=(trajectory_id,), grader=grader))
            return _row(connection.execute(query.select(*_LIGHT, _score(query))).one())

    def page(
        self,
        filter_: TrajectoryFilter,
        *,
        sort: SortKey = "imported",
        descending: bool = False,
        offset: int = 0,
        limit: int = 50,
    ) -> Page[TrajectoryRow]:
        """A part of the list and how many pass in all. Rows without the sort key's value come last both ways."""
        query = TrajectoryQuery(self._db, deciding(filter_, sort))
        with self._db.read() as connection:
            numbers, total = self._found(connection, query, sort, descending, offset, limit)
            return Page(self._rows(connection, numbers, filter_.grader), total, offset)

    def _found(
        self, connection: Connection, query: TrajectoryQuery, sort: SortKey, descending: bool, offset: int, limit: int
    ) -> tuple[list[int], int]:
        """The numbers on one page, and how many pass in all."""
        alone = query.searched_alone
        if alone is not None and sort == "imported":
            # The index gives numbers in the order of import: a page ends where it is full, and counting reads no row.
            number = alone.selected_columns.trajectory
            page = alone.order_by(number.desc() if descending else number).offset(offset).limit(limit)
            total = connection.execute(select(func.count()).select_from(alone.subquery())).scalar_one()
            return list(connection.scalars(page)), total
        listed = query.ordered(query.select(_T.seq), sort, descending)
        if query.costly:
            # Run once, not again for the count.
            numbers = list(connection.scalars(listed))
            return numbers[offset : offset + limit], len(numbers)
        total = connection.execute(query.select(func.count())).scalar_one()
        return list(connection.scalars(listed.offset(offset).limit(limit))), total

    def _rows(self, connection: Connection, numbers: Sequence[int], grader: str | None) -> tuple[TrajectoryRow, ...]:
        """The rows of these numbers, in their order. Scores are read of these alone."""
        query = TrajectoryQuery(self._db, TrajectoryFilter(grader=grader))
        found: dict[int, TrajectoryRow] = {}
        for start in range(0, len(numbers), _ONCE):
            some = numbers[start : start + _ONCE]
            shown = select(_T.seq, *_LIGHT, query.score_of_each.label("score")).where(_T.seq.in_(some))
            found |= {row.seq: _row(row) for row in connection.execute(shown)}
        return tuple(found[number] for number in numbers)

    def ids(
        self, filter_: TrajectoryFilter, *, sort: SortKey = "imported", descending: bool = False
    ) -> tuple[str, ...]:
        query = TrajectoryQuery(self._db, filter_)
        with self._db.read() as connection:
            return tuple(connection.scalars(query.ordered(query.select(_T.id), sort, descending)))

    def columns(self, filter_: TrajectoryFilter) -> Columns:
        """One list for each field of a TrajectoryRow in the order of import, the activity's fields in its place.

        Citation counts come as `citations` (all), `retrieval_<class>` and `support_<class>`.
        """
        query = TrajectoryQuery(self._db, filter_)
        listed = query.ordered(query.select(*_LIGHT, _score(query)), "imported", False)
        names = (*_PLAIN, *ACTIVITY, *_COUNTS, "score")
        with self._db.read() as connection:
            rows = connection.execute(listed).all()
        columns: Columns = (
            dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)) if rows else {n: [] for n in names}
        )
        by_class = zip(*(columns[f"retrieval_{name}"] for name in RETRIEVALS), strict=True)
        columns["citations"] = [sum(counts) for counts in by_class]
        return columns

    def facts(self, filter_: TrajectoryFilter) -> tuple[tuple[str, RolloutFacts], ...]:
        """What the reward reads of each, with its id, in the order of import."""
        query = TrajectoryQuery(self._db, filter_)
        citations: Any = literal(0)
        for name in RETRIEVALS:
            citations = citations + getattr(_T, f"retrieval_{name}")
        listed = query.select(
            _T.id, _T.question_id, _T.distinct_queries, _T.sites_opened, _T.sites_cited, _T.sites_seen, _T.tool_calls,
            _T.failed_calls, _T.report_chars, citations, _T.retrieval_not_retrieved,
        )  # fmt: skip
        with self._db.read() as connection:
            rows = connection.execute(query.ordered(listed, "imported", False)).all()
        return tuple((row[0], RolloutFacts(*row[1:])) for row in rows)


def _score(query: TrajectoryQuery) -> Any:
    return literal(None).label("score") if query.score is None else query.score.label("score")


def _row(row: AnyRow) -> TrajectoryRow:
    return TrajectoryRow(
        id=row.id,
        question=row.question,
        question_id=row.question_id,
        run=row.run,
        model=row.model,
        attempt=row.attempt,
        group=row.group,
        policy_step=row.policy_step,
        outcome=row.outcome,
        steps=row.steps,
        report_chars=row.report_chars,
        activity=activity_from(row),
        citations_by_retrieval={name: getattr(row, f"retrieval_{name}") for name in RETRIEVALS},
        citations_by_support={name: getattr(row, f"support_{name}") for name in SUPPORTS},
        score=row.score,
    )
