"""From one raw record to a trajectory that the store can take: format, defaults, attempt number, analysis."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from workbench.errors import BadInputError
from workbench.ingest.candidates import Candidate
from workbench.ingest.format import Draft, Format, fields_of
from workbench.ingest.json_values import without_surrogates
from workbench.ingest.paths import TraceFile, stem
from workbench.ingest.registry import known_formats
from workbench.ingest.written_reports import final_report
from workbench.schema.analysis import Analysis
from workbench.schema.canonical import canonical_json, question_key
from workbench.schema.trajectory import Trajectory
from workbench.store import NewTrajectory

Analyse = Callable[[Trajectory], Analysis]
UNKNOWN_MODEL = "unknown"


class RejectedError(Exception):
    """The record is to be set aside; the message says why. `format_name` is the format that it was read as, if any."""

    def __init__(self, reason: str, format_name: str | None = None) -> None:
        super().__init__(reason)
        self.format_name = format_name


@dataclass(slots=True)
class Preparer:
    """Prepares the candidates of one file. `run` and `model` stand over what records say."""

    file: TraceFile
    analyse: Analyse
    run: str | None = None
    model: str | None = None
    _attempts: dict[tuple[str, str], dict[bytes, int]] = field(default_factory=dict)
    _counts: dict[tuple[str, str, str | None, int | None], int] = field(default_factory=dict)

    def prepare(self, candidate: Candidate) -> NewTrajectory:
        """Raises RejectedError with a sentence, whatever goes wrong with this record."""
        record, found = candidate.record, candidate.format
        if record.problem:
            raise RejectedError(record.problem, found.name if found else None)
        if not isinstance(record.value, Mapping):
            raise RejectedError(f"it is a JSON {type(record.value).__name__}; expected an object")
        if found is None:
            found_fields = fields_of(record.value)
            raise RejectedError(f"it is of no known format: it has {found_fields}; known formats: {known_formats()}")
        doing = f"read as {found.name}"
        try:
            trajectory = self._complete(found.read(record.value), found)
            doing = "analysed"
            part = f"#{candidate.part}" if candidate.part > 1 else ""
            place = f"{self.file.name}:{record.line}{part}"
            return NewTrajectory(trajectory, self.analyse(trajectory), record.raw, place)
        except RecursionError:
            raise RejectedError(f"it cannot be {doing}: it is nested too deeply", found.name) from None
        except (BadInputError, ValueError) as error:
            raise RejectedError(f"it cannot be {doing}: {error}", found.name) from error
        except Exception as error:
            # A defect in a reader or in the analysis must cost this record only, and must say what it was.
            raise RejectedError(f"it cannot be {doing}: {type(error).__name__}: {error}", found.name) from error

    def _complete(self, draft: Draft, format_: Format) -> Trajectory:
        if not draft.question.strip():
            raise BadInputError("the question is empty; expected a text")
        from_file = stem(self.file.name)
        named_by_file = from_file if format_.model_from_file else None
        canonical_json(draft.meta)
        trajectory = Trajectory(
            question=draft.question,
            question_id=draft.question_id or question_key(draft.question),
            # The name of a file need not be UTF-8, but names stand in addresses and tables.
            run=without_surrogates(self.run or draft.run or from_file),
            model=without_surrogates(self.model or draft.model or named_by_file or UNKNOWN_MODEL),
            steps=draft.steps,
            report=final_report(draft.steps, draft.report),
            attempt=0 if draft.attempt is None else draft.attempt,
            group=draft.group,
            policy_step=draft.policy_step,
            outcome=draft.outcome,
            meta=draft.meta,
        )
        if draft.attempt is not None:
            return trajectory
        return self._counted(trajectory) if format_.every_record_an_attempt else self._numbered(trajectory)

    def _counted(self, trajectory: Trajectory) -> Trajectory:
        """Numbers the rollouts of one group in file order, equal ones too."""
        key = (trajectory.run, trajectory.question_id, trajectory.group, trajectory.policy_step)
        attempt = self._counts.get(key, 0)
        self._counts[key] = attempt + 1
        return trajectory.numbered(attempt)

    def _numbered(self, trajectory: Trajectory) -> Trajectory:
        """Numbers the distinct contents of one question of a run in file order (docs/decisions/0001-records.md).

        Within one file only: so it does not matter what was imported before or beside it.
        """
        seen = self._attempts.setdefault((trajectory.run, trajectory.question_id), {})
        attempt = seen.setdefault(bytes.fromhex(trajectory.content_hash[:32]), len(seen))
        return trajectory.numbered(attempt)
