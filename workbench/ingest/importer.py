"""Brings files of trajectories into the store: streaming, in batches, resumable by being run again.

What a record becomes depends on its file alone, ids are hashes, and a batch is one transaction: so an import that was
killed at any moment and run again leaves the same store as one that was not.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from workbench.errors import BadInputError
from workbench.ingest.candidates import Candidate, Candidates
from workbench.ingest.format import Format, fields_of
from workbench.ingest.paths import SkippedFile, TraceFile, find_files, stem
from workbench.ingest.prepare import UNKNOWN_MODEL, Analyse, Preparer, RejectedError
from workbench.ingest.quarantine import Quarantine
from workbench.ingest.record_file import RecordFile, open_records
from workbench.ingest.registry import detect_format, format_named, known_formats
from workbench.ingest.splitter import RawRecord
from workbench.store import NewTrajectory, Store
from workbench.store.jobs import JobHandle

BATCH_RECORDS = 50
BATCH_BYTES = 8 * 1024 * 1024
LOGGED_RECORDS = 50
LONGEST_REASON_CHARS = 500


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of every record: `read == imported + duplicates + quarantined`, always.

    `quarantine_path` is None where nothing was set aside. `notes` say what a user will want to know besides.
    """

    read: int
    imported: int
    duplicates: int
    quarantined: int
    quarantine_path: Path | None
    skipped_files: tuple[SkippedFile, ...]
    runs: tuple[str, ...]
    notes: tuple[str, ...] = ()


def import_paths(
    store: Store,
    paths: Sequence[str | Path],
    *,
    format: str | None = None,
    run: str | None = None,
    model: str | None = None,
    analyse: Analyse,
    job: JobHandle,
    quarantine_dir: Path,
) -> ImportReport:
    """Imports every trajectory of these files, folders and patterns.

    `format` forces one; `run` and `model` stand over what records say (defaults: the file's stem; `unknown`).
    `analyse` computes what is stored beside each trajectory. Progress is in bytes of the files as they lie on disk.
    Raises BadInputError, with nothing written, where a path or the format does not exist; StoreError where the store
    fails; JobStopped, with all that was read by then stored, where the job is stopped.
    """
    forced = format_named(format) if format else None
    found = find_files(paths)
    work = _Import(store, job, Quarantine(quarantine_dir), list(found.skipped))
    total, before = sum(file.size for file in found.files), 0
    try:
        for file in found.files:
            work.import_file(Preparer(file, analyse, run=run, model=model), forced, before, total)
            before += file.size
            job.progress(before, total, failed=work.quarantine.count)
            job.checkpoint()
    finally:
        work.quarantine.close()
    return work.report()


@dataclass(slots=True)
class _Import:
    """The running totals of one import, and the batch that is being filled."""

    store: Store
    job: JobHandle
    quarantine: Quarantine
    skipped: list[SkippedFile]
    read: int = 0
    imported: int = 0
    duplicates: int = 0
    files_by_run: dict[str, set[TraceFile]] = field(default_factory=dict)
    without_model: int = 0
    announced: set[str] = field(default_factory=set)
    batch: list[tuple[NewTrajectory, RawRecord, int]] = field(default_factory=list)
    batch_bytes: int = 0

    def import_file(self, preparer: Preparer, forced: Format | None, bytes_before: int, bytes_total: int) -> None:
        """Streams one file; says why where nothing is taken from it."""
        trace, read_before = preparer.file, self.read
        with ExitStack() as stack:
            try:
                file = stack.enter_context(open_records(trace))
                reason = no_trajectory(file, forced=forced)
            except BadInputError as error:
                reason = str(error)
            if reason:
                self._skip(trace, reason)
                return
            candidates = Candidates(file.records(), trace.folder(), forced)
            for number, candidate in enumerate(candidates, 1):
                self._take(preparer, candidate, number)
                if len(self.batch) >= BATCH_RECORDS or self.batch_bytes >= BATCH_BYTES:
                    self._flush(preparer)
                    self.job.progress(bytes_before + file.position, bytes_total, failed=self.quarantine.count)
                    self.job.checkpoint()
            self._flush(preparer)
        if self.read == read_before:
            self._skip(trace, candidates.parts[0] if candidates.parts else "its records belong to no trajectory")

    def _skip(self, file: TraceFile, reason: str) -> None:
        self.skipped.append(SkippedFile(file.shown, reason))
        self.job.log(f"skipped {file.shown}: {reason}", "warning")

    def _take(self, preparer: Preparer, candidate: Candidate, number: int) -> None:
        self.read += 1
        try:
            item = preparer.prepare(candidate)
        except RejectedError as error:
            self._set_aside(preparer.file, candidate.record, number, str(error), error.format_name)
            return
        self.batch.append((item, candidate.record, number))
        self.batch_bytes += len(candidate.record.raw)
        self.files_by_run.setdefault(item.trajectory.run, set()).add(preparer.file)
        self.without_model += item.trajectory.model == UNKNOWN_MODEL

    def _set_aside(self, file: TraceFile, record: RawRecord, number: int, reason: str, format_name: str | None) -> None:
        if len(reason) > LONGEST_REASON_CHARS:
            # It quotes the record, which may be a page long and stands in the quarantine file anyway.
            reason = reason[:LONGEST_REASON_CHARS] + f"… ({len(reason)} characters)"
        self.quarantine.add(record, source=file.shown, number=number, format_name=format_name, reason=reason)
        if self.quarantine.count <= LOGGED_RECORDS:
            self.job.log(f"set aside record {number} of {file.shown} (line {record.line}): {reason}", "warning")

    def _flush(self, preparer: Preparer) -> None:
        """Quarantine first: what is not yet on disk there is read again, with the batch, if we are killed between."""
        self.quarantine.flush()
        batch, self.batch, self.batch_bytes = self.batch, [], 0
        self._announce(preparer, batch)
        self._store(preparer, batch)

    def _store(self, preparer: Preparer, batch: list[tuple[NewTrajectory, RawRecord, int]]) -> None:
        """One transaction; where the store refuses one record, the others go in without it."""
        if not batch:
            return
        try:
            result = self.store.trajectories.add_batch([item for item, _, _ in batch])
        except Exception as error:
            if not _is_the_records_fault(error):
                raise
            if len(batch) == 1:
                _, record, number = batch[0]
                self._set_aside(preparer.file, record, number, f"it cannot be stored: {error}", None)
                return
            middle = len(batch) // 2
            self._store(preparer, batch[:middle])
            self._store(preparer, batch[middle:])
            return
        self.imported += result.imported
        self.duplicates += result.duplicates

    def _announce(self, preparer: Preparer, batch: list[tuple[NewTrajectory, RawRecord, int]]) -> None:
        """Says of a new run what only the import knows: its model if the user named one, that it is simulated."""
        for item, _, _ in batch:
            trajectory = item.trajectory
            simulated = trajectory.meta.get("simulated") is True
            if trajectory.run not in self.announced and (preparer.model or simulated):
                self.announced.add(trajectory.run)
                self.store.runs.ensure(trajectory.run, model=preparer.model or trajectory.model, simulated=simulated)

    def report(self) -> ImportReport:
        notes = [
            f"{len(files)} files went into one run, {run!r}; where that is wrong, import them apart with --run"
            for run, files in self.files_by_run.items()
            if len(files) > 1 and len({stem(file.name) for file in files}) == 1
        ]
        if self.without_model:
            notes.append(f"no model is named in {self.without_model} of {self.read} records; --model NAME gives one")
        if self.quarantine.count > LOGGED_RECORDS:
            notes.append(
                f"{LOGGED_RECORDS} of {self.quarantine.count} records set aside are in this log; "
                f"all of them, with reasons, in {self.quarantine.path}"
            )
        for note in notes:
            self.job.log(note, "warning")
        return ImportReport(
            read=self.read,
            imported=self.imported,
            duplicates=self.duplicates,
            quarantined=self.quarantine.count,
            quarantine_path=self.quarantine.path,
            skipped_files=tuple(self.skipped),
            runs=tuple(sorted(self.files_by_run)),
            notes=tuple(notes),
        )


def no_trajectory(file: RecordFile, *, forced: Format | None = None) -> str:
    """Why nothing is to be taken from this file; empty if one record at least is a trajectory.

    With a forced format any object counts. Where every record is broken JSON the file has candidates too: they are set
    aside one by one, rather than passed over as something else. Raises BadInputError for what is plainly no such file.
    """
    seen = broken = 0
    first: RawRecord | None = None
    for record in file.records():
        seen += 1
        first = first or record
        broken += bool(record.problem)
        if isinstance(record.value, dict) and (forced or detect_format(record.value)):
            return ""
    if first is None:
        return "it is empty"
    if first.problem and not file.contained and not _begins_like_an_object(first):
        return f"it is not JSON or JSONL; it begins with {first.raw[:40].decode('utf-8', 'replace')!r}"
    if broken == seen:
        return ""
    found = fields_of(first.value) if isinstance(first.value, dict) else "no object"
    return f"no trajectory among its {seen} records; the first has {found}; known formats: {known_formats()}"


def _begins_like_an_object(record: RawRecord) -> bool:
    start = record.raw[:64]
    if record.spilled is not None:
        with record.spilled.open("rb") as file:
            start = file.read(64)
    return start.lstrip()[:1] == b"{"


def _is_the_records_fault(error: Exception) -> bool:
    """Whether the store refused a value, rather than failed (full disk, lost connection), which must end the import.

    The two names are SQLAlchemy's, which only the store may import: a value that the driver or the database refused.
    """
    refused = (BadInputError, ValueError, TypeError, ArithmeticError, RecursionError)
    return isinstance(error, refused) or type(error).__name__ in ("DataError", "StatementError")
