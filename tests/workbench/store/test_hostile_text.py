"""Text that databases dislike survives on both backends, byte for byte."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.workbench.store.examples import example_analysis, example_trajectory, new
from workbench.schema.grade import CriterionVerdict, Grade
from workbench.schema.trajectory import Step, ToolCall, ToolResult
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.codec import pack_text, unpack_text
from workbench.store.types import escape_text, unescape_text

NASTY = "a\x00b \ud800 lone \udfff pair-of-lone \ud83d\ude00 astral 😀 private \uf8f0\uf8f1\uf8f0 end\x00"
ANY_TEXT = st.text(st.characters(codec=None, categories=None) | st.sampled_from(["\x00", "\ud800", "\udfff", "\uf8f0"]))


@given(ANY_TEXT)
def test_escape_is_undone_and_storable(text: str) -> None:
    escaped = escape_text(text)
    assert unescape_text(escaped) == text
    assert "\x00" not in escaped
    escaped.encode("utf-8")


@given(ANY_TEXT)
def test_payload_holds_any_text(text: str) -> None:
    assert unpack_text(pack_text(text)) == text


def test_hostile_trajectory_comes_back_equal(store: Store) -> None:
    trajectory = replace(
        example_trajectory(question=NASTY, run=f"run {NASTY}", model=NASTY, page=NASTY, report=NASTY),
        question_id=f"q {NASTY}",
        group=NASTY,
        meta={NASTY: [NASTY, {"deep": NASTY}]},
        steps=(
            Step("assistant", NASTY, NASTY, (ToolCall(NASTY, NASTY, "other", {NASTY: NASTY}),)),
            Step("tool", tool_results=(ToolResult(NASTY, NASTY), ToolResult("", ""))),
        ),
    )
    analysis = example_analysis()
    citation = replace(analysis.citations[0], marker=NASTY, url=NASTY, site=NASTY)
    analysis = replace(analysis, phases=analysis.phases[:2], citations=(citation,))
    store.trajectories.add_batch([new(trajectory, analysis)])

    assert store.trajectories.get(trajectory.id) == trajectory
    assert store.trajectories.analysis(trajectory.id) == analysis
    assert store.trajectories.row(trajectory.id).question == NASTY
    assert store.trajectories.ids(TrajectoryFilter(run=f"run {NASTY}")) == (trajectory.id,)
    assert store.trajectories.outline(trajectory.id)[0].tool_calls[0].arguments == {NASTY: NASTY}
    assert store.runs.list()[0].name == f"run {NASTY}"


@pytest.mark.parametrize("text", ["a\x00b", "LONE", "lone\ud800", "private \uf8f0"])
def test_hostile_text_is_found_by_what_it_holds(store: Store, text: str) -> None:
    trajectory = example_trajectory(report=NASTY)
    store.trajectories.add_batch([new(trajectory), new(example_trajectory(report="harmless"))])
    assert store.trajectories.ids(TrajectoryFilter(text=text)) == (trajectory.id,)


@pytest.mark.parametrize("text", ["report:ab", 'report:"b a"'])
def test_inside_of_an_escape_is_not_found(store: Store, text: str) -> None:
    store.trajectories.add_batch([new(example_trajectory(report="a\x00b \ud800"))])
    assert store.trajectories.ids(TrajectoryFilter(text=text)) == ()


def test_hostile_grade_comes_back_equal(store: Store) -> None:
    trajectory = example_trajectory()
    store.trajectories.add_batch([new(trajectory)])
    verdict = CriterionVerdict(NASTY, NASTY, 1.0, NASTY, NASTY)
    grade = Grade(NASTY, "v", "case", "scored", 0.5, 5.0, NASTY, NASTY, (verdict,), detail={NASTY: NASTY})
    store.grades.add(trajectory.id, grade)
    assert store.grades.for_trajectory(trajectory.id) == (grade,)


def test_two_texts_that_differ_in_a_surrogate_only_stay_two_documents(store: Store) -> None:
    lone, spelled = example_trajectory(page="\ud800"), example_trajectory(page="\\ud800")
    store.trajectories.add_batch([new(lone), new(spelled)])
    assert store.trajectories.get(lone.id) == lone
    assert store.trajectories.get(spelled.id) == spelled


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(page=ANY_TEXT, question=ANY_TEXT, report=ANY_TEXT, argument=ANY_TEXT)
def test_any_trajectory_comes_back_equal(
    page: str, question: str, report: str, argument: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path: Path = tmp_path_factory.getbasetemp() / "any-trajectory.db"
    trajectory = replace(
        example_trajectory(question=question, page=page, report=report),
        steps=(
            Step("assistant", tool_calls=(ToolCall("c", "t", "other", {argument: argument}),)),
            Step("tool", tool_results=(ToolResult("c", page),)),
        ),
    )
    with open_store(f"sqlite:///{path}") as store:
        store.trajectories.add_batch([new(trajectory, replace(example_analysis(), phases=()))])
        assert store.trajectories.get(trajectory.id) == trajectory
