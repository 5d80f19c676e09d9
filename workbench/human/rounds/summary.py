"""How far a round is, without a word on which model does better until it is closed."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from workbench.schema.ballot import BALLOT_VERDICTS, Ballot, Round
from workbench.store import RaterRow, Store

TOO_FAST_S = 15.0


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """`verdicts` counts what was said by side and kind of tie, which tells nothing of models: sides are balanced.
    Practice and checks are not among them.

    `runs` is empty while the round is open: names are hidden from everyone until it closes. `n_cast` counts ballots
    that stand, `n_set_aside` those among them the owner does not count. `median_seconds` is None without timings;
    `n_fast` counts ballots given in under 15 s.
    """

    round: Round
    raters: tuple[RaterRow, ...]
    n_assigned: int
    n_cast: int
    n_set_aside: int
    verdicts: Mapping[str, int]
    median_seconds: float | None
    n_fast: int

    @property
    def runs(self) -> tuple[str, ...]:
        return self.round.runs if self.round.state == "closed" else ()


def round_summary(store: Store, round_id: str) -> RoundSummary:
    """Progress of one round. NotFoundError for an unknown id."""
    round_ = store.human.round(round_id)
    ballots: tuple[Ballot, ...] = store.human.ballots(round_id)
    raters = store.human.raters(round_id)
    seconds = [ballot.seconds for ballot in ballots if ballot.seconds is not None]
    rating = {one.id for one in store.human.assignments(round_id) if one.purpose == "rating"}
    counts = Counter(ballot.verdict for ballot in ballots if ballot.assignment_id in rating)
    return RoundSummary(
        round=round_,
        raters=raters,
        n_assigned=sum(row.n_assigned for row in raters),
        n_cast=len(ballots),
        n_set_aside=sum(1 for ballot in ballots if ballot.set_aside),
        verdicts={verdict: counts[verdict] for verdict in BALLOT_VERDICTS},
        median_seconds=median(seconds) if seconds else None,
        n_fast=sum(1 for s in seconds if s < TOO_FAST_S),
    )
