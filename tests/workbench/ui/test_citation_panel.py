"""What a citation check found is seen: of one grade citation by citation, on the Graders page run by run."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from graders.registry import load_grader
from graders.runner import grade_run
from tests.graders.helpers import put, trajectory
from workbench.store import TrajectoryFilter, open_store
from workbench.store.jobs.handle import NullJob

FIRST = "The Alder Bridge is 3.5 km long (https://bridges.example/0)."
REPORT = FIRST + (
    " It opened in 1931 (https://never.example/x). "
    "Alder Bridge tickets cost 12 million dollars in 1931.\n\nIt carried 400,000 cars in 1950."
)
PAGE = """
import streamlit as st
from workbench.ui import routes
from workbench.ui.views.{page} import page
st.navigation(list(routes.pages().values()))
page()
"""


@pytest.fixture
def graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    """The id of a trajectory, and the word of the grader that checked it."""
    url = f"sqlite:///{tmp_path / 'grades.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    with open_store(url) as store:
        identifier, _ = put(store, [trajectory(report=REPORT), trajectory(1, report=FIRST.replace("/0", "/1"))])
        grader = load_grader("citation-support", store=store)
        grade_run(store, grader, TrajectoryFilter(), job=NullJob())
        yield identifier, f"{grader.name}@{grader.version}"


def shown(page: str, **parameters: str) -> AppTest:
    app = AppTest.from_string(PAGE.format(page=page), default_timeout=30)
    for name, value in parameters.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def test_the_grade_page_lists_every_citation_with_the_worst_first(graded: tuple[str, str]) -> None:
    app = shown("grade", id=graded[0], grader=graded[1])
    table = app.dataframe[0].value
    assert list(table[""]) == ["not retrieved", "supported"]
    assert table["source"][0] == "https://never.example/x"
    assert "3.5 km" in table["rests on"][1]
    strip = " ".join(str(element.proto.body) for element in app.get("html"))
    for words in ("accuracy", "0.50", "effective citations", "coverage of claims"):
        assert words in strip


def test_the_graders_page_gives_the_figures_of_each_run(graded: tuple[str, str]) -> None:
    app = shown("graders", grader=graded[1], view="citations")
    table = app.dataframe[0].value
    assert list(table["run"]) == ["a"]
    assert table["reports"][0] == 2
    assert (table["supported"][0], table["not retrieved"][0]) == (2, 1)
    assert float(table["accuracy"][0]) == 0.75
