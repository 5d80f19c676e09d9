"""The declarative base and the column kinds that tables share."""

from datetime import datetime
from typing import Annotated, Any

from sqlalchemy import Double, LargeBinary, MetaData
from sqlalchemy.orm import DeclarativeBase, mapped_column

from workbench.store.types import BIGINT, HostileText, JsonText, UtcTime

# Names for every constraint, so that a migration can speak of them on both backends.
NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}

Seq = Annotated[int, mapped_column(BIGINT, primary_key=True, autoincrement=True)]
Json = Annotated[Any, mapped_column(JsonText(), nullable=False)]
Body = Annotated[bytes, mapped_column(LargeBinary)]


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {str: HostileText(), int: BIGINT, datetime: UtcTime(), float: Double()}  # noqa: RUF012
