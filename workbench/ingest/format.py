"""What every trace format is: a name, a test of one record, and a reader of one record."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from workbench.errors import BadInputError
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Outcome, Step

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")
_LONGEST_META_CHARS = 2000
_JSON_NAMES = {str: "text", list: "list", dict: "object", bool: "true or false", type(None): "null"}
LEFT_IN_SOURCE = "left_in_source"


@dataclass(frozen=True, slots=True)
class Draft:
    """A trajectory as far as its record tells it. None means that the record does not say: the importer decides."""

    question: str
    steps: tuple[Step, ...]
    report: str
    outcome: Outcome = "unknown"
    question_id: str | None = None
    run: str | None = None
    model: str | None = None
    attempt: int | None = None
    group: str | None = None
    policy_step: int | None = None
    meta: Mapping[str, JsonValue] = field(default_factory=dict)


class Folder(Protocol):
    """The folder that a record's file lies in, for formats whose trajectory is spread over several files.

    Names are plain file names (or `below/name`); nothing outside the folder can be reached.
    """

    @property
    def file(self) -> str:
        """Name of the file that the record comes from."""
        ...

    def names(self) -> tuple[str, ...]:
        """Names of the regular files in the folder, sorted."""
        ...

    def text(self, name: str) -> str | None:
        """A file's text, None where there is no such file, it is no UTF-8, or it is over the limit of a record."""
        ...

    def json(self, name: str) -> JsonValue:
        """A file's JSON value, None as for `text` and where it is no JSON."""
        ...


class PartOfError(Exception):
    """The record is no trajectory of its own; the message names what it belongs to and is read with."""


@dataclass(frozen=True, slots=True)
class Format:
    """One trace format.

    `detect` looks at a parsed record and says whether it is one of these; it must not raise. `read` turns it into a
    draft, and raises BadInputError (or ValueError) with a sentence where it cannot. `looks_like` says in a few words
    what a record holds, for messages. `model_from_file`: files are named after the model that wrote their records.

    `gather`: records of one file that give one key (a trace id) are one trajectory: `read` gets `{"records": [...]}`
    with them in file order. None for a record that belongs to no trajectory. A batch of records of several
    trajectories gives (key, piece) pairs.
    `expand`: what is read in the place of a record: one mapping a trajectory, where a record holds several, or where
    other files of its folder complete it. Each mapping is JSON, and is stored as that trajectory's source. Raises
    PartOfError for a record that is read with another.
    `every_record_an_attempt`: a dump of rollouts, where two equal records are two attempts and not one written twice.
    """

    name: str
    looks_like: str
    detect: Callable[[Mapping[str, Any]], bool]
    read: Callable[[Mapping[str, Any]], Draft]
    model_from_file: bool = False
    every_record_an_attempt: bool = False
    gather: Callable[[Mapping[str, Any]], str | Sequence[tuple[str, Mapping[str, Any]]] | None] | None = None
    expand: Callable[[Mapping[str, Any], Folder], Iterable[Mapping[str, Any]]] | None = None


class Record(BaseModel):
    """Base of the models that check records at the edge: types as they are, other keys allowed."""

    model_config = ConfigDict(strict=True, extra="ignore")


def checked(model: type[M], record: Mapping[str, Any]) -> M:
    """The record as this model. Raises BadInputError that names the first fields that are wrong, and how many are."""
    try:
        return model.model_validate(record)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        named = "; ".join(
            f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg'].lower()}" for problem in problems[:3]
        )
        more = f" (3 of {len(problems)} problems)" if len(problems) > 3 else ""
        raise BadInputError(f"{named}{more}") from None


def fields_of(record: Mapping[str, Any]) -> str:
    """The first fields of a record and the types of their values, for a sentence."""
    named = [f"{name[:40]} ({_JSON_NAMES.get(type(value), 'number')})" for name, value in list(record.items())[:8]]
    more = f", ... ({len(named)} of {len(record)})" if len(record) > len(named) else ""
    return ", ".join(named) + more if named else "no fields"


def field_of(record: Mapping[str, Any], name: str, kind: type[T]) -> T | None:
    """An optional field beside what a format is about: None where it is absent or of another type (then it is meta).

    True is no number; a text of blanks is absent.
    """
    value = record.get(name)
    if not isinstance(value, kind) or isinstance(value, bool) or (isinstance(value, str) and not value.strip()):
        return None
    return value


def other_fields(record: Mapping[str, Any], *read: str) -> dict[str, JsonValue]:
    """What a record says besides the fields that were read: short values whole, long ones named only.

    The names stand under `left_in_source`, since the source record is kept byte for byte.
    """
    kept: dict[str, JsonValue] = {}
    left: list[str] = []
    for name, value in record.items():
        if name in read:
            continue
        if len(repr(value)) <= _LONGEST_META_CHARS:
            kept[name] = value
        else:
            left.append(name)
    return kept | ({LEFT_IN_SOURCE: left} if left else {})


def recorded_reward(record: Mapping[str, Any], name: str) -> dict[str, JsonValue]:
    """A reward that the source recorded, for meta: under `recorded_reward` if it is a number, else as it stands."""
    value = record.get(name)
    if isinstance(value, int | float):
        return {"recorded_reward": value}
    return {} if value is None else {name: value}


def first_user_text(steps: Sequence[Step]) -> str:
    """The text of the first user message. Raises BadInputError where there is none."""
    for step in steps:
        if step.role == "user" and step.text.strip():
            return step.text.strip()
    raise BadInputError("there is no user message with a text; expected the question in it")


def required_agent_step(steps: Sequence[Step]) -> None:
    """Raises BadInputError where the agent said nothing at all: that is a prompt, not a trajectory."""
    if not any(step.role == "assistant" for step in steps):
        raise BadInputError("there is no assistant message; expected at least one turn of the agent")
