"""What a round would be, before anybody is invited: its pairs, who gets how many, and what is left out and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.errors import BadInputError
from workbench.human.rounds.designs import DESIGNS, Design, against, informative, on_some_questions
from workbench.human.rounds.pairing import Pair, pairs_of
from workbench.schema.canonical import JsonValue
from workbench.store import Store, TrajectoryFilter


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """`missing` counts, per run, questions it has no report on though another run has; those pairs are left out.

    `further_attempts` counts, per run, reports beyond the first on a question, which are not shown. `pairs` are those
    asked at once, `pool` all that could be; an active design goes on from the ballots cast, `batch` pairs at a time,
    until `budget` ballots are asked for.
    """

    runs: tuple[str, ...]
    raters: tuple[str, ...]
    overlap: int
    seed: int
    simulated: bool
    pairs: tuple[Pair, ...]
    missing: Mapping[str, int]
    further_attempts: Mapping[str, int]
    design: Design = "round-robin"
    baseline: str | None = None
    pool: tuple[Pair, ...] = ()
    budget: int = 0
    batch: int = 0
    n_questions: int | None = None

    @property
    def n_ballots(self) -> int:
        """Of the pairs asked at once."""
        return len(self.pairs) * self.overlap

    def settings(self) -> dict[str, JsonValue]:
        """What the round keeps of its plan: enough to go on with it."""
        return {
            "design": self.design,
            "baseline": self.baseline,
            "overlap": self.overlap,
            "budget": self.budget,
            "batch": self.batch,
            "questions": self.n_questions,
        }

    @property
    def n_left_out(self) -> int:
        """Questions left out of a pair of runs because one side has no report, summed over runs."""
        return sum(self.missing.values())


def plan_round(
    store: Store,
    *,
    runs: Sequence[str],
    raters: int | Sequence[str],
    overlap: int = 1,
    seed: int = 0,
    design: Design = "round-robin",
    baseline: str | None = None,
    ballots: int | None = None,
    batch: int | None = None,
    questions: int | None = None,
) -> RoundPlan:
    """Pairs of `runs` on questions both answered with a report, each shown to `overlap` raters.

    `design`: every pair, those against `baseline` (one of the runs), or active: up to `ballots` of them (half of all
    unless said), in batches of `batch` pairs that follow from the ballots before. `questions`: so many, drawn by lot.
    `raters` are names or a number of them. Raises BadInputError where runs repeat, a number is out of range, or no
    question has two reports; NotFoundError for an unknown run.
    """
    names = tuple(f"rater-{i + 1}" for i in range(raters)) if isinstance(raters, int) else tuple(raters)
    _check(runs, names, overlap=overlap, design=design, baseline=baseline)
    simulated = any(store.runs.get(run).simulated for run in runs)
    reports: dict[str, dict[str, str]] = {}
    further: dict[str, int] = {}
    for run in runs:
        reports[run], further[run] = _reports(store, run)
    pool, missing = pairs_of(reports)
    if not pool:
        counts = ", ".join(f"{run}: {len(of_run)} questions with a report" for run, of_run in reports.items())
        raise BadInputError(
            f"no question has a report from two of these runs ({counts}). Import runs on one question set"
        )
    if questions is not None:
        pool = on_some_questions(pool, questions, seed=seed)
    pairs, budget, size = pool, len(pool) * overlap, 0
    if design == "fixed-baseline" and baseline is not None:
        pairs = against(pool, baseline)
        budget = len(pairs) * overlap
    elif design == "active":
        budget, size = _active_sizes(len(pool), len(runs), overlap, ballots, batch)
        nothing = np.zeros((len(runs), len(runs)))
        first = min(size, budget // overlap)
        pairs = informative(pool, runs, first, asked={}, wins=nothing, ties=nothing, seed=seed)
    return RoundPlan(
        tuple(runs), names, overlap, seed, simulated, pairs, missing, further,
        design, baseline, pool, budget, size, questions,
    )  # fmt: skip


def _check(runs: Sequence[str], raters: Sequence[str], *, overlap: int, design: str, baseline: str | None) -> None:
    if len(set(runs)) != len(runs) or len(runs) < 2:
        raise BadInputError(f"runs {', '.join(runs) or '(none)'}: a round compares two or more different runs")
    if not raters or len(set(raters)) != len(raters):
        raise BadInputError("a round needs at least one rater, each named once")
    if not 1 <= overlap <= len(raters):
        raise BadInputError(
            f"overlap is {overlap} with {len(raters)} raters; expected 1 to {len(raters)} raters a pair"
        )
    if design not in DESIGNS:
        raise BadInputError(f"design {design!r} is not known; expected one of {', '.join(DESIGNS)}")
    if design == "fixed-baseline" and baseline not in runs:
        raise BadInputError(f"baseline is {baseline!r}; a fixed-baseline design takes one of {', '.join(runs)}")
    if design != "fixed-baseline" and baseline is not None:
        raise BadInputError(f"a baseline goes with the fixed-baseline design, not with {design}")


def _active_sizes(n_pairs: int, n_runs: int, overlap: int, ballots: int | None, batch: int | None) -> tuple[int, int]:
    """(ballots in all, pairs a batch). A first batch that leaves runs unconnected would be wasted."""
    budget = max(overlap * n_runs, n_pairs * overlap // 2) if ballots is None else ballots
    least, most = overlap * (n_runs - 1), n_pairs * overlap
    if not least <= budget <= most:
        raise BadInputError(
            f"{budget} ballots for an active design; expected {least} (to connect {n_runs} runs) to {most} (all pairs)"
        )
    size = max(n_runs, n_pairs // 20) if batch is None else batch
    if size < n_runs - 1:
        raise BadInputError(f"a batch of {size} pairs; expected at least {n_runs - 1}, to connect {n_runs} runs")
    return budget, size


def _reports(store: Store, run: str) -> tuple[dict[str, str], int]:
    """question -> trajectory id of the lowest attempt that has a report, and how many further reports there are."""
    columns = store.trajectories.columns(TrajectoryFilter(run=run, has_report=True))
    best: dict[str, tuple[int, str]] = {}
    for question, attempt, identity in zip(columns["question_id"], columns["attempt"], columns["id"], strict=True):
        best[question] = min(best.get(question, (attempt, identity)), (attempt, identity))
    return {question: identity for question, (_, identity) in best.items()}, len(columns["id"]) - len(best)
