"""The page of one grade says what the judge was given, and shows the very prompt with the evidence in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from graders.rubric_judge import JudgeOptions, RubricJudge
from graders.runner import grade_run
from rubrics.judging.rubric import Criterion, Rubric
from tests.graders.fake_endpoint import FakeEndpoint, fake_endpoint
from tests.graders.helpers import gateway_to, judge_saying, put, trajectory
from workbench.store import TrajectoryFilter, open_store
from workbench.store.jobs.handle import NullJob
from workbench.ui.components.grades.material import material_words
from workbench.ui.components.text import plain

RUBRIC = Rubric("sources", (Criterion("used", "What was opened is used", scope="both"),))


@pytest.fixture
def endpoint() -> Iterator[FakeEndpoint]:
    with fake_endpoint() as started:
        yield started


def test_what_was_shown_and_left_out_is_said_in_words() -> None:
    counts = {"whole": 2, "shortened": 3, "budget": 7, "duplicate": 0, "failed": 1, "blank": 0}
    material = {"report": {"shown": 900, "total": 900}, "evidence": {"shown": 1200, "total": 40_000}}
    assert material_words({"material": material, "documents": counts}) == (
        "The judge read: report, whole; retrieved text, 1,200 of 40,000 characters "
        "(5 of 13 documents, 2 of them whole, 7 without room, 1 of failed calls)."
    )
    assert material_words({"bounds": [0.1, 0.2]}) == ""


def test_the_page_shows_the_prompt_with_its_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, endpoint: FakeEndpoint
) -> None:
    url = f"sqlite:///{tmp_path / 'grades.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    endpoint.responder = judge_saying(lambda _: "fully")
    with open_store(url) as store:
        (identity,) = put(store, [trajectory()])
        judge = RubricJudge(RUBRIC, JudgeOptions("judge", endpoint.base_url), gateway_to(store))
        grade_run(store, judge, TrajectoryFilter(), job=NullJob())
    app = AppTest.from_string(
        """
import streamlit as st
from workbench.ui import routes
from workbench.ui.views.grade import page
st.navigation(list(routes.pages().values()))
page()
""",
        default_timeout=30,
    )
    app.query_params["id"] = identity
    app.query_params["grader"] = judge.name
    app.run()
    assert not app.exception
    captions = " ".join(caption.value for caption in app.caption)
    assert plain("retrieved text, whole (2 of 2 documents, 2 of them whole)") in captions
    sent = endpoint.requests[0]["messages"][-1]["content"]
    assert sent in [code.value for code in app.code]
    assert "The Alder Bridge is 3.5 km long." in sent.partition("<<<EVIDENCE")[2].partition("<<<REPORT")[0]
