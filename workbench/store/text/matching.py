"""From the terms of a search to conditions on trajectories; every text of the user goes as a parameter."""

from typing import Any

from sqlalchemy import BigInteger, ColumnElement, bindparam, column, not_, select, text, union_all

from workbench.store.engine import AnySelect, Backend
from workbench.store.tables import DocumentUseTable, TrajectoryTable
from workbench.store.text.index import FIELD_BITS, OWNER_SHIFT, PART_BITS, match_expression
from workbench.store.text.query import FIELDS, LIGHT_FIELDS, Term, parse

_RESULT = FIELDS.index("result")
_NUMBER: dict[Backend, str] = {"sqlite": "rowid", "postgresql": "id"}
_MATCHES: dict[Backend, str] = {
    "sqlite": "text_index MATCH :expression",
    "postgresql": "tokens @@ CAST(:expression AS TSQUERY)",
}


def conditions(searched: str, backend: Backend) -> list[ColumnElement[bool]]:
    """Each must hold of a trajectory. Raises BadInputError where the search cannot be read."""
    return [_condition(term, backend) for term in parse(searched)]


def _condition(term: Term, backend: Backend) -> ColumnElement[bool]:
    holds: ColumnElement[bool]
    if term.field in LIGHT_FIELDS:
        named = TrajectoryTable.run if term.field == "run" else TrajectoryTable.model
        holds = named.startswith(term.value, autoescape=True) if term.prefix else named == term.value
    else:
        holds = TrajectoryTable.seq.in_(_holders(term, backend))
    return not_(holds) if term.excluded else holds


def _holders(term: Term, backend: Backend) -> Any:
    parts: list[AnySelect] = []
    if term.field != "result":
        wanted = f"<> {_RESULT}" if term.field is None else f"= {FIELDS.index(term.field)}"
        parts.append(_owners(term, backend, wanted))
    if term.field in (None, "result"):
        documents = _owners(term, backend, f"= {_RESULT}")
        parts.append(select(DocumentUseTable.trajectory).where(DocumentUseTable.document.in_(documents)))
    return parts[0] if len(parts) == 1 else union_all(*parts)


def _owners(term: Term, backend: Backend, field: str) -> AnySelect:
    number = _NUMBER[backend]
    statement = text(
        f"SELECT {number} >> {OWNER_SHIFT} AS owner FROM text_index WHERE {_MATCHES[backend]} "
        f"AND (({number} >> {PART_BITS}) & {2**FIELD_BITS - 1}) {field}"
    ).bindparams(bindparam("expression", match_expression(term, backend), unique=True))
    found = statement.columns(column("owner", BigInteger())).subquery()
    return select(found.c.owner)
