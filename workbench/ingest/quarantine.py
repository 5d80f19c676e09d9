"""Where records go that cannot be taken in: a JSONL file, one line a record, with all it takes to find and mend it."""

import base64
import json
import secrets
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from workbench.ingest.splitter import RawRecord


class Quarantine:
    """Made when the first record is set aside, so that an import without one leaves nothing behind.

    A line holds `source line record format reason` and the record byte for byte: `raw` where it is UTF-8, else
    `raw_base64`; a record over the limit is a file of its own beside, named under `raw_file`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: IO[bytes] | None = None
        self.path: Path | None = None
        self.count = 0

    def add(self, record: RawRecord, *, source: str, number: int, format_name: str | None, reason: str) -> None:
        """`number` is the record's place in its file, from 1."""
        file, path = self._opened()
        line: dict[str, object] = {
            "source": source,
            "line": record.line,
            "record": number,
            "format": format_name,
            "reason": reason,
        }
        if record.spilled is not None:
            kept = path.with_name(f"{path.stem}-{self.count + 1}.bin")
            shutil.copyfile(record.spilled, kept)
            line["raw_file"] = kept.name
        else:
            try:
                line["raw"] = record.raw.decode("utf-8")
            except UnicodeDecodeError:
                line["raw_base64"] = base64.b64encode(record.raw).decode("ascii")
        file.write(json.dumps(line, ensure_ascii=False).encode("utf-8") + b"\n")
        self.count += 1

    def flush(self) -> None:
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _opened(self) -> tuple[IO[bytes], Path]:
        if self._file is None or self.path is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            name = f"import-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}.jsonl"
            self.path = self._folder / name
            self._file = self.path.open("xb")
        return self._file, self.path
