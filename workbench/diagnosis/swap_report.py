"""The swap table: research of one run written up by the writer of another, and the gap between two runs divided."""

from dataclasses import dataclass
from typing import Any

from workbench.diagnosis.figures import figure_from_json, figure_to_json
from workbench.schema.canonical import JsonObject, JsonValue
from workbench.stats.estimate import Measured


@dataclass(frozen=True, slots=True)
class Cell:
    """Mean score of the evidence of run `research` written up by `writer` (a writer's name)."""

    research: str
    writer: str
    mean: Measured
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Split:
    """The gap from (research A, writer A) to (research B, writer B), as B minus A, over questions that all four cells
    have. `phi_research + phi_writing == gap` (Shapley, two players).

    `interaction`: what the pair B, B has beyond the sum of the two swaps. `noise_sd`: standard deviation that judge
    noise alone gives the gap, from repeated grades; `unexplained`: share in [0, 1] of the gap's variance between
    questions that judge noise does not explain. Both None where nothing was graded twice.
    """

    research_a: str
    writer_a: str
    research_b: str
    writer_b: str
    gap: Measured
    phi_research: Measured
    phi_writing: Measured
    interaction: Measured
    noise_sd: float | None
    unexplained: float | None


@dataclass(frozen=True, slots=True)
class HarnessLoss:
    """Own reports of a run minus its own writer's rewriting: what the harness and the packing cost. Paired."""

    run: str
    writer: str
    loss: Measured


@dataclass(frozen=True, slots=True)
class SwapTable:
    """`runs` and `writers` in the order asked for: run i has writer i. A cell for each pair of them."""

    runs: tuple[str, ...]
    writers: tuple[str, ...]
    cells: tuple[Cell, ...]
    splits: tuple[Split, ...]
    harness: tuple[HarnessLoss, ...]

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "runs": list(self.runs),
            "writers": list(self.writers),
            "cells": [
                {"research": c.research, "writer": c.writer, "mean": figure_to_json(c.mean), "failed": c.failed}
                for c in self.cells
            ],
            "splits": [
                {
                    "research_a": s.research_a,
                    "writer_a": s.writer_a,
                    "research_b": s.research_b,
                    "writer_b": s.writer_b,
                    "gap": figure_to_json(s.gap),
                    "phi_research": figure_to_json(s.phi_research),
                    "phi_writing": figure_to_json(s.phi_writing),
                    "interaction": figure_to_json(s.interaction),
                    "noise_sd": s.noise_sd,
                    "unexplained": s.unexplained,
                }
                for s in self.splits
            ],
            "harness": [{"run": h.run, "writer": h.writer, "loss": figure_to_json(h.loss)} for h in self.harness],
        }

    @classmethod
    def from_json(cls, value: JsonObject) -> "SwapTable":
        """Inverse of `to_json`. Trusts its input."""
        raw: Any = value
        figures = ("gap", "phi_research", "phi_writing", "interaction")
        return cls(
            tuple(raw["runs"]),
            tuple(raw["writers"]),
            tuple(Cell(c["research"], c["writer"], figure_from_json(c["mean"]), c["failed"]) for c in raw["cells"]),
            tuple(Split(**{**s, **{name: figure_from_json(s[name]) for name in figures}}) for s in raw["splits"]),
            tuple(HarnessLoss(h["run"], h["writer"], figure_from_json(h["loss"])) for h in raw["harness"]),
        )
