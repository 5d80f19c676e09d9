"""Does a score order pairs as a reference does? Accuracy with and without ties, ties calibrated, resampled by question.

A pair is two items of one question: the reference prefers one or calls a tie, the score has a gap. References may be
another score (`pairs_within`) or people's ballots, which only ever judge pairs (`pairs_of`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.errors import BadInputError
from workbench.stats.bootstrap import DEFAULT_RESAMPLES, Labels, cluster_codes, cluster_weights, from_draws
from workbench.stats.estimate import FloatMatrix, FloatVector, IntVector, Measured, NotMeasured
from workbench.stats.ranking import best_epsilon, gain_of_ties, order_of_gaps, pair_signs_and_gaps

FOLDS = 5


@dataclass(frozen=True, slots=True)
class PairSet:
    """`signs`: the reference's answer, -1, 0 (tie) or 1. `gaps`: the score's difference, same direction.
    `questions`: 0..k-1, the question of each pair."""

    signs: FloatVector
    gaps: FloatVector
    questions: IntVector

    @property
    def n_questions(self) -> int:
        return int(self.questions.max(initial=-1)) + 1


def pairs_within(
    reference: Sequence[float] | FloatVector, score: Sequence[float] | FloatVector, questions: Labels
) -> PairSet:
    """All pairs of items of one question. Raises BadInputError on values that are not finite or lengths that differ."""
    signs, gaps, codes = pair_signs_and_gaps(reference, score, questions)
    return PairSet(signs, gaps, cluster_codes(codes.tolist(), codes.size))


def pairs_of(preferences: Sequence[float], gaps: Sequence[float], questions: Labels) -> PairSet:
    """Pairs that somebody judged: the sign of `preferences` is the answer, 0 a tie."""
    signs, differences = np.sign(np.asarray(preferences, dtype=np.float64)), np.asarray(gaps, dtype=np.float64)
    if signs.shape != differences.shape or not (np.isfinite(signs).all() and np.isfinite(differences).all()):
        raise BadInputError("a pair needs one preference and one gap, both finite numbers")
    return PairSet(signs, differences, cluster_codes(questions, signs.size))


@dataclass(frozen=True, slots=True)
class PairwiseFigures:
    """`ordered_alike`: of the pairs that the reference orders, the share that the score orders alike, its ties half
    (chance 0.5). `three_way`: a tie is a third answer and must be met exactly (acc_eq of Deutsch et al. 2023, arXiv
    2305.14324, at epsilon 0). `calibrated`: the same where gaps of at most `epsilon` are called ties, epsilon making it
    largest on these very pairs, as that paper does: an upper figure. `held_out`: epsilon fitted on the other questions.
    """

    ordered_alike: Measured
    three_way: Measured
    calibrated: Measured
    held_out: Measured
    epsilon: float | None
    n_pairs: int
    n_reference_ties: int
    n_score_ties: int


def pairwise_figures(
    pairs: PairSet, *, seed: int, level: float = 0.95, resamples: int = DEFAULT_RESAMPLES
) -> PairwiseFigures:
    """All four figures, intervals by resampling questions. The calibrated one fits epsilon anew in each resample."""
    calibrated, epsilon = _calibrated(pairs, seed, level, resamples)
    return PairwiseFigures(
        ordered_alike=ordered_alike(pairs, seed=seed, level=level, resamples=resamples),
        three_way=_accuracy_at(pairs, np.zeros(pairs.signs.size), "", seed, level, resamples),
        calibrated=calibrated,
        held_out=_held_out(pairs, seed, level, resamples),
        epsilon=epsilon,
        n_pairs=int(pairs.signs.size),
        n_reference_ties=int(np.count_nonzero(pairs.signs == 0)),
        n_score_ties=int(np.count_nonzero(pairs.gaps == 0)),
    )


def ordered_alike(pairs: PairSet, *, seed: int, level: float = 0.95, resamples: int = DEFAULT_RESAMPLES) -> Measured:
    """Share of the pairs that the reference orders which the score orders alike; a tie of the score counts half."""
    decided = pairs.signs != 0
    if not decided.any():
        return NotMeasured("the reference orders no pair", int(pairs.signs.size))
    won = np.where(pairs.gaps == 0, 0.5, (np.sign(pairs.gaps) == pairs.signs).astype(np.float64))
    return _ratio(won[decided], pairs.questions[decided], "", seed, level, resamples)


def _calibrated(pairs: PairSet, seed: int, level: float, resamples: int) -> tuple[Measured, float | None]:
    if pairs.signs.size == 0:
        return NotMeasured("no two items to compare"), None
    order, _, last = order_of_gaps(pairs.gaps)
    change = gain_of_ties(pairs.signs, pairs.gaps)[order]
    right = (np.sign(pairs.gaps) == pairs.signs).astype(np.float64)
    clusters = pairs.questions

    def accuracies(weights_BG: FloatMatrix) -> FloatVector:
        by_pair = weights_BG[:, clusters]
        gained = np.cumsum(by_pair[:, order] * change, axis=1)[:, last]
        with np.errstate(invalid="ignore"):
            best: FloatVector = (by_pair @ right + np.maximum(gained.max(axis=1), 0.0)) / by_pair.sum(axis=1)
        return best

    n_clusters = pairs.n_questions
    value = float(accuracies(np.ones((1, n_clusters)))[0])
    rng = np.random.default_rng(seed)
    chunk = max(1, 2_000_000 // max(pairs.signs.size, 1))
    blocks = [accuracies(w) for w in cluster_weights(n_clusters, resamples, rng, chunk=chunk)]
    return from_draws(
        value,
        np.concatenate(blocks),
        n=int(pairs.signs.size),
        n_clusters=n_clusters,
        method="clustered bootstrap, epsilon fitted on the same pairs",
        seed=seed,
        level=level,
    ), best_epsilon(pairs.signs, pairs.gaps)


def _held_out(pairs: PairSet, seed: int, level: float, resamples: int) -> Measured:
    if pairs.n_questions < 2:
        return NotMeasured("fewer than two questions: no other question to fit epsilon on", int(pairs.signs.size))
    folds = min(FOLDS, pairs.n_questions)
    fold = np.random.default_rng(seed).permutation(pairs.n_questions)[pairs.questions] % folds
    epsilons = np.zeros(pairs.signs.size)
    for this in range(folds):
        elsewhere = fold != this
        epsilons[~elsewhere] = best_epsilon(pairs.signs[elsewhere], pairs.gaps[elsewhere])
    return _accuracy_at(pairs, epsilons, f", epsilon from the other questions ({folds} folds)", seed, level, resamples)


def _accuracy_at(pairs: PairSet, epsilons: FloatVector, how: str, seed: int, level: float, resamples: int) -> Measured:
    if pairs.signs.size == 0:
        return NotMeasured("no two items to compare")
    called = np.where(np.abs(pairs.gaps) <= epsilons, 0.0, np.sign(pairs.gaps))
    return _ratio((called == pairs.signs).astype(np.float64), pairs.questions, how, seed, level, resamples)


def _ratio(won: FloatVector, questions: IntVector, how: str, seed: int, level: float, resamples: int) -> Measured:
    """Mean over pairs, whole questions resampled."""
    codes = cluster_codes(questions.tolist(), won.size)
    sums, sizes = np.bincount(codes, weights=won), np.bincount(codes).astype(np.float64)
    rng = np.random.default_rng(seed)
    blocks = [(w @ sums) / (w @ sizes) for w in cluster_weights(sums.size, resamples, rng)]
    draws = np.concatenate(blocks) if sums.size > 1 else np.empty(0)
    return from_draws(
        float(won.mean()),
        draws,
        n=int(won.size),
        n_clusters=int(sums.size),
        method=f"clustered bootstrap{how}",
        seed=seed,
        level=level,
    )
