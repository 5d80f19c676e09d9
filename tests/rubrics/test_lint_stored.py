"""What verdicts on many reports say about a rubric; each trap is planted, and its absence too."""

import json
import random

import pytest

from rubrics.judging.rubric import Criterion, Group, Rubric, rubric_to_json
from rubrics.library import load_library
from rubrics.lint_stored import lint_verdicts, stored_runs
from tests.graders.helpers import put
from workbench.cli.main import main
from workbench.schema.grade import CriterionVerdict, Grade
from workbench.schema.trajectory import Step, Trajectory
from workbench.store import Store

RUBRIC = Rubric("r", (Criterion("a", "A", scale="score10"), Criterion("b", "B", scale="score10")))
TERNARY = Rubric("t", (Criterion("a", "A"), Criterion("n", "N", "negative", "negative", -1.0)))


def verdicts(**values: float) -> list[CriterionVerdict]:
    return [CriterionVerdict(name, f"{10 * value:g}", value) for name, value in values.items()]


def rules(rubric: Rubric, reports: list[list[list[CriterionVerdict]]]) -> list[tuple[str, str]]:
    return [(finding.rule, finding.criterion) for finding in lint_verdicts(rubric, reports)]


def test_a_criterion_with_one_verdict_for_all_separates_nothing() -> None:
    reports = [[verdicts(a=0.73, b=n % 7 / 10)] for n in range(12)]
    assert rules(RUBRIC, reports) == [("never-separates", "a")]
    assert rules(RUBRIC, reports[:5]) == []  # too few to say


def test_full_marks_that_nobody_gets_are_named_for_merits_and_faults() -> None:
    reports = [[verdicts(a=n % 2 / 2, n=0.5 + n % 2 / 2)] for n in range(40)]
    found = rules(TERNARY, reports)
    assert ("never-reached", "a") in found
    assert ("never-reached", "n") in found


def rerun(*, halo: float, n: int = 30, seed: int = 5) -> list[list[list[CriterionVerdict]]]:
    """Reports alike in both criteria, read three times; `halo`: the share of a rerun's noise that both receive."""
    rng = random.Random(seed)
    reports = []
    for _ in range(n):
        quality = rng.uniform(0.3, 0.7)
        runs = []
        for _ in range(3):
            shared = rng.gauss(0, 0.08)
            a, b = (quality + halo * shared + (1 - halo) * rng.gauss(0, 0.08) for _ in range(2))
            runs.append(verdicts(a=a, b=b))
        reports.append(runs)
    return reports


def rerun_tree(*, tilt: float, seed: int, n: int = 60) -> list[list[list[CriterionVerdict]]]:
    """Two dimensions of six criteria, each with noise of its own and `tilt` of the impression of the rerun."""
    rng = random.Random(seed)
    reports = []
    for _ in range(n):
        runs = []
        for _ in range(3):
            shared = rng.gauss(0, 0.1)
            runs.append(verdicts(**{name: 0.5 + tilt * shared + rng.gauss(0, 0.1) for name in TREE_IDS}))
        reports.append(runs)
    return reports


TREE_IDS = [f"{group}{n}" for group in ("x", "y") for n in range(6)]
TREE = Rubric(
    "tree", tuple(Criterion(name, name.upper(), scale="score10", parent=name[0]) for name in TREE_IDS),
    aggregation="tree", groups=(Group("x"), Group("y")),
)  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_halo_between_dimensions_shows_where_no_pair_of_criteria_shows_it(seed: int) -> None:
    assert rules(TREE, rerun_tree(tilt=0.5, seed=seed)) == [("halo", "y")]
    assert rules(TREE, rerun_tree(tilt=0.0, seed=seed)) == []


@pytest.mark.parametrize("seed", range(5))
def test_halo_is_told_from_reports_that_are_good_in_both(seed: int) -> None:
    assert rules(RUBRIC, rerun(halo=0.9, seed=seed)) == [("halo", "b")]
    assert rules(RUBRIC, rerun(halo=0.0, seed=seed)) == []


def test_without_reruns_criteria_that_go_together_are_named_as_not_told_apart() -> None:
    once = [[verdicts(a=n % 11 / 10, b=n % 11 / 10)] for n in range(30)]
    assert rules(RUBRIC, once) == [("moves-together", "b")]
    apart = [[verdicts(a=n % 11 / 10, b=n % 7 / 10)] for n in range(30)]
    assert rules(RUBRIC, apart) == []


def test_a_merit_and_its_missing_fault_go_together_with_opposite_signs() -> None:
    mirrored = [[verdicts(a=n % 3 / 2, n=1 - n % 3 / 2)] for n in range(30)]
    same = [[verdicts(a=n % 3 / 2, n=n % 3 / 2)] for n in range(30)]
    assert rules(TERNARY, mirrored) == [("moves-together", "n")]
    assert rules(TERNARY, same) == []


def test_missing_verdicts_are_no_values() -> None:
    lost = [[[CriterionVerdict("a", None, None), *verdicts(b=n % 7 / 10)]] for n in range(30)]
    assert rules(RUBRIC, lost) == []


def test_stored_verdicts_are_those_of_exactly_this_rubric(sqlite_store: Store) -> None:
    trajectory = Trajectory("q", "q-1", "r", "m", (Step("assistant", "report"),), "report")
    put(sqlite_store, [trajectory])
    for version, rubric in (("v1", RUBRIC), ("v2", TERNARY)):
        sqlite_store.grades.register("judge", version, "llm", {"rubric": rubric_to_json(rubric)})
        for repeat in range(2):
            grade = Grade("judge", version, "case", "scored", 0.5, 0.5, verdicts=tuple(verdicts(a=0.5)), repeat=repeat)
            sqlite_store.grades.add(trajectory.id, grade)
    assert [len(runs) for runs in stored_runs(sqlite_store, "judge", RUBRIC)] == [2]
    assert stored_runs(sqlite_store, "other", RUBRIC) == []


def test_the_verb_looks_at_stored_grades_when_told_whose(
    sqlite_store: Store, sqlite_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rubric = load_library("answer-and-sources")
    items = [Trajectory("q", f"q-{n}", "r", "m", (Step("assistant", f"report {n}"),), f"report {n}") for n in range(12)]
    sqlite_store.grades.register("judge", "v1", "llm", {"rubric": rubric_to_json(rubric)})
    for n, trajectory_id in enumerate(put(sqlite_store, items)):
        labels = {"answers": "yes", "cites": "yes" if n % 2 else "no"}
        read = tuple(CriterionVerdict(name, label, float(label == "yes")) for name, label in labels.items())
        sqlite_store.grades.add(trajectory_id, Grade("judge", "v1", f"c{n}", "scored", 0.5, 0.5, verdicts=read))
    assert main(["--store", sqlite_url, "--json", "rubrics", "lint", rubric.name, "--graded-by", "judge"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["graded_reports"] == 12
    assert [(found["rule"], found["criterion"]) for found in answer["findings"]] == [("never-separates", "answers")]
