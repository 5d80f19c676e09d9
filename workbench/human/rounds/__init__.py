"""Rounds of blind evaluation: planned, created, invited to, watched, closed."""

from workbench.human.rounds.extending import Extended, extend_round
from workbench.human.rounds.invitations import Invitation, link_of
from workbench.human.rounds.lifecycle import close_round, create_round, invite, revoke
from workbench.human.rounds.lookup import find_round
from workbench.human.rounds.plan import RoundPlan, plan_round
from workbench.human.rounds.summary import RoundSummary, round_summary

__all__ = [
    "Extended",
    "Invitation",
    "RoundPlan",
    "RoundSummary",
    "close_round",
    "create_round",
    "extend_round",
    "find_round",
    "invite",
    "link_of",
    "plan_round",
    "revoke",
    "round_summary",
]
