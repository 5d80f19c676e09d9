"""`workbench agreement` as a user types it."""

import json

import pytest

from tests.graders.agreement.planted import people, reports, score
from workbench.cli.main import main
from workbench.store import open_store


@pytest.fixture
def url(sqlite_url: str) -> str:
    with open_store(sqlite_url) as store:
        ids = reports(store, 12)
        scores: dict[str, float | None] = {key: ((n * 7) % 12) / 12 for (n, _), key in ids.items()}
        score(store, "gold", scores, verdicts=lambda key: {"c": 1.0 if (scores[key] or 0) > 0.5 else 0.0})
        near = {key: min(1.0, (x or 0) + 0.1) for key, x in list(scores.items())[:20]}
        score(store, "judge", dict(near), verdicts=lambda key: {"c": 1.0 if near[key] > 0.5 else 0.0})
        people(store, [("r1", ids[n, "a"], ids[n, "b"], "left", "rating") for n in range(6)])
    return sqlite_url


def test_the_answer_has_its_keys_and_every_figure_an_interval_and_n(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["agreement", "judge", "gold", "--calibrate", "--correct-mean", "--json"]
    assert main(["--store", url, *words]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {"grader", "against", "n", "questions", "figures", "criteria", "calibration", "widest"} <= answer.keys()
    for name in ("accuracy", "kappa", "weighted_kappa", "alpha", "tau_b", "bias"):
        found = answer["figures"][name]
        assert found["low"] <= found["value"] <= found["high"] and found["n"] == 20, name
    assert answer["criteria"][0]["criterion"] == "c"
    assert set(answer["calibration"]) == {"isotonic", "platt"}
    assert answer["corrected_means"][0]["judged_only"] == 0


def test_what_people_read_names_the_figures(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--store", url, "agreement", "judge", "gold", "--calibrate", "--correct-mean"]) == 0
    out = capsys.readouterr().out
    for words in ("Cohen's kappa at 0.5", "quadratic-weighted kappa", "calibration (platt", "nothing to correct"):
        assert words in out
    assert main(["--store", url, "agreement", "judge", "people"]) == 0
    assert "pairs that both judged, 6 ballots" in capsys.readouterr().out


def test_bad_words_exit_with_2_and_a_sentence(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["judge", "gold", "--cut", "0"], ["judge", "nobody"], ["judge", "people", "--criterion", "c"]):
        assert main(["--store", url, "agreement", *words]) == 2
        assert "error: " in capsys.readouterr().err
