"""A judge learned from stored grades: what it keeps, what it says of itself, what it refuses."""

import asyncio
import json
from dataclasses import replace

import numpy as np
import pytest

from graders.embeddings import Embedder, find_embedder
from graders.learned import LearnedJudge, load_learned, version_of
from graders.learned_features import MAX_CHUNKS, FeatureReader, pieces_of
from graders.learned_fit import fit_ridge, held_out_questions, learn
from graders.quality import measure_quality
from graders.registry import describe, load_grader
from graders.runner import grade_run
from tests.graders.helpers import put, trajectory
from workbench.cli.main import main
from workbench.errors import BadInputError, MissingExtraError, NotFoundError
from workbench.schema.canonical import JsonObject
from workbench.schema.grade import Grade, GradingCase
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs.handle import NullJob

QUESTIONS = 12
TEXTS = (
    ("The bridge over the river is {n} metres long, as the survey of its builder says.", 0.9),
    ("Cake with plums needs butter, flour and {n} eggs.", 0.1),
)


@pytest.fixture
def embedder() -> Embedder:
    pytest.importorskip("tokenizers", reason="tokenizers is not installed: no text can be cut into tokens")
    pytest.importorskip("sklearn", reason="scikit-learn is not installed: nothing can be fitted")
    try:
        return find_embedder()
    except MissingExtraError as error:
        pytest.skip(str(error))


def graded_store(store: Store, *, questions: int = QUESTIONS) -> tuple[str, ...]:
    """Two reports a question, one about bridges and good, one about cake and bad."""
    made = [
        replace(trajectory(n, run=f"run{place}"), report=text.format(n=n + 2), attempt=place)
        for n in range(questions)
        for place, (text, _) in enumerate(TEXTS)
    ]
    ids = put(store, made)
    for place, identifier in enumerate(ids):
        score = TEXTS[place % 2][1]
        case = GradingCase(made[place].question, made[place].report, made[place])
        store.grades.add(identifier, Grade("gold", "g1", case.case_hash, "scored", score=score, raw=score))
    store.grades.register("gold", "g1", "gold", {})
    return ids


def test_it_orders_reports_to_questions_it_has_not_seen(sqlite_store: Store, embedder: Embedder) -> None:
    graded_store(sqlite_store)
    judge = learn(sqlite_store, "gold", job=NullJob(), reader=FeatureReader(embedder))
    held_out = judge.definition["held_out"]
    assert isinstance(held_out, dict)
    figures = held_out["graders"]["judge"]
    assert figures["pairs_within_question"]["value"] == 1.0
    assert figures["auc"]["value"] == 1.0
    assert "length_only" in held_out["graders"]
    assert held_out["questions"] == 4
    assert len(judge.definition["questions"]) == QUESTIONS - 4  # type: ignore[arg-type]


def test_the_same_version_grades_the_same_way_when_loaded_again(sqlite_store: Store, embedder: Embedder) -> None:
    graded_store(sqlite_store)
    judge = learn(sqlite_store, "gold", job=NullJob(), reader=FeatureReader(embedder))
    case = GradingCase("How long is the dam?", "The dam is 12 metres long.\n\n" + "It was built early. " * 60)
    for spec in ("learned", f"learned@{judge.version[:10]}"):
        loaded = load_grader(spec, store=sqlite_store)
        assert isinstance(loaded, LearnedJudge)
        assert loaded.version == judge.version
        assert asyncio.run(loaded.grade(case)) == asyncio.run(judge.grade(case))


def test_a_report_to_a_question_it_was_fitted_on_says_so_and_does_not_count_as_quality(
    sqlite_store: Store, embedder: Embedder
) -> None:
    ids = graded_store(sqlite_store)
    judge = learn(sqlite_store, "gold", job=NullJob(), reader=FeatureReader(embedder))
    grade_run(sqlite_store, judge, TrajectoryFilter(), job=NullJob())
    marks = {
        identifier: grade.detail["in_sample"]
        for identifier in ids
        for grade in sqlite_store.grades.for_trajectory(identifier)
        if grade.grader == "learned"
    }
    assert list(marks.values()).count(True) == 2 * (QUESTIONS - 4)
    quality = measure_quality(sqlite_store, judge.name, judge.version)
    assert (quality.n, quality.in_sample) == (8, 16)
    assert "fitted on left out" in describe(judge, sqlite_store)


def test_a_grader_without_gold_is_said_to_be_not_measured(sqlite_store: Store) -> None:
    put(sqlite_store, [trajectory(0)])
    quality = measure_quality(sqlite_store, "citations", "v")
    assert "not measured" in quality.text()
    assert quality.to_json()["auc"] == {"value": None, "reason": quality.auc.reason, "n": 0}  # type: ignore[union-attr]


def test_quality_of_a_grader_that_reverses_gold_is_nought(sqlite_store: Store) -> None:
    ids = graded_store(sqlite_store)
    for place, identifier in enumerate(ids):
        score = 1 - TEXTS[place % 2][1]
        sqlite_store.grades.add(identifier, Grade("mine", "m1", f"c{place}", "scored", score=score, raw=score))
    quality = measure_quality(sqlite_store, "mine", "m1")
    assert (quality.auc.value, quality.pairs.value) == (0.0, 0.0)  # type: ignore[union-attr]
    assert quality.n == 2 * QUESTIONS


def test_blank_reports_are_abstained_from_and_long_ones_read_in_part(embedder: Embedder) -> None:
    definition: JsonObject = {"coefficients": [0.0] * (2 * 384 + 8), "intercept": 2.5, "questions": [], "features": {}}
    judge = LearnedJudge("learned", definition, FeatureReader(embedder))
    assert judge.grade_now(GradingCase("q", " \n")).outcome == "abstained"
    grade = judge.grade_now(GradingCase("q", "\ud800 <script> " + "x" * 90))
    assert (grade.score, grade.raw) == (1.0, 2.5)
    assert len(pieces_of("One sentence of ten words stands here again. " * 3000)) > MAX_CHUNKS


def test_alpha_is_chosen_by_question_and_a_constant_feature_weighs_nothing() -> None:
    pytest.importorskip("sklearn")
    rng = np.random.default_rng(3)
    features = np.hstack([rng.normal(size=(60, 3)), np.full((60, 1), 7.0)])
    targets = features[:, 0] * 0.2 + 0.5
    coefficients, intercept, alpha = fit_ridge(features, targets, [f"q{n % 12}" for n in range(60)])
    assert alpha == 1.0
    assert coefficients[3] == 0.0
    np.testing.assert_allclose(intercept + features @ coefficients, targets, atol=0.02)


def test_the_questions_apart_stay_the_same_when_others_join() -> None:
    few = [f"q{n}" for n in range(20)]
    assert held_out_questions(few) == held_out_questions(few[::-1] * 2)
    assert len(held_out_questions(few)) == 6


def test_what_cannot_be_learned_or_loaded_says_why(sqlite_store: Store, embedder: Embedder) -> None:
    with pytest.raises(NotFoundError, match="workbench learn"):
        load_learned("learned", sqlite_store)
    with pytest.raises(NotFoundError, match="holds no grade by gold"):
        learn(sqlite_store, "gold", job=NullJob())
    graded_store(sqlite_store, questions=3)
    with pytest.raises(BadInputError, match="at least 10"):
        learn(sqlite_store, "gold", job=NullJob(), reader=FeatureReader(embedder))
    with pytest.raises(BadInputError, match="learned-NAME"):
        learn(sqlite_store, "gold", job=NullJob(), name="mine")
    definition: JsonObject = {
        "coefficients": [0.0],
        "intercept": 0.0,
        "questions": [],
        "features": {"embedder": "another"},
    }
    sqlite_store.grades.register("learned", version_of(definition), "learned", definition)
    with pytest.raises(BadInputError, match="fit it again"):
        load_learned("learned", sqlite_store)


def test_the_verb_gives_held_out_figures_and_grading_by_it_its_quality(
    sqlite_store: Store, embedder: Embedder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert embedder.name
    graded_store(sqlite_store)
    assert main(["--store", sqlite_store.url, "--json", "learn", "--from", "gold"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["held_out"]["graders"]["judge"]["auc"]["n"] == 8
    assert main(["--store", sqlite_store.url, "--json", "grade", "--grader", "learned", "--run", "run0"]) == 0
    graded = json.loads(capsys.readouterr().out)
    assert graded["grader"]["kind"] == "learned"
    assert graded["quality"]["n"] == 4
    assert main(["--store", sqlite_store.url, "learn"]) == 0
    assert capsys.readouterr().out.startswith("held out: 8 reports to 4 questions")
