"""A planted series is reproducible, can be graded by gold, and does not give its truth away."""

import json
from pathlib import Path

import pytest

from benchmarks.simulated_web.gold import GoldGrader
from tests.diagnosis_study.planting import PlantedSeries, plant, write_series
from workbench.schema.grade import GradingCase
from workbench.schema.trajectory import trajectory_from_json, trajectory_to_json

SEED = 1234567


@pytest.fixture(scope="module")
def series() -> PlantedSeries:
    return plant(SEED, questions=3, rollouts=2)


def test_the_same_seed_gives_the_same_files(series: PlantedSeries, tmp_path: Path) -> None:
    first = write_series(series, tmp_path / "a", tmp_path / "a.json", salt="0" * 32)
    again = write_series(plant(SEED, questions=3, rollouts=2), tmp_path / "b", tmp_path / "b.json", salt="0" * 32)
    assert first == again


def test_gold_grades_every_trajectory_and_it_survives_its_file(series: PlantedSeries) -> None:
    gold = GoldGrader()
    for trajectory in (*series.reference, *(t for run in series.runs.values() for t in run)):
        back = trajectory_from_json(json.loads(json.dumps(trajectory_to_json(trajectory))))
        grade = gold.grade_now(GradingCase(back.question, back.report, back))
        assert grade.outcome == "scored"


def test_runs_have_neutral_names_and_the_order_is_drawn(series: PlantedSeries) -> None:
    assert list(series.runs) == [f"run-{number:02d}" for number in range(1, 46)]
    kinds = [truth.design.kind for truth in series.truth]
    assert kinds[:8] != ["none"] * 8
    shown = json.dumps([trajectory_to_json(t) for run in series.runs.values() for t in run])
    assert not any(word in shown for word in ("skipped", "astray", "misstated", "planted", str(SEED)))


def test_a_run_without_a_deficit_loses_nothing_and_large_ones_lose_much(series: PlantedSeries) -> None:
    by_kind = {(truth.design.kind, truth.design.size): truth for truth in series.truth}
    assert by_kind["none", ""].label == "none"
    assert by_kind["research", "large"].writing.exact
    assert by_kind["writing", "large"].writing.drop > by_kind["none", ""].writing.drop


def test_what_is_sealed_are_five_series_with_hashes_alone() -> None:
    sealed = json.loads((Path(__file__).parent / "sealed.json").read_text(encoding="utf-8"))
    assert sum(series["runs"] for series in sealed["series"]) >= 200
    keys = {"series", "runs", "questions", "trajectories_sha256", "truth_sha256"}
    assert all(set(series) == keys for series in sealed["series"])
