"""A rater's desk: the next pair made blind, the draft, the ballot, the last one taken back. Nothing here knows HTTP.

What leaves this module for a browser names no run, no model, no trajectory and no order of systems.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median

from workbench.errors import BadInputError, NotFoundError
from workbench.human.rounds.page import page_of
from workbench.human.showcase import Kept, Showcase
from workbench.schema.ballot import Assignment, Ballot, BallotVerdict, Round
from workbench.schema.canonical import JsonObject, JsonValue
from workbench.store import Place, Store

PACE_FROM = 3
ASSIGNMENTS_KEPT = 20_000


@dataclass(frozen=True, slots=True)
class CastBallot:
    """What a rater sends: checked against the round before it is stored."""

    assignment_id: str
    verdict: BallotVerdict
    scores: Mapping[str, tuple[int, int]]
    reason: str
    seconds: float | None


class ClosedError(BadInputError):
    """The round takes no more ballots."""


class Desk:
    """The desks of all raters of one store. Safe for use from several threads."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._showcase = Showcase(store)
        # Who is shown what never changes once it is laid out.
        self._assignments: Kept[Assignment] = Kept(ASSIGNMENTS_KEPT)

    def view(self, round_id: str, rater: str) -> dict[str, JsonValue]:
        """What the rater's page shows now, as JSON: `state` is `pair`, `done` or `closed`."""
        return self.view_of(self._store.human.place(round_id, rater))

    def view_of(self, place: Place) -> dict[str, JsonValue]:
        """As `view`, of a place read before."""
        round_ = place.round
        if round_.state == "closed":
            return {"state": "closed"}
        left_to_do = place.n_assigned - len(place.cast)
        answer: dict[str, JsonValue] = {
            "progress": {"done": len(place.cast), "total": place.n_assigned},
            "can_undo": bool(place.cast),
            "minutes_left": _minutes_left([seconds for _, seconds in place.cast], left_to_do),
        }
        if not place.waiting:
            return {"state": "done", **answer}
        waiting = place.waiting[0]
        left, right = self._showcase.sides(round_, waiting)
        return {
            "state": "pair",
            **answer,
            "assignment": waiting.id,
            "practice": waiting.purpose == "training",
            "question": self._showcase.question(waiting),
            "shows": page_of(round_.settings).shows,
            "left": left.html,
            "right": right.html,
            "passages": {"left": list(left.passages), "right": list(right.passages)},
            "traces": {"left": left.trace, "right": right.trace},
            "dimensions": [
                {"name": name, "label": name.replace("_", " ").capitalize(), "guidance": guidance}
                for name, guidance in round_.dimensions.items()
            ],
            "reason_required": round_.reason_required,
            "draft": self._store.human.draft(waiting.id),
        }

    def warm(self, place: Place) -> None:
        """Renders the pair after the one shown, so that it is there when the rater is."""
        for coming in place.waiting[1:]:
            self._showcase.question(coming)
            self._showcase.sides(place.round, coming)

    def place(self, round_id: str, rater: str) -> Place:
        return self._store.human.place(round_id, rater)

    def cast(self, round_id: str, rater: str, ballot: CastBallot, *, idempotency_key: str) -> str:
        """`recorded`, or `already` where this assignment has a ballot or the key was used for it before.

        Raises NotFoundError for an assignment that is not this rater's, ClosedError on a closed round, BadInputError
        where the round asks for more than was sent.
        """
        round_ = self._open(round_id)
        assignment = self._assignment(round_id, rater, ballot.assignment_id)
        _check(round_, ballot)
        return self._store.human.cast(
            Ballot(
                assignment_id=assignment.id,
                round_id=round_id,
                rater=rater,
                verdict=ballot.verdict,
                scores=ballot.scores,
                reason=ballot.reason.strip(),
                seconds=ballot.seconds,
                created_at=datetime.now(UTC),
            ),
            # A browser may use one key twice for different pairs; the second must not be taken for a repetition.
            idempotency_key=f"{assignment.id}:{idempotency_key}",
        )

    def feedback(self, round_id: str, rater: str, assignment_id: str) -> str | None:
        """What the rater is told of a practice pair once a ballot stands for it; None for every other pair."""
        assignment = self._assignment(round_id, rater, assignment_id)
        if assignment.purpose != "training" or not assignment.feedback:
            return None
        cast = self._store.human.ballots(round_id, rater=rater)
        said = next((ballot.verdict for ballot in cast if ballot.assignment_id == assignment_id), None)
        if said is None:
            return None
        agreed = "As we see it too. " if said == assignment.expected else "We see it otherwise. "
        return agreed + assignment.feedback

    def undo(self, round_id: str, rater: str) -> bool:
        """Takes the rater's last ballot back and lays it before them as a draft. False if there is none."""
        self._open(round_id)
        cast = self._store.human.ballots(round_id, rater=rater)
        if not cast:
            return False
        last = cast[-1]
        if not self._store.human.undo(last.assignment_id, rater):
            return False
        self._store.human.save_draft(last.assignment_id, _draft_of(last))
        return True

    def save_draft(self, round_id: str, rater: str, assignment_id: str, draft: JsonObject) -> None:
        """Keeps what is filled in so far. NotFoundError for another's assignment, ClosedError on a closed round."""
        self._open(round_id)
        self._store.human.save_draft(self._assignment(round_id, rater, assignment_id).id, draft)

    def _open(self, round_id: str) -> Round:
        round_ = self._store.human.round(round_id)
        if round_.state == "closed":
            raise ClosedError("this round is closed: it takes no more ballots. What was sent before it closed counts")
        return round_

    def _assignment(self, round_id: str, rater: str, assignment_id: str) -> Assignment:
        key = (round_id, rater, assignment_id)
        try:
            return self._assignments.get(key, lambda: self._store.human.assignment(*key))
        except NotFoundError:
            # One sentence for an id that does not exist and for another rater's: the answer must not tell them apart.
            raise NotFoundError("this pair is not on your list. Reload the page to see the one that is") from None


def _check(round_: Round, ballot: CastBallot) -> None:
    if set(ballot.scores) != set(round_.dimensions):
        missing = [name.replace("_", " ") for name in round_.dimensions if name not in ballot.scores]
        unknown = sorted(set(ballot.scores) - set(round_.dimensions))
        raise BadInputError(
            f"scores still missing: {', '.join(missing)}" if missing else f"unknown dimensions: {', '.join(unknown)}"
        )
    if round_.reason_required and not ballot.reason.strip():
        raise BadInputError("a reason is asked for in this round: say in a sentence why")


def _draft_of(ballot: Ballot) -> dict[str, JsonValue]:
    return {
        "verdict": ballot.verdict,
        "scores": {name: list(pair) for name, pair in ballot.scores.items()},
        "reason": ballot.reason,
        "seconds": ballot.seconds or 0.0,
    }


def _minutes_left(seconds_cast: Sequence[float | None], waiting: int) -> int | None:
    """At the rater's own pace, once there is one; None before."""
    seconds = [one for one in seconds_cast if one is not None]
    return max(1, round(median(seconds) * waiting / 60)) if waiting and len(seconds) >= PACE_FROM else None
