"""What an example is: the files of one import, and the format that its records must be recognised as."""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Example:
    """`files` by name; those that hold no record of their own lie beside the others. `trajectories` as imported.

    `contained`: the files are no JSON text, and are damaged as bytes rather than as records.
    """

    format: str
    files: Mapping[str, bytes]
    trajectories: int = 1
    contained: bool = False

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        return folder

    def records(self) -> list[dict[str, Any]]:
        """The JSON objects of its files, for damaging them one by one; none of a container."""
        if self.contained:
            return []
        found: list[dict[str, Any]] = []
        for data in self.files.values():
            for text in data.splitlines():
                value = json.loads(text)
                found += [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]
        return found


def lines(format_: str, *records: Mapping[str, Any], trajectories: int = 1, name: str = "example.jsonl") -> Example:
    """One line a record."""
    return Example(format_, {name: b"".join(encoded(record) + b"\n" for record in records)}, trajectories)


def encoded(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def zipped(files: Mapping[str, object]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, value in files.items():
            made.writestr(name, encoded(value))
    return out.getvalue()


def parquet(rows: Sequence[Mapping[str, Any]]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([dict(row) for row in rows]), out)
    return out.getvalue()


def stream(*events: tuple[str, Mapping[str, Any]]) -> bytes:
    """An event stream, each event with its name and data."""
    return b"".join(f"event: {name}\ndata: ".encode() + encoded(data) + b"\n\n" for name, data in events)
