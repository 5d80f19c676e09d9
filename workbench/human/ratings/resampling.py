"""Bootstrap intervals of strengths: clusters of votes drawn again, strengths fitted again."""

from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array

from workbench.human.ratings.comparisons import Comparisons
from workbench.human.ratings.graph import unbeaten_groups
from workbench.human.ratings.intervals import rows_of_votes
from workbench.human.ratings.many_fits import maximise_many
from workbench.human.ratings.paired_choice import maximise
from workbench.human.ratings.strengths import Strengths
from workbench.stats.bootstrap import cluster_weights, expanded_tails
from workbench.stats.estimate import FloatMatrix, FloatVector, IntVector


def resampled_strengths(
    comparisons: Comparisons, strengths: Strengths, codes: IntVector, *, resamples: int, seed: int
) -> tuple[FloatMatrix, int]:
    """Log-strengths of each resample of clusters (B x M), and how many resamples had no finite maximum."""
    counts, start = strengths.counts, strengths.fit.parameters
    table_GC = _tables(comparisons, strengths, codes)
    found: list[FloatMatrix] = []
    for weights in cluster_weights(table_GC.shape[0], resamples, np.random.default_rng(seed)):
        # Drawn clusters x what each adds: sparse, since most clusters have votes on few pairs.
        drawn_BPO = np.asarray((table_GC.T @ weights.T).T).reshape(len(weights), *counts.counts.shape)
        # Where every pair of the whole sample was again won both ways, nothing came apart.
        rateable = drawn_BPO.min(axis=(1, 2)) > 0
        for row in np.flatnonzero(~rateable):
            rateable[row] = _rateable(drawn_BPO[row], strengths)
        drawn_BPO = drawn_BPO[rateable]
        parameters_BF, reached = maximise_many(counts, drawn_BPO, start)
        for row in np.flatnonzero(~reached):
            fit = maximise(replace(counts, counts=drawn_BPO[row]), start=start)
            parameters_BF[row], reached[row] = fit.parameters, fit.converged
        found.append(parameters_BF[reached, : counts.n_models])
    draws_BM: FloatMatrix = np.concatenate(found)
    return draws_BM, resamples - len(draws_BM)


def percentile_bounds(draws_BM: FloatMatrix, n_clusters: int, level: float) -> tuple[FloatVector, FloatVector]:
    low, high = np.quantile(draws_BM, expanded_tails(n_clusters, level), axis=0)
    return low, high


def _rateable(counts_PO: FloatMatrix, strengths: Strengths) -> bool:
    size = strengths.counts.n_models
    beat = np.zeros((size, size))
    ties = counts_PO[:, 2] if counts_PO.shape[1] == 3 else 0.0
    beat[strengths.counts.first, strengths.counts.second] = counts_PO[:, 0] + ties
    beat[strengths.counts.second, strengths.counts.first] = counts_PO[:, 1] + ties
    return len(unbeaten_groups(beat, tuple(str(i) for i in range(size)))) == 1


def _tables(comparisons: Comparisons, strengths: Strengths, codes: IntVector) -> csr_array:
    """What each cluster adds to the counts, clusters x (pairs * outcomes)."""
    counts = strengths.counts
    outcomes = counts.counts.shape[1]
    pairs, seen = np.divmod(rows_of_votes(comparisons, counts), 3)
    # `seen` is 0, 1, 2 for lost, tied, won by the first; the counts have won, lost and, in Davidson's model, tied.
    tied = seen == 1
    decided = ~tied
    rows, columns = [codes[decided]], [pairs[decided] * outcomes + (seen[decided] == 0)]
    values = [np.ones(int(decided.sum()))]
    for outcome, share in ((2, 1.0),) if outcomes == 3 else ((0, 0.5), (1, 0.5)):
        rows.append(codes[tied])
        columns.append(pairs[tied] * outcomes + outcome)
        values.append(np.full(int(tied.sum()), share))
    places = (np.concatenate(rows), np.concatenate(columns))
    return csr_array((np.concatenate(values), places), shape=(int(codes.max()) + 1, counts.counts.size))
