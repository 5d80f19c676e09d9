"""Damaged records: an import never crashes on one, accounts for each, and loses no whole record beside it."""

import gzip
import json
import random
import shutil
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.evidence import write_evidence
from tests.workbench.ingest.importing import EVERYTHING, PROVEN, bring_in, set_aside
from tests.workbench.ingest.mutations import mutate, seeds
from workbench.store import open_store

SEED = 7_010


def bring_in_damaged(
    folder: Path, template: str, records: list[dict[str, Any]], *, n: int, rng: random.Random
) -> tuple[Counter[str], Counter[str]]:
    """Imports a file of n damaged records with whole ones between them into a new store.

    Gives (how many of each damage, what became of the records). Fails where a whole record is missing.
    """
    lines, kinds, whole = [], Counter[str](), set[bytes]()
    for index in range(n):
        kind, damaged = mutate(rng.choice(records), rng)
        kinds[kind] += 1
        lines.append(damaged)
        if index % 10 == 0:
            good = json.dumps({"prompt": f"whole {index} {rng.random()}", "article": "a [1]"}).encode()
            whole.add(good)
            lines.append(good)
    database = folder / "damaged.db"
    shutil.copyfile(template, database)
    path = folder / "damaged"
    data = b"\n".join(lines) + b"\n"
    path.write_bytes(gzip.compress(data, 1) if rng.random() < 0.2 else data)
    with open_store(f"sqlite:///{database}") as store:
        report = bring_in(store, path)
        sources = {store.trajectories.source(id_) for id_ in store.trajectories.ids(EVERYTHING)}
        n_stored = len(store.trajectories.ids(EVERYTHING))
    assert whole <= sources
    assert report.read >= len(lines), "one line gives one record, or two where one was written into another"
    assert report.imported == n_stored
    assert all(row["reason"] for row in set_aside(report))
    database.unlink()
    fate = {"imported": report.imported, "duplicates": report.duplicates, "set aside": report.quarantined}
    return kinds, Counter(fate)


def test_damaged_records_are_all_accounted_for(tmp_path: Path, sqlite_url: str) -> None:
    kinds, fate = bring_in_damaged(
        tmp_path, sqlite_url.removeprefix("sqlite:///"), seeds(), n=300, rng=random.Random(SEED)
    )
    assert len(kinds) == 10
    assert min(fate.values()) > 0


@pytest.mark.parametrize("indent", [None, 1])
def test_damaged_arrays_are_all_accounted_for(tmp_path: Path, sqlite_url: str, indent: int | None) -> None:
    """Damage to an array may reach beyond one record; that no more than a few are lost is tested of the splitter."""
    records = [record for record in seeds() if "prompt" in record][:8]
    rng = random.Random(SEED)
    for attempt in range(15):
        data = bytearray(json.dumps(records, indent=indent, ensure_ascii=False).encode())
        for _ in range(3):
            at = rng.randrange(len(data))
            data[at : at + rng.choice((0, 1, 4))] = rng.choice((b"", b'"', b"]", b"{", b"\xff", b"\\"))
        (tmp_path / f"{attempt}.json").write_bytes(data)
    with open_store(sqlite_url) as store:
        report = bring_in(store, *sorted(tmp_path.glob("*.json")))
    assert report.read >= 15
    assert report.imported > 15


@pytest.mark.slow
def test_tens_of_thousands_of_damaged_records(tmp_path: Path, sqlite_url: str) -> None:
    """As many as fit into four minutes; the result goes to docs/evidence."""
    started = time.monotonic()
    rng, records = random.Random(SEED), seeds()
    kinds, fate = Counter[str](), Counter[str]()
    while time.monotonic() - started < 230:
        more_kinds, more_fate = bring_in_damaged(
            tmp_path, sqlite_url.removeprefix("sqlite:///"), records, n=1000, rng=rng
        )
        kinds += more_kinds
        fate += more_fate
    n = kinds.total()
    write_evidence(
        "import-mutations",
        {
            "what": "damaged records imported among whole ones: no crash, each accounted for, no whole one lost",
            "damage": dict(sorted(kinds.items())),
            "records_read": fate.total(),
            "became": dict(fate),
            "seed_records": len(records),
        },
        code=PROVEN,
        seed=SEED,
        n=n,
        seconds=time.monotonic() - started,
    )
    assert n >= 10_000
