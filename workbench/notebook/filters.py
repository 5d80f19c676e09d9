"""Keywords to a filter of the app, each checked: a mistyped one is a sentence, and not a list of everything."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, TypedDict, get_args

from workbench.errors import BadInputError
from workbench.schema.analysis import RETRIEVALS, SUPPORTS, Retrieval, Support
from workbench.schema.trajectory import Outcome
from workbench.store import FIGURES, TrajectoryFilter, Within


class Filters(TypedDict, total=False):
    """The fields of `TrajectoryFilter`, by the same names. Several values may be any iterable of them."""

    run: str | Iterable[str] | None
    model: str | Iterable[str] | None
    question_id: str | Iterable[str] | None
    outcome: Outcome | Iterable[Outcome] | None
    text: str | None
    group: str | None
    policy_step: int | None
    grader: str | None
    min_score: float | None
    max_score: float | None
    retrieval: Retrieval | None
    support: Support | None
    has_report: bool | None
    has_tool_error: bool | None
    noted: str | None
    figures: str | Within | Iterable[str | Within] | None
    ids: str | Iterable[str] | None


NAMES = tuple(field.name for field in fields(TrajectoryFilter))
_SEVERAL = ("run", "model", "question_id", "outcome", "ids")
_TEXTS = ("text", "group", "grader", "noted")
_FLAGS = ("has_report", "has_tool_error")
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "outcome": get_args(Outcome),
    "retrieval": RETRIEVALS,
    "support": SUPPORTS,
}


def filter_from(given: Mapping[str, Any]) -> TrajectoryFilter:
    """Raises BadInputError for a name that there is not, or a value that the field does not take."""
    check_names(given, NAMES)
    return TrajectoryFilter(**{name: _value(name, value) for name, value in given.items() if value is not None})


def check_names(given: Iterable[str], known: Iterable[str]) -> None:
    """Raises BadInputError with the nearest name for one that is not known."""
    names = tuple(known)
    for name in given:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            meant = f"; did you mean {near[0]!r}?" if near else "."
            raise BadInputError(f"there is no filter {name!r}{meant} Filters are {', '.join(names) or '(none here)'}")


def _value(name: str, value: Any) -> Any:
    if name == "figures":
        return tuple(_within(one) for one in ((value,) if isinstance(value, Within) else _several(name, value)))
    if name in _SEVERAL:
        wanted = tuple(_text(name, one) for one in _several(name, value))
    elif name in _TEXTS or name in ("retrieval", "support"):
        wanted = (_text(name, value),)
    elif name in _FLAGS:
        # numpy's and pandas' own kinds, out of a frame, become Python's.
        plain = value.item() if hasattr(value, "item") else value
        if not isinstance(plain, bool):
            raise BadInputError(f"{name} is {value!r}; expected True or False")
        return plain
    else:
        return _number(name, value)
    for one in wanted:
        if name in _CHOICES and one not in _CHOICES[name]:
            raise BadInputError(f"{name} is {one!r}; expected one of {', '.join(_CHOICES[name])}")
    if name not in _SEVERAL or (isinstance(value, str) and name != "ids"):
        return wanted[0]
    return wanted


def _within(value: Any) -> Within:
    bound = value if isinstance(value, Within) else Within.read(_text("figures", value))
    if bound.figure not in FIGURES:
        near = difflib.get_close_matches(bound.figure, FIGURES, n=1)
        meant = f"; did you mean {near[0]!r}?" if near else f"; expected one of {', '.join(FIGURES)}"
        raise BadInputError(f"there is no figure {bound.figure!r}{meant}")
    return bound


def _several(name: str, value: Any) -> Iterable[Any]:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, Iterable):
        raise BadInputError(f"{name} is {value!r}; expected a text or several")
    return tuple(value)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise BadInputError(f"{name} is {value!r}; expected a text")
    return str(value)


def _number(name: str, value: Any) -> int | float:
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, bool) or not isinstance(plain, int | float) or plain != plain:
        raise BadInputError(f"{name} is {value!r}; expected a number")
    if name == "policy_step" and plain != int(plain):
        raise BadInputError(f"{name} is {value!r}; expected a whole number")
    return int(plain) if name == "policy_step" else float(plain)
