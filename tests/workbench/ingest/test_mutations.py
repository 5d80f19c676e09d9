"""Damaged records and files: an import never crashes on one, accounts for each, and loses no whole record beside it."""

import gzip
import json
import random
import re
import resource
import shutil
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.support.evidence import write_evidence
from tests.workbench.ingest.importing import EVERYTHING, PROVEN, bring_in, set_aside
from tests.workbench.ingest.mutations import damage_bytes, mutate, seed_files, seed_groups, seeds
from workbench.ingest.importer import ImportReport
from workbench.ingest.prepare import Preparer
from workbench.store import open_store

SEED = 7_010
MANY = 20_000
LONGEST_RECORD_S = 5.0
LONGEST_BATCH_S = 120
MOST_MEMORY_MIB = 400
# A sentence for the user does not begin with the name of an exception.
DEFECT = re.compile(r"\b[A-Z][A-Za-z]*(?:Error|Exception|Warning)\b|Traceback|object has no attribute|unhashable")


class HangError(Exception):
    """An import took longer than any may."""


class Proof:
    """What became of the damaged inputs so far."""

    def __init__(self, folder: Path, template: str, rng: random.Random) -> None:
        self.folder = folder
        self.template = template
        self.rng = rng
        self.kinds: Counter[str] = Counter()
        self.fate: Counter[str] = Counter()
        self.defects: Counter[str] = Counter()
        self.slowest_s = 0.0
        self.number = 0

    def records(self, n: int) -> None:
        """A file of n damaged records with whole ones between them."""
        lines, whole, all_seeds = list[bytes](), list[bytes](), seeds()
        for index in range(n):
            kind, damaged = mutate(self.rng.choice(all_seeds), self.rng)
            self.kinds[kind] += 1
            lines.append(damaged)
            if index % 10 == 0:
                whole.append(self._whole(index))
                lines.append(whole[-1])
        path = self._fresh() / "damaged"
        data = b"\n".join(lines) + b"\n"
        path.write_bytes(gzip.compress(data, 1) if self.rng.random() < 0.2 else data)
        report = self._bring_in(path.parent, whole)
        assert report.read >= len(lines), "one line gives one record, or two where one was written into another"

    def groups(self, n: int) -> None:
        """A file of n groups of records, in each of which one is damaged."""
        lines, whole, groups = list[bytes](), list[bytes](), seed_groups()
        for index in range(n):
            group = self.rng.choice(groups)
            hit = self.rng.randrange(len(group))
            for position, record in enumerate(group):
                data = json.dumps(record).encode()
                if position == hit:
                    kind, data = mutate(record, self.rng)
                    self.kinds[f"one of a group: {kind}"] += 1
                # Every group is traces of its own.
                lines.append(re.sub(rb"\b(0x)?([tu][12]?)\b", rb"\g<1>\g<2>n%d" % index, data))
            whole.append(self._whole(index))
            lines.append(whole[-1])
        path = self._fresh() / "damaged.jsonl"
        path.write_bytes(b"\n".join(lines) + b"\n")
        self._bring_in(path.parent, whole)

    def files(self, n: int) -> None:
        """A folder of n files or sets of files, of which one is damaged, beside a whole file."""
        folder, examples = self._fresh(), seed_files()
        for index in range(n):
            example = self.rng.choice(examples)
            own = folder / f"{index:04}"
            own.mkdir()
            hit = self.rng.choice(sorted(example.files))
            for name, data in example.files.items():
                kind, damaged = damage_bytes(data, self.rng) if name == hit else ("", data)
                self.kinds.update([kind] if name == hit else [])
                (own / name).write_bytes(damaged)
        whole = [self._whole(0)]
        (folder / "zzz.jsonl").write_bytes(whole[0] + b"\n")
        self._bring_in(folder, whole)

    def _whole(self, index: int) -> bytes:
        return json.dumps({"prompt": f"whole {index} {self.rng.random()}", "article": "a [1]"}).encode()

    def _fresh(self) -> Path:
        self.number += 1
        folder = self.folder / f"inputs-{self.number}"
        folder.mkdir()
        return folder

    def _bring_in(self, inputs: Path, whole: list[bytes]) -> ImportReport:
        """Into a new store. Fails where a whole record is missing, or a sum is wrong."""
        database = self.folder / "damaged.db"
        shutil.copyfile(self.template, database)
        with open_store(f"sqlite:///{database}") as store, self._timed():
            report = bring_in(store, inputs)
            ids = store.trajectories.ids(EVERYTHING)
            missing = set(whole) - {store.trajectories.source(id_) for id_ in ids}
        assert not missing
        assert report.imported == len(ids)
        for row in set_aside(report):
            assert row["reason"]
            if DEFECT.search(row["reason"].split("; expected")[0]):
                self.defects[f"{row['format']}: {row['reason'][:160]}"] += 1
        for suffix in ("", "-wal", "-shm"):
            Path(f"{database}{suffix}").unlink(missing_ok=True)
        shutil.rmtree(inputs)
        self.fate += Counter(
            {"imported": report.imported, "duplicates": report.duplicates, "set aside": report.quarantined}
        )
        self.fate["files passed over"] += len(report.skipped_files)
        return report

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Notes the slowest record, and ends what hangs."""
        real = Preparer.prepare

        def timed(preparer: Preparer, candidate: Any) -> Any:
            start = time.perf_counter()
            try:
                return real(preparer, candidate)
            finally:
                self.slowest_s = max(self.slowest_s, time.perf_counter() - start)

        def late(_signal: int, _frame: FrameType | None) -> None:
            raise HangError(f"an import took longer than {LONGEST_BATCH_S} s")

        before = signal.signal(signal.SIGALRM, late)
        signal.alarm(LONGEST_BATCH_S)
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(Preparer, "prepare", timed)
                yield
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)


def _mib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


@pytest.fixture
def proof(tmp_path: Path, sqlite_url: str) -> Proof:
    return Proof(tmp_path, sqlite_url.removeprefix("sqlite:///"), random.Random(SEED))


def test_damaged_records_are_all_accounted_for(proof: Proof) -> None:
    proof.records(300)
    assert len(proof.kinds) == 10
    assert min(proof.fate[name] for name in ("imported", "duplicates", "set aside")) > 0
    assert not proof.defects


def test_damaged_spans_and_logs_cost_no_whole_record(proof: Proof) -> None:
    proof.groups(60)
    assert not proof.defects


def test_damaged_archives_columns_and_streams_cost_no_whole_record(proof: Proof) -> None:
    proof.files(60)
    assert not proof.defects


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
def test_tens_of_thousands_of_damaged_records_and_files(proof: Proof) -> None:
    """Records, groups and files in turns, over all formats; the result goes to docs/evidence."""
    started, before = time.monotonic(), 0
    while proof.kinds.total() < MANY:
        proof.records(1000)
        proof.groups(150)
        proof.files(150)
        before = before or _mib()
    grown = _mib() - before
    n = proof.kinds.total()
    write_evidence(
        "import-mutations",
        {
            "what": "damaged records and files imported among whole ones: no crash, no hang, each accounted for, "
            "no whole one lost, no reason that is an exception's name",
            "damage": dict(sorted(proof.kinds.items())),
            "became": dict(proof.fate),
            "reasons_that_name_an_exception": dict(proof.defects.most_common(30)),
            "slowest_record_s": round(proof.slowest_s, 3),
            "memory_grown_mib": grown,
            "seed_records": len(seeds()),
            "seed_groups": len(seed_groups()),
            "seed_files": len(seed_files()),
        },
        code=PROVEN,
        seed=SEED,
        n=n,
        seconds=time.monotonic() - started,
    )
    assert not proof.defects
    assert proof.slowest_s < LONGEST_RECORD_S
    assert grown < MOST_MEMORY_MIB
