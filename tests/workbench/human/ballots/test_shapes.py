"""Votes of PandaLM, AlpacaEval and MT-Bench come in as they are; preference pairs go out for DPO."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.shared_data import shared
from tests.workbench.human.sample import RUNS, fill
from workbench.errors import BadInputError
from workbench.human.agreement import rater_agreement
from workbench.human.ballots import import_votes
from workbench.human.ballots.arena import RowError
from workbench.human.ballots.preferences import export_preferences
from workbench.human.ballots.shapes import arena_rows
from workbench.human.rounds import close_round, create_round, plan_round
from workbench.human.votes import counted_votes
from workbench.schema.ballot import Ballot
from workbench.store import Store


def test_pandalm_is_one_vote_an_annotator(sqlite_store: Store, tmp_path: Path) -> None:
    path = shared("pandalm-human-pairwise/testset-v1.json")
    rows = json.loads(path.read_text())
    found = import_votes(sqlite_store, path, quarantine_dir=tmp_path)
    assert (found.read, found.imported, found.quarantined) == (3 * len(rows), 3 * len(rows), 0)
    votes = sqlite_store.human.votes(source=path.name)
    assert {vote.rater for vote in votes} == {"annotator1", "annotator2", "annotator3"}
    assert {0: "tie", 1: "model_a", 2: "model_b"}[rows[0]["annotator1"]] == votes[0].winner
    assert rater_agreement(votes, seed=0).n_raters == 3
    again = import_votes(sqlite_store, path, quarantine_dir=tmp_path)
    assert (again.imported, again.duplicates) == (0, 3 * len(rows))


@pytest.mark.parametrize(
    ("preference", "winner"), [(1, "model_a"), (2.0, "model_b"), (1.5, "tie"), (0, "tie"), (1.02, "model_a")]
)
def test_alpacaeval_preference_is_1_to_2(preference: float, winner: str) -> None:
    row = {"generator_1": "base", "generator_2": "new", "preference": preference, "annotator": "j", "instruction": "q"}
    (found,) = arena_rows(row)
    assert (found["model_a"], found["model_b"], found["winner"], found["rater"]) == ("base", "new", winner, "j")


@pytest.mark.parametrize("preference", [None, 3, -1, "1", True])
def test_failed_annotation_is_no_vote(preference: Any) -> None:
    with pytest.raises(RowError, match="preference is"):
        arena_rows({"generator_1": "base", "generator_2": "new", "preference": preference})


def test_mt_bench_of_people_keeps_turn_and_judge_apart() -> None:
    row = {"question_id": 81, "model_a": "x", "model_b": "y", "winner": "tie (inconsistent)", "turn": 2,
           "judge": ["author", "2"]}  # fmt: skip
    (found,) = arena_rows(row)
    assert (found["winner"], found["question_id"], found["rater"]) == ("tie", "mt-bench-81-turn-2", "author 2")


def test_arena_row_with_a_judge_and_a_turn_stays_as_it_is() -> None:
    row = {"question_id": "58210e39b3fd", "model_a": "x", "model_b": "y", "winner": "tie (bothbad)", "turn": 1,
           "judge": "arena_user_973"}  # fmt: skip
    assert arena_rows(row) == (row,)


@pytest.mark.parametrize(
    ("games", "winner"),
    [(("model_1", "model_1"), "model_a"), (("model_2", "model_2"), "model_b"), (("model_1", "model_2"), "tie"),
     (("model_1", "tie"), "tie"), (("tie", "tie"), "tie")],
)  # fmt: skip
def test_mt_bench_of_a_judge_counts_a_win_where_both_orders_say_so(games: tuple[str, str], winner: str) -> None:
    row = {"question_id": 81, "model_1": "x", "model_2": "y", "g1_winner": games[0], "g2_winner": games[1], "turn": 1}
    assert arena_rows(row)[0]["winner"] == winner


def test_broken_game_and_key_are_said_and_set_aside(sqlite_store: Store, tmp_path: Path) -> None:
    rows: list[Any] = [
        {"model_1": "x", "model_2": "y", "g1_winner": "error", "g2_winner": "tie"},
        {"cmp_key": "a_b_c", "instruction": "i", "annotator1": 1},
        {"cmp_key": "a_b", "instruction": "i", "annotator1": 1, "annotator2": 7},
        "a text",
        {"cmp_key": "a_b", "instruction": "i", "annotator1": 1, "annotator2": 2},
    ]
    path = tmp_path / "votes.json"
    path.write_text(json.dumps(rows))
    found = import_votes(sqlite_store, path, quarantine_dir=tmp_path / "q")
    assert (found.read, found.imported, found.quarantined) == (6, 2, 4)
    assert found.quarantine_path is not None
    said = found.quarantine_path.read_text()
    assert all(part in said for part in ("games ended as", "joined by one underscore", "annotator2 is 7", "JSON str"))


@pytest.mark.parametrize("content", ["{}", "[1,", '"text"'])
def test_json_that_is_no_array_is_refused(sqlite_store: Store, tmp_path: Path, content: str) -> None:
    path = tmp_path / "votes.json"
    path.write_text(content)
    with pytest.raises(BadInputError, match="array of votes"):
        import_votes(sqlite_store, path, quarantine_dir=tmp_path)


def test_preferences_are_what_most_raters_chose(sqlite_store: Store, tmp_path: Path) -> None:
    fill(sqlite_store, questions=3)
    plan = plan_round(sqlite_store, runs=[RUNS[0].name, RUNS[1].name], raters=3, overlap=3)
    round_, _ = create_round(sqlite_store, plan, name="p", dimensions={})
    # Question by question: all for the first run; two for it and one tie; one each and one tie.
    wanted = dict(zip(sorted({pair.question_id for pair in plan.pairs}), ("aaa", "aat", "abt"), strict=True))
    for one in sqlite_store.human.assignments(round_.id):
        said = wanted[one.question_id][int(one.rater[-1]) - 1]
        first_is_left = sqlite_store.trajectories.row(one.left).run == RUNS[0].name
        verdict = "both_good" if said == "t" else "left" if (said == "a") == first_is_left else "right"
        sqlite_store.human.cast(Ballot(one.id, round_.id, one.rater, verdict), idempotency_key=one.id)  # type: ignore[arg-type]
    path = tmp_path / "pairs.jsonl"
    assert export_preferences(sqlite_store, counted_votes(sqlite_store), path).pairs == 0  # the round is open
    close_round(sqlite_store, round_.id)
    counted = counted_votes(sqlite_store)
    found = export_preferences(sqlite_store, counted, path)
    assert (found.pairs, found.undecided) == (2, 1)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert all(RUNS[0].model in row["chosen"] and RUNS[1].model in row["rejected"] for row in rows)
    assert sorted((row["votes_for"], row["votes_against"], row["ties"]) for row in rows) == [(2, 0, 1), (3, 0, 0)]
    assert all(row["prompt"].startswith("What holds back") for row in rows)
    assert export_preferences(sqlite_store, counted, path, margin=3).pairs == 1
    with pytest.raises(BadInputError, match="expected 1 or more"):
        export_preferences(sqlite_store, counted, path, margin=0)
