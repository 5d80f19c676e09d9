"""Rounds, ballots and ratings from the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.workbench.human.research_sample import fill_traced
from tests.workbench.human.sample import RUNS, add, fill, trajectory_of
from workbench.cli.main import main
from workbench.human.rounds.invitations import token_hash
from workbench.schema.ballot import Ballot
from workbench.store import Store

Run = Any


@pytest.fixture
def run(sqlite_store: Store, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a verb with --json on the test's store: (exit code, answer or None, stderr)."""

    def call(*argv: str) -> tuple[int, Any, str]:
        capsys.readouterr()
        code = main(["--store", sqlite_store.url, "--json", *argv])
        printed = capsys.readouterr()
        return code, json.loads(printed.out) if printed.out else None, printed.err

    return call


def create(run: Run, *more: str) -> Any:
    code, answer, _ = run(
        "rounds", "create", "--run", RUNS[0].name, "--run", RUNS[1].name, "--name", "first", "--raters", "2", *more
    )
    assert code == 0
    return answer


def test_created_round_prints_its_links_once(run: Run, sqlite_store: Store) -> None:
    fill(sqlite_store, questions=4, missing=1)
    answer = create(run, "--overlap", "2", "--url", "https://rate.example", "--seed", "7", "--reason", "required")
    assert (answer["pairs"], answer["ballots"], answer["seed"]) == (3, 6, 7)
    assert answer["left_out"]["missing_side"] == {RUNS[0].name: 0, RUNS[1].name: 1}
    links = [one["link"] for one in answer["invitations"]]
    assert all(link.startswith("https://rate.example/r/") for link in links)
    assert len({token_hash(link.rpartition("/")[2]) for link in links}) == 2
    _, shown, _ = run("rounds", "show", answer["round"])
    assert shown["runs"] is None and shown["n_runs"] == 2
    assert links[0].rpartition("/")[2] not in json.dumps(shown)


def test_round_from_create_to_ratings(run: Run, sqlite_store: Store) -> None:
    fill(sqlite_store, questions=4)
    round_id = create(run, "--dimension", "none")["round"]
    for number, one in enumerate(sqlite_store.human.assignments(round_id)):
        first_is_left = sqlite_store.trajectories.get(one.left).run == RUNS[0].name
        wins = number != 0  # the first run wins all but one
        verdict = "left" if wins == first_is_left else "right"
        sqlite_store.human.cast(Ballot(one.id, round_id, one.rater, verdict), idempotency_key=one.id)  # type: ignore[arg-type]
    code, _, said = run("ratings", "--round", round_id)
    assert code == 2 and "names are hidden until it closes" in said
    assert run("rounds", "close", "first")[1]["runs"] == [RUNS[0].name, RUNS[1].name]
    code, table, _ = run("ratings", "--round", "first")
    assert code == 0
    assert {"method", "n_ballots", "ratings", "agreement"} <= set(table)
    assert {"name", "rating", "ci_low", "ci_high", "wins", "ties", "losses"} <= set(table["ratings"][0])
    best = table["ratings"][0]
    assert (best["name"], best["wins"], best["losses"], best["win_score"]) == (RUNS[0].model, 3, 1, 0.75)
    assert best["rating"] == pytest.approx(1000 + 200 * 0.4771, abs=0.1)  # odds of three to one
    assert best["running_elo"] != best["rating"]
    assert table["agreement"]["alpha"] is None
    _, elo, _ = run("ratings", "--method", "elo")
    assert elo["depends_on_order"] is True and elo["ratings"][0]["ci_low"] is None


def test_plan_says_ballots_widths_and_what_is_lost_and_makes_nothing(run: Run, sqlite_store: Store) -> None:
    fill(sqlite_store, runs=3, questions=4)
    runs = [part for one in RUNS for part in ("--run", one.name)]
    code, answer, _ = run("rounds", "create", *runs, "--raters", "2", "--plan", "--width", "90")
    assert code == 0
    assert (answer["ballots"], answer["forecast"]["minutes"]) == (12, 48)
    assert answer["assumptions"]["measured_on_ballots"] == 0
    assert {one["name"]: one["n_ballots"] for one in answer["alternatives"]} == {
        f"{RUNS[0].name} against each": 8,
        "2 of 4 questions": 6,
    }
    assert answer["need"]["raters"] is None or answer["need"]["overlap"] > 1
    assert sqlite_store.human.rounds() == ()
    code, _, said = run("rounds", "create", *runs, "--raters", "2")
    assert code == 2 and "a round needs a name" in said


def test_pairs_create_and_extend_are_the_verbs_of_rounds(run: Run, sqlite_store: Store) -> None:
    fill(sqlite_store, questions=6)
    runs = ("--run", RUNS[0].name, "--run", RUNS[1].name)
    active = ("--design", "active", "--ballots", "6", "--batch", "2")
    code, made, _ = run("pairs", "create", *runs, "--name", "first", "--raters", "2", *active)
    assert (code, made["ballots"], made["budget"], len(made["invitations"])) == (0, 2, 6, 2)
    assert run("rounds", "show", made["round"])[1]["name"] == "first"
    assert run("pairs", "extend", "first")[1]["added"] == 2


def test_active_round_is_extended_without_a_word_on_who_leads(run: Run, sqlite_store: Store) -> None:
    fill(sqlite_store, questions=6)
    made = create(run, "--design", "active", "--ballots", "6", "--batch", "2")
    assert (made["ballots"], made["budget"], made["batch"]) == (2, 6, 2)
    code, answer, said = run("rounds", "extend", made["round"])
    assert code == 0
    assert answer == {"round": made["round"], "added": 2, "waiting": 2, "left": 2}
    assert "were still to be rated" in said


def test_ratings_hold_style_and_raters_equal_beside_the_plain_ones(run: Run, sqlite_store: Store) -> None:
    fill(sqlite_store, questions=12)
    round_id = create(run, "--dimension", "none", "--overlap", "2")["round"]
    for number, one in enumerate(sqlite_store.human.assignments(round_id)):
        verdict = ("left", "right", "left", "both_good")[number % 4]
        sqlite_store.human.cast(Ballot(one.id, round_id, one.rater, verdict), idempotency_key=one.id)  # type: ignore[arg-type]
    run("rounds", "close", round_id)
    code, table, _ = run("ratings", "--raters")
    assert code == 0
    assert {row["name"] for row in table["adjusted"]["ratings"]} == {RUNS[0].model, RUNS[1].model}
    assert [one["n"] for one in table["adjusted"]["raters"]] == [12, 12]
    assert table["adjusted"]["left_share"]["value"] > 0.5
    assert "adjusted" not in run("ratings")[1]
    code, _, said = run("ratings", "--style")
    assert code == 2 and "style cannot be told from the models" in said  # the sample's reports have one style a run


def test_ratings_on_a_dimension_and_against_a_baseline(run: Run, sqlite_store: Store) -> None:
    fill(sqlite_store, questions=6)
    round_id = create(run, "--dimension", "depth=How deep?")["round"]
    for one in sqlite_store.human.assignments(round_id):
        first = sqlite_store.trajectories.get(one.left).run == RUNS[0].name
        scores = {"depth": (5, 2) if first else (2, 5)}
        ballot = Ballot(one.id, round_id, one.rater, "both_good", scores)
        sqlite_store.human.cast(ballot, idempotency_key=one.id)
    run("rounds", "close", round_id)
    code, table, _ = run("ratings", "--dimension", "depth", "--baseline", RUNS[1].model)
    assert code == 0
    assert {row["name"]: row["wins"] for row in table["ratings"]} == {RUNS[0].model: 6, RUNS[1].model: 0}
    (against,) = table["against"]["models"]
    assert (against["name"], against["wins"], against["win_score"]["value"]) == (RUNS[0].model, 6, 1.0)
    code, _, said = run("ratings", "--dimension", "colour")
    assert code == 2 and "dimensions are depth" in said
    code, _, said = run("rounds", "missed", round_id, "--grader", "judge")
    assert code == 2 and "not measured: 0 votes on reports that judge scored both" in said


def test_quality_set_aside_and_audit_from_the_command_line(run: Run, sqlite_store: Store, tmp_path: Path) -> None:
    fill(sqlite_store, questions=12)
    round_id = create(run, "--dimension", "none", "--training", "1", "--attention", "2", "--repeats", "1")["round"]
    for one in sqlite_store.human.assignments(round_id):
        ballot = Ballot(one.id, round_id, one.rater, "left", seconds=4.0)
        sqlite_store.human.cast(ballot, idempotency_key=one.id)
    _, quality, _ = run("rounds", "raters", "first")
    assert [one["n"] for one in quality["raters"]] == [6, 6]
    assert all(one["attention"]["n"] == 2 for one in quality["raters"])
    code, answer, _ = run("ballots", "set-aside", "--round", "first", "--rater", "rater-2", "--reason", "too fast")
    assert (code, answer["ballots"]) == (0, 10)
    code, _, said = run("rounds", "close", "first")
    assert code == 0 and "head of its log" in said
    assert run("ratings")[1]["n_ballots"] == 6
    code, answer, _ = run("ballots", "audit", "first")
    assert (code, answer["problems"], answer["ballots"]) == (0, [], 20)
    assert run("ballots", "audit", "first", "--head", answer["head"])[0] == 0
    assert run("ballots", "audit", "first", "--head", "f" * 64)[0] == 3
    code, answer, _ = run("ballots", "preferences", str(tmp_path / "pairs.jsonl"))
    assert (code, answer["pairs"], answer["undecided"]) == (0, 6, 0)


def test_lost_link_is_replaced_and_a_revoked_one_ends(run: Run, sqlite_store: Store) -> None:
    fill(sqlite_store)
    created = create(run)
    code, again, _ = run("rounds", "invite", created["round"], "rater-1")
    assert code == 0 and again["link"] != created["invitations"][0]["link"]
    assert run("rounds", "revoke", created["round"], "rater-2")[0] == 0
    rows = {row["rater"]: row["revoked"] for row in run("rounds", "show", created["round"])[1]["raters"]}
    assert rows == {"rater-1": False, "rater-2": True}
    assert run("rounds", "invite", created["round"], "nobody")[0] == 2
    assert run("rounds", "list")[1]["total"] == 1


def test_ballots_go_in_and_out(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "votes.jsonl"
    rows = [{"model_a": "a", "model_b": "b", "winner": winner} for winner in ("model_a", "tie", "nonsense")]
    path.write_text("\n".join(map(json.dumps, rows)))
    code, answer, _ = run("ballots", "import", str(path))
    assert code == 3
    assert (answer["read"], answer["imported"], answer["duplicates"], answer["quarantined"]) == (3, 2, 0, 1)
    assert "winner is 'nonsense'" in Path(answer["quarantine_path"]).read_text()
    out = tmp_path / "out.csv"
    assert run("ballots", "export", str(out))[1]["exported"] == 2
    assert run("ballots", "import", str(out))[1]["duplicates"] == 2


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["ratings", "--method", "glicko"], "expected one of bradley-terry, davidson, elo"),
        (["ratings", "--cluster", "moon"], "expected one of auto"),
        (["ratings", "--source", "nowhere"], "no votes were imported as 'nowhere'"),
        (["ballots", "import", "/nowhere.csv"], "no such file"),
        (["ballots", "export", "/tmp/x.xlsx"], "votes are written to .csv or .jsonl"),
        (["rounds", "show", "r-none"], "no round"),
        (["ballots", "set-aside", "--reason", "x"], "name one ballot by its ASSIGNMENT"),
        (["ballots", "preferences", "/tmp/x.csv"], "written to .jsonl"),
        (["rounds", "create", "--run", "vessel-7b_run", "--run", "quill-xl_run", "--name", "n", "--raters", "1",
          "--dimension", "charm"], "give it a guidance"),
    ],
)  # fmt: skip
def test_bad_input_gets_a_sentence(run: Run, sqlite_store: Store, argv: list[str], sentence: str) -> None:
    fill(sqlite_store)
    code, answer, said = run(*argv)
    assert (code, answer) == (2, None)
    assert sentence in " ".join(said.split())


def test_name_that_two_rounds_have_is_not_guessed(run: Run, sqlite_store: Store) -> None:
    fill(sqlite_store)
    ids = [create(run)["round"] for _ in range(2)]
    code, _, said = run("rounds", "show", "first")
    assert code == 2
    assert all(one in said for one in ids)


def test_round_on_research_says_what_it_shows_and_which_pairs_it_set_aside(run: Run, sqlite_store: Store) -> None:
    fill_traced(sqlite_store, questions=2)
    add(sqlite_store, *(trajectory_of(one, "Asked without a trace?", "No tool was called.") for one in RUNS[:2]))
    answer = create(run, "--shows", "research")
    assert answer["page"]["shows"] == "research"
    assert answer["set_aside"] == {"one of the two runs called no tool: there is no research to show": 1}
    assert (answer["pairs"], answer["assigned"]) == (3, 2)
    code, _, said = run(
        "rounds", "create", "--run", RUNS[0].name, "--run", RUNS[1].name, "--name", "x", "--raters", "1",
        "--shows", "rewrites",
    )  # fmt: skip
    assert code == 2 and "workbench diagnose" in said
