"""Builds the swap table from graded cells."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from workbench.diagnosis.bench import Scored
from workbench.diagnosis.parts import mean_over_questions, question_means
from workbench.diagnosis.shapley import shapley
from workbench.diagnosis.swap_report import Cell, HarnessLoss, Split, SwapTable
from workbench.stats.estimate import Measured
from workbench.stats.power import within_variance


@dataclass(slots=True)
class SwapCells:
    """Graded reports: `cell[run, i]` of run's evidence by the i-th writer, `own[run]` as the agents wrote them."""

    cell: dict[tuple[str, int], Sequence[Scored]] = field(default_factory=dict)
    own: dict[str, Sequence[Scored]] = field(default_factory=dict)


def swap_table(teams: Sequence[tuple[str, str]], cells: SwapCells, *, noiseless: bool = False) -> SwapTable:
    """The table of `teams` (run, name of its writer): every cell, a split for each pair, and what the harness costs.

    `noiseless`: the grader is a rule, so that its second grade would be its first.
    """
    return SwapTable(
        runs=tuple(run for run, _ in teams),
        writers=tuple(writer for _, writer in teams),
        cells=tuple(
            _cell(run, writer, cells.cell[run, place]) for run, _ in teams for place, (_, writer) in enumerate(teams)
        ),
        splits=tuple(_split(teams, a, b, cells, noiseless) for a, b in combinations(range(len(teams)), 2)),
        harness=tuple(_harness(run, writer, place, cells) for place, (run, writer) in enumerate(teams)),
    )


def _cell(run: str, writer: str, results: Sequence[Scored]) -> Cell:
    scored = [(found.score, found.item.question_id) for found in results if found.score is not None]
    mean = mean_over_questions([score for score, _ in scored], [question for _, question in scored])
    return Cell(run, writer, mean, len(results) - len(scored))


def _split(teams: Sequence[tuple[str, str]], a: int, b: int, cells: SwapCells, noiseless: bool) -> Split:
    (run_a, writer_a), (run_b, writer_b) = teams[a], teams[b]
    four = [cells.cell[run, place] for run, place in ((run_a, a), (run_a, b), (run_b, a), (run_b, b))]
    means = [_by_question(results) for results in four]
    shared = [question for question in means[0] if all(question in cell for cell in means)]
    shares = [shapley(*(cell[question] for cell in means)) for question in shared]
    why = "no question has a score in all four cells"

    def figure(name: str) -> Measured:
        return mean_over_questions([getattr(share, name) for share in shares], shared, missing=why)

    gaps = [share.gap for share in shares]
    noise_sd, unexplained = (0.0, 1.0) if noiseless and shared else _noise(four[0], four[3], shared, gaps)
    return Split(
        run_a, writer_a, run_b, writer_b,
        figure("gap"), figure("research"), figure("writing"), figure("interaction"), noise_sd, unexplained,
    )  # fmt: skip


def _noise(
    first: Sequence[Scored], last: Sequence[Scored], shared: Sequence[str], gaps: Sequence[float]
) -> tuple[float | None, float | None]:
    """Standard deviation of the gap from judge noise alone, and the share of the gaps' variance it leaves open."""
    variances: list[float] = []
    for results in (first, last):
        groups = [found.repeats for found in results if found.item.question_id in shared]
        pooled = within_variance([group for group in groups if len(group) > 1])
        if pooled is None or not shared:
            return None, None
        # Of one question's mean: its reports, each the mean of its repeats.
        grades = sum(len(group) for group in groups) / len(shared)
        variances.append(pooled / grades)
    per_question = sum(variances)
    spread = float(question_means(gaps, shared).var(ddof=1)) if len(shared) > 1 else 0.0
    left = max(0.0, 1.0 - per_question / spread) if spread > 0 else None
    return math.sqrt(per_question / len(shared)), left


def _harness(run: str, writer: str, place: int, cells: SwapCells) -> HarnessLoss:
    """Own reports minus the rewriting by the run's own writer, pair by pair."""
    again = {found.item.id: found.score for found in cells.cell[run, place] if found.score is not None}
    pairs = [
        (found.score - again[found.item.id], found.item.question_id)
        for found in cells.own[run]
        if found.score is not None and found.item.id in again
    ]
    return HarnessLoss(run, writer, mean_over_questions([loss for loss, _ in pairs], [q for _, q in pairs]))


def _by_question(results: Sequence[Scored]) -> dict[str, float]:
    scored = [found for found in results if found.score is not None]
    groups: dict[str, list[float]] = {}
    for found in scored:
        groups.setdefault(found.item.question_id, []).append(found.score or 0.0)
    return {question: math.fsum(scores) / len(scores) for question, scores in groups.items()}
