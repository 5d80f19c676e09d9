"""Bradley-Terry, Davidson and Elo: by hand, against worked examples, golden files and other packages."""

import csv
import json
import math
from collections import defaultdict

import choix
import evalica
import numpy as np
import pytest

from tests.support.shared_data import shared
from tests.workbench.human.votes import llmfao_votes, results, vote
from workbench.errors import BadInputError
from workbench.human.ratings.comparisons import Comparisons, compare
from workbench.human.ratings.elo import running_elo
from workbench.human.ratings.strengths import davidson_has_maximum, fit_bradley_terry, fit_davidson


@pytest.fixture(scope="module")
def llmfao() -> Comparisons:
    return compare(llmfao_votes(shared("llmfao-pairwise-elo-golden/llmfao.csv")))


@pytest.fixture(scope="module")
def golden() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = defaultdict(dict)
    with shared("llmfao-pairwise-elo-golden/llmfao-golden.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            found[row["algorithm"]][row["item"]] = float(row["score"])
    return found


def test_bradley_terry_of_two_by_hand() -> None:
    data = compare(results(("a", "b", 3), ("b", "a", 1)))
    found = fit_bradley_terry(data.wins(), data.ties())
    assert found.logits[0] - found.logits[1] == pytest.approx(math.log(3))
    assert found.elo[0] == pytest.approx(1000 + 400 * math.log10(3) / 2)


def test_tie_counts_half_for_each_side() -> None:
    with_ties = compare([*results(("a", "b", 2)), vote("a", "b", "tie"), vote("b", "a", "both_bad")])
    without = compare(results(("a", "b", 3), ("b", "a", 1)))
    tied = fit_bradley_terry(with_ties.wins(), with_ties.ties())
    assert tied.logits == pytest.approx(fit_bradley_terry(without.wins(), without.ties()).logits)


def test_bradley_terry_of_the_worked_example() -> None:
    example = json.loads(shared("bradley-terry-worked-examples/wikipedia_four_player.json").read_text())
    data = compare(results(*((a, b, n) for a, b, n in example["wins"])))
    found = fit_bradley_terry(data.wins(), data.ties())
    strengths = dict(zip(data.names, np.exp(found.logits), strict=True))
    published = example["expected_strength_geometric_mean_1"]
    assert strengths == pytest.approx(published, abs=5e-4)
    recomputed = {"A": 0.63983, "B": 1.04331, "C": 0.65981, "D": 2.27038}  # PROVENANCE.md, five digits
    assert strengths == pytest.approx(recomputed, abs=5e-6)


def test_bradley_terry_of_llmfao_is_the_golden_one(llmfao: Comparisons, golden: dict[str, dict[str, float]]) -> None:
    found = fit_bradley_terry(llmfao.wins(), llmfao.ties())
    shares = np.exp(found.logits) / np.exp(found.logits).sum()
    assert dict(zip(llmfao.names, shares, strict=True)) == pytest.approx(golden["bradley_terry"], abs=1e-12)


def test_running_elo_of_llmfao_is_the_golden_one(llmfao: Comparisons, golden: dict[str, dict[str, float]]) -> None:
    assert dict(zip(llmfao.names, running_elo(llmfao), strict=True)) == pytest.approx(golden["elo"], abs=1e-9)


def test_counting_of_llmfao_is_the_golden_one(llmfao: Comparisons, golden: dict[str, dict[str, float]]) -> None:
    counted = llmfao.wins().sum(axis=1) + llmfao.ties().sum(axis=1) / 2
    assert dict(zip(llmfao.names, counted, strict=True)) == pytest.approx(golden["counting"], abs=1e-9)


def test_llmfao_agrees_with_evalica(llmfao: Comparisons) -> None:
    winner = {1.0: evalica.Winner.X, 0.0: evalica.Winner.Y, 0.5: evalica.Winner.Draw}
    first = [llmfao.names[i] for i in llmfao.first]
    second = [llmfao.names[i] for i in llmfao.second]
    theirs = evalica.bradley_terry(first, second, [winner[s] for s in llmfao.score.tolist()], tolerance=1e-12)
    found = np.exp(fit_bradley_terry(llmfao.wins(), llmfao.ties()).logits)
    expected = np.array([theirs.scores[name] for name in llmfao.names])
    assert found / found.sum() == pytest.approx(expected / expected.sum(), abs=1e-9)


def test_bradley_terry_agrees_with_choix() -> None:
    rng = np.random.default_rng(3)
    wins = rng.integers(1, 12, size=(5, 5)).astype(float)
    np.fill_diagonal(wins, 0)
    theirs = choix.ilsr_pairwise_dense(wins, alpha=0.0, tol=1e-12)
    assert fit_bradley_terry(wins, np.zeros((5, 5))).logits == pytest.approx(theirs - theirs.mean(), abs=1e-7)


def test_davidson_of_two_by_hand() -> None:
    # One pair, three outcomes, two free parameters: the fit is exact. 8 : 2 : 4 gives odds 4 and nu 4 / sqrt(16) = 1.
    data = compare([*results(("a", "b", 8), ("b", "a", 2)), *[vote("a", "b", "both_fair")] * 4])
    found = fit_davidson(data.wins(), data.ties())
    assert found.logits[0] - found.logits[1] == pytest.approx(math.log(4))
    assert found.nu == pytest.approx(1.0)


def test_davidson_reproduces_the_number_of_ties(llmfao: Comparisons) -> None:
    found = fit_davidson(llmfao.wins(), llmfao.ties())
    expected = found.fit.probabilities[:, 2] @ found.counts.counts.sum(axis=1)
    assert expected == pytest.approx(3471)  # the score equation of nu; 3 471 ties by PROVENANCE.md


def test_davidson_without_ties_is_bradley_terry() -> None:
    data = compare(results(("a", "b", 3), ("b", "c", 2), ("c", "a", 2)))
    found = fit_davidson(data.wins(), data.ties())
    assert found.nu == 0.0
    assert found.logits == pytest.approx(fit_bradley_terry(data.wins(), data.ties()).logits)


def test_davidson_of_wins_and_ties_alone_has_no_maximum() -> None:
    data = compare([*results(("a", "b", 5)), *[vote("a", "b", "tie")] * 5])
    assert not davidson_has_maximum(data.wins(), data.ties())
    fair = compare([*results(("a", "b", 5), ("b", "a", 1)), *[vote("a", "b", "tie")] * 5])
    assert davidson_has_maximum(fair.wins(), fair.ties())


def test_one_sided_results_are_refused_by_the_bare_fit() -> None:
    data = compare(results(("a", "b", 5)))
    with pytest.raises(BadInputError, match="no finite maximum"):
        fit_bradley_terry(data.wins(), data.ties())


def test_prior_pulls_toward_the_mean_and_vanishes_with_it() -> None:
    data = compare(results(("a", "b", 8), ("b", "a", 2)))
    gaps = [np.ptp(fit_bradley_terry(data.wins(), data.ties(), prior=prior).logits) for prior in (0, 1e-6, 1, 10)]
    assert gaps[1] == pytest.approx(gaps[0], abs=1e-5)
    assert gaps[0] > gaps[2] > gaps[3] > 0


def test_running_elo_by_hand_and_its_order_matters() -> None:
    once = running_elo(compare(results(("a", "b", 1))))
    assert once.tolist() == [1002.0, 998.0]
    forward = running_elo(compare([*results(("a", "b", 9)), *results(("b", "a", 9))]))
    backward = running_elo(compare([*results(("b", "a", 9)), *results(("a", "b", 9))]))
    assert forward[0] < 1000 < backward[0]
