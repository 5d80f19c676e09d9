"""Published scores from the public data laid beside the checkout: our aggregations must give the same digits."""

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from rubrics.judging.aggregate import aggregate
from rubrics.judging.rubric import Criterion, Group, Rubric, problems
from rubrics.judging.sums import clipped_mean
from tests.support.shared_data import shared
from workbench.schema.grade import CriterionVerdict
from workbench.stats.bootstrap import mean_interval


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def paperbench_tree(root: dict[str, Any]) -> tuple[Rubric, list[CriterionVerdict], dict[str, float]]:
    """The rubric of a graded PaperBench tree, the verdicts on its leaves, and its published score of every node."""
    numbers = count()
    criteria: list[Criterion] = []
    groups: list[Group] = []
    verdicts: list[CriterionVerdict] = []
    published: dict[str, float] = {}
    waiting = [(task, "") for task in root["sub_tasks"]]
    while waiting:
        task, parent = waiting.pop()
        name = f"n{next(numbers)}"
        if task["sub_tasks"]:
            groups.append(Group(name, task["weight"], parent=parent))
            published[name] = task["score"]
            waiting.extend((child, name) for child in task["sub_tasks"])
        else:
            text = task["requirements"]
            criteria.append(Criterion(name, text, weight=task["weight"], scale="binary", parent=parent))
            verdicts.append(CriterionVerdict(name, "yes" if task["score"] else "no", task["score"]))
    return Rubric("paper", tuple(criteria), aggregation="tree", groups=tuple(groups)), verdicts, published


@pytest.mark.parametrize(
    ("paper", "root"),
    [("semantic-self-consistency", 0.91), ("rice", 0.185681216931), ("all-in-one", 0.713935185185)],
)
def test_paperbench_scores_of_every_node(paper: str, root: float) -> None:
    """stay-on-topic and pinn, whose root scores are known too, are not among the shared trees."""
    tree = json.loads(shared(f"paperbench-rubrics/judge_eval/{paper}/0/expected_result.json").read_text("utf-8"))
    rubric, verdicts, published = paperbench_tree(tree)
    assert problems(rubric) == ()
    got = aggregate(rubric, verdicts)
    assert got.score == pytest.approx(root, abs=1e-12)
    assert dict(got.groups) == pytest.approx(published, abs=1e-12)


@pytest.mark.parametrize(
    ("folder", "overall"),
    [
        ("deep-research-bench/results/claude-3-7-sonnet-latest/race_raw_results.jsonl", 0.4218),
        *((f"drb-onyx-repeated-judging/run_{run}/raw_results.jsonl", mean) for run, mean in
          enumerate((0.5492, 0.5474, 0.5483, 0.5478, 0.5489), start=1)),
    ],
)  # fmt: skip
def test_race_means(folder: str, overall: float) -> None:
    found = [row["overall_score"] for row in rows(shared(folder))]
    assert len(found) == 100
    assert mean_interval(found, seed=1, resamples=20).value == pytest.approx(overall, abs=5e-5)


def test_race_means_of_each_dimension() -> None:
    found = rows(shared("deep-research-bench/results/claude-3-7-sonnet-latest/race_raw_results.jsonl"))
    known = {"comprehensiveness": 0.4110, "insight": 0.4051, "instruction_following": 0.4621, "readability": 0.4172}
    for dimension, mean in known.items():
        ours = mean_interval([row[dimension] for row in found], seed=1, resamples=20)
        assert ours.value == pytest.approx(mean, abs=5e-5)


def test_race_rule_on_the_published_criteria_of_every_prompt() -> None:
    """The bench gives criteria and final scores, not the judge's numbers between: the stated rule, computed here."""
    for row in rows(shared("deep-research-bench/criteria.jsonl")):
        groups = tuple(Group(name, weight) for name, weight in row["dimension_weight"].items())
        criteria: list[Criterion] = []
        total = {"report": 0.0, "reference": 0.0}
        verdicts: dict[str, list[CriterionVerdict]] = {"report": [], "reference": []}
        for dimension, items in row["criterions"].items():
            for which in total:
                scores = [(row["id"] * 7 + 3 * i + len(which)) % 11 for i in range(len(items))]
                weighted = sum(item["weight"] * s for item, s in zip(items, scores, strict=True))
                total[which] += row["dimension_weight"][dimension] * weighted / sum(item["weight"] for item in items)
                verdicts[which] += [CriterionVerdict(f"{dimension}{i}", str(s), s / 10) for i, s in enumerate(scores)]
            criteria += [
                Criterion(
                    f"{dimension}{i}", item["criterion"], weight=item["weight"], scale="score10", parent=dimension
                )
                for i, item in enumerate(items)
            ]
        rubric = Rubric("race", tuple(criteria), "", "tree", "reference_share", groups=groups)
        assert problems(rubric) == ()
        got = aggregate(rubric, verdicts["report"], reference=verdicts["reference"])
        assert 10 * got.raw == pytest.approx(total["report"], abs=1e-9)
        assert got.score == pytest.approx(total["report"] / (total["report"] + total["reference"]), abs=1e-9)


def test_healthbench_rule_on_the_published_criteria() -> None:
    """No verdicts are published with the rubrics: met by a fixed rule here, and the stated formula beside it."""
    ours: list[float] = []
    theirs: list[float] = []
    for row in rows(shared("healthbench-rubrics/healthbench_first300.jsonl")):
        points = [item["points"] for item in row["rubrics"]]
        met = [(row["row"] + 3 * i) % 5 < 2 for i in range(len(points))]
        theirs.append(sum(p for p, m in zip(points, met, strict=True) if m) / sum(p for p in points if p > 0))
        criteria = tuple(
            Criterion(f"c{i}", "t", "negative", "negative", p, scale="binary")
            if p < 0
            else Criterion(f"c{i}", "t", weight=p, scale="binary")
            for i, p in enumerate(points)
        )
        rubric = Rubric("hb", criteria, aggregation="points_share", score_map="clip")
        verdicts = [CriterionVerdict(f"c{i}", "yes" if m else "no", float(m)) for i, m in enumerate(met)]
        got = aggregate(rubric, verdicts)
        assert got.score == pytest.approx(min(1.0, max(0.0, theirs[-1])))
        ours.append(got.raw)
    assert len(ours) == 300
    assert min(ours) < 0.0  # else nothing here would tell a clipped example from an unclipped one
    assert ours == pytest.approx(theirs)
    assert clipped_mean(ours) == pytest.approx(min(1.0, max(0.0, sum(theirs) / 300)))
    assert clipped_mean(ours) != pytest.approx(sum(max(0.0, x) for x in theirs) / 300)
