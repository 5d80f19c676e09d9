"""What an import would make of files, without writing anything: for a look before the work begins."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from workbench.errors import BadInputError
from workbench.ingest.candidates import Candidates
from workbench.ingest.format import Format
from workbench.ingest.importer import no_trajectory
from workbench.ingest.paths import TraceFile, find_files
from workbench.ingest.prepare import Preparer, RejectedError
from workbench.ingest.record_file import open_records
from workbench.ingest.registry import format_named
from workbench.schema.analysis import Activity, Analysis
from workbench.schema.trajectory import Trajectory

LOOKED_AT = 20
_NOT_ANALYSED = Analysis("preview", (), {}, Activity(0, 0, 0, 0, 0, 0, 0, 0, False, 0), ())


@dataclass(frozen=True, slots=True)
class Recognised:
    """What the first candidates of one file are. Counts are of those that were looked at, `more` says there are others.

    `reason` says why the file would be skipped, empty if it would not; `problems` why records would be set aside.
    """

    path: str
    formats: tuple[str, ...] = ()
    looked_at: int = 0
    more: bool = False
    questions: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    steps: int = 0
    tool_calls: int = 0
    with_report: int = 0
    problems: tuple[str, ...] = ()
    reason: str = ""


def preview(
    paths: Sequence[str | Path],
    *,
    format: str | None = None,
    run: str | None = None,
    model: str | None = None,
    limit: int = LOOKED_AT,
) -> tuple[Recognised, ...]:
    """Looks at up to `limit` candidates of each file. Raises BadInputError as an import would, before it begins."""
    forced = format_named(format) if format else None
    found = find_files(paths)
    looked = [_look(file, forced, run, model, limit) for file in found.files]
    return (*looked, *(Recognised(skipped.path, reason=skipped.reason) for skipped in found.skipped))


def _look(file: TraceFile, forced: Format | None, run: str | None, model: str | None, limit: int) -> Recognised:
    preparer = Preparer(file, lambda _: _NOT_ANALYSED, run=run, model=model)
    taken: list[Trajectory] = []
    formats: list[str] = []
    problems: list[str] = []
    try:
        with open_records(file) as records:
            if reason := no_trajectory(records, forced=forced):
                return Recognised(file.shown, reason=reason)
            candidates = Candidates(records.records(), file.folder(), forced)
            seen = 0
            for candidate in islice(candidates, limit + 1):
                seen += 1
                if seen > limit:
                    break
                formats += [candidate.format.name] if candidate.format else []
                try:
                    taken.append(preparer.prepare(candidate).trajectory)
                except RejectedError as error:
                    problems.append(str(error))
    except BadInputError as error:
        return Recognised(file.shown, reason=str(error))
    if not seen:
        return Recognised(file.shown, reason=candidates.parts[0] if candidates.parts else "it holds no trajectory")
    return Recognised(
        path=file.shown,
        formats=_distinct(formats),
        looked_at=min(seen, limit),
        more=seen > limit,
        questions=_distinct(trajectory.question for trajectory in taken),
        runs=_distinct(trajectory.run for trajectory in taken),
        models=_distinct(trajectory.model for trajectory in taken),
        steps=sum(len(trajectory.steps) for trajectory in taken),
        tool_calls=sum(len(step.tool_calls) for trajectory in taken for step in trajectory.steps),
        with_report=sum(bool(trajectory.report.strip()) for trajectory in taken),
        problems=tuple(problems),
    )


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
