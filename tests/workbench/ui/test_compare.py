"""Attempts at one question side by side: chosen, aligned, their sets, grades, citations and reports."""

from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from tests.workbench.store.examples import example_trajectory
from tests.workbench.ui.pages import run_page, visible
from workbench.phases import analyse
from workbench.schema.grade import CriterionVerdict, Grade
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory
from workbench.store import NewTrajectory, Store, TrajectoryFilter, open_store

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> [x](javascript:alert(3)) \u202egnp.exe"


def searched(run: str, queries: tuple[str, ...], urls: tuple[str, ...], report: str) -> Trajectory:
    steps = [Step("user", text="Which dam is newer?")]
    for n, query in enumerate(queries):
        steps.append(Step("assistant", tool_calls=(ToolCall(f"s{n}", "search", "search", {"query": query}),)))
        steps.append(Step("tool", tool_results=(ToolResult(f"s{n}", "1. Hit https://seen.example/hit"),)))
    for n, url in enumerate(urls):
        steps.append(Step("assistant", tool_calls=(ToolCall(f"v{n}", "visit", "visit", {"url": url}),)))
        steps.append(Step("tool", tool_results=(ToolResult(f"v{n}", "The dam was finished in 1962."),)))
    steps.append(Step("assistant", text=report))
    base = example_trajectory(question="Which dam is newer?", run=run, report=report)
    return replace(base, steps=tuple(steps), group=None, policy_step=None)


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    url = f"sqlite:///{tmp_path / 'compare.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    made = open_store(url)
    items = [
        searched(
            "careful",
            ("year of the dam", "height of the dam"),
            ("https://register.example/dam",),
            "# Dams\n\nThe dam was finished in 1962 ([source](https://register.example/dam)). It is 99 m high.",
        ),
        searched(
            "hasty",
            ("the year of the dam", HOSTILE),
            (),
            f"The dam was finished in 1964 ([source](https://nowhere.example/x)). {HOSTILE} is planned.",
        ),
        searched("silent", (), (), ""),
    ]
    found = made.trajectories.add_batch([NewTrajectory(t, analyse(t), b"{}", "test") for t in items])
    for identifier, score, label in zip(found.ids, (0.9, 0.2, 0.0), ("met", "not met", "not met"), strict=True):
        verdicts = (
            CriterionVerdict("same-for-all", "met", 1.0),
            CriterionVerdict("year-is-right", label, 1.0 if label == "met" else 0.0, reason=f"because {HOSTILE}"),
        )
        grade = Grade("judge", "v1", f"case-{identifier}", "scored", score=score, raw=score, verdicts=verdicts)
        made.grades.add(identifier, grade)
    return made


def ids(store: Store) -> tuple[str, ...]:
    return store.trajectories.ids(TrajectoryFilter())


def test_empty_store_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_STORE", f"sqlite:///{tmp_path / 'empty.db'}")
    assert "No trajectory is in this store yet" in visible(run_page("compare"))


def test_questions_are_offered_and_then_their_attempts(opened: Store) -> None:
    app = run_page("compare")
    assert "**1 question**" in visible(app)
    row = opened.trajectories.row(ids(opened)[0])
    chosen = run_page("compare", question=row.question_id)
    assert "3 of 3 attempts" in visible(chosen)
    assert any(button.label == "Compare these 2" and not button.disabled for button in chosen.button)


def test_words_that_no_question_has_find_none(opened: Store) -> None:
    assert opened
    assert "No question with these words" in visible(run_page("compare", words="lighthouse"))


def test_sets_grades_citations_and_reports_stand_side_by_side(opened: Store) -> None:
    text = visible(run_page("compare", ids=",".join(ids(opened)[:2]), grader="judge"))
    assert 'In both <span class="wbc-mute">1</span>' in text  # the two wordings of one query
    assert "register.example" in text and "nowhere.example" in text
    assert text.index("year-is-right") < text.index("same-for-all")  # what tells them apart comes first
    assert "differs by 1" in text
    assert '<b>1</b> <span class="d">reworded</span>' in text
    assert '<span class="d">1962</span>' in text and '<span class="d">1964</span>' in text
    assert "not retrieved" in text and "not graded" not in text


def test_three_attempts_and_a_report_that_is_missing(opened: Store) -> None:
    text = visible(run_page("compare", ids=",".join(ids(opened)), pair="AC"))
    assert "In all 3" in text and "Shared by some" in text
    whole = visible(run_page("compare", ids=",".join(ids(opened)), reports="whole"))
    assert "No report." in whole


def test_hostile_text_stays_text(opened: Store) -> None:
    for view in ("differences", "whole"):
        text = visible(run_page("compare", ids=",".join(ids(opened)), reports=view, pair="AB"))
        assert "<script" not in text and "<img" not in text and "\u202e" not in text
        assert "alert(1)" in unescape(text)


def test_unknown_single_repeated_and_too_many_ids_are_met_with_words(opened: Store) -> None:
    assert "no trajectory 't-0000'" in unescape(visible(run_page("compare", ids="t-0000")))
    first = ids(opened)[0]
    assert "nothing to compare" in visible(run_page("compare", ids=f"{first},{first}"))
    more = [NewTrajectory(t, analyse(t), b"{}", "test") for t in (searched(f"r{n}", (), (), "x") for n in range(3))]
    opened.trajectories.add_batch(more)
    assert "4 of the 6 in the address are shown" in visible(run_page("compare", ids=",".join(ids(opened))))


def test_attempts_at_different_questions_are_warned_of(opened: Store) -> None:
    other = replace(searched("else", (), (), "x"), question="Another?", question_id="q-else")
    opened.trajectories.add_batch([NewTrajectory(other, analyse(other), b"{}", "test")])
    both = f"{ids(opened)[0]},{ids(opened)[-1]}"
    assert "2 different questions" in visible(run_page("compare", ids=both))


def test_trajectory_page_leads_to_the_comparison_with_its_siblings(opened: Store) -> None:
    app = run_page("trajectory", id=ids(opened)[0])
    links = {link.proto.label: link.proto.page.partition("?")[0] for link in app.get("page_link")}
    assert links["Compare with the best and the worst →"] == "compare"
