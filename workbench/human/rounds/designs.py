"""Which of all possible pairs a round asks about: every one, those against a baseline, or those that inform most."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np

from workbench.errors import BadInputError
from workbench.human.rounds.active import choose_pairs, known_from
from workbench.human.rounds.pairing import Pair
from workbench.stats.estimate import FloatMatrix

Design: TypeAlias = Literal["round-robin", "fixed-baseline", "active"]
DESIGNS: tuple[Design, ...] = ("round-robin", "fixed-baseline", "active")
# A pair of runs on one question, whichever of the two is named first.
Cell: TypeAlias = tuple[str, frozenset[str]]


def cell_of(pair: Pair) -> Cell:
    return pair.question_id, frozenset((pair.first_run, pair.second_run))


def against(pairs: Sequence[Pair], baseline: str) -> tuple[Pair, ...]:
    """Those of `pairs` that the baseline is a side of."""
    return tuple(pair for pair in pairs if baseline in (pair.first_run, pair.second_run))


def on_some_questions(pairs: Sequence[Pair], n: int, *, seed: int) -> tuple[Pair, ...]:
    """Pairs on `n` questions drawn by lot. BadInputError where there are fewer."""
    questions = sorted({pair.question_id for pair in pairs})
    if not 1 <= n <= len(questions):
        raise BadInputError(f"{n} questions asked for; {len(questions)} have a report from two of these runs")
    kept = set(random.Random(f"questions-{seed}").sample(questions, n))
    return tuple(pair for pair in pairs if pair.question_id in kept)


def informative(
    pool: Sequence[Pair],
    runs: Sequence[str],
    n: int,
    *,
    asked: Mapping[Cell, int],
    wins: FloatMatrix,
    ties: FloatMatrix,
    seed: int,
) -> tuple[Pair, ...]:
    """Up to `n` pairs of `pool` not asked before, for the most there is to learn (see `active`).

    `asked` counts what was asked already; `wins` and `ties` are what was said, runs x runs in the order of `runs`.
    Within a pair of runs the questions come first that were asked about least: strengths differ from question to
    question, so many questions say more than many votes on one.
    """
    index = {run: position for position, run in enumerate(runs)}
    free: dict[tuple[int, int], list[Pair]] = {}
    for pair in pool:
        if not asked.get(cell_of(pair)):
            i, j = sorted((index[pair.first_run], index[pair.second_run]))
            free.setdefault((i, j), []).append(pair)
    count_MM = np.zeros((len(runs), len(runs)), dtype=np.int64)
    for place, pairs in free.items():
        count_MM[place] = len(pairs)
    rng, lots = np.random.default_rng(seed), random.Random(f"pairs-{seed}")
    load = Counter(dict.fromkeys({pair.question_id for pair in pool}, 0))
    for (question, _), times in asked.items():
        load[question] += times
    chosen: list[Pair] = []
    for place in choose_pairs(known_from(wins, ties), wins + wins.T + ties, count_MM, n, rng=rng):
        lightest = min(load[pair.question_id] for pair in free[place])
        pair = lots.choice([pair for pair in free[place] if load[pair.question_id] == lightest])
        free[place].remove(pair)
        load[pair.question_id] += 1
        chosen.append(pair)
    return tuple(chosen)
