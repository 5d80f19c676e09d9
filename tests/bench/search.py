"""Search, lists and indexing on a synthetic store: `python -m tests.bench search [N]`, 100,000 by default."""

import itertools
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.bench.synthetic import fill, trajectories
from workbench.store import TrajectoryFilter, open_store
from workbench.store.text.index import CREATE, add_texts, searched
from workbench.store.text.tokens import tokens

SEED, REPEATS, FULL_SIZE, INDEXED = 20261129, 5, 100_000, 1000
SEARCHES = (
    "w0", "w1 w2", "w500", "w40000", "w49999", '"w0 w1"', '"w3 w0 w1"', "report:w10", "query:w30", "result:w100",
    "w5 -w6", "w100*", "海港", "塔", "研究报告", "w0 run:run-1", "nowhere",
)  # fmt: skip
FILTERS = (
    TrajectoryFilter(), TrajectoryFilter(run="run-1"), TrajectoryFilter(model="model-2", outcome="truncated"),
    TrajectoryFilter(has_report=True, has_tool_error=False),
)  # fmt: skip


def measure(n: int = FULL_SIZE) -> dict[str, object]:
    """Milliseconds (p50, p95, worst and of what), the store's bytes, and the indexing ratio to a bare FTS5 insert."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "search.db"
        start = time.perf_counter()
        with open_store(f"sqlite:///{path}") as store:
            fill(store, n, SEED)
            filled = time.perf_counter() - start
            page = store.trajectories.page
            found = _latency({s: partial(page, TrajectoryFilter(text=s)) for s in SEARCHES})
            listed = _latency(
                {
                    f"{index} by {key}": partial(page, f, sort=key, descending=True)
                    for index, f in enumerate(FILTERS)
                    for key in ("imported", "tool_calls", "question")
                }
            )
            size = sum(each.stat().st_size for each in Path(folder).iterdir())
    return {
        "n": n, "fill_s": filled, "store_bytes": size, "search_ms": found, "list_ms": listed, "indexing": indexing(),
    }  # fmt: skip


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


def indexing() -> dict[str, float]:
    """Seconds to index the texts of 1,000 trajectories, beside inserting the same tokens, ready made, into a bare FTS5
    table on the same machine."""
    made = list(trajectories(INDEXED, SEED))
    items = [
        (number, field, texts)
        for number, one in enumerate(made, 1)
        for field, texts in (
            ("question", [one.question]), ("report", [one.report]), ("query", searched(one.steps)),
            ("result", [result.text for step in one.steps for result in step.tool_results]),
        )
    ]  # fmt: skip
    ready = [(" ".join(tokens(one)),) for _, _, texts in items for one in texts]
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
                bare.executemany("INSERT INTO text_index (tokens) VALUES (?)", ready)
            pairs.append((ours, time.perf_counter() - start))
            bare.close()
    return {
        "ours_s": statistics.median(ours for ours, _ in pairs),
        "bare_s": statistics.median(bare for _, bare in pairs),
        "bare_over_ours": statistics.median(bare / ours for ours, bare in pairs),
    }
