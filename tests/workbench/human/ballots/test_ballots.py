"""Votes from and to files: nothing lost, nothing twice, bad rows set aside with a reason."""

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.shared_data import shared
from tests.workbench.human.conftest import Opened
from tests.workbench.human.sample import RUNS
from tests.workbench.human.votes import llmfao_votes, vote
from workbench.errors import BadInputError
from workbench.human.ballots import export_votes, import_votes
from workbench.human.ballots.arena import row_of, vote_of
from workbench.human.ballots.reading import escape_cell, unescape_cell
from workbench.human.rounds import close_round
from workbench.human.votes import counted_votes
from workbench.schema.ballot import Ballot, Vote
from workbench.store import Store

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
NAME = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=8)
SCORES = st.dictionaries(NAME, st.tuples(st.integers(1, 5), st.integers(1, 5)), max_size=3)


@st.composite
def votes_of_a_file(draw: st.DrawFn) -> list[Vote]:
    size = draw(st.integers(1, 5))
    found = []
    for ordinal in range(size):
        a, b = draw(st.lists(NAME, min_size=2, max_size=2, unique=True))
        winner = draw(st.sampled_from(["model_a", "model_b", "tie", "both_bad", "both_good", "both_fair"]))
        found.append(
            vote(a, b, winner, rater=draw(TEXT), question_id=draw(TEXT), source="s", ordinal=ordinal,
                 reason=draw(TEXT), scores=draw(SCORES))
        )  # fmt: skip
    return found


@given(votes=votes_of_a_file(), suffix=st.sampled_from([".csv", ".jsonl"]))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_export_then_import_gives_the_same_votes(
    votes: Sequence[Vote], suffix: str, sqlite_store: Store, tmp_path: Path
) -> None:
    from workbench.human.ballots.importing import _vote
    from workbench.human.ballots.reading import read_rows

    path = tmp_path / f"votes{suffix}"
    export_votes(sqlite_store, votes, path)
    back = [_vote(row, row.fields, {}, source="other", ordinal=99) for row in read_rows(path)]
    assert back == list(votes)


def test_export_of_a_store_goes_into_another_and_back_without_change(store: Store, tmp_path: Path) -> None:
    votes = [
        vote("a", "b", "both_good", source="one", rater="r", question_id="q", reason="=1+1", scores={"depth": (1, 5)}),
        vote("b", "c", "both_fair", source="one", ordinal=1, reason='line\nbreak, "quoted"'),
    ]  # fmt: skip
    store.human.add_votes(votes)
    for suffix in (".csv", ".jsonl"):
        path = tmp_path / f"votes{suffix}"
        assert export_votes(store, store.human.votes(), path).exported == 2
        found = import_votes(store, path, quarantine_dir=tmp_path / "q")
        assert (found.read, found.imported, found.duplicates, found.quarantined) == (2, 0, 2, 0)
    assert store.human.votes() == tuple(votes)


def test_llmfao_comes_in_whole_by_naming_its_columns(store: Store, tmp_path: Path) -> None:
    path = shared("llmfao-pairwise-elo-golden/llmfao.csv")
    columns = {"model_a": "left", "model_b": "right", "rater": "worker", "question_id": "prompt"}
    found = import_votes(store, path, quarantine_dir=tmp_path / "q", columns=columns)
    assert (found.read, found.imported, found.quarantined, found.quarantine_path) == (8931, 8931, 0, None)
    expected = [replace(one, source="llmfao.csv") for one in llmfao_votes(path)]
    assert counted_votes(store, source="llmfao.csv").votes == tuple(expected)
    again = import_votes(store, path, quarantine_dir=tmp_path / "q", columns=columns)
    assert (again.imported, again.duplicates) == (0, 8931)


def test_bad_rows_are_set_aside_with_their_line_and_never_take_good_ones_along(store: Store, tmp_path: Path) -> None:
    lines = [
        b'{"model_a": "a", "model_b": "b", "winner": "model_a"}',
        b"not json",
        b'{"model_a": "a", "model_b": "b"}',
        b'{"model_a": "a", "model_b": "a", "winner": "tie"}',
        b'{"model_a": "a", "model_b": "b", "winner": "model_c"}',
        b'["a", "b"]',
        b'{"model_a": "a", "model_b": "b", "winner": "tie", "scores": {"depth": [0, 9]}}',
        b'{"model_a": "a", "model_b": "b\\u0000", "winner": "tie"}',
        b'{"model_a": "a", "model_b": "b", "winner": "tie", "rater": "\xff"}',
        b"",
        b'{"model_a": "a", "model_b": "b", "winner": "tie (bothbad)", "rater": 7}',
    ]
    path = tmp_path / "votes.jsonl"
    path.write_bytes(b"\n".join(lines))
    found = import_votes(store, path, quarantine_dir=tmp_path / "q")
    assert (found.read, found.imported, found.duplicates, found.quarantined) == (10, 2, 0, 8)
    assert found.quarantine_path is not None
    kept = [json.loads(line) for line in found.quarantine_path.read_text().splitlines()]
    assert [row["line"] for row in kept] == [2, 3, 4, 5, 6, 7, 8, 9]
    reasons = [row["reason"] for row in kept]
    assert "no winner; expected model_a, model_b and winner" in reasons[1]
    assert "both sides are 'a'" in reasons[2]
    assert "expected one of model_a, model_b, tie, both_bad, both_good, both_fair" in reasons[3]
    assert [v.winner for v in store.human.votes()] == ["model_a", "both_bad"]
    assert store.human.votes()[1].rater == "7"


def test_csv_rows_of_the_wrong_width_and_broken_bytes_are_set_aside(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_bytes(b"\xef\xbb\xbfmodel_a,model_b,winner\na,b,tie\na,b\na,b,tie,x\n\na,\xff,tie\nb,a,LEFT\n")
    found = import_votes(store, path, quarantine_dir=tmp_path / "q")
    assert (found.read, found.imported, found.quarantined) == (5, 2, 3)
    assert found.quarantine_path is not None
    kept = [json.loads(line) for line in found.quarantine_path.read_text().splitlines()]
    assert [row["line"] for row in kept] == [3, 4, 6]
    assert kept[0]["reason"] == "2 cells under 3 columns"
    assert [v.winner for v in store.human.votes()] == ["tie", "model_a"]


def test_same_name_with_another_content_is_said_and_not_hidden(store: Store, tmp_path: Path) -> None:
    for folder, winner in (("one", "model_a"), ("two", "model_b")):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "votes.jsonl"
        path.write_text(json.dumps({"model_a": "a", "model_b": "b", "winner": winner}) + "\n")
        found = import_votes(store, path, quarantine_dir=tmp_path / "q")
    assert (found.imported, found.duplicates, found.quarantined) == (0, 0, 1)
    assert found.quarantine_path is not None
    assert "import it with --source NAME" in found.quarantine_path.read_text()
    assert import_votes(store, path, quarantine_dir=tmp_path / "q", source="other").imported == 1


def cast_all(opened: Opened) -> None:
    for number, one in enumerate(opened.store.human.assignments(opened.round.id)):
        verdict = ("left", "both_good", "right")[number % 3]
        ballot = Ballot(one.id, opened.round.id, one.rater, verdict, {"depth": (1, 2)}, "why")  # type: ignore[arg-type]
        opened.store.human.cast(ballot, idempotency_key=f"key-{number}")


def test_votes_of_an_open_round_stay_hidden(opened: Opened) -> None:
    cast_all(opened)
    with pytest.raises(BadInputError, match="names are hidden until it closes"):
        counted_votes(opened.store, round_id=opened.round.id)
    everything = counted_votes(opened.store)
    assert (everything.votes, everything.n_hidden) == ((), 8)
    assert "8 ballots of open rounds are not counted" in everything.notes()[0]


def test_ballots_set_aside_are_not_counted_and_that_is_said(opened: Opened) -> None:
    cast_all(opened)
    opened.store.human.set_aside(opened.store.human.assignments(opened.round.id)[0].id, "too fast")
    close_round(opened.store, opened.round.id)
    found = counted_votes(opened.store, round_id=opened.round.id)
    assert (len(found.votes), found.n_set_aside) == (7, 1)
    assert found.notes() == ("1 ballots set aside are not counted",)
    assert {vote.model_a for vote in found.votes} <= {RUNS[0].model, RUNS[1].model}


def test_export_of_a_round_does_not_count_twice_when_it_comes_back(opened: Opened, tmp_path: Path) -> None:
    cast_all(opened)
    close_round(opened.store, opened.round.id)
    votes = counted_votes(opened.store).votes
    path = tmp_path / "round.jsonl"
    export_votes(opened.store, votes, path)
    assert "What holds back harbour number" in path.read_text()
    found = import_votes(opened.store, path, quarantine_dir=tmp_path / "q")
    assert (found.imported, found.duplicates, found.quarantined) == (0, 8, 0)
    assert counted_votes(opened.store).votes == votes


def test_two_checkpoints_of_one_model_are_told_apart_by_run(sqlite_store: Store) -> None:
    from tests.workbench.human.sample import SampleRun, add, question, report, trajectory_of
    from workbench.human.rounds import create_round, plan_round

    early, late = SampleRun("step-50", "policy-1b"), SampleRun("step-200", "policy-1b")
    for run in (early, late):
        add(sqlite_store, trajectory_of(run, question(1), report(run, 1)))
    plan = plan_round(sqlite_store, runs=["step-50", "step-200"], raters=1)
    round_, _ = create_round(sqlite_store, plan, name="n")
    (one,) = sqlite_store.human.assignments(round_.id)
    sqlite_store.human.cast(Ballot(one.id, round_.id, one.rater, "left"), idempotency_key="k")
    close_round(sqlite_store, round_.id)
    (found,) = counted_votes(sqlite_store).votes
    assert {found.model_a, found.model_b} == {"step-50", "step-200"}


@pytest.mark.parametrize("name", ["votes.xlsx", "votes", "absent.csv"])
def test_file_that_is_none_of_ours_is_refused(sqlite_store: Store, tmp_path: Path, name: str) -> None:
    if not name.startswith("absent"):
        (tmp_path / name).write_text("x")
    with pytest.raises(BadInputError):
        import_votes(sqlite_store, tmp_path / name, quarantine_dir=tmp_path / "q")


@given(TEXT)
def test_cells_are_harmless_to_a_spreadsheet_and_come_back(text: str) -> None:
    assert escape_cell(text)[:1] not in ("=", "+", "-", "@", "\t", "\r")
    assert unescape_cell(escape_cell(text)) == text


def test_csv_cell_that_would_be_a_formula_is_written_behind_an_apostrophe(sqlite_store: Store, tmp_path: Path) -> None:
    export_votes(sqlite_store, [vote("a", "b", reason="=cmd()")], tmp_path / "votes.csv")
    with (tmp_path / "votes.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["reason"] == "'=cmd()"


def test_question_text_gives_the_identity_where_there_is_no_id() -> None:
    row = {"model_a": "a", "model_b": "b", "winner": "tie", "question": "Which  harbour?"}
    found = vote_of(row, source="s", ordinal=0)
    assert found.question_id.startswith("q-")
    assert vote_of(row_of(found, question="Which harbour?"), source="s", ordinal=0) == found
