"""What the rater's page sends, checked where it comes in."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from workbench.human.desk import CastBallot
from workbench.schema.ballot import BallotVerdict
from workbench.schema.canonical import JsonValue

MAX_REASON_CHARS = 20_000
Score = Annotated[int, Field(ge=1, le=5)]
Seconds = Annotated[float, Field(ge=0, le=7 * 24 * 3600, allow_inf_nan=False)]
Dimension = Annotated[str, Field(max_length=100)]


class BallotMessage(BaseModel):
    """A complete ballot: scores are (left, right), 1..5."""

    model_config = ConfigDict(extra="forbid", strict=True)

    assignment: Annotated[str, Field(max_length=100)]
    verdict: BallotVerdict
    scores: dict[Dimension, Annotated[list[Score], Field(min_length=2, max_length=2)]]
    reason: Annotated[str, Field(max_length=MAX_REASON_CHARS)] = ""
    seconds: Seconds | None = None

    def to_ballot(self) -> CastBallot:
        return CastBallot(
            assignment_id=self.assignment,
            verdict=self.verdict,
            scores={name: (pair[0], pair[1]) for name, pair in self.scores.items()},
            reason=self.reason,
            seconds=self.seconds,
        )


class NothingMessage(BaseModel):
    """A request that needs no body."""

    model_config = ConfigDict(extra="forbid")


class DraftMessage(BaseModel):
    """A ballot on its way: any part may still be missing."""

    model_config = ConfigDict(extra="forbid", strict=True)

    verdict: BallotVerdict | None = None
    scores: Annotated[
        dict[Dimension, Annotated[list[Score | None], Field(min_length=2, max_length=2)]], Field(max_length=50)
    ] = {}
    reason: Annotated[str, Field(max_length=MAX_REASON_CHARS)] = ""
    seconds: Seconds = 0.0

    def to_json(self) -> dict[str, JsonValue]:
        return dict(self.model_dump(mode="json"))
