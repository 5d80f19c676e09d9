"""The repository of human evaluation: rounds set up, ballots counted."""

from workbench.store.repositories.ballot_log import BallotLog
from workbench.store.repositories.ballots import Ballots
from workbench.store.repositories.desks import Desks
from workbench.store.repositories.rounds import Rounds


class Human(Rounds, Ballots, Desks, BallotLog):
    """Rounds, raters, assignments, ballots, votes."""
