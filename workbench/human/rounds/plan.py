"""What a round would be, before anybody is invited: its pairs, who gets how many, and what is left out and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workbench.errors import BadInputError
from workbench.human.rounds.pairing import Pair, pairs_of
from workbench.store import Store, TrajectoryFilter


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """`missing` counts, per run, questions it has no report on though another run has; those pairs are left out.

    `further_attempts` counts, per run, reports beyond the first on a question, which are not shown.
    """

    runs: tuple[str, ...]
    raters: tuple[str, ...]
    overlap: int
    seed: int
    simulated: bool
    pairs: tuple[Pair, ...]
    missing: Mapping[str, int]
    further_attempts: Mapping[str, int]

    @property
    def n_ballots(self) -> int:
        return len(self.pairs) * self.overlap

    @property
    def n_left_out(self) -> int:
        """Questions left out of a pair of runs because one side has no report, summed over runs."""
        return sum(self.missing.values())


def plan_round(
    store: Store, *, runs: Sequence[str], raters: int | Sequence[str], overlap: int = 1, seed: int = 0
) -> RoundPlan:
    """Every pair of `runs` on every question both answered with a report, shown to `overlap` raters each.

    `raters` are names or a number of them. Raises BadInputError where runs repeat, a number is out of range, or no
    question has two reports; NotFoundError for an unknown run.
    """
    names = tuple(f"rater-{i + 1}" for i in range(raters)) if isinstance(raters, int) else tuple(raters)
    if len(set(runs)) != len(runs) or len(runs) < 2:
        raise BadInputError(f"runs {', '.join(runs) or '(none)'}: a round compares two or more different runs")
    if not names or len(set(names)) != len(names):
        raise BadInputError("a round needs at least one rater, each named once")
    if not 1 <= overlap <= len(names):
        raise BadInputError(f"overlap is {overlap} with {len(names)} raters; expected 1 to {len(names)} raters a pair")
    simulated = any(store.runs.get(run).simulated for run in runs)
    reports: dict[str, dict[str, str]] = {}
    further: dict[str, int] = {}
    for run in runs:
        reports[run], further[run] = _reports(store, run)
    pairs, missing = pairs_of(reports)
    if not pairs:
        counts = ", ".join(f"{run}: {len(of_run)} questions with a report" for run, of_run in reports.items())
        raise BadInputError(
            f"no question has a report from two of these runs ({counts}). Import runs on one question set"
        )
    return RoundPlan(tuple(runs), names, overlap, seed, simulated, pairs, missing, further)


def _reports(store: Store, run: str) -> tuple[dict[str, str], int]:
    """question -> trajectory id of the lowest attempt that has a report, and how many further reports there are."""
    columns = store.trajectories.columns(TrajectoryFilter(run=run, has_report=True))
    best: dict[str, tuple[int, str]] = {}
    for question, attempt, identity in zip(columns["question_id"], columns["attempt"], columns["id"], strict=True):
        best[question] = min(best.get(question, (attempt, identity)), (attempt, identity))
    return {question: identity for question, (_, identity) in best.items()}, len(columns["id"]) - len(best)
