"""Frames: the columns and dtypes that the page says, the app's filters, and the same facts as the store's."""

import subprocess
import sys
from dataclasses import fields
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, get_type_hints

import pandas as pd
import pytest

import workbench
from workbench.errors import BadInputError, StoreError
from workbench.notebook import TABLES, Workbench
from workbench.notebook.columns import as_markdown, columns_of
from workbench.notebook.filters import NAMES, Filters
from workbench.schema.ballot import Assignment, Ballot, Round, Vote
from workbench.store import Store, TrajectoryFilter

CHECKOUT = Path(__file__).resolve().parents[3]
BODIED = ("runs", "trajectories", "steps", "citations", "grades", "ballots", "votes")


def dtypes(frame: pd.DataFrame) -> dict[str, str]:
    return {str(name): str(dtype) for name, dtype in frame.dtypes.items()}


def expected(table: str, bodies: bool) -> dict[str, str]:
    return {column.name: column.dtype for column in columns_of(table, bodies=bodies)}


def test_the_page_says_what_the_code_gives() -> None:
    assert (CHECKOUT / "docs" / "frames.md").read_text(encoding="utf-8") == as_markdown()


@pytest.mark.parametrize("table", list(TABLES))
def test_full_and_empty_frames_have_the_columns_and_dtypes_of_the_page(table: str, sqlite_opened: Workbench) -> None:
    absent = {} if table in ("runs", "ballots", "votes") else {"run": "no-such-run"}
    for bodies in (False, True) if table in BODIED else (False,):
        read = partial(getattr(sqlite_opened, table), **({"bodies": True} if bodies else {}))
        assert dtypes(read()) == dtypes(read(**absent)) == expected(table, bodies)
        assert len(read(**absent)) == 0 or table == "runs"


def test_the_frames_of_a_filter_hold_those_that_the_store_lists(opened: Workbench, filled: Store) -> None:
    wanted = TrajectoryFilter(run="run-a")
    assert tuple(opened.trajectories(run="run-a")["trajectory_id"]) == filled.trajectories.ids(wanted)
    for frame in (opened.steps(run="run-a"), opened.phases(run="run-a"), opened.citations(run="run-a")):
        assert tuple(dict.fromkeys(frame["trajectory_id"])) == filled.trajectories.ids(wanted)
    assert len(opened.trajectories(text="lighthouses -harbour")) == 0
    assert len(opened.trajectories(text="lighthouses")) == 4


def test_values_out_of_a_frame_are_filters(opened: Workbench) -> None:
    frame = opened.trajectories()
    assert len(opened.steps(ids=frame["trajectory_id"].iloc[:2], policy_step=frame["policy_step"].iloc[0])) == 12
    has_report: Any = (frame["report_chars"] > 0).any()  # numpy's own kind of truth
    assert len(opened.trajectories(run=frame["run"].unique(), has_report=has_report)) == 4
    assert len(opened.trajectories(ids=())) == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"modle": "x"}, "did you mean 'model'"),
        ({"outcome": "done"}, "expected one of completed"),
        ({"retrieval": "found"}, "expected one of opened"),
        ({"support": "maybe"}, "expected one of supported"),
        ({"figures": "tool_call:1..2"}, "did you mean 'tool_calls'"),
        ({"figures": "tool_calls"}, "expected such as tool_calls:5..9"),
        ({"has_report": "yes"}, "expected True or False"),
        ({"policy_step": 1.5}, "whole number"),
        ({"run": 3}, "expected a text or several"),
        ({"min_score": 0.5}, "add grader="),
        ({"min_score": float("nan"), "grader": "g"}, "expected a number"),
    ],
)
def test_a_filter_that_is_wrong_is_a_sentence(given: dict[str, Any], said: str, sqlite_opened: Workbench) -> None:
    for read in (sqlite_opened.trajectories, sqlite_opened.steps, sqlite_opened.phases, sqlite_opened.grades):
        with pytest.raises(BadInputError, match=said):
            read(**given)


def test_the_keywords_are_the_fields_of_the_app_s_filter() -> None:
    assert set(get_type_hints(Filters)) == {field.name for field in fields(TrajectoryFilter)} == set(NAMES)


def test_a_grader_decides_the_score_and_which_grades(opened: Workbench) -> None:
    assert opened.trajectories(grader="g")["score"].tolist()[0] == 0.5
    assert opened.trajectories(grader="g", min_score=0.1)["score"].tolist() == [0.5]
    assert opened.grades(grader="g")["grader"].tolist() == ["g"]
    failed = opened.grades(grader="h", bodies=True)
    assert failed["score"].isna().all()
    assert failed["reason"].tolist() == ["no verdict"]


def test_totals_follow_a_person_s_corrections(opened: Workbench, filled: Store) -> None:
    first = filled.trajectories.ids(TrajectoryFilter())[0]
    filled.trajectories.correct_phase(first, 1, "plan", by="someone")
    frame = opened.phases()
    corrected = frame[frame["trajectory_id"] == first].set_index("phase")
    assert corrected["steps"].to_dict() == {"plan": 2, "research": 3, "synthesis": 1}
    assert corrected["tool_calls"].to_dict() == {"plan": 1, "research": 1, "synthesis": 0}
    others = frame[frame["trajectory_id"] != first]
    assert others["phase"].tolist() == ["plan", "research", "synthesis"] * 3
    assert others["steps"].tolist() == [1, 4, 1] * 3


def test_ballots_of_an_open_round_do_not_say_whose_the_sides_were(opened: Workbench, filled: Store) -> None:
    left, right = filled.trajectories.ids(TrajectoryFilter())[0], filled.trajectories.ids(TrajectoryFilter())[3]
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assignment = Assignment("as-1", "r-1", "rater-1", "q", left, right, 0)
    round_ = Round("r-1", "first", ("run-a", "run-b"), {"depth": "?"}, False, "open", 1, False, now)
    filled.human.create_round(round_, [assignment])
    ballot = Ballot("as-1", "r-1", "rater-1", "left", {"depth": (4, 2)}, "better", 9.5, now)
    filled.human.cast(ballot, idempotency_key="k")
    frame = opened.ballots(bodies=True)
    assert frame["left"].isna().all()
    assert frame["right"].isna().all()
    assert frame[["verdict", "scores", "reason"]].to_numpy().tolist() == [["left", '{"depth":[4,2]}', "better"]]
    assert len(opened.votes()) == 0
    filled.human.close_round("r-1", now)
    assert opened.ballots(round="r-1")[["left", "right"]].to_numpy().tolist() == [[left, right]]
    assert opened.votes()["winner"].tolist() == ["model_a"]


def test_imported_votes_are_there_too(opened: Workbench, filled: Store) -> None:
    filled.human.add_votes([Vote("x", "y", "tie", source="arena", ordinal=0)])
    assert opened.votes(source="arena")[["model_a", "winner"]].to_numpy().tolist() == [["x", "tie"]]


def test_records_are_those_of_the_store(opened: Workbench, filled: Store) -> None:
    trajectories = list(opened.iter_trajectories(run="run-a"))
    assert [one.id for one in trajectories] == list(filled.trajectories.ids(TrajectoryFilter(run="run-a")))
    steps = [record.step for record in opened.iter_steps(run="run-a")]
    assert steps == [step for one in trajectories for step in one.steps]
    first = trajectories[0].id
    assert tuple(r.citation for r in opened.iter_citations(ids=first)) == filled.trajectories.analysis(first).citations
    assert tuple(record.grade for record in opened.iter_grades()) == filled.grades.for_trajectory(first)


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store"):
        workbench.open(f"sqlite:///{tmp_path / 'no.db'}")
    assert list(tmp_path.iterdir()) == []


def test_importing_the_package_brings_nothing() -> None:
    code = (
        "import workbench, sys; print([n for n in sys.modules if n.startswith(('workbench.', 'sqlalchemy', 'pandas'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
