"""Search, lists and indexing on a synthetic store: `python -m tests.bench search [N [STORE]]`, 100,000 by default."""

import itertools
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.bench.synthetic import fill, trajectories
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.rows import SortKey
from workbench.store.text.index import CREATE, add_texts, searched
from workbench.store.text.query import FIELDS
from workbench.store.text.tokens import tokens

SEED, REPEATS, FULL_SIZE, SMALL_SIZE, INDEXED = 20261129, 5, 100_000, 2000, 1000
SEARCHES = (
    "w0", "w1 w2", "w500", "w40000", "w49999", '"w0 w1"', '"w3 w0 w1"', "report:w10", "query:w30", "result:w100",
    "w5 -w6", "w100*", "海港", "塔", "研究报告", "w0 run:run-1", "-w0", "nowhere",
)  # fmt: skip
FILTERS = (
    TrajectoryFilter(), TrajectoryFilter(run="run-1"), TrajectoryFilter(model="model-2", outcome="truncated"),
    TrajectoryFilter(has_report=True, has_tool_error=False),
)  # fmt: skip


def measure(n: int = FULL_SIZE, kept: Path | None = None) -> dict[str, object]:
    """Milliseconds (p50, p95, worst and of what), the store's bytes, and the indexing ratio to a bare FTS5 insert.

    `kept`: a file for the store, which stays there; one that an earlier run left is not filled again (`fill_s` None,
    `n` what it holds).
    """
    with tempfile.TemporaryDirectory() as folder:
        path = kept or Path(folder) / "search.db"
        with open_store(f"sqlite:///{path}") as store:
            filled = None
            if not store.trajectories.page(TrajectoryFilter(), limit=1).total:
                start = time.perf_counter()
                fill(store, n, SEED)
                filled = time.perf_counter() - start
            n = store.trajectories.page(TrajectoryFilter(), limit=1).total
            found = _latency({text: partial(_search, store, text, "imported") for text in SEARCHES})
            by_calls = _latency({text: partial(_search, store, text, "tool_calls") for text in SEARCHES})
            listed = _latency(
                {
                    f"{index} by {key}": partial(store.trajectories.page, f, sort=key, descending=True)
                    for index, f in enumerate(FILTERS)
                    for key in ("imported", "tool_calls", "question")
                }
            )
        size, parts = path.stat().st_size, _bytes_by_table(path)
    return {
        "n": n, "fill_s": filled, "store_bytes": size, "bytes_by_table": parts, "search_ms": found,
        "search_by_tool_calls_ms": by_calls, "list_ms": listed, "indexing": indexing(),
    }  # fmt: skip


def _search(store: Store, text: str, sort: SortKey) -> object:
    return store.trajectories.page(TrajectoryFilter(text=text), sort=sort, descending=True)


def _latency(works: dict[str, Callable[[], object]]) -> dict[str, object]:
    each: dict[str, list[float]] = {name: [] for name in works}
    for _, (name, work) in itertools.product(range(REPEATS), works.items()):
        start = time.perf_counter()
        work()
        each[name].append((time.perf_counter() - start) * 1000)
    every = sorted(one for some in each.values() for one in some)
    by_name = {name: round(statistics.median(some), 1) for name, some in each.items()}
    p95 = every[int(len(every) * 0.95)]
    return {"p50": every[len(every) // 2], "p95": p95, "worst": every[-1], "median_of": by_name}


def _bytes_by_table(path: Path) -> dict[str, int]:
    """Bytes of each table with its indexes, largest first; empty where SQLite was built without `dbstat`."""
    statement = "SELECT s.tbl_name, sum(d.pgsize) FROM dbstat d JOIN sqlite_schema s ON s.name = d.name GROUP BY 1"
    try:
        with sqlite3.connect(path) as connection:
            found = connection.execute(statement).fetchall()
    except sqlite3.OperationalError:
        return {}
    return dict(sorted(found, key=lambda one: -one[1]))


def indexing() -> dict[str, float]:
    """Seconds to index the texts of 1,000 trajectories, beside inserting the same tokens, ready made, into a bare FTS5
    table on the same machine."""
    items = [
        (number, {
            "question": [one.question], "report": [one.report], "query": searched(one.steps),
            "result": [result.text for step in one.steps for result in step.tool_results],
        })
        for number, one in enumerate(trajectories(INDEXED, SEED), 1)
    ]  # fmt: skip
    ready = [
        (number, *(" ".join(word for one in texts[field] for word in tokens(one)) for field in FIELDS))
        for number, texts in items
    ]
    pairs = []
    for _ in range(REPEATS):
        with tempfile.TemporaryDirectory() as folder:
            with open_store(f"sqlite:///{folder}/ours.db") as store:
                start = time.perf_counter()
                with store._database.write() as connection:
                    add_texts(connection, "sqlite", items)
                ours = time.perf_counter() - start
            bare = sqlite3.connect(f"{folder}/bare.db")
            bare.execute("PRAGMA journal_mode=WAL")
            bare.execute(CREATE["sqlite"][0])
            start = time.perf_counter()
            with bare:
                bare.executemany(f"INSERT INTO text_index (rowid, {', '.join(FIELDS)}) VALUES (?, ?, ?, ?, ?)", ready)
            pairs.append((ours, time.perf_counter() - start))
            bare.close()
    return {
        "ours_s": statistics.median(ours for ours, _ in pairs),
        "bare_s": statistics.median(bare for _, bare in pairs),
        "bare_over_ours": statistics.median(bare / ours for ours, bare in pairs),
    }
