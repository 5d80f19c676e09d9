"""Do active pairs save ballots? `python -m tests.active_pairs_study` writes docs/evidence/active-pairs.json.

For each design the same simulated raters are asked about pairs drawn by lot and about pairs chosen actively, from one
pool of questions and pairs that is never asked twice. What counts is how many active ballots reach the ranking error
that random ones have at a quarter, half and all of the budget (half the pool). Strengths vary by question and rater,
and a share of votes is tied. The seeds of the report were not used while the choice was built (those were below 100).
"""

import argparse
import json
import multiprocessing
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np
from scipy.optimize import isotonic_regression

from tests.support.evidence import EVIDENCE, write_evidence
from workbench.human.rounds.active import choose_pairs, known_from
from workbench.stats.estimate import FloatMatrix, FloatVector, IntVector

SEED = 20261201
REPLICATES = 200
STEPS = 20
BUDGETS = (0.25, 0.5, 1.0)
GOAL, WORST, DESIGNS_WANTED = 0.7, 1.1, 3


@dataclass(frozen=True, slots=True)
class Design:
    """`strengths` in log-odds; `question_sd` and `rater_sd`: how much they vary by question and by rater."""

    name: str
    strengths: tuple[float, ...]
    questions: int
    question_sd: float = 0.5
    rater_sd: float = 0.3
    ties: float = 0.25
    raters: int = 8

    @property
    def budget(self) -> int:
        size = len(self.strengths)
        return size * (size - 1) // 2 * self.questions // 2


def even(n: int, reach: float) -> tuple[float, ...]:
    return tuple(float(x) for x in np.linspace(-reach, reach, n))


DESIGNS: tuple[Design, ...] = (
    Design("12 models, wide apart", even(12, 2.0), 20),
    Design("12 models, as on a leaderboard", even(12, 1.15), 20),
    Design("8 models in three clusters", (-2.0, -1.8, -1.6, 0.0, 0.2, 1.6, 1.8, 2.0), 30),
    Design("8 models, one far ahead", (-0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 2.5), 30),
    Design("6 models, close", even(6, 0.6), 40),
    Design("4 models, close", even(4, 0.5), 60),
    Design("10 models, four raters who differ, many ties", even(10, 1.5), 20, rater_sd=0.8, ties=0.45, raters=4),
)


class Simulated:
    """A pool of questions and raters: each pair of models is asked about at most once a question."""

    def __init__(self, design: Design, rng: np.random.Generator) -> None:
        size = len(design.strengths)
        self._rng, self._design = rng, design
        self._of_question = np.array(design.strengths) + rng.normal(0, design.question_sd, (design.questions, size))
        self._of_rater = rng.normal(0, design.rater_sd, (design.raters, size))
        self._left = {(i, j): list(rng.permutation(design.questions)) for i in range(size) for j in range(i + 1, size)}
        self.wins, self.ties = np.zeros((size, size)), np.zeros((size, size))

    def free(self) -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
        free = np.zeros(self.wins.shape, dtype=np.int64)
        for pair, questions in self._left.items():
            free[pair] = len(questions)
        return free

    def ask(self, i: int, j: int) -> None:
        question, rater = self._left[(i, j)].pop(), self._rng.integers(self._design.raters)
        strengths = self._of_question[question] + self._of_rater[rater]
        if self._rng.random() < self._design.ties:
            self.ties[[i, j], [j, i]] += 1
        elif self._rng.random() < 1 / (1 + np.exp(strengths[j] - strengths[i])):
            self.wins[i, j] += 1
        else:
            self.wins[j, i] += 1


def errors(design: Design, *, active: bool, seed: Sequence[int]) -> FloatVector:
    """Share of pairs of models in the wrong order after each of STEPS equal batches of the budget."""
    rng = np.random.default_rng(list(seed))
    pool = Simulated(design, rng)
    lots = np.repeat(np.array(list(pool._left)), design.questions, axis=0)
    rng.shuffle(lots)
    truth = np.array(design.strengths)
    known, found, done = known_from(pool.wins, pool.ties), [], 0
    for step in range(1, STEPS + 1):
        upto = round(design.budget * step / STEPS)
        if active:
            asked = pool.wins + pool.wins.T + pool.ties
            batch = choose_pairs(known, asked, pool.free(), upto - done, rng=rng)
        else:
            batch = tuple((int(i), int(j)) for i, j in lots[done:upto])
        for i, j in batch:
            pool.ask(i, j)
        done = upto
        known = known_from(pool.wins, pool.ties)
        found.append(_wrong(known.gaps, truth))
    return np.array(found)


def _wrong(gaps_MM: FloatMatrix, truth_M: FloatVector) -> float:
    first, second = np.triu_indices(len(truth_M), 1)
    apart = truth_M[first] != truth_M[second]
    right = np.sign(gaps_MM[first, second]) == np.sign(truth_M[first] - truth_M[second])
    return float(1 - right[apart].mean())


def ratios(random_RS: FloatMatrix, active_RS: FloatMatrix) -> FloatVector:
    """Active ballots / random ballots at the random error of each of BUDGETS; infinite where it is not reached.

    Mean errors are smoothed by the falling curve nearest to them (isotonic regression: a running minimum would take the
    luckiest step for the level), and ballots between two steps are interpolated.
    """
    steps = np.arange(STEPS + 1, dtype=np.float64)
    chance = 0.5
    by_lot, chosen = (
        isotonic_regression([chance, *rows.mean(axis=0)], increasing=False).x for rows in (random_RS, active_RS)
    )
    found = []
    for share in BUDGETS:
        at = round(STEPS * share)
        reached = np.flatnonzero(chosen <= by_lot[at])
        if not reached.size:
            found.append(np.inf)
            continue
        k = int(reached[0])
        part = (chosen[k - 1] - by_lot[at]) / (chosen[k - 1] - chosen[k]) if k else 0.0
        found.append((steps[k - 1] + part) / at)
    return np.array(found)


def study(design: Design, *, replicates: int, seed: int) -> dict[str, object]:
    """Ratios with 95% bootstrap intervals over replicates, which are paired by nothing but the design."""
    by_lot, chosen = (
        np.array([errors(design, active=active, seed=(seed, place, r)) for r in range(replicates)])
        for place, active in enumerate((False, True))
    )
    rng = np.random.default_rng([seed, 9])
    draws = np.array([ratios(by_lot[_draw(rng, replicates)], chosen[_draw(rng, replicates)]) for _ in range(400)])
    point = ratios(by_lot, chosen)
    low, high = np.quantile(draws, [0.025, 0.975], axis=0, method="nearest")
    at = [round(STEPS * share) - 1 for share in BUDGETS]
    return {
        "design": asdict(design) | {"budget": design.budget},
        "random_error": by_lot.mean(axis=0)[at].round(4).tolist(),
        "active_error": chosen.mean(axis=0)[at].round(4).tolist(),
        "ratio": [_finite(x) for x in point],
        "ratio_low": [_finite(x) for x in low],
        "ratio_high": [_finite(x) for x in high],
    }


def _draw(rng: np.random.Generator, n: int) -> IntVector:
    return rng.integers(n, size=n)


def _finite(value: float) -> float | None:
    """None: the error was not reached within the budget."""
    return round(float(value), 3) if np.isfinite(value) else None


def main() -> None:
    parser = argparse.ArgumentParser(description="Active pairs against random ones.")
    parser.add_argument("--replicates", type=int, default=REPLICATES)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    replicates = given.replicates
    began = time.monotonic()
    with multiprocessing.Pool(given.processes) as pool:
        rows = []
        for row in pool.imap(partial(study, replicates=replicates, seed=SEED), DESIGNS):
            rows.append(row)
            print(json.dumps(row), flush=True)
    final = [row["ratio"][-1] for row in rows]  # type: ignore[index]
    worst = [max((np.inf if x is None else x) for x in row["ratio"]) for row in rows]  # type: ignore[attr-defined]
    path = write_evidence(
        "active-pairs",
        {
            "what": "active ballots / random ballots at equal ranking error (share of pairs of models in wrong order)",
            "budgets": BUDGETS,
            "designs": rows,
            "designs_at_goal": sum(1 for x in final if x is not None and x <= GOAL),
            "goal": f"at most {GOAL} of the ballots at the whole budget on {DESIGNS_WANTED} designs",
            "no_design_worse_by_a_tenth": bool(max(worst) <= WORST),
        },
        seed=SEED,
        n=replicates,
        seconds=time.monotonic() - began,
        code=("workbench/human", "tests/active_pairs_study.py"),
    )
    print(path.relative_to(EVIDENCE.parents[1]))


if __name__ == "__main__":
    main()
