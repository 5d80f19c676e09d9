"""No acknowledged ballot is lost, doubled or filed under another name, with many raters at once and a server killed."""

import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.evidence import write_evidence
from tests.support.postgres import binaries, temporary_cluster
from tests.workbench.human.load.proof import PAIRS, load, sync_floor_ms

SEED = 7
P95_MS = 200.0
WRONG = ("lost", "doubled", "misattributed", "not_acknowledged", "log", "trouble")


def wrong(found: dict[str, Any]) -> dict[str, Any]:
    return {name: found[name] for name in WRONG if found[name]}


def test_raters_at_once_lose_nothing_when_the_server_is_killed(store_url: str, tmp_path: Path) -> None:
    found = load(store_url, tmp_path, raters=5, ballots=5, kill_after=(9,))
    assert wrong(found) == {}
    assert found["ballots"] == found["ballots_wanted"] == 25


@pytest.mark.slow
def test_forty_raters_for_two_minutes_and_ten_kills(sqlite_url: str, tmp_path: Path) -> None:
    """On SQLite and on PostgreSQL that syncs every commit: all 2,400 ballots, and ten kills at odd moments."""
    began = time.perf_counter()
    bin_folder = binaries()
    assert bin_folder is not None, "PostgreSQL is not installed"
    kills = tuple(range(117, 40 * PAIRS, 229))[:10]
    found: dict[str, Any] = {"every_s": 2.0, "sync_floor_ms": sync_floor_ms(tmp_path)}
    with temporary_cluster(bin_folder, durable=True) as home:
        urls = {"sqlite": sqlite_url, "postgresql": f"postgresql+psycopg://postgres@/postgres?host={home}"}
        for backend, url in urls.items():
            for kind, at in (("quiet", ()), ("killed", kills)):
                folder = tmp_path / f"{backend}-{kind}"
                folder.mkdir()
                own = f"{url}.{kind}" if backend == "sqlite" else url
                found[f"{backend}_{kind}"] = load(own, folder, raters=40, ballots=PAIRS, kill_after=at)
    code = ("workbench/human", "workbench/store", "tests/workbench/human/load")
    runs = [one for one in found.values() if isinstance(one, dict) and "backend" in one]
    n = sum(one["ballots"] for one in runs)
    write_evidence("rating-load", found, seed=SEED, n=n, seconds=time.perf_counter() - began, code=code)
    assert [wrong(one) for one in runs] == [{}] * 4
    assert [one["ballots"] for one in runs] == [40 * PAIRS] * 4
    assert [one["backend"] for one in runs if not one["kills"] and one["acknowledged_ms"]["p95"] >= P95_MS] == []
