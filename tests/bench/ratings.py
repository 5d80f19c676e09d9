"""One million ballots over 60 models, beside `evalica`: `python -m tests.bench ratings`.

Both begin with the same columns of words. Ours also knows who rated what, and gives every strength an interval that is
clustered by rater and by question; evalica gives point estimates.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import evalica
import numpy as np

from tests.bench.timing import compare as in_turns
from workbench.human.ratings.comparisons import Comparisons, clusterings, compare_columns
from workbench.human.ratings.intervals import StrengthErrors, sandwich
from workbench.human.ratings.resampling import resampled_strengths
from workbench.human.ratings.strengths import Strengths, fit_bradley_terry

SEED, BALLOTS, MODELS, RATERS, QUESTIONS = 20261130, 1_000_000, 60, 2000, 3000
REPEATS, RESAMPLES, REFITS_IN = 7, 1000, 10
SAID = ("model_a", "model_b", "both_good", "both_bad")


@dataclass(frozen=True, slots=True)
class Ballots:
    """One column a field, as a file or a table gives them."""

    left: list[str]
    right: list[str]
    winner: list[str]
    rater: list[str]
    question: list[str]

    def theirs(self) -> list[evalica.Winner]:
        word = {"model_a": evalica.Winner.X, "model_b": evalica.Winner.Y}
        return [word.get(one, evalica.Winner.Draw) for one in self.winner]


def ballots(n: int = BALLOTS) -> Ballots:
    """Strengths on the spread of a leaderboard, a fifth of the votes tied, raters and questions drawn by lot."""
    rng = np.random.default_rng(SEED)
    strengths = rng.normal(0, 0.8, MODELS)
    left = rng.integers(MODELS, size=n)
    right = (left + rng.integers(1, MODELS, size=n)) % MODELS
    first = rng.random(n) < 1 / (1 + np.exp(strengths[right] - strengths[left]))
    said = np.where(rng.random(n) < 0.2, rng.integers(2, 4, size=n), np.where(first, 0, 1))
    names = [f"model-{i:02d}" for i in range(MODELS)]
    raters, questions = [f"rater-{i}" for i in range(RATERS)], [f"question-{i}" for i in range(QUESTIONS)]
    return Ballots(
        [names[i] for i in left.tolist()],
        [names[i] for i in right.tolist()],
        [SAID[i] for i in said.tolist()],
        [raters[i] for i in rng.integers(RATERS, size=n).tolist()],
        [questions[i] for i in rng.integers(QUESTIONS, size=n).tolist()],
    )


def rated(given: Ballots) -> tuple[Comparisons, Strengths, StrengthErrors]:
    data = compare_columns(given.left, given.right, given.winner, given.rater, given.question)
    strengths = fit_bradley_terry(data.wins(), data.ties())
    errors = sandwich(data, strengths, clusterings(data, "both"), level=0.95)
    assert errors is not None
    return data, strengths, errors


def measure(n: int = BALLOTS, *, repeats: int = REPEATS) -> dict[str, object]:
    """Paired ratios to evalica of the fit with intervals, and how many of its fits 1,000 refits take."""
    given = ballots(n)
    theirs = given.theirs()

    def single() -> object:
        return evalica.bradley_terry(given.left, given.right, theirs)

    data, strengths, errors = rated(given)
    found = evalica.bradley_terry(given.left, given.right, theirs, tolerance=1e-10).scores
    peer = np.log(np.array([found[name] for name in data.names]))
    apart = float(np.abs(strengths.logits - (peer - peer.mean())).max())
    ratio = in_turns(
        f"Bradley-Terry of {n:,} ballots with intervals clustered by rater and question",
        lambda: rated(given),
        single,
        against="evalica's point estimates",
        repeats=repeats,
    )
    print(ratio.line(), flush=True)
    refits = {}
    for name, codes in (("rater", data.raters), ("question", data.questions)):
        assert codes is not None

        def draw(codes: np.ndarray[tuple[int], np.dtype[np.int64]] = codes) -> object:
            return resampled_strengths(data, strengths, codes, resamples=RESAMPLES, seed=SEED)

        refits[name] = _fits(draw, single)
        print(f"{RESAMPLES} refits over {name}s: {refits[name]}", flush=True)
    return {
        "ballots": n,
        "models": MODELS,
        "raters": RATERS,
        "questions": QUESTIONS,
        "interval": errors.method,
        "largest_gap_to_evalica_logits": apart,
        "fit_with_intervals": asdict(ratio),
        "refits": {"resamples": RESAMPLES, "goal_in_single_fits": REFITS_IN, "by": refits},
    }


def _fits(ours: Callable[[], object], single: Callable[[], object], times: int = 3) -> dict[str, float]:
    """Seconds of ours and of a single fit, taken in turns, and the median of how many fits ours lasts."""
    pairs = []
    for _ in range(times):
        start = time.perf_counter()
        ours()
        between = time.perf_counter()
        single()
        pairs.append((between - start, time.perf_counter() - between))
    return {
        "seconds": round(statistics.median(mine for mine, _ in pairs), 3),
        "single_fit_s": round(statistics.median(theirs for _, theirs in pairs), 3),
        "single_fits": round(statistics.median(mine / theirs for mine, theirs in pairs), 2),
    }
