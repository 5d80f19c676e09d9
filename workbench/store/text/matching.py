"""From the terms of a search to SQL on trajectories; every text of the user goes as a parameter."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, SmallInteger, cast, column, exists, literal, not_, select, table
from sqlalchemy.dialects.postgresql import TSQUERY

from workbench.store.engine import AnySelect, Backend
from workbench.store.tables import TrajectoryTable
from workbench.store.text.index import match_expression
from workbench.store.text.query import FIELDS, LIGHT_FIELDS, Term, parse


@dataclass(frozen=True, slots=True)
class TextSearch:
    """A search as SQL. Its `conditions` must all hold of a trajectory.

    `numbers` selects the numbers of the trajectories that pass, each once, as its column `trajectory`, from the index
    alone; None where the index alone cannot tell (names of runs and models, nothing but exclusions).
    """

    conditions: tuple[ColumnElement[bool], ...]
    numbers: AnySelect | None


def text_search(searched: str, backend: Backend) -> TextSearch:
    """Raises BadInputError where the search cannot be read."""
    terms = parse(searched)
    names = tuple(_named(term) for term in terms if term.field in LIGHT_FIELDS)
    wanted = [term for term in terms if term.field not in LIGHT_FIELDS and not term.excluded]
    unwanted = [term for term in terms if term.field not in LIGHT_FIELDS and term.excluded]
    make = _in_fts5 if backend == "sqlite" else _in_tsvectors
    found, conditions = make(wanted, unwanted)
    return TextSearch((*names, *conditions), None if names else found)


def _named(term: Term) -> ColumnElement[bool]:
    named = TrajectoryTable.run if term.field == "run" else TrajectoryTable.model
    holds: ColumnElement[bool]
    holds = named.startswith(term.value, autoescape=True) if term.prefix else named == term.value
    return not_(holds) if term.excluded else holds


_Parts = tuple[AnySelect | None, tuple[ColumnElement[bool], ...]]


def _in_fts5(wanted: Sequence[Term], unwanted: Sequence[Term]) -> _Parts:
    """One row is one trajectory, so the whole search is one expression."""
    without = " OR ".join(match_expression(term, "sqlite") for term in unwanted)
    if not wanted:
        return None, (TrajectoryTable.seq.not_in(_matching(without)),) if without else ()
    all_of = " AND ".join(match_expression(term, "sqlite") for term in wanted)
    found = _matching(f"({all_of}) NOT ({without})" if without else all_of)
    return found, (TrajectoryTable.seq.in_(found),)


def _matching(expression: str) -> AnySelect:
    number: ColumnElement[int] = column("rowid", BigInteger()).label("trajectory")
    return select(number).select_from(table("text_index")).where(column("text_index").op("MATCH")(expression))


def _in_tsvectors(wanted: Sequence[Term], unwanted: Sequence[Term]) -> _Parts:
    """Every term may be met by another row of the trajectory."""
    seq = TrajectoryTable.seq
    conditions = [seq.in_(_rows_with(term)) for term in wanted] + [_in_no_row(term, seq) for term in unwanted]
    if not wanted:
        return None, tuple(conditions)
    first = _rows_with(wanted[0]).distinct()
    number = first.selected_columns.trajectory
    others = [number.in_(_rows_with(term)) for term in wanted[1:]] + [_in_no_row(term, number) for term in unwanted]
    return first.where(*others), tuple(conditions)


def _rows_with(term: Term) -> AnySelect:
    rows = table(
        "text_index", column("trajectory", BigInteger()), column("field", SmallInteger()), column("tokens")
    ).alias()
    statement = select(rows.c.trajectory).where(
        rows.c.tokens.op("@@")(cast(literal(match_expression(term, "postgresql")), TSQUERY))
    )
    return statement if term.field is None else statement.where(rows.c.field == FIELDS.index(term.field))


def _in_no_row(term: Term, number: Any) -> ColumnElement[bool]:
    """An anti-join: PostgreSQL runs NOT IN over many rows anew for each, once they outgrow its working memory."""
    rows = _rows_with(term)
    return not_(
        exists(rows.where(rows.selected_columns.trajectory == number).correlate_except(*rows.get_final_froms()))
    )
