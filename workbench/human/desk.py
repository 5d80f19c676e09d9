"""A rater's desk: the next pair made blind, the draft, the ballot, the last one taken back. Nothing here knows HTTP.

What leaves this module for a browser names no run, no model, no trajectory and no order of systems.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median
from threading import Lock

from workbench.errors import BadInputError, NotFoundError
from workbench.human.blind.masking import Masker
from workbench.human.blind.rendering import render
from workbench.schema.ballot import Assignment, Ballot, BallotVerdict, Round
from workbench.schema.canonical import JsonObject, JsonValue
from workbench.store import Store, TrajectoryFilter

RENDERED_KEPT = 256
PACE_FROM = 3


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
        self._rendered: OrderedDict[tuple[str, str, str], str] = OrderedDict()
        self._names: dict[str, tuple[str, ...]] = {}
        self._lock = Lock()

    def view(self, round_id: str, rater: str) -> dict[str, JsonValue]:
        """What the rater's page shows now, as JSON: `state` is `pair`, `done` or `closed`."""
        round_ = self._store.human.round(round_id)
        if round_.state == "closed":
            return {"state": "closed"}
        mine, cast = self._mine(round_id, rater)
        answer: dict[str, JsonValue] = {
            "progress": {"done": len(cast), "total": len(mine)},
            "can_undo": bool(cast),
            "minutes_left": _minutes_left(cast, len(mine) - len(cast)),
        }
        waiting = self._waiting(mine, cast)
        if waiting is None:
            return {"state": "done", **answer}
        return {
            "state": "pair",
            **answer,
            "assignment": waiting.id,
            "practice": waiting.purpose == "training",
            "question": self._question(waiting),
            "left": self._blind(round_, waiting, waiting.left),
            "right": self._blind(round_, waiting, waiting.right),
            "dimensions": [
                {"name": name, "label": name.replace("_", " ").capitalize(), "guidance": guidance}
                for name, guidance in round_.dimensions.items()
            ],
            "reason_required": round_.reason_required,
            "draft": self._store.human.draft(waiting.id),
        }

    def warm(self, round_id: str, rater: str) -> None:
        """Renders the pair after the one shown, so that it is there when the rater is."""
        round_ = self._store.human.round(round_id)
        mine, cast = self._mine(round_id, rater)
        done = {ballot.assignment_id for ballot in cast}
        for coming in [one for one in mine if one.id not in done][1:2]:
            self._blind(round_, coming, coming.left)
            self._blind(round_, coming, coming.right)

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
        _, cast = self._mine(round_id, rater)
        said = next((ballot.verdict for ballot in cast if ballot.assignment_id == assignment_id), None)
        if said is None:
            return None
        agreed = "As we see it too. " if said == assignment.expected else "We see it otherwise. "
        return agreed + assignment.feedback

    def undo(self, round_id: str, rater: str) -> bool:
        """Takes the rater's last ballot back and lays it before them as a draft. False if there is none."""
        self._open(round_id)
        _, cast = self._mine(round_id, rater)
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

    def _mine(self, round_id: str, rater: str) -> tuple[tuple[Assignment, ...], tuple[Ballot, ...]]:
        """The rater's assignments in their order, and the ballots that stand, oldest first."""
        mine = self._store.human.assignments(round_id, rater)
        return mine, tuple(ballot for ballot in self._store.human.ballots(round_id) if ballot.rater == rater)

    def _waiting(self, mine: tuple[Assignment, ...], cast: tuple[Ballot, ...]) -> Assignment | None:
        done = {ballot.assignment_id for ballot in cast}
        return next((assignment for assignment in mine if assignment.id not in done), None)

    def _assignment(self, round_id: str, rater: str, assignment_id: str) -> Assignment:
        for assignment in self._store.human.assignments(round_id, rater):
            if assignment.id == assignment_id:
                return assignment
        # One sentence for an id that does not exist and for another rater's: the answer must not tell them apart.
        raise NotFoundError("this pair is not on your list. Reload the page to see the one that is")

    def _question(self, assignment: Assignment) -> str:
        """Of the side that answers it: in a check the other one belongs to another question."""
        sides = [self._store.trajectories.row(identity) for identity in (assignment.left, assignment.right)]
        return next((one.question for one in sides if one.question_id == assignment.question_id), sides[0].question)

    def _blind(self, round_: Round, assignment: Assignment, trajectory_id: str) -> str:
        key = (round_.id, assignment.question_id, trajectory_id)
        with self._lock:
            if key in self._rendered:
                self._rendered.move_to_end(key)
                return self._rendered[key]
        masker = Masker(self._names_of(round_), question=self._question(assignment))
        html = render(self._store.trajectories.report(trajectory_id), masker)
        with self._lock:
            self._rendered[key] = html
            while len(self._rendered) > RENDERED_KEPT:
                self._rendered.popitem(last=False)
        return html

    def _names_of(self, round_: Round) -> tuple[str, ...]:
        """Every name that could tell the round's systems apart: of the runs, and of the models within them."""
        if round_.id not in self._names:
            names = dict.fromkeys(round_.runs)
            for run in round_.runs:
                names.update(dict.fromkeys(self._store.trajectories.columns(TrajectoryFilter(run=run))["model"]))
            self._names[round_.id] = tuple(name for name in names if name)
        return self._names[round_.id]


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


def _minutes_left(cast: tuple[Ballot, ...], waiting: int) -> int | None:
    """At the rater's own pace, once there is one; None before."""
    seconds = [ballot.seconds for ballot in cast if ballot.seconds is not None]
    return max(1, round(median(seconds) * waiting / 60)) if waiting and len(seconds) >= PACE_FROM else None
