"""HTTP recordings of tests (VCR cassettes) in YAML: one file is one record, `{"interactions": [...]}`.

Only plain values are made of the text, whatever tags it holds. Headers are left out, since they may hold a key.
Source: https://vcrpy.readthedocs.io, the `interactions` list of version 1.
"""

import base64
import datetime
import re
from collections.abc import Iterator, Mapping
from typing import IO, Any

import orjson
import yaml

from workbench.ingest.containers.container import Container
from workbench.ingest.json_values import BrokenJsonError, parse_json
from workbench.ingest.splitter import RawRecord

# A parsed recording takes about ten times its size.
LIMIT_BYTES = 32 * 1024 * 1024
# Aliases let a short text stand for an endless value; each use counts here.
_MOST_VALUES = 2_000_000
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTERACTIONS = re.compile(rb"^interactions:[ \t]*\r?$", re.MULTILINE)
_HEADERS = frozenset({"headers"})
_DEEPEST = 200


class _TooLargeError(ValueError):
    """The value has more parts, or more levels, than a recording can need."""


def detect(head: bytes, _name: str) -> bool:
    """A text with the list `interactions:` at its outermost level near its beginning."""
    start = head[:65536]
    return not start.lstrip().startswith((b"{", b"[")) and b"\x00" not in start and bool(_INTERACTIONS.search(start))


def records(file: IO[bytes]) -> Iterator[RawRecord]:
    """The one record of the file, with a problem where it is too large or no YAML."""
    raw = file.read(LIMIT_BYTES + 1)
    if len(raw) > LIMIT_BYTES:
        yield RawRecord(b"", 1, problem=f"the recording has more than {LIMIT_BYTES:,} bytes")
        return
    try:
        value = yaml.load(raw.decode("utf-8-sig"), Loader=_LOADER)
        plain = _Plain().value(value)
        made = orjson.dumps(plain, option=orjson.OPT_NON_STR_KEYS)
        yield RawRecord(made, 1, value=parse_json(made))
    except yaml.YAMLError as error:
        yield RawRecord(raw, 1, problem=f"the recording is no YAML: {' '.join(str(error).split())[:300]}")
    except UnicodeDecodeError as error:
        yield RawRecord(raw, 1, problem=f"the recording is not UTF-8: byte at {error.start}")
    except RecursionError:
        yield RawRecord(raw, 1, problem="the recording is nested too deeply")
    except (ValueError, TypeError, OverflowError, BrokenJsonError) as error:
        # The safe loader itself raises ValueError, as for a date that no calendar has.
        yield RawRecord(raw, 1, problem=f"the recording cannot be read: {error}")


class _Plain:
    """Makes JSON of YAML's values, counting them."""

    def __init__(self) -> None:
        self._seen = 0

    def value(self, given: object, depth: int = 0) -> Any:
        self._seen += 1
        if self._seen > _MOST_VALUES or depth > _DEEPEST:
            raise _TooLargeError(f"with its aliases opened it has over {_MOST_VALUES:,} values or {_DEEPEST} levels")
        if isinstance(given, Mapping):
            return {str(k): self.value(v, depth + 1) for k, v in given.items() if k not in _HEADERS}
        if isinstance(given, list | tuple | set):
            return [self.value(item, depth + 1) for item in given]
        if isinstance(given, bytes):
            try:
                return given.decode("utf-8")
            except UnicodeDecodeError:
                return base64.b64encode(given).decode("ascii")
        if isinstance(given, datetime.date | datetime.datetime):
            return given.isoformat()
        return given


CONTAINER = Container("vcr-yaml", detect, records)
