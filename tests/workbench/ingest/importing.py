"""What tests of the importer share: files of generated trajectories, and the call with its usual arguments."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from workbench.ingest.importer import ImportReport, import_paths
from workbench.phases import analyse
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import NullJob

# What the long proofs are about; other parts being edited meanwhile do not change them.
PROVEN = ("workbench/ingest", "workbench/store", "workbench/phases", "workbench/schema", "tests/workbench/ingest")
EVERYTHING = TrajectoryFilter()


def bring_in(store: Store, *paths: Path, **options: Any) -> ImportReport:
    """Imports with the real analysis, and checks the one sum that must always hold."""
    folder = options.pop("quarantine_dir", paths[0].parent / "quarantine")
    report = import_paths(store, paths, **{"analyse": analyse, "job": NullJob(), "quarantine_dir": folder, **options})
    assert report.read == report.imported + report.duplicates + report.quarantined
    assert len(set_aside(report)) == report.quarantined
    return report


def set_aside(report: ImportReport) -> list[dict[str, Any]]:
    if report.quarantine_path is None:
        return []
    return [json.loads(line) for line in report.quarantine_path.read_bytes().splitlines()]


def chat(question: str, answer: str = "It is so [1].", **fields: Any) -> dict[str, Any]:
    """A chat with one search, one page and an answer that cites it."""
    url = f"https://pages.example/{abs(hash_of(question))}"
    return {
        "messages": [
            {"role": "user", "content": question},
            {"role": "assistant", "tool_calls": [call("search", {"query": question})]},
            {"role": "tool", "content": f"1. A page about {question}: {url}"},
            {"role": "assistant", "tool_calls": [call("visit", {"url": url})]},
            {"role": "tool", "content": f"All about {question}. " * 20},
            {"role": "assistant", "content": f"{answer}\n\n[1] {url}"},
        ],
        **fields,
    }


def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def hash_of(text: str) -> int:
    return sum(ord(character) * (index + 1) for index, character in enumerate(text))


def write_lines(path: Path, records: Iterable[object]) -> Path:
    """One line a record; bytes as they are."""
    lines = [record if isinstance(record, bytes) else json.dumps(record).encode() for record in records]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path
