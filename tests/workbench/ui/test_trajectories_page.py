"""The table: filters in the address, "N of M", and widgets that write what they say."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.workbench.store.examples import example_analysis, example_trajectory, new
from tests.workbench.ui.pages import run_page, visible
from workbench.schema.canonical import question_key
from workbench.schema.grade import Grade
from workbench.store import Store, open_store


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Twelve trajectories with 0 to 11 queries, of two models and three questions; one has a contradicted claim."""
    url = f"sqlite:///{tmp_path / 'table.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    made = open_store(url)
    items = [
        new(
            replace(example_trajectory(question=f"Question {n % 3}?", attempt=n, model=f"m{n % 2}"), policy_step=n),
            example_analysis(queries=n),
        )
        for n in range(12)
    ]
    ids = made.trajectories.add_batch(items).ids
    made.trajectories.set_supports(ids[-1], {0: "contradicted"})
    made.grades.add_many([(id_, Grade("judge", "v", "c", "scored", score=n / 12)) for n, id_ in enumerate(ids)])
    return made


@pytest.mark.parametrize(
    ("address", "n"),
    [
        ({}, 12),
        ({"figures": "distinct_queries:4..7"}, 4),
        ({"figures": "distinct_queries:4..,research_tokens:..400"}, 8),
        ({"figures": "distinct_queries:4..,research_tokens:..399"}, 0),
        ({"figures": "cleverness:4..,nonsense"}, 12),  # an old link still opens
        ({"support": "contradicted"}, 1),
        ({"model": "m1"}, 6),
        ({"model": "m1,m0"}, 12),
        ({"policy_step": "3"}, 1),
        ({"min": "0.5", "figures": "distinct_queries:..8"}, 3),
    ],
)
def test_address_is_the_filter_and_n_of_m_is_said(opened: Store, address: dict[str, str], n: int) -> None:
    assert opened
    assert f"**{n} of 12**" in visible(run_page("trajectories", **address))


def test_question_that_narrows_the_list_is_said_in_words_and_can_be_cleared(opened: Store) -> None:
    assert opened
    app = run_page("trajectories", question=question_key("Question 2?"))
    assert "question *Question 2?*" in visible(app).replace("\\", "")
    app.button[0].click().run()
    assert "**12 of 12**" in visible(app)


def test_a_figure_is_bounded_by_its_fields(opened: Store) -> None:
    assert opened
    app = run_page("trajectories")
    next(box for box in app.selectbox if box.label == "Bound a figure").set_value("tool_calls").run()
    assert app.query_params["figures"] == "tool_calls:0.."
    next(field for field in app.number_input if field.label == "at most").set_value(1.0).run()
    assert app.query_params["figures"] == "tool_calls:0..1"
    assert "**0 of 12**" in visible(app)
    next(button for button in app.button if button.label == "✕").click().run()
    assert "figures" not in app.query_params and "**12 of 12**" in visible(app)


def test_questions_are_found_by_their_words_and_keep_the_rest_of_the_filter(opened: Store) -> None:
    assert opened
    app = run_page("trajectories", model="m1")
    next(field for field in app.text_input if field.label == "Find a question").set_value("question 1").run()
    assert "1 of 1 questions" in visible(app)
    link = next(link.proto for link in app.get("page_link") if link.proto.label.endswith("(4)"))
    assert f"question={question_key('Question 1?')}" in link.query_string and "model=m1" in link.query_string
