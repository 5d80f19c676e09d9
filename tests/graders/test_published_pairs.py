"""Published judges of pairs through our own rule and summary; skipped where the public data is absent."""

import json
from typing import Any

import pytest

from graders.pair_runner import Pair
from graders.pair_summary import summarise
from rubrics.judging.pairwise import combine
from tests.support.shared_data import shared
from workbench.schema.grade import CriterionVerdict, OrderVerdict, PairGrade, Side
from workbench.stats.agreement import cohen_kappa
from workbench.stats.estimate import Estimate
from workbench.stats.verdicts import judge_accuracy, majority

Turns = list[dict[str, Any]]


def order(first: Side, winner: str | None) -> OrderVerdict:
    """A verdict in terms of the first output, as LLMBar keeps it."""
    if winner is None:
        return OrderVerdict(first, "judge_failed", reason="unparsed")
    side = "left" if winner == "1" else "right"
    return OrderVerdict(first, "scored", (CriterionVerdict("overall", side, float(winner == "1")),))


def judged(turns: Turns) -> list[tuple[Pair, PairGrade]]:
    out = []
    for n, turn in enumerate(turns):
        orders = (order("left", turn["swap = False"]["winner"]), order("right", turn["swap = True"]["winner"]))
        found = combine(orders)
        grade = PairGrade(
            "judge",
            "v",
            "judge_failed" if found.preference is None else "scored",
            found.preference,
            found.reason,
            consistent=found.consistent,
            orders=orders,
        )
        out.append((Pair(f"q-{n}", ("one", "two"), f"l-{n}", f"r-{n}", False, (1, 1)), grade))
    return out


@pytest.mark.parametrize(
    ("judge", "prompting", "kappa"),
    [("GPT-4", "Vanilla", 0.897708674304419), ("GPT-4", "Swap", 0.93867539), ("ChatGPT", "Swap", 0.77495908)],
)
def test_llmbar_order_agreement_through_the_pair_summary(judge: str, prompting: str, kappa: float) -> None:
    path = shared(f"llmbar-judge-agreement/LLMBar/Natural/evaluators/{judge}/{prompting}/result.json")
    rows = json.loads(path.read_text(encoding="utf-8"))
    turns: Turns = [row["results"][-1] for row in rows]
    pairs = judged(turns)
    found: Any = summarise(pairs)
    equal = sum(t["swap = False"]["winner"] == t["swap = True"]["winner"] for t in turns)
    assert found["order_kappa"]["value"] == pytest.approx(kappa, abs=5e-9)
    assert found["order_consistency"]["value"] == pytest.approx(equal / len(turns), abs=1e-12)
    assert found["runs"][0]["ties"] == len(turns) - equal == sum(grade.consistent is False for _, grade in pairs)
    # Of two verdicts that differ one follows the place each way round: first-shown wins count them whole.
    firsts = sum((t["swap = False"]["winner"] == "1") + (t["swap = True"]["winner"] == "2") for t in turns)
    assert found["first_shown_wins"]["value"] == pytest.approx(firsts / (2 * len(turns)), abs=1e-12)


def test_pandalm_accuracy_with_ties_on_the_shared_part() -> None:
    """0.66767, and kappas 0.8520, 0.8789 and 0.8617, are over 999 items, of which 600 are shared: there the values are
    391 of 600, and kappas counted out here by the rule."""
    items = json.loads(shared("pandalm-human-pairwise/testset-v1.json").read_text(encoding="utf-8"))
    said = json.loads(shared("pandalm-human-pairwise/pandalm-7b-testset-v1.json").read_text(encoding="utf-8"))
    truth = [majority([row[f"annotator{n}"] for n in (1, 2, 3)]) for row in items]
    accuracy = judge_accuracy([row["pandalm_result"] for row in said], truth).answered
    assert isinstance(accuracy, Estimate)
    assert (len(items), truth.count(0), round(accuracy.value * 600)) == (600, 91, 391)
    for one, two in ((1, 2), (1, 3), (2, 3)):
        a, b = ([row[f"annotator{n}"] for row in items] for n in (one, two))
        same = sum(x == y for x, y in zip(a, b, strict=True)) / 600
        chance = sum(a.count(label) * b.count(label) for label in (0, 1, 2)) / 600**2
        got = cohen_kappa(a, b)
        assert isinstance(got, Estimate)
        assert got.value == pytest.approx((same - chance) / (1 - chance), abs=1e-12)
