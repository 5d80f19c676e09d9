"""Blind pairwise human evaluation: rounds, what raters are shown, and what they say."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from workbench.schema.canonical import JsonValue

BallotVerdict: TypeAlias = Literal["left", "right", "both_good", "both_fair", "both_bad"]
BALLOT_VERDICTS: tuple[BallotVerdict, ...] = ("left", "right", "both_good", "both_fair", "both_bad")
RoundState: TypeAlias = Literal["open", "closed"]
# Only `rating` counts for ratings. `training` comes first, with feedback; `attention` has one right verdict; `repeat`
# is a pair that the rater judged before.
Purpose: TypeAlias = Literal["rating", "training", "attention", "repeat"]

DEFAULT_DIMENSIONS: Mapping[str, str] = {
    "information_completeness": "Does it answer every part of the question, with nothing important left out?",
    "content_depth": "Does it explain causes, conditions and disagreements, beyond listing facts?",
    "requirement_fitness": "Does it do what was asked: scope, form, audience, dates?",
    "readability": "Can the intended reader follow it without effort?",
}


@dataclass(frozen=True, slots=True)
class Round:
    """A round of evaluation over two or more runs. Names of models are hidden from everyone until it is closed.

    `settings`: how its pairs were chosen and how its page behaves (JSON).
    """

    id: str
    name: str
    runs: tuple[str, ...]
    dimensions: Mapping[str, str]
    reason_required: bool
    state: RoundState
    seed: int
    simulated: bool
    created_at: datetime
    closed_at: datetime | None = None
    settings: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Assignment:
    """One pair put before one rater. `left` and `right` are trajectory ids, sides drawn at random and kept here.

    `expected`: the verdict that is right, where there is one; `feedback`: what a rater in training is told of it.
    """

    id: str
    round_id: str
    rater: str
    question_id: str
    left: str
    right: str
    position: int
    purpose: Purpose = "rating"
    expected: BallotVerdict | None = None
    feedback: str | None = None


@dataclass(frozen=True, slots=True)
class Ballot:
    """What a rater said about one assignment. Dimension scores are 1..5 for (left, right).

    One ballot per assignment; `set_aside` holds the owner's reason for not counting it, and it is never deleted.
    """

    assignment_id: str
    round_id: str
    rater: str
    verdict: BallotVerdict
    scores: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    reason: str = ""
    seconds: float | None = None
    created_at: datetime | None = None
    set_aside: str = ""


@dataclass(frozen=True, slots=True)
class Vote:
    """A ballot with the names resolved, as ratings read it; imported rows have only this form.

    `winner` follows the arena form, with ours added: model_a model_b tie both_bad both_good both_fair.
    `source` and `ordinal` identify an imported row.
    """

    model_a: str
    model_b: str
    winner: Literal["model_a", "model_b", "tie", "both_bad", "both_good", "both_fair"]
    rater: str = ""
    question_id: str = ""
    source: str = ""
    ordinal: int = 0
    reason: str = ""
    scores: Mapping[str, tuple[int, int]] = field(default_factory=dict)
