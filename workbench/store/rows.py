"""Frozen rows that repositories take and return. Rows for lists never hold a body."""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from workbench.errors import BadInputError
from workbench.schema.analysis import Activity, Analysis, Phase, PhaseTotals, Retrieval, Support
from workbench.schema.canonical import JsonObject
from workbench.schema.grade import GraderKind
from workbench.schema.trajectory import Outcome, Role, ToolCall, ToolKind, Trajectory

T = TypeVar("T")

# One list a column, all of one length.
Columns: TypeAlias = dict[str, list[Any]]

SortKey: TypeAlias = Literal[
    "imported",
    "question",
    "run",
    "score",
    "steps",
    "tool_calls",
    "distinct_queries",
    "sites_opened",
    "report_chars",
    "attempt",
    "policy_step",
]


@dataclass(frozen=True, slots=True)
class NewTrajectory:
    """A trajectory on its way in. `source` is the record byte for byte, `source_name` where it stood."""

    trajectory: Trajectory
    analysis: Analysis
    source: bytes
    source_name: str


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What became of a batch: `ids` has one entry an item, in the batch's order."""

    imported: int
    duplicates: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run. Where nobody said the model, it is the models of its trajectories, joined by a comma."""

    name: str
    model: str
    simulated: bool
    n: int
    n_questions: int
    created_at: datetime
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TrajectoryRow:
    """One line of a list. `score` is the mean scored grade of the filter's grader, None if there is none."""

    id: str
    question: str
    question_id: str
    run: str
    model: str
    attempt: int
    group: str | None
    policy_step: int | None
    outcome: Outcome
    steps: int
    report_chars: int
    activity: Activity
    citations_by_retrieval: Mapping[Retrieval, int]
    citations_by_support: Mapping[Support, int]
    score: float | None


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question and its trajectories: how many, of how many runs, and the lowest and highest of their scores."""

    question_id: str
    question: str
    n: int
    n_runs: int
    lowest: float | None
    highest: float | None


@dataclass(frozen=True, slots=True)
class PhaseSummary:
    """Analyses of many trajectories in sums. `versions`: trajectories by the version of their rules. `steps`: those
    with a phase, of which `unsure` have a confidence below the asked bound and `corrected` a person's word.

    `totals` (steps, tokens and tool calls) are as computed: a correction does not change them.
    """

    versions: Mapping[str, int]
    totals: Mapping[Phase, PhaseTotals]
    steps: int
    unsure: int
    corrected: int


@dataclass(frozen=True, slots=True)
class StepOutline:
    """A step without its body. `preview`: first 200 characters of its text, or of its reasoning where it has no text.

    String arguments of the calls are cut to 500 characters; a cut one ends in an ellipsis.
    """

    position: int
    role: Role
    phase: Phase | None
    confidence: float | None
    phase_source: Literal["rule", "person"] | None
    preview: str
    chars: int
    reasoning_chars: int
    tool_calls: tuple[ToolCall, ...]
    result_chars: int
    n_errors: int


@dataclass(frozen=True, slots=True)
class StepColumns:
    """All steps of a trajectory as columns of one length, a person's phases applied; `by_person`: their positions.

    `words`: characters of text and reasoning, `results`: of tool results. `calls`: kind and tool of each call.
    """

    role: list[Role]
    phase: list[Phase | None]
    by_person: tuple[int, ...]
    calls: list[tuple[tuple[ToolKind, str], ...]]
    words: list[int]
    results: list[int]
    errors: list[int]


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A part of a list, and how many there are in all."""

    items: tuple[T, ...]
    total: int
    offset: int


@dataclass(frozen=True, slots=True)
class FigureColumns:
    """Figures of many trajectories, one entry a trajectory in each: NaN where a figure, or a score, is not known."""

    ids: list[str]
    runs: list[str]
    question_ids: list[str]
    scores: "array[float]"
    figures: Mapping[str, "array[float]"]


@dataclass(frozen=True, slots=True)
class Within:
    """A figure (a name of `FIGURES`) between two bounds, both included; None is no bound. Unknown is not within."""

    figure: str
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        """`tool_calls:5..9`, `tool_calls:5..`, `tool_calls:..9`: as addresses and the command line write it."""
        low, high = ("" if one is None else f"{one:.10g}" for one in (self.low, self.high))
        return f"{self.figure}:{low}..{high}"

    @staticmethod
    def read(text: str) -> "Within":
        """Inverse of `str`. Raises BadInputError for anything else; whether there is such a figure the store says."""
        name, colon, bounds = text.partition(":")
        low, dots, high = bounds.partition("..")
        try:
            if not (name and colon and dots and (low or high)):
                raise ValueError
            numbers = [float(one) if one else None for one in (low, high)]
        except ValueError:
            raise BadInputError(f"the bounds {text!r} cannot be read; expected such as tool_calls:5..9") from None
        return Within(name, *numbers)


@dataclass(frozen=True, slots=True)
class TrajectoryFilter:
    """Which trajectories. Every field is optional; a tuple means any of its values, and of `figures` all must hold.

    `text` is a full-text search (docs/decisions/0014-search.md). `grader` (`name` or `name@version`, the version
    cut anywhere) decides the score that `min_score` and `max_score` bound. `retrieval`, `support`: has a citation of
    that class.
    `noted`: has a note of that kind, or the tag after `tag:`.
    """

    run: str | tuple[str, ...] | None = None
    model: str | tuple[str, ...] | None = None
    question_id: str | tuple[str, ...] | None = None
    outcome: Outcome | tuple[Outcome, ...] | None = None
    text: str | None = None
    group: str | None = None
    policy_step: int | None = None
    grader: str | None = None
    min_score: float | None = None
    max_score: float | None = None
    retrieval: Retrieval | None = None
    support: Support | None = None
    has_report: bool | None = None
    has_tool_error: bool | None = None
    noted: str | None = None
    figures: tuple[Within, ...] | None = None
    ids: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class GraderSummary:
    """A version of a grader and its grades. `kind` is None where it was never registered.

    `cost_usd` sums the known prices, None where none is known; `n_unpriced` counts the grades without a price.
    """

    name: str
    version: str
    kind: GraderKind | None
    n_scored: int
    n_abstained: int
    n_failed: int
    mean_score: float | None
    cost_usd: float | None
    n_unpriced: int


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply that the cache holds."""

    body: JsonObject
    at: datetime


@dataclass(frozen=True, slots=True)
class RaterRow:
    """A rater of a round, without the token: its hash stays in the store."""

    round_id: str
    rater: str
    expires_at: datetime
    revoked: bool
    n_assigned: int
    n_cast: int


@dataclass(frozen=True, slots=True)
class SpecRow:
    """A saved reward spec; `round_id` is the round of human evaluation that led to it."""

    version: str
    name: str
    round_id: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class TargetsRow:
    """A saved table of targets."""

    version: str
    n_questions: int
    meta: Mapping[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ExportRow:
    """A job folder that was written."""

    folder: str
    spec_version: str
    trainer: str
    manifest: Mapping[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class StressTrial:
    """One attacked report: the grader's score before and after, and the change of each reward term.

    `outcome` is the attacked grade's. A trial is unique by grader version, attack, trajectory and seed.
    """

    grader: str
    grader_version: str
    attack: str
    family: str
    trajectory_id: str
    seed: int
    outcome: str
    base_score: float | None
    attacked_score: float | None
    terms: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StressReport:
    """A verdict on one version of a grader over one run."""

    grader_version: str
    run: str
    report: Mapping[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class DiagnosisRow:
    """A saved diagnosis. `id` is a hash of what was asked; `report` is the JSON of `workbench.diagnosis.report`."""

    id: str
    kind: str
    grader_version: str
    report: Mapping[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class TrainingRow:
    """A training run, the spec it trains on and the folder it was started from."""

    run: str
    spec_version: str
    export_folder: str
    config: Mapping[str, Any]
    last_step: int | None
    created_at: datetime
