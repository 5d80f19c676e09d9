"""Graders of the user's own, by path."""

import asyncio
from pathlib import Path

import pytest

from graders.callable import CallableGrader, load_callable
from graders.registry import load_grader
from workbench.errors import BadInputError, NotFoundError
from workbench.schema.grade import Grade, GradingCase
from workbench.schema.protocols import Grader, PairwiseGrader
from workbench.store import Store

CASE = GradingCase("q", "a report")
SOURCE = """
import helper_beside_it
from workbench.schema.grade import Grade, PairGrade

def half(case): return 0.5
async def later(case): return len(case.report) / 100
def nothing(case): return None
def broken(case): raise RuntimeError("boom")
def outside(case): return 1.5
def below(case): return -0.1
def nan(case): return float("nan")
def text(case): return "0.5"
def yes(case): return True
def returns_coroutine(case): return later(case)

class Callable:
    def __call__(self, case): return helper_beside_it.VALUE

class Whole:
    name, version, kind = "whole", "1", "callable"
    async def grade(self, case): return Grade("whole", "1", case.case_hash, "scored", 0.25, 0.25, "own")

class Pairs:
    name, version, kind = "pairs", "1", "callable"
    async def compare(self, pair): return PairGrade("pairs", "1", "scored", 0.5)

class NeedsArgument:
    def __init__(self, must): pass

instance = Whole()
number = 5
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "helper_beside_it.py").write_text("VALUE = 0.75\n")
    path = tmp_path / "own.py"
    path.write_text(SOURCE)
    return path


def graded(file: Path, name: str) -> Grade:
    grader = load_callable(f"{file}:{name}")
    assert isinstance(grader, Grader)
    return asyncio.run(grader.grade(CASE))


@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("half", 0.5),
        ("later", 0.08),
        ("returns_coroutine", 0.08),
        ("yes", 1.0),
        ("Callable", 0.75),
        ("Whole", 0.25),
        ("instance", 0.25),
    ],
)
def test_functions_and_graders_give_their_score(file: Path, name: str, score: float) -> None:
    got = graded(file, name)
    assert got.outcome == "scored"
    assert got.score == pytest.approx(score)


def test_none_is_an_abstention(file: Path) -> None:
    assert graded(file, "nothing").outcome == "abstained"


@pytest.mark.parametrize("name", ["broken", "outside", "below", "nan", "text"])
def test_an_exception_or_a_value_that_is_no_score_is_a_judge_failure(file: Path, name: str) -> None:
    got = graded(file, name)
    assert (got.outcome, got.score) == ("judge_failed", None)
    assert got.reason


def test_a_pairwise_grader_is_recognised_and_refused_where_single_reports_are_graded(
    file: Path, sqlite_store: Store
) -> None:
    assert isinstance(load_callable(f"{file}:Pairs"), PairwiseGrader)
    with pytest.raises(BadInputError, match="compares pairs"):
        load_grader(f"{file}:Pairs", store=sqlite_store)


@pytest.mark.parametrize(
    ("name", "says"), [("missing", "it has"), ("number", "is a int"), ("NeedsArgument", "failed: TypeError")]
)
def test_what_cannot_grade_is_refused_with_a_sentence(file: Path, name: str, says: str) -> None:
    with pytest.raises(BadInputError, match=says):
        load_callable(f"{file}:{name}")


def test_a_file_that_is_not_there_or_does_not_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no file"):
        load_callable(f"{tmp_path}/absent.py:grade")
    (tmp_path / "bad.py").write_text("raise ValueError('no')")
    with pytest.raises(BadInputError, match="failed while it was read"):
        load_callable(f"{tmp_path}/bad.py:grade")


def test_the_version_follows_the_text_of_the_file(file: Path) -> None:
    first = load_callable(f"{file}:half")
    file.write_text(SOURCE + "\n# changed\n")
    assert load_callable(f"{file}:half").version != first.version
    assert isinstance(first, CallableGrader)


def test_the_registry_knows_every_kind_of_word(file: Path, sqlite_store: Store, tmp_path: Path) -> None:
    assert load_grader("citations", store=sqlite_store).kind == "deterministic"
    assert load_grader(f"{file}:half", store=sqlite_store).name == "half"
    gold = load_grader(
        "gold", store=sqlite_store, extra={"gold": lambda _: load_grader("citations", store=sqlite_store)}
    )
    assert gold.name == "citations"
    judge = load_grader("deep-research-report", store=sqlite_store, model="openai/gpt-x")
    assert (judge.name, judge.kind) == ("deep-research-report/gpt-x", "llm")
    (tmp_path / "mine.yaml").write_text("name: mine\ncriteria: [{id: a, text: It answers}]\n")
    assert load_grader(f"{tmp_path}/mine.yaml", store=sqlite_store, model="m/x").name == "mine/x"
    assert load_grader("citations", store=sqlite_store, repeats=2).name == "citations x2"


def test_the_registry_refuses_with_a_sentence(sqlite_store: Store) -> None:
    with pytest.raises(BadInputError, match="known are"):
        load_grader("no-such", store=sqlite_store)
    with pytest.raises(NotFoundError, match="question sheets"):
        load_grader("checklist", store=sqlite_store)
    with pytest.raises(BadInputError, match="needs --model"):
        load_grader("deep-research-report", store=sqlite_store, base_url="http://127.0.0.1:1/v1")
    with pytest.raises(BadInputError, match="put the key"):
        load_grader("deep-research-report", store=sqlite_store, model="m", base_url="http://k:v@host/v1")
