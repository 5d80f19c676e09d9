"""The reports behind votes: their style, for ratings with style held equal."""

from workbench.human.ratings.style import StyleCounts, style_of
from workbench.human.votes import CountedVotes
from workbench.store import Store


def styles_behind(store: Store, counted: CountedVotes) -> list[tuple[StyleCounts, StyleCounts] | None]:
    """Of each vote the style of model_a's and of model_b's report, None for an imported vote."""
    identities = {identity for pair in counted.shown if pair is not None for identity in pair}
    found = {identity: style_of(store.trajectories.report(identity)) for identity in sorted(identities)}
    return [None if pair is None else (found[pair[0]], found[pair[1]]) for pair in counted.shown]
