"""People's ballots as preferences between two rollouts."""

from workbench.reward.people import Preference
from workbench.store import Store


def preferences_of(store: Store) -> tuple[Preference, ...]:
    """Every ballot of a closed round that counts and is no tie. An open round tells nobody anything."""
    out: list[Preference] = []
    for round_ in store.human.rounds():
        if round_.state != "closed":
            continue
        pairs = {assignment.id: assignment for assignment in store.human.assignments(round_.id)}
        for ballot in store.human.ballots(round_.id, include_set_aside=False):
            pair = pairs[ballot.assignment_id]
            if pair.purpose != "rating":
                continue  # training, attention checks and repeats are about the rater
            sides = {"left": (pair.left, pair.right), "right": (pair.right, pair.left)}.get(ballot.verdict)
            if sides is not None:
                out.append(Preference(sides[0], sides[1], pair.question_id))
    return tuple(out)
