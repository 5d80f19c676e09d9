"""Import beside its floor, and its memory: `python -m tests.bench imports [--gigabyte]`.

The floor decodes, compresses and inserts the same bytes with plain sqlite3, in the same batches and as durably.
Analysis (phases and citations) and full-text indexing are timed apart.
"""

import itertools
import json
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
import zstandard

from tests.support.evidence import ROOT
from tests.support.shared_data import SHARED_DATA
from workbench.ingest.importer import BATCH_RECORDS, import_paths
from workbench.phases import analyse
from workbench.schema.analysis import Activity, Analysis
from workbench.schema.trajectory import Trajectory
from workbench.store import open_store
from workbench.store.jobs import NullJob
from workbench.store.repositories import trajectory_writes
from workbench.store.text.index import add_texts

SEED, REPEATS, SMALL_REPEATS, MEASURED_BYTES = 20261129, 5, 2, 8_000_000
MEGABYTES = (10, 100, 300)
NOT_ANALYSED = Analysis("bench", (), {}, Activity(0, 0, 0, 0, 0, 0, 0, 0, False, 0), ())
PUBLIC = SHARED_DATA / "webdancer-trajectories" / "sample_traj.jsonl"


def measure(*, gigabyte: bool = False, small: bool = False) -> dict[str, object]:
    """Ratios (floor over ours: 1 is as fast as the floor), MB of source a second, MiB of peak memory.

    `small`: our own records alone, few repeats, and memory of the smallest file.
    """
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "chats.jsonl"
        write_chats(own, MEASURED_BYTES)
        found: dict[str, object] = {"chats": _speeds(own, SMALL_REPEATS if small else REPEATS)}
        if PUBLIC.exists() and not small:
            public = Path(folder) / "public.jsonl"
            _repeat_public(public)
            found["webdancer"] = _speeds(public, REPEATS)
    sizes = MEGABYTES[:1] if small else (*MEGABYTES, 1000) if gigabyte else MEGABYTES
    found["peak_mib_by_mb"] = {str(size): peak_of(size) for size in sizes}
    return found


def chats(seed: int) -> Iterator[bytes]:
    """Lines of chat records without end: searches with results of a few KB, and a report that cites them."""
    rng = random.Random(seed)
    words = _Text(rng)
    for number in itertools.count():
        messages: list[dict[str, Any]] = [{"role": "user", "content": f"{words.text(80)} {number}?"}]
        urls = []
        for turn in range(max(1, round(rng.lognormvariate(1.2, 0.6)))):
            urls.append(f"https://site-{rng.randrange(500)}.example/{number}/{turn}")
            asked = json.dumps({"query": words.text(40)})
            call = {"id": f"c{turn}", "type": "function", "function": {"name": "search", "arguments": asked}}
            messages.append({"role": "assistant", "content": words.text(120), "tool_calls": [call]})
            found = f"{urls[-1]}\n{words.text(rng.randrange(500, 6000))}"
            messages.append({"role": "tool", "tool_call_id": f"c{turn}", "content": found})
        said = " ".join(f"{words.text(150)} [{n}]." for n in range(1, len(urls) + 1))
        listed = "\n".join(f"[{n}] {url}" for n, url in enumerate(urls, 1))
        messages.append({"role": "assistant", "content": f"{said}\n\n{listed}"})
        yield orjson.dumps({"messages": messages, "model": f"m{number % 4}"}) + b"\n"


class _Text:
    """Sentences of made-up words by Zipf's law."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        syllables = [a + b for a in "bdfgklmnprstv" for b in "aeiou"]
        self._words = ["".join(rng.choices(syllables, k=rng.choice((1, 2, 2, 3, 4)))) for _ in range(20_000)]
        self._weights = list(itertools.accumulate(1 / (rank + 2) for rank in range(len(self._words))))

    def text(self, chars: int) -> str:
        words = self._rng.choices(self._words, cum_weights=self._weights, k=max(2, chars // 6))
        words[::15] = [f"{word}." for word in words[::15]]
        return " ".join(words)


def write_chats(path: Path, size: int) -> None:
    """A file of at least `size` bytes."""
    written = 0
    with path.open("wb") as file:
        for line in chats(SEED):
            written += file.write(line)
            if written >= size:
                return


def _repeat_public(path: Path) -> None:
    """The public records twice, the second time with other words, since a record counts once."""
    with path.open("wb") as file:
        for copy, line in itertools.product(range(2), PUBLIC.read_bytes().splitlines()):
            record = orjson.loads(line)
            for message in record["messages"]:
                message["content"] += f" variant {copy}"
            file.write(orjson.dumps(record) + b"\n")


def floor(source: Path, database: Path) -> None:
    """Decode, compress, insert: nothing that an import could leave out."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE records (id INTEGER PRIMARY KEY, body BLOB)")
    compressor = zstandard.ZstdCompressor(level=3)
    with source.open("rb") as file:
        while lines := list(itertools.islice(file, BATCH_RECORDS)):
            rows = []
            for line in lines:
                orjson.loads(line)
                rows.append((compressor.compress(line),))
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO records (body) VALUES (?)", rows)
            connection.execute("COMMIT")
    connection.close()


def ours(source: Path, database: Path, analysed: Callable[[Trajectory], Analysis]) -> tuple[float, float]:
    """(seconds of the import without opening the store, seconds of them in the full-text index)."""
    indexing = 0.0

    def timed(*arguments: Any) -> None:
        nonlocal indexing
        start = time.perf_counter()
        add_texts(*arguments)
        indexing += time.perf_counter() - start

    with open_store(f"sqlite:///{database}") as store, patch.object(trajectory_writes, "add_texts", timed):
        start = time.perf_counter()
        report = import_paths(store, [source], analyse=analysed, job=NullJob(), quarantine_dir=database.parent / "q")
        took = time.perf_counter() - start
    assert report.imported == report.read > 0
    return took, indexing


def _speeds(source: Path, repeats: int) -> dict[str, object]:
    """In turns, so that all of it meets the same machine; the first round is not counted."""
    megabytes = source.stat().st_size / 1e6
    rounds: list[tuple[float, float, float, float]] = []
    for number in range(repeats + 1):
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            floor(source, Path(folder) / "floor.db")
            bare = time.perf_counter() - start
            plain, indexing = ours(source, Path(folder) / "plain.db", lambda _: NOT_ANALYSED)
            start = time.perf_counter()
            analysis = _analysis_seconds(source, Path(folder) / "whole.db")
        if number:
            rounds.append((bare, plain, indexing, analysis))
    middle = [statistics.median(column) for column in zip(*rounds, strict=True)]
    return {
        "megabytes": round(megabytes, 2),
        "repeats": repeats,
        "floor_s": middle[0],
        "import_s": middle[1],
        "of_which_indexing_s": middle[2],
        "ratio": statistics.median(bare / plain for bare, plain, _, _ in rounds),
        "ratio_without_indexing": statistics.median(bare / (plain - index) for bare, plain, index, _ in rounds),
        "import_mb_s": megabytes / middle[1],
        "analysis_mb_s": megabytes / middle[3],
    }


def _analysis_seconds(source: Path, database: Path) -> float:
    """Seconds in phases and citations alone, over a whole import."""
    total = 0.0

    def timed(trajectory: Trajectory) -> Analysis:
        nonlocal total
        start = time.perf_counter()
        found = analyse(trajectory)
        total += time.perf_counter() - start
        return found

    ours(source, database, timed)
    return total


def peak_of(megabytes: int) -> float:
    """MiB of peak memory of a process that imports a file of this size, analysed; the file is written before."""
    with tempfile.TemporaryDirectory() as folder:
        write_chats(Path(folder) / "chats.jsonl", megabytes * 1_000_000)
        return peak_of_import(Path(folder))


def peak_of_import(folder: Path, *, limit_mib: int = 4096) -> float:
    """MiB of peak memory of `workbench import` on the files of a folder. Fails where it needs more than the limit."""
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[1]) << 20,) * 2); "
        "from workbench.cli.main import main; sys.argv = ['workbench', *sys.argv[2:]]\n"
        "try:\n    code = main()\nexcept SystemExit as end:\n    code = end.code\n"
        # Not ru_maxrss, which a process inherits from the one that started it.
        "held = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "print('peak', held.split()[1], code, file=sys.stderr)"
    )
    store = ["--store", f"sqlite:///{folder / 'store.db'}", "--json", "import"]
    files = [str(path) for path in sorted(folder.iterdir())]
    done = subprocess.run(
        [sys.executable, "-c", code, str(limit_mib), *store, *files],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    last = done.stderr.strip().splitlines()[-1].split() if done.stderr.strip() else []
    assert last[:1] == ["peak"], done.stderr[-2000:]
    assert last[2] in ("0", "3", "None"), done.stderr[-2000:]
    return int(last[1]) / 1024
