"""Several graders as one: what their scores make, what a lost member does, and who pays."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.ensemble import Combine, Ensemble, Rule
from graders.faults import SpendLimitError
from graders.gateway import GatewayOptions
from graders.registry import load_grader
from graders.runner import grade_run
from graders.spending import Price
from tests.graders.fake_endpoint import FakeEndpoint
from tests.graders.helpers import judge_saying, put, trajectory
from workbench.cli.main import main
from workbench.errors import BadInputError
from workbench.schema.grade import Grade, GradeOutcome, GraderKind, GradingCase, Usage
from workbench.schema.protocols import Grader, RepeatableGrader
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs.handle import NullJob

CASE = GradingCase("How long is it?", "It is 3.5 km long.")


class Fixed:
    """Gives what it is told to, and remembers its draws."""

    kind: GraderKind = "callable"

    def __init__(self, name: str, score: float | None, outcome: GradeOutcome = "scored", repeat: int = 0) -> None:
        self.name = name
        self.version = f"v-{name}"
        self.score = score
        self.outcome: GradeOutcome = outcome
        self.repeat = repeat

    def repeated(self, repeat: int) -> "Fixed":
        return Fixed(self.name, self.score, self.outcome, repeat)

    async def grade(self, case: GradingCase) -> Grade:
        reason = "" if self.outcome == "scored" else f"{self.name} says no"
        score = None if self.score is None else min(1.0, self.score + 0.1 * self.repeat)
        usage = Usage(10, 1, 0.5, 0.1)
        return Grade(self.name, self.version, case.case_hash, self.outcome, score, score, "fixed", reason, usage=usage)


def ensemble(rule: Rule, *members: Grader) -> Ensemble:
    return Ensemble("trio", members, rule)


def graded(grader: Grader) -> Grade:
    return asyncio.run(grader.grade(CASE))


SCORES = (Fixed("a", 0.9), Fixed("b", 0.6), Fixed("c", 0.3))


@pytest.mark.parametrize(
    ("rule", "score"),
    [
        (Rule("mean"), 0.6),
        (Rule("worst"), 0.3),
        (Rule("mean_minus_variance", 1.0), 0.6 - (0.09 + 0.0 + 0.09) / 3),
        (Rule("mean_minus_variance", 0.0), 0.6),
    ],
)
def test_each_rule_by_hand_and_the_members_scores_are_kept(rule: Rule, score: float) -> None:
    got = graded(ensemble(rule, *SCORES))
    assert got.outcome == "scored"
    assert got.score == pytest.approx(score)
    told = got.detail["members"]
    assert isinstance(told, list)
    assert [member["score"] for member in told if isinstance(member, dict)] == [0.9, 0.6, 0.3]
    assert (got.usage.input_tokens, got.usage.cost_usd) == (30, 1.5)


def test_a_value_below_zero_is_kept_raw_and_scored_as_zero() -> None:
    got = graded(ensemble(Rule("mean_minus_variance", 10.0), Fixed("a", 1.0), Fixed("b", 0.0)))
    assert got.raw == pytest.approx(0.5 - 2.5)
    assert got.score == 0.0


@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=6), st.floats(0.0, 4.0))
def test_worst_and_less_variance_are_never_above_the_mean(scores: list[float], coefficient: float) -> None:
    mean = Rule("mean").raw(scores)
    assert Rule("worst").raw(scores) <= mean + 1e-12
    assert Rule("mean_minus_variance", coefficient).raw(scores) <= mean + 1e-12
    assert Rule("worst").raw(scores) == min(scores)


@pytest.mark.parametrize(
    ("lost", "told"),
    [
        (["judge_failed"], "judge_failed"),
        (["abstained", "infra_failed"], "infra_failed"),
        (["judge_failed", "infra_failed"], "infra_failed"),
        (["abstained"], "abstained"),
    ],
)
def test_a_member_without_a_score_leaves_the_case_without_one(lost: list[GradeOutcome], told: GradeOutcome) -> None:
    members = [Fixed(f"lost{n}", None, outcome) for n, outcome in enumerate(lost)]
    got = graded(ensemble(Rule(), Fixed("a", 0.9), *members))
    assert (got.outcome, got.score) == (told, None)
    assert "says no" in got.reason
    assert got.usage.input_tokens == 10 * (1 + len(lost))


@pytest.mark.parametrize(("combine", "bounds"), [("mean", [0.5, 5 / 6]), ("worst", [0.0, 0.6])])
def test_declared_least_members_score_without_the_rest_and_say_so(combine: Combine, bounds: list[float]) -> None:
    lost = Fixed("c", None, "judge_failed")
    got = graded(ensemble(Rule(combine, min_members=2), *SCORES[:2], lost))
    assert got.outcome == "scored"
    assert "2_of_3_members" in got.scheme
    assert got.detail["bounds"] == pytest.approx(bounds)
    other = Fixed("b", None, "judge_failed")
    assert graded(ensemble(Rule(combine, min_members=2), SCORES[0], other, lost)).outcome == "judge_failed"


def test_a_member_that_raises_is_a_judge_that_failed() -> None:
    class Broken(Fixed):
        async def grade(self, case: GradingCase) -> Grade:
            raise RuntimeError(f"no reason at all for {case.question}")

    got = graded(ensemble(Rule(), Fixed("a", 0.9), Broken("broken", 0.1)))
    assert got.outcome == "judge_failed"
    assert "no reason at all" in got.reason


def test_every_member_is_asked_for_the_same_draw() -> None:
    whole = ensemble(Rule(), Fixed("a", 0.2), Fixed("b", 0.4))
    assert isinstance(whole, RepeatableGrader)
    drawn = whole.repeated(3)
    got = graded(drawn)
    assert got.repeat == 3
    assert got.score == pytest.approx(0.6)
    assert (drawn.name, drawn.version) == (whole.name, whole.version)


def test_the_version_is_of_members_and_rule_and_not_of_their_order() -> None:
    one = ensemble(Rule("worst"), *SCORES)
    assert one.version == ensemble(Rule("worst"), *reversed(SCORES)).version
    assert one.version == ensemble(Rule("worst", coefficient=9.0), *SCORES).version
    others = [ensemble(Rule("mean"), *SCORES), ensemble(Rule("worst", min_members=2), *SCORES),
              ensemble(Rule("worst"), *SCORES[:2]), ensemble(Rule("mean_minus_variance", 0.1), *SCORES),
              ensemble(Rule("mean_minus_variance", 0.2), *SCORES)]  # fmt: skip
    assert len({one.version, *(other.version for other in others)}) == 6


def test_the_same_grader_twice_is_refused() -> None:
    with pytest.raises(BadInputError, match="stands twice"):
        ensemble(Rule(), Fixed("a", 0.1), Fixed("a", 0.1))


FILE = """
kind: ensemble
name: duo
combine: {combine}
members:
  - grader: answer-and-sources
    model: judge-one
    base_url: {url}
  - grader: answer-and-sources
    model: judge-two
    base_url: {url}
  - grader: citations
"""


def test_a_file_makes_an_ensemble_whose_members_share_one_purse(
    store: Store, endpoint: FakeEndpoint, tmp_path: Path
) -> None:
    put(store, [trajectory(n) for n in range(2)])
    path = tmp_path / "duo.yaml"
    path.write_text(FILE.format(combine="worst", url=endpoint.base_url))
    endpoint.responder = judge_saying(lambda _: "yes")
    options = GatewayOptions(price=Price(1.0, 1.0), spend_limit_usd=1.0)
    grader = load_grader(str(path), store=store, options=options)
    assert grader.name == "duo/judge-one+judge-two"
    report = grade_run(store, grader, TrajectoryFilter(run="a"), job=NullJob())
    assert (report.graded, report.failed, report.mean_score) == (2, 0, 1.0)
    stored = [store.grades.for_trajectory(t)[0] for t in store.trajectories.ids(TrajectoryFilter(run="a"))]
    paid = sum(grade.usage.cost_usd or 0.0 for grade in stored)
    assert report.cost_usd == pytest.approx(paid)
    assert paid > 0.0
    again = load_grader(str(path), store=store, options=options)
    assert again.version == grader.version
    report = grade_run(store, again, TrajectoryFilter(run="a"), job=NullJob())
    assert (report.cached, report.cost_usd) == (2, 0.0)


def test_a_spend_limit_holds_for_all_members_together(store: Store, endpoint: FakeEndpoint, tmp_path: Path) -> None:
    path = tmp_path / "duo.yaml"
    path.write_text(FILE.format(combine="mean", url=endpoint.base_url))
    endpoint.responder = judge_saying(lambda _: "yes")
    # Room for one request at its most (8192 tokens of reply) and for less than the 20 tokens that a reply costs: the
    # second member's has none, whether the first is still on its way or paid.
    options = GatewayOptions(price=Price(0.0, 1.0), spend_limit_usd=(8192 + 10) / 1e6)
    put(store, [replace(trajectory(1), run="b")])
    grader = load_grader(str(path), store=store, options=options)
    with pytest.raises(SpendLimitError):
        grade_run(store, grader, TrajectoryFilter(run="b"), job=NullJob())
    assert endpoint.calls == 1
    assert store.grades.scores(grader.name)["score"] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind: ensemble\nname: x\nmembers: [{grader: citations}]", "members"),
        ("kind: ensemble\nname: x\ncombine: best\nmembers: [{grader: citations}, {grader: checklist}]", "combine"),
        ("kind: ensemble\nname: x\ncombine: mean_minus_variance\nmembers: [{grader: citations}, {grader: f.py:A}]",
         "coefficient"),
        ("kind: ensemble\nname: x\ncoefficient: 1\nmembers: [{grader: citations}, {grader: f.py:A}]", "coefficient"),
        ("kind: ensemble\nname: x\nmembers: [{grader: citations}, {grader: nope}]", "member 1 (nope)"),
        ("kind: ensemble\nname: x\nmembers: [{grader: citations}, {grader: citations}]", "stands twice"),
        ("kind: ensemble\nname: x\nmembers: [{grader: citations}, {grader: me.yaml}]", "stands in itself"),
        ("kind: ensemble\nname: x\nmin_members: 3\nmembers: [{grader: citations}, {grader: g.py:half}]", "min_members"),
        ("kind: ensemble\nname: x\nkind: rubric\nmembers: []", "twice"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_said_in_a_sentence(store: Store, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "me.yaml"
    path.write_text(text)
    (tmp_path / "g.py").write_text("def half(case):\n    return 0.5\n")
    with pytest.raises(BadInputError, match=said.replace("(", r"\(").replace(")", r"\)")):
        load_grader(str(path), store=store)


def test_a_members_path_is_relative_to_the_file(store: Store, tmp_path: Path) -> None:
    (tmp_path / "g.py").write_text("def half(case):\n    return 0.5\n")
    (tmp_path / "me.yaml").write_text("kind: ensemble\nname: x\nmembers: [{grader: citations}, {grader: 'g.py:half'}]")
    grader = load_grader(str(tmp_path / "me.yaml"), store=store)
    assert isinstance(grader, Ensemble)
    assert [member.name for member in grader.members] == ["citations", "half"]


def test_the_schema_of_the_file_is_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", "rubrics", "schema", "--of", "ensemble"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"kind", "name", "members", "combine", "coefficient", "min_members"} == found["properties"].keys() - {
        "description"
    }
    assert main(["rubrics", "schema", "--of", "nothing"]) == 2
