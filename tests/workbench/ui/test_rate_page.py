"""The owner's page of a round: planned, watched blind, read when closed; a candidate taken over with one click."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from rubrics.judging.rubric import rubric_to_json
from rubrics.origins import origins
from rubrics.schema import load_rubric
from tests.workbench.human.sample import RUNS, add, question, report, trajectory_of
from tests.workbench.ui.pages import run_page, visible
from workbench.human.rounds import close_round, create_round, plan_round
from workbench.human.rounds.checks import Checks
from workbench.reward.lineage import lineage_of
from workbench.schema.ballot import Ballot
from workbench.schema.canonical import JsonObject
from workbench.schema.grade import CriterionVerdict, Grade
from workbench.store import Store, TrajectoryFilter, open_store

QUESTIONS = 24
REASONS = ("names every source and its date", "repeats one point over many lines", "leaves half the question open")


def rubric(name: str, criterion: str, text: str) -> JsonObject:
    return {"rubric": {"name": name, "criteria": [{"id": criterion, "text": text}]}}


@pytest.fixture
def owned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """Three runs on 24 questions. Raters follow a criterion that the grader `judge` does not count."""
    url = f"sqlite:///{tmp_path / 'store.db'}"
    monkeypatch.setenv("WORKBENCH_STORE", url)
    monkeypatch.chdir(tmp_path)
    rng = random.Random(4)
    with open_store(url) as made:
        made.grades.register("judge", "v1", "llm", rubric("judge", "dates", "Dates are given."))
        for run in RUNS:
            made.runs.ensure(run.name, model=run.model)
            for number in range(1, QUESTIONS + 1):
                (identity,) = add(made, trajectory_of(run, question(number), report(run, number)))
                verdict = CriterionVerdict("dates", "fully", float(rng.random() < 0.5))
                made.grades.add(identity, Grade("judge", "v1", "c", "scored", score=rng.random(), verdicts=(verdict,)))
        yield made


def rated(store: Store) -> str:
    """A closed round of 12 raters."""
    rng = random.Random(5)
    plan = plan_round(store, runs=[run.name for run in RUNS], raters=12, overlap=3, seed=1)
    round_, _ = create_round(store, plan, name="people say", dimensions={"depth": "How deep?"}, checks=Checks(0, 1, 1))
    dates = {
        identity: grade.verdicts[0].value or 0.0
        for run in RUNS
        for identity in store.trajectories.columns(_of(run.name))["id"]
        for grade in store.grades.for_trajectory(identity)
    }
    for one in store.human.assignments(round_.id):
        gap = 2.5 * (dates[one.left] - dates[one.right]) + rng.gauss(0, 1)
        verdict = "both_fair" if abs(gap) < 0.3 else "left" if gap > 0 else "right"
        scores = {"depth": (4, 2) if gap > 0 else (2, 4)}
        ballot = Ballot(one.id, round_.id, one.rater, verdict, scores, rng.choice(REASONS), 60.0)  # type: ignore[arg-type]
        store.human.cast(ballot, idempotency_key=one.id)
    close_round(store, round_.id)
    return round_.id


def _of(run: str) -> TrajectoryFilter:
    return TrajectoryFilter(run=run)


def test_plan_says_ballots_widths_and_what_a_smaller_one_loses(owned: Store) -> None:
    runs = ",".join(run.name for run in RUNS)
    text = visible(run_page("rate", runs=runs, design="fixed-baseline", width="120"))
    assert "48" in text and "ballots" in text
    assert "±120 Elo points" in text
    assert owned.human.rounds() == ()


def test_round_is_made_from_the_plan_and_its_links_are_shown_once(owned: Store) -> None:
    app = run_page("rate", runs=",".join(run.name for run in RUNS), raters="4", overlap="2")
    app.text_input(key="round-name").set_value("first").run()
    next(one for one in app.button if one.label.startswith("Create it")).click().run()
    (made,) = owned.human.rounds()
    assert (made.name, made.settings["overlap"], len(owned.human.raters(made.id))) == ("first", 2, 4)
    assert "/r/" in app.code[0].value and app.code[0].value.count("rater-") == 4
    next(one for one in app.button if one.label == "I have passed them on").click().run()
    assert not app.code


def test_open_round_names_no_run_and_no_model(owned: Store) -> None:
    plan = plan_round(owned, runs=[run.name for run in RUNS], raters=2, seed=1)
    create_round(owned, plan, name="still open")
    app = run_page("rate")
    text = visible(app)
    assert "hidden from everyone" in text
    assert not any(name in text for run in RUNS for name in (run.name, run.model))
    assert [one.label for one in app.segmented_control] == []


def test_closed_round_shows_ratings_bars_raters_and_reasons(owned: Store) -> None:
    round_id = rated(owned)
    ratings = visible(run_page("rate", round=round_id, equal="raters"))
    assert "Krippendorff" in ratings and "clustered by rater and question" in ratings
    on = visible(run_page("rate", round=round_id, on="depth"))
    assert "on depth" in on
    against = visible(run_page("rate", round=round_id, view="against", baseline=RUNS[1].model))
    assert "0.5 being even" in against and "Wilson" in against
    raters = run_page("rate", round=round_id, view="raters")
    assert "Raters against raters" in visible(raters) and len(raters.dataframe[0].value) == 12
    reasons = run_page("rate", round=round_id, view="reasons", reason="0")
    assert "Ballots of this group" in visible(reasons)


def test_rater_is_set_aside_with_a_reason_and_counts_again(owned: Store) -> None:
    round_id = rated(owned)
    app = run_page("rate", round=round_id, view="raters")
    app.selectbox(key="aside-rater").set_value("rater-2")
    app.text_input(key="aside-why").set_value("in a hurry").run()
    app.button(key="aside-all").click().run()
    gone = {one.rater for one in owned.human.ballots(round_id) if one.set_aside == "in a hurry"}
    assert gone == {"rater-2"}
    app.text_input(key="aside-why").set_value("").run()
    app.button(key="aside-all").click().run()
    assert not any(one.set_aside for one in owned.human.ballots(round_id))


def test_criterion_of_another_rubric_is_taken_over_into_a_draft_that_names_its_round(owned: Store) -> None:
    owned.grades.register("other", "v2", "llm", rubric("other", "when", "Every event carries its date."))
    for run in RUNS:
        for identity in owned.trajectories.columns(_of(run.name))["id"]:
            (grade,) = owned.grades.for_trajectory(identity)
            verdicts = (CriterionVerdict("when", "fully", grade.verdicts[0].value),)
            owned.grades.add(identity, Grade("other", "v2", "c", "scored", score=0.5, verdicts=verdicts))
    round_id = rated(owned)
    app = run_page("rate", round=round_id, view="missed", grader="judge")
    assert "People look at what judge does not" in visible(app)
    app.button(key="criterion-'other: when'").click().run()
    (path,) = Path("drafts").iterdir()
    draft = load_rubric(path)
    assert [(one.id, one.text) for one in draft.criteria] == [
        ("dates", "Dates are given."),
        ("when", "Every event carries its date."),
    ]
    assert origins(draft.description) == {round_id: ("when",)}
    # Once the draft has graded, its criterion is in the lineage of the round and of a reward made on it.
    definition: JsonObject = {"rubric": rubric_to_json(draft)}
    owned.grades.register("judge-2", "v3", "llm", definition)
    owned.grades.add(identity, Grade("judge-2", "v3", "c", "scored", score=0.5))
    assert [one.criteria for one in lineage_of(owned, round_id=round_id).criteria] == [("when",)]


def test_criterion_of_its_own_counts_twice_in_the_draft(owned: Store) -> None:
    round_id = rated(owned)
    app = run_page("rate", round=round_id, view="missed", grader="judge")
    app.button(key="criterion-'judge: dates'").click().run()
    (path,) = Path("drafts").iterdir()
    assert [(one.id, one.weight) for one in load_rubric(path).criteria] == [("dates", 2.0)]


def test_reward_draft_names_its_round_and_the_lineage_is_shown(owned: Store) -> None:
    from workbench.reward.core.spec import parse_spec, spec_to_json, spec_version
    from workbench.reward.files import library_specs, read_spec_file
    from workbench.reward.resolve import save

    round_id = rated(owned)
    spec = parse_spec(spec_to_json(read_spec_file(library_specs()["search-rl"])))
    save(owned, spec, round_id=round_id)
    owned.training.create("run-a", spec_version=spec_version(spec), export_folder="jobs/a", config={})
    found = lineage_of(owned, round_id=round_id)
    assert [(one.name, one.round_id, one.runs) for one in found.specs] == [(spec.name, round_id, ("run-a",))]
    assert found.lines() == [f"made of round {round_id}", "runs trained on it: run-a"]
    assert "run\\-a" in visible(run_page("rate", round=round_id, view="missed"))
