"""The agreement panel of the Graders page."""

from pathlib import Path

import pytest

from tests.graders.agreement.planted import people, reports, score
from tests.workbench.ui.pages import run_page, visible
from workbench.store import open_store


@pytest.fixture
def graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path / 'agreement.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    with open_store(url) as store:
        ids = reports(store, 12)
        scores: dict[str, float | None] = {key: 0.8 if run == "a" and n != 3 else 0.2 for (n, run), key in ids.items()}
        score(store, "gold", scores, verdicts=lambda key: {"<b>c</b>": 1.0 if scores[key] == 0.8 else 0.0})
        mine: dict[str, float | None] = {key: 0.9 if run == "a" else 0.3 for (_, run), key in ids.items()}
        score(store, "judge", mine, verdicts=lambda key: {"<b>c</b>": 1.0 if mine[key] == 0.9 else 0.0})
        people(store, [("r1", ids[n, "a"], ids[n, "b"], "left", "rating") for n in range(8)])


@pytest.mark.usefixtures("graded")
def test_a_grader_against_gold_with_intervals_and_the_rows_furthest_apart() -> None:
    app = run_page("graders", grader="judge@judge-1", view="agreement", against="gold@gold-1")
    text = visible(app)
    assert "judge orders 100% of the pairs that gold orders as gold does." in text
    for label in ("Cohen&#x27;s kappa at 0.5", "Krippendorff&#x27;s alpha", "tau-b", "Brier score"):
        assert label in text or label.replace("&#x27;", "'") in text or label.replace("&#x27;", "&#39;") in text
    assert "**0.90** against **0.20**" in text
    assert "<b>c</b>" not in "\n".join(element.proto.body for element in app.get("html"))


@pytest.mark.usefixtures("graded")
def test_a_grader_against_people_by_dimension() -> None:
    app = run_page("graders", grader="judge@judge-1", view="agreement", against="people")
    text = visible(app)
    assert "judge orders 100% of the pairs as people do." in text
    assert "8 ballots" in text
