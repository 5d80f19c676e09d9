"""Bootstrap intervals of strengths: clusters of votes drawn again, strengths fitted again."""

from dataclasses import replace

import numpy as np

from workbench.human.ratings.comparisons import Comparisons
from workbench.human.ratings.graph import unbeaten_groups
from workbench.human.ratings.paired_choice import maximise
from workbench.human.ratings.strengths import Strengths
from workbench.stats.bootstrap import cluster_weights, expanded_tails
from workbench.stats.estimate import FloatMatrix, FloatVector, IntVector


def resampled_strengths(
    comparisons: Comparisons, strengths: Strengths, codes: IntVector, *, resamples: int, seed: int
) -> tuple[FloatMatrix, int]:
    """Log-strengths of each resample of clusters (B x M), and how many resamples had no finite maximum."""
    counts = strengths.counts
    table_GC = _tables(comparisons, strengths, codes)
    found: list[FloatVector] = []
    undefined = 0
    for weights in cluster_weights(len(table_GC), resamples, np.random.default_rng(seed)):
        for cells in weights @ table_GC:
            drawn = replace(counts, counts=cells.reshape(counts.counts.shape))
            fit = maximise(drawn, start=strengths.fit.parameters) if _rateable(drawn.counts, strengths) else None
            if fit is None or not fit.converged:
                undefined += 1
            else:
                found.append(fit.parameters[: counts.n_models])
    return np.array(found).reshape(len(found), counts.n_models), undefined


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


def _tables(comparisons: Comparisons, strengths: Strengths, codes: IntVector) -> FloatMatrix:
    """What each cluster adds to the counts, clusters x (pairs * outcomes)."""
    counts = strengths.counts
    size, outcomes = counts.n_models, counts.counts.shape[1]
    pair_of = np.full(size * size, -1, dtype=np.int64)
    pair_of[counts.first * size + counts.second] = np.arange(counts.first.size)
    swapped = comparisons.first > comparisons.second
    low, high = np.minimum(comparisons.first, comparisons.second), np.maximum(comparisons.first, comparisons.second)
    score = np.where(swapped, 1.0 - comparisons.score, comparisons.score)
    cells = pair_of[low * size + high] * outcomes
    table = np.zeros((int(codes.max()) + 1, counts.counts.size))
    tied = score == 0.5
    decided = ~tied
    np.add.at(table, (codes[decided], cells[decided] + (score[decided] == 0.0)), 1.0)
    if outcomes == 3:
        np.add.at(table, (codes[tied], cells[tied] + 2), 1.0)
    else:
        np.add.at(table, (codes[tied], cells[tied]), 0.5)
        np.add.at(table, (codes[tied], cells[tied] + 1), 0.5)
    return table
