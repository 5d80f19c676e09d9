"""Untrusted text in tables: nothing hidden, and no formula for the spreadsheet that a table is copied or saved into."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from workbench.ui.components.visible import visible_json

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")

# What spreadsheets run: after a sign they take a number for a number, unless a call or a program follows it.
_FORMULA = re.compile(r"\s*(?:[=@]|[+\-](?!\d)(?=\S)|[+\-]\d.*(?:[|!]|\w\())", re.DOTALL)

_HALF = re.compile("[\ud800-\udfff]")


def cell(value: T) -> T | str:
    """A value of a table: what is hidden in it spelt out, and what a spreadsheet would run put behind an apostrophe."""
    if not isinstance(value, str):
        return value
    shown = str(visible_json(value))
    return f"'{shown}" if _FORMULA.match(shown) else shown


def readable(frame: "pd.DataFrame") -> "pd.DataFrame":
    """The table with every text in it, names of columns too, as `cell` makes it; numbers stay as they are."""
    shown = frame.rename(columns=cell)
    for place, kind in enumerate(shown.dtypes):
        if str(kind) in ("object", "str", "string"):
            shown.isetitem(place, shown.iloc[:, place].map(cell, na_action="ignore").array)
    return shown


def framed(data: "Mapping[str, Any] | Sequence[Mapping[str, Any]]") -> "pd.DataFrame":
    """`pd.DataFrame(data)`, of columns or of rows. Half of a surrogate pair, which a judge may write and pandas' texts
    cannot hold, becomes U+FFFD."""
    import pandas as pd

    try:
        return pd.DataFrame(data)
    except UnicodeEncodeError:
        if isinstance(data, Mapping):
            return pd.DataFrame({name: [_sound(value) for value in values] for name, values in data.items()})
        return pd.DataFrame([{name: _sound(value) for name, value in row.items()} for row in data])


def _sound(value: T) -> T | str:
    return _HALF.sub("\ufffd", value) if isinstance(value, str) else value
