"""Questions as a list: how often each was tried, by how many runs, and how far its attempts are apart."""

from typing import Any

from sqlalchemy import func, select

from workbench.store.repositories.base import Repository
from workbench.store.repositories.filters import TrajectoryQuery
from workbench.store.rows import Page, QuestionRow, TrajectoryFilter
from workbench.store.tables import TrajectoryTable

_T = TrajectoryTable


class TrajectoryQuestions(Repository):
    """The part of `Trajectories` that counts by question."""

    def questions(
        self, filter_: TrajectoryFilter, *, at_least: int = 1, offset: int = 0, limit: int = 50
    ) -> Page[QuestionRow]:
        """Questions with `at_least` trajectories that pass, the widest spread of scores first, then the most tried."""
        query = TrajectoryQuery(self._db, filter_)
        n = func.count()
        scores: list[Any] = [] if query.score is None else [func.min(query.score), func.max(query.score)]
        named = [score.label(name) for score, name in zip(scores, ("lowest", "highest"), strict=False)]
        counted = (
            query.select(
                _T.question_id,
                func.min(_T.question).label("question"),
                n.label("n"),
                func.count(_T.run.distinct()).label("runs"),
                *named,
            )
            .group_by(_T.question_id)
            .having(n >= at_least)
        )
        wide = [(scores[1] - scores[0]).is_(None), (scores[1] - scores[0]).desc()] if scores else []
        listed = counted.order_by(*wide, n.desc(), _T.question_id).offset(offset).limit(limit)
        with self._db.read() as connection:
            total = connection.execute(select(func.count()).select_from(counted.subquery())).scalar_one()
            rows = connection.execute(listed).all()
        items = tuple(
            QuestionRow(
                row.question_id, row.question, row.n, row.runs, *((row.lowest, row.highest) if named else (None, None))
            )
            for row in rows
        )
        return Page(items, total, offset)
