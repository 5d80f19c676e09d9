"""The votes that count: ballots of closed rounds with names in place of sides, and imported rows."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from workbench.errors import BadInputError
from workbench.schema.ballot import Round, Vote
from workbench.store import Store, TrajectoryFilter

ROUND_SOURCE = "round:"
# Verdicts of a grader, kept as votes: counted only where their source is asked for by name.
JUDGE_SOURCE = "judge:"


@dataclass(frozen=True, slots=True)
class CountedVotes:
    """Votes in order of rounds, then of imports, and what was left out.

    `n_set_aside` ballots the owner does not count; `open_rounds` whose names are still hidden, with the `n_hidden`
    ballots cast in them; `judges`: sources of a grader's verdicts, which never count among people's. `shown`: the
    trajectories of model_a and model_b behind each vote, None for an imported one.
    """

    votes: tuple[Vote, ...]
    shown: tuple[tuple[str, str] | None, ...]
    n_set_aside: int = 0
    open_rounds: tuple[str, ...] = ()
    n_hidden: int = 0
    judges: tuple[str, ...] = ()

    def notes(self) -> tuple[str, ...]:
        found = []
        if self.n_set_aside:
            found.append(f"{self.n_set_aside} ballots set aside are not counted")
        if self.open_rounds:
            rounds = ", ".join(self.open_rounds)
            found.append(
                f"{self.n_hidden} ballots of open rounds are not counted: names are hidden until they close ({rounds})"
            )
        if self.judges:
            found.append(
                f"verdicts of graders are not counted with people's: ask for {', '.join(self.judges)} by source"
            )
        if any(vote.source.startswith(JUDGE_SOURCE) for vote in self.votes):
            found.append("these are the verdicts of a grader, not of people")
        return tuple(found)


def counted_votes(store: Store, *, round_id: str | None = None, source: str | None = None) -> CountedVotes:
    """Votes of one round, of one imported source, or of everything that people said.

    A cast vote carries its round and place as source and ordinal (`round:ID`), and the rater's name carries its round:
    rater-1 of two rounds need not be one person. Raises BadInputError for an open round or an unknown source,
    NotFoundError for an unknown round.
    """
    if round_id is not None and source is not None:
        raise BadInputError("votes of a round or of an imported source: ask for one of the two")
    if source is not None:
        known = store.human.vote_sources()
        if source not in known:
            raise BadInputError(f"no votes were imported as {source!r}; sources are {', '.join(known) or '(none)'}")
        votes = store.human.votes(source=source)
        return CountedVotes(votes, (None,) * len(votes))
    if round_id is not None:
        round_ = store.human.round(round_id)
        if round_.state == "open":
            raise BadInputError(
                f"round {round_id} is open: names are hidden until it closes (workbench rounds close {round_id})"
            )
        return CountedVotes(tuple(_cast(store, round_)), store.human.shown(round_id), _n_set_aside(store, [round_]))
    rounds = sorted(store.human.rounds(), key=lambda one: (one.created_at, one.id))
    closed = [one for one in rounds if one.state == "closed"]
    hidden = {one.id: len(store.human.ballots(one.id)) for one in rounds if one.state == "open"}
    cast = [vote for one in closed for vote in _cast(store, one)]
    sources = store.human.vote_sources()
    judges = tuple(name for name in sources if name.startswith(JUDGE_SOURCE))
    imported = [vote for name in sources if name not in judges for vote in store.human.votes(source=name)]
    open_rounds = tuple(name for name, n in hidden.items() if n)
    shown = (*(pair for one in closed for pair in store.human.shown(one.id)), *(None,) * len(imported))
    n_set_aside, n_hidden = _n_set_aside(store, closed), sum(hidden.values())
    return CountedVotes((*cast, *imported), shown, n_set_aside, open_rounds, n_hidden, judges)


def _cast(store: Store, round_: Round) -> Iterable[Vote]:
    for ordinal, vote in enumerate(store.human.votes(round_.id, by=_names_by(store, round_))):
        rater = f"{round_.id}/{vote.rater}"
        yield replace(vote, source=f"{ROUND_SOURCE}{round_.id}", ordinal=ordinal, rater=rater)


def _names_by(store: Store, round_: Round) -> Literal["model", "run"]:
    """Models have the word where they tell the runs apart; two checkpoints of one model are told apart by run."""
    models = [set(store.trajectories.columns(TrajectoryFilter(run=run))["model"]) for run in round_.runs]
    shared = Counter(name for of_run in models for name in of_run)
    plain = all(len(of_run) == 1 for of_run in models) and all(count == 1 for count in shared.values())
    return "model" if plain else "run"


def _n_set_aside(store: Store, rounds: Iterable[Round]) -> int:
    return sum(1 for one in rounds for ballot in store.human.ballots(one.id) if ballot.set_aside)
