"""From a `TrajectoryFilter` and a sort key to SQL, over the light table alone."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, and_, func, null, or_, select

from workbench.errors import BadInputError
from workbench.store.engine import AnySelect, Backend, Database
from workbench.store.repositories.figures import figure
from workbench.store.rows import SortKey, TrajectoryFilter, Within
from workbench.store.tables import GradeTable, NoteTable, TrajectoryTable
from workbench.store.text.matching import text_search

_T = TrajectoryTable
_SORT_COLUMNS: dict[str, Any] = {
    "imported": _T.seq,
    "question": _T.question,
    "run": _T.run,
    "steps": _T.steps,
    "tool_calls": _T.tool_calls,
    "distinct_queries": _T.distinct_queries,
    "sites_opened": _T.sites_opened,
    "report_chars": _T.report_chars,
    "attempt": _T.attempt,
    "policy_step": _T.policy_step,
}
SORT_KEYS: tuple[str, ...] = (*_SORT_COLUMNS, "score")


def grader_is(grader: str, *, name: Any = GradeTable.grader) -> ColumnElement[bool]:
    """SQL on grades: this grader by name, or by `name@` and the beginning of a version. `name`: the column of names."""
    asked, at, version = grader.rpartition("@")
    by_name: ColumnElement[bool] = name == grader
    if not at or not asked or not version:
        return by_name
    return or_(by_name, and_(name == asked, GradeTable.grader_version.startswith(version, autoescape=True)))


def deciding(filter_: TrajectoryFilter, sort: SortKey = "imported") -> TrajectoryFilter:
    """The filter without what decides neither who passes nor in which order: to score everybody reads every grade."""
    bounded = filter_.min_score is not None or filter_.max_score is not None
    return filter_ if bounded or sort == "score" else replace(filter_, grader=None)


class TrajectoryQuery:
    """The statement's parts for one filter: `score` is a column, NULL where the filter names no grader."""

    def __init__(self, database: Database, filter_: TrajectoryFilter) -> None:
        self._database = database
        self._filter = filter_
        self._scores = None
        self._search = text_search(filter_.text, database.backend) if filter_.text else None
        if filter_.grader is not None:
            self._scores = (
                select(GradeTable.trajectory.label("trajectory"), func.avg(GradeTable.score).label("score"))
                .where(GradeTable.outcome == "scored", grader_is(filter_.grader))
                .group_by(GradeTable.trajectory)
                .subquery("scores")
            )
        elif filter_.min_score is not None or filter_.max_score is not None:
            raise BadInputError("a bound on the score needs the grader whose score it is; name one with it")

    @property
    def score(self) -> Any:
        return self._scores.c.score if self._scores is not None else None

    @property
    def score_of_each(self) -> Any:
        """The score as an expression that reads the grades of one trajectory: for a few rows, whatever there is."""
        if self._filter.grader is None:
            return null()
        # Bare, the name would draw SQLite to the index of graders: all that one gave, read once for every row.
        named = grader_is(self._filter.grader, name=GradeTable.grader + "")
        own = (GradeTable.trajectory == _T.seq, GradeTable.outcome == "scored", named)
        return select(func.avg(GradeTable.score)).where(*own).correlate(_T).scalar_subquery()

    @property
    def costly(self) -> bool:
        """Whether to find out who passes costs more than a list of their numbers: a search, a score of everybody."""
        return self._search is not None or self._scores is not None

    def select(self, *columns: Any) -> AnySelect:
        """These columns of the trajectories that pass."""
        statement = select(*columns).select_from(_T)
        if self._scores is not None:
            statement = statement.outerjoin(self._scores, self._scores.c.trajectory == _T.seq)
        return statement.where(*self._conditions())

    @property
    def searched_alone(self) -> AnySelect | None:
        """The numbers of those that pass, in a column `trajectory`, where the text index alone can tell; else None."""
        alone = TrajectoryFilter(text=self._filter.text, grader=self._filter.grader) == self._filter
        return self._search.numbers if self._search is not None and alone else None

    def ordered(self, statement: AnySelect, sort: SortKey, descending: bool) -> AnySelect:
        """Rows without a value come last in both directions; equal ones stand in the order of import."""
        if sort == "score":
            if self._scores is None:
                raise BadInputError("sorting by score needs the grader whose score it is; name one with it")
            key = self._scores.c.score
        elif sort in _SORT_COLUMNS:
            key = _SORT_COLUMNS[sort]
        else:
            raise BadInputError(f"cannot sort by {sort!r}; expected one of {', '.join(SORT_KEYS)}")
        if sort == "imported":
            return statement.order_by(_T.seq.desc() if descending else _T.seq)
        return statement.order_by(key.is_(None), key.desc() if descending else key, _T.seq)

    def _conditions(self) -> list[ColumnElement[bool]]:
        wanted = self._filter
        conditions: list[ColumnElement[bool]] = []
        for column, value in (
            (_T.run, wanted.run),
            (_T.model, wanted.model),
            (_T.question_id, wanted.question_id),
            (_T.outcome, wanted.outcome),
            (_T.group, wanted.group),
            (_T.policy_step, wanted.policy_step),
        ):
            if isinstance(value, tuple):
                conditions.append(column.in_(value))
            elif value is not None:
                conditions.append(column == value)
        if wanted.ids is not None:
            conditions.append(_T.id.in_(self._database.values(wanted.ids)))
        if self._search is not None:
            conditions.extend(self._search.conditions)
        if wanted.retrieval is not None:
            conditions.append(getattr(_T, f"retrieval_{wanted.retrieval}") > 0)
        if wanted.support is not None:
            conditions.append(getattr(_T, f"support_{wanted.support}") > 0)
        for bound in wanted.figures or ():
            conditions.extend(_within(bound, self._database.backend))
        if wanted.has_report is not None:
            conditions.append(_T.report_chars > 0 if wanted.has_report else _T.report_chars == 0)
        if wanted.has_tool_error is not None:
            conditions.append(_T.tool_errors > 0 if wanted.has_tool_error else _T.tool_errors == 0)
        if wanted.noted is not None:
            conditions.append(_T.seq.in_(_noted(wanted.noted)))
        return conditions + self._score_bounds()

    def _score_bounds(self) -> list[ColumnElement[bool]]:
        bounds: list[ColumnElement[bool]] = []
        if self._filter.min_score is not None:
            bounds.append(self.score >= self._filter.min_score)
        if self._filter.max_score is not None:
            bounds.append(self.score <= self._filter.max_score)
        return bounds


def _within(bound: Within, backend: Backend) -> list[ColumnElement[bool]]:
    value = figure(bound.figure, backend)
    sides: list[ColumnElement[bool]] = [value.is_not(None)]
    if bound.low is not None:
        sides.append(value >= bound.low)
    if bound.high is not None:
        sides.append(value <= bound.high)
    return sides


def _noted(word: str) -> AnySelect:
    kind, _, tag = word.partition(":")
    statement = select(NoteTable.trajectory).where(NoteTable.removed_at.is_(None), NoteTable.kind == kind)
    return statement.where(NoteTable.text == tag) if tag else statement


def known_ids(database: Database, ids: Sequence[str]) -> AnySelect:
    """SQL: number and id of those of these trajectories that are in the store."""
    return select(_T.seq, _T.id).where(_T.id.in_(database.values(ids)))
