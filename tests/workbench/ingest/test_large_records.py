"""Records that are too large or nested too deeply are handled or set aside, in bounded memory."""

import copy
import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.bench.imports import peak_of_import
from tests.support.evidence import write_evidence
from tests.workbench.ingest.importing import EVERYTHING, PROVEN, bring_in, chat, set_aside, write_lines
from tests.workbench.ingest.mutations import places, seeds
from workbench.store import open_store

MOST_MIB_SET_ASIDE = 400
# A record under the limit of 64 MiB is in memory as bytes, as values and as rows; 15 million lists are 1 GiB of values.
MOST_MIB_TAKEN_IN = 3000


def nested(levels: int, record: dict[str, Any], place: int) -> bytes:
    """The record with one of its values, by number, put into this many lists and objects in turns."""
    changed = copy.deepcopy(record)
    found = places(changed)
    holder, key = found[place % len(found)]
    holder[key] = "@"
    opening, closing = b'[{"a":' * (levels // 2), b"}]" * (levels // 2)
    return json.dumps(changed).encode().replace(b'"@"', opening + b'"deep"' + closing, 1)


@pytest.mark.parametrize("levels", [40, 1000, 20_000])
def test_deep_nesting_anywhere_in_any_format_is_handled_or_set_aside(
    tmp_path: Path, sqlite_url: str, levels: int
) -> None:
    records = [record for record in seeds() if len(json.dumps(record)) < 4000]
    lines = [nested(levels, record, place) for record in records for place in range(0, 60, 10)]
    with open_store(sqlite_url) as store:
        report = bring_in(store, write_lines(tmp_path / "deep", [*lines, chat("whole?")]))
    assert report.read == len(lines) + 1
    assert report.imported > 0
    said = {row["reason"] for row in set_aside(report)}
    assert not any("Error" in reason or "recursion" in reason.lower() for reason in said), said


@pytest.mark.slow
def test_huge_records_cost_bounded_memory_and_no_neighbour(tmp_path: Path) -> None:
    started = time.monotonic()
    whole = json.dumps(chat("whole?")).encode() + b"\n"
    long_text = json.dumps(chat("long?") | {"report": "x" * 10}).encode()
    cases = {
        "one text of 200 MB": long_text.replace(b'"xxxxxxxxxx"', b'"' + b"word " * 40_000_000 + b'"', 1),
        "a list of 200 MB": long_text.replace(b'"xxxxxxxxxx"', b"[" + b"[1]," * 50_000_000 + b"1]", 1),
        "one text of 60 MB": long_text.replace(b'"xxxxxxxxxx"', b'"' + b"word " * 12_000_000 + b'"', 1),
        "a list of 60 MB": long_text.replace(b'"xxxxxxxxxx"', b"[" + b"[1]," * 15_000_000 + b"1]", 1),
    }
    found: dict[str, Any] = {}
    for number, name in enumerate(list(cases)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "a.jsonl").write_bytes(whole + cases.pop(name) + b"\n" + whole.replace(b"whole?", b"another?"))
        begun = time.monotonic()
        peak = peak_of_import(folder, limit_mib=8192)
        with open_store(f"sqlite:///{folder / 'store.db'}") as store:
            questions = {row.question for row in store.trajectories.iterate(EVERYTHING)}
        assert {"whole?", "another?"} <= questions, name
        imported = "long?" in questions
        assert peak < (MOST_MIB_TAKEN_IN if imported else MOST_MIB_SET_ASIDE), name
        found[name] = {"imported": imported, "peak_mib": round(peak), "seconds": round(time.monotonic() - begun, 1)}
    write_evidence(
        "import-large",
        {"what": "records of many megabytes between two whole ones, by the verb", "records": found},
        code=PROVEN,
        seed=0,
        n=len(found),
        seconds=time.monotonic() - started,
    )
