"""The study's two halves: a small share on a seed of its own, and all sealed series again (slow)."""

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.diagnosis_study import study
from tests.diagnosis_study.planting import PlantedSeries, plant, write_series
from tests.diagnosis_study.scoring import Row, score
from tests.diagnosis_study.verdicts import LIMITS
from tests.support.evidence import write_evidence

SEED = 20261201
OPENED = Path(__file__).parent / "opened.json"
SALT = "0" * 32


@pytest.fixture(scope="module")
def series() -> PlantedSeries:
    """The reference and four runs of a small series: nothing planted, most of research, of writing, of both."""
    whole = plant(SEED, questions=7, rollouts=2)
    truths = [next(t for t in whole.truth if t.design.kind == "none")]
    truths += [max(whole.truth, key=lambda t: t.research.drop), max(whole.truth, key=lambda t: t.writing.drop)]
    names = list(dict.fromkeys(t.run for t in truths))
    kept = tuple(t for t in whole.truth if t.run in names)
    return replace(whole, runs={name: whole.runs[name] for name in names}, truth=kept)


def _seal(series: PlantedSeries, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "sealed").mkdir()
    shown, truth = write_series(series, folder / "0", folder / "sealed" / "0.json", salt=SALT)
    sealed = folder / "published.json"
    sealed.write_text(
        json.dumps({"series": [{"series": 0, "trajectories_sha256": shown, "truth_sha256": truth}]}), encoding="utf-8"
    )
    monkeypatch.setattr(study, "SEALED", sealed)


def test_a_small_series_gets_no_false_verdict_and_its_verdicts_stay(
    series: PlantedSeries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _seal(series, tmp_path, monkeypatch)
    result = study.main(tmp_path)

    found = result["at_default"]
    assert found["pairs"] == len(series.runs)
    assert found["any_false_phase"]["hits"] == 0
    assert found["failed_reports"] == 0
    assert study.write_verdicts(tmp_path, tmp_path / "verdicts.json") == result["verdicts_sha256"]


def test_a_truth_that_was_changed_after_it_was_sealed_is_not_scored(
    series: PlantedSeries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _seal(series, tmp_path, monkeypatch)
    truth = tmp_path / "sealed" / "0.json"
    truth.write_text(truth.read_text(encoding="utf-8") + " ", encoding="utf-8")
    (tmp_path / "verdicts.json").write_text("{}", encoding="utf-8")
    with pytest.raises(study.SealBrokenError):
        study.open_truths(tmp_path, tmp_path / "verdicts.json")


def _row(kind: str, verdict: str, research: float, writing: float, *shown: str) -> Row:
    def effect(drop: float) -> dict[str, Any]:
        return {"drop": drop, "practically_none": drop < 0.03, "borderline": False, "exact": drop == 0.0}

    truth = {"class": kind, "planted": kind, "size": "", "research": effect(research), "writing": effect(writing)}
    said: dict[str, Any] = {"verdict": verdict, "failed": 0}
    for phase in ("research", "writing"):
        said |= {f"{phase}_shown": phase in shown, f"{phase}_low": -1.0, f"{phase}_high": 0.05}
        said[f"{phase}_visible"] = 0.1
    return Row(0, truth, said)


def test_scoring_counts_what_was_named_falsely_and_what_was_found() -> None:
    result = score(
        [
            _row("none", "not_shown", 0.0, 0.0),
            _row("none", "writing_limited", 0.0, 0.01, "writing"),
            _row("research", "both", 0.2, 0.0, "research", "writing"),
            _row("both", "research_limited", 0.2, 0.2, "research"),
        ]
    )

    assert result["confusion"]["none"]["writing_limited"] == 1
    assert result["false_verdict_where_none"]["value"] == 0.5
    assert result["false_verdict_where_none_exactly"]["n"] == 1
    assert result["any_false_phase"]["hits"] == 2
    assert result["right"]["hits"] == 1
    assert result["found_by_size"]["research"]["0.12 to 0.25"]["value"] == 1.0
    assert result["interval_holds_true_drop"]["research"]["hits"] == 2


@pytest.mark.slow
def test_the_sealed_series_give_the_verdicts_that_were_reported(tmp_path: Path) -> None:
    """Makes all series again from the opened seeds (three minutes each), checks their seals, and repeats the study."""
    began = time.monotonic()
    (tmp_path / "sealed").mkdir()
    opened = json.loads(OPENED.read_text(encoding="utf-8"))["series"]
    for one in opened:
        number = one["series"]
        path = tmp_path / "sealed" / f"{number}.json"
        write_series(plant(one["seed"]), tmp_path / str(number), path, salt=one["salt"])
    result = study.main(tmp_path)
    stated = result["stated_rate"]

    for name in LIMITS:
        assert result[name]["pairs"] >= 200
        assert result[name]["any_false_phase"]["low"] <= stated
        assert result[name]["false_verdict_where_none"]["value"] <= stated
    write_evidence(
        "diagnosis",
        result,
        seed=opened[0]["seed"],
        n=result["at_default"]["pairs"],
        seconds=time.monotonic() - began,
        code=("workbench/diagnosis", "benchmarks/simulated_web", "tests/diagnosis_study"),
    )
