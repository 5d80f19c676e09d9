"""What a diagnosis answers, with its JSON form. Every difference of scores is in [-1, 1], every score in [0, 1]."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, TypeAlias, get_args

from workbench.diagnosis.figures import figure_from_json, figure_to_json
from workbench.diagnosis.swap_report import SwapTable
from workbench.schema.canonical import JsonObject, JsonValue
from workbench.stats.estimate import Measured

Verdict: TypeAlias = Literal["research_limited", "writing_limited", "both", "not_shown"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
PartName: TypeAlias = Literal["writing", "research"]
PARTS: tuple[PartName, ...] = get_args(PartName)
Stage: TypeAlias = Literal["own grade", "rewrite", "rewritten grade"]


@dataclass(frozen=True, slots=True)
class Part:
    """What one phase costs. `gap` has a two-sided interval; `shown`: its one-sided lower bound `lower`, at the level
    `level` that Holm's step left it, lies above the least effect. `p` and `p_holm` belong to the same test.

    `smallest_visible`: the true effect that this many questions would show in 4 of 5 such diagnoses. Numbers are None
    where nothing was measured. `reason` is a sentence for a person.
    """

    name: PartName
    gap: Measured
    shown: bool
    reason: str
    p: float | None = None
    p_holm: float | None = None
    lower: float | None = None
    level: float | None = None
    smallest_visible: float | None = None

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "gap": figure_to_json(self.gap),
            "shown": self.shown,
            "reason": self.reason,
            "p": self.p,
            "p_holm": self.p_holm,
            "lower": self.lower,
            "level": self.level,
            "smallest_visible": self.smallest_visible,
        }

    @classmethod
    def from_json(cls, name: PartName, value: JsonObject) -> "Part":
        raw: Any = value
        return cls(
            name,
            figure_from_json(raw["gap"]),
            raw["shown"],
            raw["reason"],
            raw["p"],
            raw["p_holm"],
            raw["lower"],
            raw["level"],
            raw["smallest_visible"],
        )


@dataclass(frozen=True, slots=True)
class Maker:
    """The writer or the grader, as it is stored."""

    name: str
    version: str
    kind: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Reports of a run that were lost at one stage for one outcome, with the reason and trajectory of the first."""

    run: str
    stage: Stage
    outcome: str
    n: int
    first_id: str
    first_reason: str


@dataclass(frozen=True, slots=True)
class Packing:
    """What became of the documents of the evidence, summed over the rewritten reports of the run (not the reference).

    `left_out` counts by reason. `unknown_numbers`: citations of documents that are not there. All 0 for writers that
    read the trace themselves.
    """

    kept: int = 0
    shortened: int = 0
    left_out: Mapping[str, int] | None = None
    unknown_numbers: int = 0


@dataclass(frozen=True, slots=True)
class DiagnosisReport:
    """The answer of `workbench diagnose`.

    `n` pairs (own and rewritten report both graded) of `n_chosen` trajectories over `n_questions`. `own`, `rewritten`
    and `gap` are over those pairs; `reference_rewritten` over the reference run's evidence, on shared questions.
    `harness_loss`: own reports minus the same model's rewriting of its own evidence, where that was measured: what
    packing and prompt cost. `rerun_noise`: standard deviation of one rewritten report's repeated grades.
    """

    run: str
    reference: str | None
    reference_score: float | None
    writer: Maker
    grader: Maker
    n: int
    n_chosen: int
    n_questions: int
    own: Measured
    rewritten: Measured
    gap: Measured
    reference_rewritten: Measured
    parts: Mapping[PartName, Part]
    verdict: Verdict
    reason: str
    least_effect: float
    alpha: float
    failures: tuple[Failure, ...]
    packing: Packing
    harness_loss: Measured
    rerun_noise: float | None
    cost_usd: float | None
    simulated: bool
    swap: SwapTable | None = None
    stopped: str = ""

    @property
    def failed(self) -> int:
        return sum(failure.n for failure in self.failures)

    def to_json(self) -> dict[str, JsonValue]:
        """Keys as the fields; `runs` lists every run read, `smallest_visible` repeats that of the parts by name."""
        swapped = self.swap.runs if self.swap else ()
        return {
            "kind": "fixed_evidence",
            "runs": list(dict.fromkeys(run for run in (self.run, self.reference, *swapped) if run)),
            "run": self.run,
            "reference": self.reference,
            "reference_score": self.reference_score,
            "writer": asdict(self.writer),
            "grader": asdict(self.grader),
            "n": self.n,
            "n_chosen": self.n_chosen,
            "n_questions": self.n_questions,
            "own": figure_to_json(self.own),
            "rewritten": figure_to_json(self.rewritten),
            "gap": figure_to_json(self.gap),
            "reference_rewritten": figure_to_json(self.reference_rewritten),
            "parts": {name: self.parts[name].to_json() for name in PARTS},
            "verdict": self.verdict,
            "reason": self.reason,
            "least_effect": self.least_effect,
            "alpha": self.alpha,
            "smallest_visible": {name: self.parts[name].smallest_visible for name in PARTS},
            "failures": [asdict(failure) for failure in self.failures],
            "packing": {**asdict(self.packing), "left_out": dict(self.packing.left_out or {})},
            "harness_loss": figure_to_json(self.harness_loss),
            "rerun_noise": self.rerun_noise,
            "cost_usd": self.cost_usd,
            "simulated": self.simulated,
            "swap": self.swap.to_json() if self.swap else None,
            "stopped": self.stopped,
        }

    @classmethod
    def from_json(cls, value: JsonObject) -> "DiagnosisReport":
        """Inverse of `to_json`. Trusts its input."""
        raw: Any = dict(value)
        figures = ("own", "rewritten", "gap", "reference_rewritten", "harness_loss")
        other: dict[str, Any] = {
            **{name: figure_from_json(raw[name]) for name in figures},
            "writer": Maker(**raw["writer"]),
            "grader": Maker(**raw["grader"]),
            "parts": {name: Part.from_json(name, raw["parts"][name]) for name in PARTS},
            "failures": tuple(Failure(**failure) for failure in raw["failures"]),
            "packing": Packing(**raw["packing"]),
            "swap": SwapTable.from_json(raw["swap"]) if raw["swap"] else None,
        }
        same = {field.name for field in fields(cls)} - other.keys()
        return cls(**other, **{name: raw[name] for name in same})
