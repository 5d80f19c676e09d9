"""Reports kept as Markdown: one file is one record, `{"markdown": text}`.

Marks that only such reports have are enough; headings alone are also in scripts, where they are comments, and there
the name decides between the two readings.
"""

import re
from collections.abc import Iterator
from typing import IO

from workbench.ingest.containers.container import Container
from workbench.ingest.splitter import RECORD_LIMIT_BYTES, RawRecord

_OWN_MARKS = re.compile(rb"<qwen:(?:cite|takeaway)\b")
_HEADING = re.compile(rb"^[ ]{0,3}#{1,6}[ \t]+\S", re.MULTILINE)
_NAMES = (".md", ".markdown", ".mdown")
_BOM = b"\xef\xbb\xbf"


def detect(head: bytes, name: str) -> bool:
    """Text with the marks of such reports, or with a heading where the name says that it is Markdown."""
    start = head.removeprefix(_BOM).lstrip()
    if not start or start.startswith((b"{", b"[{", b"[\n")) or b"\x00" in start[:65536]:
        return False
    if _OWN_MARKS.search(start) is not None:
        return True
    return name.lower().removesuffix(".gz").removesuffix(".zst").endswith(_NAMES) and bool(_HEADING.search(start))


def records(file: IO[bytes]) -> Iterator[RawRecord]:
    """The one record, with a problem where it is larger than a record may be or no UTF-8."""
    raw = file.read(RECORD_LIMIT_BYTES + 1)
    if len(raw) > RECORD_LIMIT_BYTES:
        yield RawRecord(b"", 1, problem=f"the text has more than {RECORD_LIMIT_BYTES:,} bytes")
        return
    try:
        yield RawRecord(raw, 1, value={"markdown": raw.decode("utf-8-sig").replace("\r\n", "\n")})
    except UnicodeDecodeError as error:
        yield RawRecord(raw, 1, problem=f"the text is not UTF-8: byte at {error.start}")


CONTAINER = Container("markdown", detect, records)
