"""What a plan costs and how sure its ratings would be, before anybody is asked; what a smaller plan loses."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from workbench.errors import BadInputError
from workbench.human.ratings.strengths import ELO_PER_LOGIT
from workbench.human.rounds.designs import against, on_some_questions
from workbench.human.rounds.pairing import Pair
from workbench.human.rounds.plan import RoundPlan
from workbench.store import Store

Z_95 = 1.959964
# Fewer ballots than this say too little of pace or ties to plan by.
FEW_BALLOTS = 20
MOST_OVERLAP = 10


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What a forecast rests on. `n_ballots` of earlier rounds gave pace and share of ties; 0: both are assumed.

    `question_sd`: how much a model's strength varies from question to question, in log-odds; always assumed.
    """

    minutes_a_ballot: float = 4.0
    tie_share: float = 0.25
    question_sd: float = 0.5
    n_ballots: int = 0

    def text(self) -> str:
        told = f"measured on {self.n_ballots} ballots" if self.n_ballots else "assumed: no ballots to measure them on"
        return (
            f"{self.minutes_a_ballot:.1f} minutes a ballot and {self.tie_share:.0%} ties ({told}); "
            f"models close in strength that vary by {self.question_sd:g} log-odds from question to question (assumed)"
        )


@dataclass(frozen=True, slots=True)
class Forecast:
    """`half_width`: of the 95% interval of a model against the mean of all, on the Elo scale, of the model least sure.

    `gap_half_width`: of the distance between the two models least surely told apart. Both are None where the pairs
    leave models unconnected.
    """

    n_ballots: int
    minutes: float
    half_width: float | None
    gap_half_width: float | None


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another plan over the same runs, and what one loses or gains by it."""

    name: str
    forecast: Forecast
    says: str


@dataclass(frozen=True, slots=True)
class Need:
    """What a wanted half-width takes; `overlap` and `raters` are None where no overlap gets there."""

    half_width: float
    overlap: int | None
    raters: int | None
    says: str


def assumptions_of(store: Store) -> Assumptions:
    """Pace and share of ties as earlier rounds had them, where they have ballots enough."""
    ballots = [one for one in store.human.ballots() if not one.set_aside and one.seconds is not None]
    if len(ballots) < FEW_BALLOTS:
        return Assumptions()
    ties = sum(1 for one in ballots if one.verdict not in ("left", "right"))
    pace = median(one.seconds for one in ballots if one.seconds is not None) / 60
    return Assumptions(pace, ties / len(ballots), n_ballots=len(ballots))


def forecast(pairs: Sequence[Pair], runs: Sequence[str], *, overlap: int, given: Assumptions) -> Forecast:
    """Expected widths from the information of the pairs (a vote on close models tells 1/4), less what ties take.

    The variance of a rating is that of its votes plus that of the questions, which more votes on the same questions
    do not lower. `seat` repeats each pair `overlap` times.
    """
    index = {run: position for position, run in enumerate(runs)}
    size = len(runs)
    laplacian = np.zeros((size, size))
    of_run: dict[str, set[str]] = {run: set() for run in runs}
    for pair in pairs:
        i, j = index[pair.first_run], index[pair.second_run]
        laplacian[[i, j], [i, j]] += overlap / 4
        laplacian[[i, j], [j, i]] -= overlap / 4
        of_run[pair.first_run].add(pair.question_id)
        of_run[pair.second_run].add(pair.question_id)
    n_ballots = len(pairs) * overlap
    minutes = n_ballots * given.minutes_a_ballot
    if np.linalg.matrix_rank(laplacian) < size - 1:
        return Forecast(n_ballots, minutes, None, None)
    # A tie says "no gap": it carries the slope of half a win and none of its noise.
    votes = (1 - given.tie_share) * np.linalg.pinv(laplacian, hermitian=True)
    of_questions = given.question_sd**2 / np.array([len(of_run[run]) for run in runs])
    own = np.diag(votes) + of_questions * (1 - 1 / size)
    gaps = np.add.outer(np.diag(votes), np.diag(votes)) - 2 * votes + np.add.outer(of_questions, of_questions)
    np.fill_diagonal(gaps, 0.0)
    reach = Z_95 * ELO_PER_LOGIT
    return Forecast(n_ballots, minutes, reach * math.sqrt(own.max()), reach * math.sqrt(gaps.max()))


def forecast_plan(plan: RoundPlan, given: Assumptions) -> Forecast:
    """Of the whole plan. An active one chooses as it goes: its width is that of as many pairs chosen evenly."""
    if plan.design != "active":
        return forecast(plan.pairs, plan.runs, overlap=plan.overlap, given=given)
    full = forecast(plan.pool, plan.runs, overlap=plan.overlap, given=given)
    scale = math.sqrt(full.n_ballots / plan.budget)
    return Forecast(
        plan.budget,
        plan.budget * given.minutes_a_ballot,
        None if full.half_width is None else full.half_width * scale,
        None if full.gap_half_width is None else full.gap_half_width * scale,
    )


def alternatives(plan: RoundPlan, given: Assumptions) -> tuple[Alternative, ...]:
    """Smaller plans and the full table, each with what it changes."""
    found: list[Alternative] = []

    def add(name: str, pairs: Sequence[Pair], overlap: int, says: str) -> None:
        found.append(Alternative(name, forecast(pairs, plan.runs, overlap=overlap, given=given), says))

    if plan.design != "round-robin":
        add("the full table", plan.pool, plan.overlap, "compares every two runs directly")
    if plan.design != "fixed-baseline" and len(plan.runs) > 2:
        baseline = plan.baseline or plan.runs[0]
        says = f"says how each stands against {baseline}; two others are compared only by way of it"
        add(f"{baseline} against each", against(plan.pool, baseline), plan.overlap, says)
    asked = plan.pool if plan.design == "active" else plan.pairs
    n_questions = len({pair.question_id for pair in asked})
    if n_questions > 1:
        half = on_some_questions(asked, n_questions // 2, seed=plan.seed)
        add(f"{n_questions // 2} of {n_questions} questions", half, plan.overlap, "rests on fewer questions")
    if plan.overlap > 1:
        add("one rater a pair", asked, 1, "cannot say whether raters agree")
    return tuple(found)


def need(plan: RoundPlan, given: Assumptions, *, half_width: float, minutes_a_rater: float) -> Need:
    """The overlap and the raters for a half-width on the Elo scale. BadInputError for a number that is none."""
    if not (half_width > 0 and math.isfinite(half_width)):
        raise BadInputError(f"a wanted half-width of {half_width}; expected a number of Elo points above 0")
    if not minutes_a_rater >= given.minutes_a_ballot:
        raise BadInputError(
            f"{minutes_a_rater:g} minutes a rater; a single ballot takes {given.minutes_a_ballot:.1f} minutes"
        )
    for overlap in range(1, MOST_OVERLAP + 1):
        with_it = forecast_plan(replace(plan, overlap=overlap, budget=len(plan.pairs) * overlap), given)
        if with_it.half_width is not None and with_it.half_width <= half_width:
            raters = max(overlap, math.ceil(with_it.minutes / minutes_a_rater))
            says = f"{with_it.n_ballots} ballots, {overlap} a pair, by {raters} raters of {minutes_a_rater:g} minutes"
            return Need(half_width, overlap, raters, says)
    return Need(
        half_width, None, None, f"{MOST_OVERLAP} raters a pair would not do: what is missing is questions, not ballots"
    )
