"""What a container is: a file that is not JSON text, and how it is cut into records."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO

from workbench.ingest.splitter import RawRecord


@dataclass(frozen=True, slots=True)
class Container:
    """One kind of file.

    `detect` looks at the first bytes (up to 1 MiB, unpacked) and at the file's name, which may only decide between two
    readings of the same bytes. `records` gets the file, unpacked and seekable, at its beginning; a record's `value` is
    a mapping that some Format detects, `raw` the bytes it came from, or its JSON where there are none of its own.
    It raises BadInputError with a sentence, before the first record, for a file that it cannot read at all, and hands
    on a record with a `problem` for one that it cannot.
    """

    name: str
    detect: Callable[[bytes, str], bool]
    records: Callable[[IO[bytes]], Iterator[RawRecord]]
