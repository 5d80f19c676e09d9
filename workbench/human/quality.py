"""How far each rater of a round can be relied on, and what each does to the result.

Nothing here names a model while the round is open: influence waits for the close.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from workbench.human.ratings.comparisons import Comparisons, compare
from workbench.human.ratings.strengths import fit_bradley_terry
from workbench.human.rounds.summary import TOO_FAST_S
from workbench.human.votes import counted_votes
from workbench.schema.ballot import Assignment, Ballot, BallotVerdict, Vote
from workbench.schema.canonical import JsonValue
from workbench.stats.estimate import Estimate, FloatVector, Measured, NotMeasured, measured_to_json
from workbench.stats.proportion import proportion_interval
from workbench.store import Store

# A warning needs so many ballots behind it.
FEW = 8
FAST_SHARE, SIDE_SHARE, SAME_SHARE, ATTENTION_SHARE, REPEAT_SHARE = 0.25, 0.7, 0.9, 0.75, 0.5
_SWAPPED: Mapping[BallotVerdict, BallotVerdict] = {"left": "right", "right": "left"}


@dataclass(frozen=True, slots=True)
class Influence:
    """The rating that moves most, in Elo points, when this rater's ballots are left out."""

    model: str
    points: float


@dataclass(frozen=True, slots=True)
class RaterQuality:
    """Ballots that count for ratings are `n`; practice, checks and repeats stand apart.

    `left_share`: of verdicts for one side. `with_others`: share of other raters' verdicts on the same pairs that are
    the same. `attention`: checks answered as expected. `repeats`: pairs judged alike the second time. `warnings` are
    sentences, empty if there are none.
    """

    rater: str
    n: int
    n_set_aside: int
    median_seconds: float | None
    n_fast: int
    left_share: Measured
    with_others: Measured
    attention: Measured
    repeats: Measured
    practice: Measured
    influence: Influence | None
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, JsonValue]:
        moved = self.influence
        return {
            "rater": self.rater,
            "n": self.n,
            "n_set_aside": self.n_set_aside,
            "median_seconds": self.median_seconds,
            "n_fast": self.n_fast,
            "left_share": measured_to_json(self.left_share),
            "with_others": measured_to_json(self.with_others),
            "attention": measured_to_json(self.attention),
            "repeats": measured_to_json(self.repeats),
            "practice": measured_to_json(self.practice),
            "influence": None if moved is None else {"model": moved.model, "points": moved.points},
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True)
class _Said:
    """A standing ballot with what it was about. `pair` is the same for both sides' orders."""

    assignment: Assignment
    ballot: Ballot

    @property
    def pair(self) -> tuple[str, frozenset[str]]:
        return self.assignment.question_id, frozenset((self.assignment.left, self.assignment.right))

    def verdict_of(self, first: str) -> BallotVerdict:
        """The verdict as if `first` had stood on the left."""
        verdict = self.ballot.verdict
        return verdict if self.assignment.left == first else _SWAPPED.get(verdict, verdict)


def round_quality(store: Store, round_id: str) -> tuple[RaterQuality, ...]:
    """Of every rater of the round, by name. NotFoundError for an unknown round."""
    round_ = store.human.round(round_id)
    shown = {one.id: one for one in store.human.assignments(round_id)}
    said = [_Said(shown[ballot.assignment_id], ballot) for ballot in store.human.ballots(round_id)]
    votes = counted_votes(store, round_id=round_id).votes if round_.state == "closed" else ()
    influences = influence_of_raters(votes)
    on_pair: dict[tuple[str, frozenset[str]], list[_Said]] = defaultdict(list)
    for one in said:
        if one.assignment.purpose == "rating":
            on_pair[one.pair].append(one)
    return tuple(
        _quality(row.rater, [one for one in said if one.ballot.rater == row.rater], on_pair,
                 influences.get(f"{round_id}/{row.rater}"))
        for row in store.human.raters(round_id)
    )  # fmt: skip


def influence_of_raters(votes: Sequence[Vote]) -> dict[str, Influence]:
    """By rater. One virtual tie a model keeps every fit finite, with and without; raters who stand alone are left out:
    without them there is nothing to compare with."""
    raters = sorted({vote.rater for vote in votes if vote.rater})
    if len(raters) < 2:
        return {}
    whole = compare(votes)
    names = whole.names
    of_all = _elo(whole)
    found = {}
    for rater in raters:
        rest = compare([vote for vote in votes if vote.rater != rater])
        if rest.names != names:
            continue
        moved = _elo(rest) - of_all
        most = int(np.argmax(np.abs(moved)))
        found[rater] = Influence(names[most], float(-moved[most]))
    return found


def _elo(data: Comparisons) -> FloatVector:
    return fit_bradley_terry(data.wins(), data.ties(), prior=1.0).elo


def _quality(
    rater: str,
    mine: Sequence[_Said],
    on_pair: Mapping[tuple[str, frozenset[str]], Sequence[_Said]],
    influence: Influence | None,
) -> RaterQuality:
    rating = [one for one in mine if one.assignment.purpose == "rating"]
    verdicts = [one.ballot.verdict for one in rating]
    sided = [verdict == "left" for verdict in verdicts if verdict in ("left", "right")]
    seconds = [one.ballot.seconds for one in rating if one.ballot.seconds is not None]
    checks = {
        purpose: [one.ballot.verdict == one.assignment.expected for one in mine if one.assignment.purpose == purpose]
        for purpose in ("attention", "training")
    }
    found = RaterQuality(
        rater=rater,
        n=len(rating),
        n_set_aside=sum(1 for one in rating if one.ballot.set_aside),
        median_seconds=median(seconds) if seconds else None,
        n_fast=sum(1 for s in seconds if s < TOO_FAST_S),
        left_share=_share(sided, "no verdict for one side"),
        with_others=_share(_like_others(rater, rating, on_pair), "no pair was rated by another too"),
        attention=_share(checks["attention"], "no attention check was answered"),
        repeats=_share(_like_before(mine), "no pair was judged a second time"),
        practice=_share(checks["training"], "no practice pair was judged"),
        influence=influence,
        warnings=(),
    )
    return _with_warnings(found, verdicts, len(seconds))


def _share(hits: Sequence[bool], why_not: str) -> Measured:
    return proportion_interval(hits) if hits else NotMeasured(why_not)


def _like_others(
    rater: str, rating: Sequence[_Said], on_pair: Mapping[tuple[str, frozenset[str]], Sequence[_Said]]
) -> list[bool]:
    return [
        one.verdict_of(one.assignment.left) == other.verdict_of(one.assignment.left)
        for one in rating
        for other in on_pair[one.pair]
        if other.ballot.rater != rater
    ]


def _like_before(mine: Sequence[_Said]) -> list[bool]:
    """A tie of another kind (both good, both fair) counts as another verdict."""
    before = {one.pair: one for one in mine if one.assignment.purpose == "rating"}
    return [
        again.verdict_of(again.assignment.left) == before[again.pair].verdict_of(again.assignment.left)
        for again in mine
        if again.assignment.purpose == "repeat" and again.pair in before
    ]


def _with_warnings(found: RaterQuality, verdicts: Sequence[BallotVerdict], n_timed: int) -> RaterQuality:
    said = []
    if n_timed >= FEW and found.n_fast > FAST_SHARE * n_timed:
        said.append(f"too fast: {found.n_fast} of {n_timed} ballots in under {TOO_FAST_S:.0f} s")
    side = found.left_share
    if isinstance(side, Estimate) and side.n >= FEW:
        if side.above(0.5) and side.value >= SIDE_SHARE:
            said.append(f"one-sided: {side.value:.0%} of {side.n} verdicts for the left")
        elif side.below(0.5) and side.value <= 1 - SIDE_SHARE:
            said.append(f"one-sided: {1 - side.value:.0%} of {side.n} verdicts for the right")
    if len(verdicts) >= FEW:
        most = max(set(verdicts), key=lambda verdict: (verdicts.count(verdict), verdict))
        if most not in ("left", "right") and verdicts.count(most) >= SAME_SHARE * len(verdicts):
            said.append(f"nearly always the same: {most.replace('_', ' ')} {verdicts.count(most)} of {len(verdicts)}")
    checks, repeats = found.attention, found.repeats
    if isinstance(checks, Estimate) and checks.value < ATTENTION_SHARE:
        said.append(f"{round((1 - checks.value) * checks.n)} of {checks.n} attention checks missed")
    if isinstance(repeats, Estimate) and repeats.n >= FEW // 2 and repeats.value < REPEAT_SHARE:
        said.append(f"{round(repeats.value * repeats.n)} of {repeats.n} repeated pairs judged alike")
    return replace(found, warnings=tuple(said))
