"""Trajectories go in and come out equal, on both backends."""

from dataclasses import replace
from itertools import pairwise

import pytest

from tests.workbench.store.examples import example_analysis, example_trajectory, many, new
from workbench.errors import BadInputError, NotFoundError
from workbench.schema.trajectory import Step, ToolCall, ToolResult
from workbench.store import Store, TrajectoryFilter


def test_trajectory_comes_back_equal(store: Store) -> None:
    trajectory = example_trajectory()
    store.trajectories.add_batch([new(trajectory)])
    assert store.trajectories.get(trajectory.id) == trajectory


def test_source_comes_back_byte_for_byte(store: Store) -> None:
    source = bytes(range(256)) * 3
    trajectory = example_trajectory()
    store.trajectories.add_batch([new(trajectory, source=source)])
    assert store.trajectories.source(trajectory.id) == source
    assert store.trajectories.source_name(trajectory.id) == "rollouts.jsonl:1"


def test_analysis_comes_back_equal(store: Store) -> None:
    trajectory = example_trajectory()
    store.trajectories.add_batch([new(trajectory)])
    assert store.trajectories.analysis(trajectory.id) == example_analysis()


def test_second_import_changes_nothing(store: Store) -> None:
    items = many(3)
    assert store.trajectories.add_batch(items).imported == 3
    before = store.content_hash()
    again = store.trajectories.add_batch(items)
    assert (again.imported, again.duplicates) == (0, 3)
    assert again.ids == tuple(item.trajectory.id for item in items)
    assert store.content_hash() == before


def test_duplicate_within_one_batch_counts_as_duplicate(store: Store) -> None:
    item = new(example_trajectory())
    result = store.trajectories.add_batch([item, item])
    assert (result.imported, result.duplicates) == (1, 1)


def test_bad_item_takes_the_whole_batch_back(store: Store) -> None:
    bad = new(replace(example_trajectory(attempt=1), steps=()))  # its analysis speaks of six steps
    with pytest.raises(BadInputError, match="gives a phase to step 0; it has 0 steps"):
        store.trajectories.add_batch([new(example_trajectory()), bad])
    assert store.trajectories.page(TrajectoryFilter()).total == 0


def test_page_fetched_by_many_rollouts_is_stored_once(sqlite_store: Store) -> None:
    sqlite_store.trajectories.add_batch(many(40))
    with sqlite_store._database.read() as connection:
        stored = connection.exec_driver_sql("SELECT count(*), count(DISTINCT key) FROM documents").one()
    assert tuple(stored) == (3, 3)


def test_steps_can_be_read_in_part(store: Store) -> None:
    trajectory = example_trajectory()
    store.trajectories.add_batch([new(trajectory)])
    assert store.trajectories.steps(trajectory.id, 2, 5) == trajectory.steps[2:5]
    assert store.trajectories.steps(trajectory.id, 4) == trajectory.steps[4:]


def test_outline_tells_sizes_and_cuts_arguments(store: Store) -> None:
    call = ToolCall("c1", "run", "code", {"source": "x" * 600, "options": {"lines": ["y" * 600]}, "n": 3})
    steps = (
        Step("assistant", text="z" * 300, tool_calls=(call,)),
        Step("tool", tool_results=(ToolResult("c1", "ok"),)),
    )
    trajectory = replace(example_trajectory(), steps=steps)
    store.trajectories.add_batch([new(trajectory, replace(example_analysis(), phases=()))])
    first, second = store.trajectories.outline(trajectory.id)
    assert (first.preview, first.chars, first.phase) == ("z" * 200, 300, None)
    arguments = first.tool_calls[0].arguments
    assert arguments["source"] == "x" * 500 + "…"
    assert isinstance(arguments["options"], str) and len(arguments["options"]) == 501
    assert arguments["n"] == 3
    assert (second.result_chars, second.n_errors) == (2, 0)


def test_correction_survives_a_new_segmentation_until_it_is_taken_back(store: Store) -> None:
    trajectory = example_trajectory()
    store.trajectories.add_batch([new(trajectory)])
    store.trajectories.correct_phase(trajectory.id, 1, "plan", by="rater-1")
    store.trajectories.replace_analysis(trajectory.id, replace(example_analysis(queries=9), version="rules-2"))
    analysis = store.trajectories.analysis(trajectory.id)
    assert (analysis.version, analysis.activity.queries) == ("rules-2", 9)
    corrected = analysis.phases[1]
    assert (corrected.phase, corrected.confidence, corrected.source) == ("plan", 1.0, "person")
    outlined = store.trajectories.outline(trajectory.id)[1]
    assert (outlined.phase, outlined.phase_source) == ("plan", "person")
    store.trajectories.correct_phase(trajectory.id, 1, None, by="rater-1")
    assert store.trajectories.analysis(trajectory.id).phases[1].phase == "research"


def test_correction_of_a_step_that_is_not_there_is_refused(store: Store) -> None:
    trajectory = example_trajectory()
    store.trajectories.add_batch([new(trajectory)])
    with pytest.raises(NotFoundError, match="no step 6"):
        store.trajectories.correct_phase(trajectory.id, 6, "plan", by="rater-1")


def test_supports_change_their_citation_and_the_counts(store: Store) -> None:
    trajectory = example_trajectory()
    store.trajectories.add_batch([new(trajectory)])
    store.trajectories.set_supports(trajectory.id, {0: "supported"})
    row = store.trajectories.row(trajectory.id)
    assert row.citations_by_support["supported"] == 1
    assert row.citations_by_support["not_checked"] == 1
    assert [c.support for c in store.trajectories.analysis(trajectory.id).citations] == ["supported", "not_checked"]


def test_prefix_of_an_id_is_resolved(store: Store) -> None:
    trajectory = example_trajectory()
    store.trajectories.add_batch([new(trajectory)])
    assert store.trajectories.resolve(trajectory.id[:8]) == trajectory.id
    assert store.trajectories.resolve(trajectory.id[2:8]) == trajectory.id
    with pytest.raises(BadInputError, match="too short"):
        store.trajectories.resolve("t-1")
    with pytest.raises(NotFoundError, match="no trajectory"):
        store.trajectories.resolve("t-zzzz")


def test_prefix_that_fits_several_is_refused(store: Store) -> None:
    store.trajectories.add_batch(many(300))  # more ids than two hexadecimal digits can tell apart
    ids = sorted(store.trajectories.ids(TrajectoryFilter()))
    alike = next(a for a, b in pairwise(ids) if a[:4] == b[:4])
    with pytest.raises(BadInputError, match="fits several"):
        store.trajectories.resolve(alike[:4])


def test_iterate_gives_all_in_the_order_of_import(store: Store) -> None:
    items = many(7)
    store.trajectories.add_batch(items)
    assert list(store.trajectories.iterate(TrajectoryFilter(), batch=3)) == [item.trajectory for item in items]


def test_unknown_id_is_said_so(store: Store) -> None:
    with pytest.raises(NotFoundError, match="no trajectory 't-none'"):
        store.trajectories.get("t-none")


def test_columns_of_all_steps_say_what_the_outline_says(store: Store) -> None:
    trajectory = example_trajectory()
    odd = Step(
        "assistant", tool_calls=(ToolCall("c3", "half \ud800 a pair", "code", {}), ToolCall("c4", "b", "other", {}))
    )
    trajectory = replace(trajectory, steps=(*trajectory.steps, odd))
    store.trajectories.add_batch([new(trajectory)])
    store.trajectories.correct_phase(trajectory.id, 1, "plan", by="rater-1")
    outline, columns = store.trajectories.outline(trajectory.id), store.trajectories.step_columns(trajectory.id)
    assert columns.role == [step.role for step in outline]
    assert columns.phase == [step.phase for step in outline]
    assert columns.by_person == (1,)
    assert columns.calls == [tuple((call.kind, call.name) for call in step.tool_calls) for step in outline]
    assert columns.words == [step.chars + step.reasoning_chars for step in outline]
    assert columns.results == [step.result_chars for step in outline]
    assert columns.errors == [step.n_errors for step in outline]
    assert store.trajectories.outline(trajectory.id, 2, 4) == outline[2:4]
    assert store.trajectories.citations(trajectory.id) == store.trajectories.analysis(trajectory.id).citations
