"""How each model does against one baseline, by their own pairs alone: wins, ties, losses and the win score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.errors import BadInputError
from workbench.human.ratings.comparisons import Clustering, Comparisons, clusterings, compare
from workbench.human.ratings.intervals import VoteScores, clustered_variances
from workbench.schema.ballot import Vote
from workbench.schema.canonical import JsonValue
from workbench.stats.estimate import Estimate, measured_to_json
from workbench.stats.proportion import wilson

TIES: tuple[str, ...] = ("tie", "both_good", "both_fair", "both_bad")


@dataclass(frozen=True, slots=True)
class AgainstBaseline:
    """Of the pairs of `name` and the baseline. `ties` by kind, only those that occur.

    `win_score` = (wins + ties / 2) / votes, in [0, 1]: 0.5 is even with the baseline.
    """

    name: str
    wins: int
    losses: int
    ties: Mapping[str, int]
    win_score: Estimate

    @property
    def n(self) -> int:
        return self.wins + self.losses + sum(self.ties.values())

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "name": self.name,
            "wins": self.wins,
            "losses": self.losses,
            "ties": dict(self.ties),
            "win_score": measured_to_json(self.win_score),
        }


def against_baseline(
    votes: Sequence[Vote], baseline: str, *, cluster: Clustering = "auto", level: float = 0.95
) -> tuple[AgainstBaseline, ...]:
    """Every other model that met `baseline`, the best first. Other pairs play no part, so that no model of strengths
    stands between the votes and the figure. Raises BadInputError for a baseline that is in no vote.
    """
    met = [vote for vote in votes if baseline in (vote.model_a, vote.model_b) and vote.model_a != vote.model_b]
    if not met:
        known = ", ".join(sorted({name for vote in votes for name in (vote.model_a, vote.model_b)}))
        raise BadInputError(f"baseline {baseline!r} is in no vote; models are {known or '(none)'}")
    data = compare(met)
    rows = []
    for place, found in scores_against(data, data.names.index(baseline), cluster=cluster, level=level):
        name = data.names[place]
        own = [vote for vote in met if name in (vote.model_a, vote.model_b)]
        wins = sum(1 for vote in own if vote.winner == ("model_a" if vote.model_a == name else "model_b"))
        kinds = {kind: n for kind in TIES if (n := sum(1 for vote in own if vote.winner == kind))}
        rows.append(AgainstBaseline(name, wins, len(own) - wins - sum(kinds.values()), kinds, found))
    return tuple(sorted(rows, key=lambda row: (-row.win_score.value, row.name)))


def scores_against(
    data: Comparisons, baseline: int, *, cluster: Clustering, level: float
) -> tuple[tuple[int, Estimate], ...]:
    """Mean score of each opponent of the model at `baseline`, over the votes between the two.

    The clustered variance goes into Wilson's interval as the number of votes it equals: near 0 and 1 an interval of
    equal arms would leave [0, 1].
    """
    data = data.only((data.first == baseline) | (data.second == baseline))
    others = np.where(data.first == baseline, data.second, data.first)
    score = np.where(data.first == baseline, 1.0 - data.score, data.score)
    names, place = np.unique(others, return_inverse=True)
    counts = np.bincount(place).astype(np.float64)
    means = np.bincount(place, weights=score) / counts
    pulls, columns = (score - means[place])[:, None], place[:, None].astype(np.int64)
    scores = VoteScores(np.arange(data.n), pulls, columns, counts.size)
    found = clustered_variances(np.diag(1.0 / counts), scores, clusterings(data, cluster), n_models=counts.size)
    method = f"Wilson, {found.method}"

    def estimate(k: int) -> Estimate:
        n, mean, variance = int(counts[k]), float(means[k]), float(found.variances[k])
        low, high = None, None
        if min(n, found.n_clusters) > 1:
            # Votes that all came out the same way show no spread: each cluster then counts once.
            spread = variance > 1e-12 and 0 < mean < 1
            equal = mean * (1 - mean) / variance if spread else float(min(found.n_clusters, n))
            low, high = wilson(mean, equal, float(found.quantile(level)[k]))
        return Estimate(mean, low, high, n, method, None, found.n_clusters, level)

    return tuple((int(name), estimate(k)) for k, name in enumerate(names))
