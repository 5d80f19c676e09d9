"""Batches of columns as pandas frames and as Arrow tables, with the dtypes of `columns`."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from workbench.errors import BadInputError
from workbench.notebook.columns import Column
from workbench.store import Columns

if TYPE_CHECKING:
    import pandas as pd

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_ARROW = {"text": "string", "json": "string", "integer": "int64", "number": "float64", "flag": "bool_"}


def to_frame(columns: Sequence[Column], batches: Iterable[Columns]) -> "pd.DataFrame":
    """One frame with these columns and dtypes, empty too."""
    pd = _library("pandas")
    parts = [_part(pd, columns, batch) for batch in batches]
    if not parts:
        return _part(pd, columns, {column.name: [] for column in columns})  # type: ignore[no-any-return]
    return parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True)  # type: ignore[no-any-return]


def _part(pd: Any, columns: Sequence[Column], batch: Columns) -> Any:
    return pd.DataFrame(
        {column.name: pd.Series(_encodable(column, batch[column.name]), dtype=column.dtype) for column in columns}
    )


def arrow_schema(columns: Sequence[Column], about: dict[str, str]) -> Any:
    """The schema of the files; what a column means stands in its metadata, `about` in the schema's."""
    pa = _library("pyarrow")

    def kind(column: Column) -> Any:
        return pa.timestamp("us", tz="UTC") if column.kind == "time" else getattr(pa, _ARROW[column.kind])()

    fields = [
        pa.field(column.name, kind(column), nullable=column.missing, metadata={"about": column.about})
        for column in columns
    ]
    return pa.schema(fields, metadata=about)


def to_arrow(columns: Sequence[Column], schema: Any, batch: Columns) -> Any:
    """One batch as an Arrow table: what is missing is null, and never NaN."""
    pa = _library("pyarrow")
    arrays = [
        pa.array(_encodable(column, batch[column.name]), type=field.type)
        for column, field in zip(columns, schema, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _encodable(column: Column, values: list[Any]) -> list[Any]:
    """Texts that UTF-8 can carry: half of a surrogate pair becomes its escape, so that it is seen and not lost."""
    if column.kind not in ("text", "json"):
        return values
    return [value if value is None or value.isascii() else _escaped(value) for value in values]


def _escaped(text: str) -> str:
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _library(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise BadInputError(f"this needs {name}: pip install {name}") from None
