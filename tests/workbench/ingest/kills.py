"""Kills a real import at chosen moments and runs it again."""

import gzip
import json
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.support.evidence import ROOT
from tests.workbench.ingest.format_examples.agents import INSPECT, SAMPLE
from tests.workbench.ingest.format_examples.example import encoded, parquet, zipped
from tests.workbench.ingest.format_examples.traces import flat
from tests.workbench.ingest.importing import chat
from workbench.store import Store, TrajectoryFilter, open_store

_EVERYTHING = TrajectoryFilter()
_SEARCHES = (
    "question",
    '"a page about"',
    "query:question",
    "report:lighthouses",
    "result:harbours",
    "long -lighthouses",
)


@dataclass(frozen=True, slots=True)
class Kill:
    """One import killed: how many trajectories had been committed, and how long after that commit the kill came."""

    rows: int
    delay_ms: float


def make_inputs(folder: Path, *, n: int, seed: int) -> Path:
    """A folder with lines, an array and a packed file, repeated lines and broken records among them.

    Besides spans that are gathered, a log that is expanded, and two containers, each with n // 12 trajectories.
    """
    rng = random.Random(seed)
    folder.mkdir()
    records: list[str] = []
    for _ in range(n):
        answer = f"answer {rng.randrange(3)} " + "long " * rng.randrange(400)
        fresh = json.dumps(chat(f"question {rng.randrange(n // 2)}", answer))
        records.append(rng.choice(records[-5:]) if records and rng.random() < 0.1 else fresh)
    lines = [record if rng.random() > 0.03 else record[: rng.randrange(1, len(record))] for record in records]
    third = n // 3
    (folder / "a.jsonl").write_text("\n".join(lines[:third]) + "\n")
    (folder / "b.json").write_text("[" + ",\n".join(records[third : 2 * third]) + "]")
    (folder / "c.jsonl.gz").write_bytes(gzip.compress(("\n".join(lines[2 * third :]) + "\n").encode()))
    few = n // 12
    spans = [span for number in range(few) for span in flat(f"0xt{number}")]
    rng.shuffle(spans)
    (folder / "d.jsonl").write_bytes(b"\n".join(encoded(span) for span in spans) + b"\n")
    samples = [SAMPLE | {"id": number, "input": f"Which harbour, {number}?"} for number in range(few)]
    (folder / "e.json").write_bytes(encoded(INSPECT | {"samples": samples}))
    packed = {f"samples/{sample['id']}.json": sample | {"epoch": 2} for sample in samples}
    (folder / "f.eval").write_bytes(zipped(packed | {"header.json": INSPECT}))
    (folder / "g.parquet").write_bytes(parquet([chat(f"column {number}") for number in range(few)]))
    return folder


def import_whole(url: str, inputs: Path) -> dict[str, int]:
    """An import that nobody disturbs; gives its answer."""
    done = subprocess.run(_command(url, inputs), capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode in (0, 3), done.stderr
    answer: dict[str, int] = json.loads(done.stdout)
    assert answer["read"] == answer["imported"] + answer["duplicates"] + answer["quarantined"]
    return answer


def import_killed(url: str, inputs: Path, *, after_rows: int, delay_s: float) -> Kill | None:
    """Kills the import `delay_s` after it has committed `after_rows`; None if it ended by itself before that."""
    process = subprocess.Popen(_command(url, inputs), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
    try:
        with open_store(url) as watching:
            while process.poll() is None and rows(watching) < after_rows:
                time.sleep(0.003)
            time.sleep(delay_s)
            process.send_signal(signal.SIGKILL)
            process.wait()
            return Kill(rows(watching), delay_s * 1000) if process.returncode == -signal.SIGKILL else None
    finally:
        process.kill()
        process.wait()


def rows(store: Store) -> int:
    return store.trajectories.page(_EVERYTHING, limit=1).total


def content_hash(url: str) -> str:
    with open_store(url) as store:
        return store.content_hash()


def search_answers(url: str) -> dict[str, list[str]]:
    """What searches of every field find, as ids in order: equal for equal indexes."""
    with open_store(url) as store:
        return {text: sorted(store.trajectories.ids(TrajectoryFilter(text=text))) for text in _SEARCHES}


def _command(url: str, inputs: Path) -> list[str]:
    return [sys.executable, "-m", "workbench", "--store", url, "--json", "import", str(inputs)]
