"""Our graders as Inspect scorers and theirs here: on fakes shaped as inspect-ai 0.3.285 is, and (slow) under itself."""

import asyncio
import json
import math
import os
import subprocess
import sys
import tempfile
import time
import venv
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from graders.inspect_grader import as_share
from graders.inspect_scorer import case_of, inspect_scorer
from graders.registry import load_grader
from tests.graders.helpers import trajectory
from tests.support.evidence import ROOT, write_evidence
from workbench.errors import BadInputError, MissingExtraError
from workbench.schema.grade import Grade, GradeOutcome, GraderKind, GradingCase
from workbench.schema.protocols import TransportError
from workbench.store import Store

INSPECT = "inspect-ai==0.3.285"
# What the workbench itself needs to import and grade; its app and its trainers stay away from Inspect's packages.
LIGHT = ("SQLAlchemy>=2.1,<2.2", "alembic>=1.20,<2", "numpy>=2.4,<3", "orjson>=3.13,<4", "psycopg[binary]>=3.3,<4",
         "pydantic>=2.14,<3", "PyYAML>=6.0,<7", "rich>=15,<16", "scipy>=1.17,<2", "typer>=0.29,<0.30")  # fmt: skip


@dataclass
class Score:
    value: Any
    answer: str | None = None
    explanation: str | None = None
    reason: str | None = None
    metadata: dict[str, Any] | None = None

    @classmethod
    def unscored(cls, **more: Any) -> "Score":
        return cls(math.nan, **more)


class Target:
    def __init__(self, target: str | list[str]) -> None:
        self.target = target if isinstance(target, list) else [target]

    @property
    def text(self) -> str:
        return "".join(self.target)

    def __iter__(self) -> Any:
        return iter(self.target)


class Message(SimpleNamespace):
    def model_dump(self, **_: Any) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if value is not None}


@dataclass
class State:
    model: str
    sample_id: str
    epoch: int
    input: str
    messages: list[Message]
    output: Any
    target: Any = None
    completed: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def input_text(self) -> str:
        return self.input


def said(role: str, content: str, **more: Any) -> Message:
    return Message(role=role, content=content, **more)


@pytest.fixture(autouse=True)
def fake_inspect(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """The names of inspect-ai that the adapters use; not where they ask for its absence."""
    if "absent" in request.node.name or "slow" in request.keywords:
        return
    parts: dict[str, dict[str, Any]] = {
        "scorer": {
            "Score": Score, "Target": Target, "mean": lambda: "mean", "stderr": lambda: "stderr",
            "scorer": lambda **_: lambda factory: factory, "anything": anything, "includes": includes, "needs": needs,
        },
        "solver": {"TaskState": State},
        "model": {
            "ModelName": str, "ChatMessageUser": lambda content: said("user", content),
            "ChatMessageSystem": lambda content: said("system", content),
            "ChatMessageAssistant": lambda content, tool_calls: said("assistant", content, tool_calls=tool_calls),
            "ChatMessageTool": lambda content, tool_call_id: said("tool", content, tool_call_id=tool_call_id),
            "ModelOutput": SimpleNamespace(from_content=lambda _model, content: SimpleNamespace(completion=content)),
        },
        "tool": {"ToolCall": SimpleNamespace},
    }  # fmt: skip
    monkeypatch.setitem(sys.modules, "inspect_ai", ModuleType("inspect_ai"))
    for name, contents in parts.items():
        module = ModuleType(f"inspect_ai.{name}")
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, f"inspect_ai.{name}", module)


def anything(value: Any = 1.0) -> Any:
    async def score(state: State, target: Target) -> Score | None:  # noqa: ARG001
        if isinstance(value, Exception):
            raise value
        return None if value is None else Score(value)

    return score


def includes() -> Any:
    async def score(state: State, target: Target) -> Score:
        return Score("C" if any(text in state.output.completion for text in target) else "I")

    return score


def needs(argument: str) -> str:
    return argument


class Says:
    name = "says"
    version = "v1"
    kind: GraderKind = "callable"

    def __init__(self, outcome: GradeOutcome) -> None:
        self.outcome: GradeOutcome = outcome
        self.case: GradingCase | None = None

    async def grade(self, case: GradingCase) -> Grade:
        self.case = case
        score = 0.25 if self.outcome == "scored" else None
        return Grade(self.name, self.version, case.case_hash, self.outcome, score, score, reason="planted")


def state() -> State:
    url = "https://bridges.example/0"
    call = {"id": "c1", "function": "visit", "arguments": {"url": url}, "type": "function"}
    messages = [
        said("user", "How long is it?"),
        said("assistant", "", tool_calls=[call]),
        said("tool", f"{url} 3.5 km", tool_call_id="c1", function="visit"),
        said("assistant", f"It is 3.5 km long ([source]({url}))."),
    ]
    return State("mockllm/model", "s1", 1, "How long is it?", messages, SimpleNamespace(completion="It is 3.5 km."))


def scored_by(grader: Says) -> Any:
    return asyncio.run(inspect_scorer(grader)(state(), Target("3.5 km")))


def test_a_scored_grade_is_a_score_on_the_trajectory_of_the_messages() -> None:
    grader = Says("scored")
    assert scored_by(grader).value == 0.25
    case = grader.case
    assert case is not None
    assert case.trajectory is not None
    assert case.reference == "3.5 km"
    assert [call.name for step in case.trajectory.steps for call in step.tool_calls] == ["visit"]
    assert case.report.startswith("It is 3.5 km long ([source]")


@pytest.mark.parametrize("outcome", ["abstained", "judge_failed"])
def test_what_gave_no_score_is_unscored_with_its_outcome_and_reason(outcome: GradeOutcome) -> None:
    got = scored_by(Says(outcome))
    assert math.isnan(got.value)
    assert (got.reason, got.explanation) == (outcome, "planted")


def test_a_lost_connection_raises_so_that_inspect_can_try_again() -> None:
    with pytest.raises(TransportError, match="planted"):
        scored_by(Says("infra_failed"))


def test_a_state_in_which_no_agent_speaks_has_no_trajectory_and_no_reference() -> None:
    found = state()
    found.messages = found.messages[:1]
    case = case_of(found, Target(""))
    assert (case.report, case.trajectory, case.reference) == ("It is 3.5 km.", None, None)


@pytest.mark.parametrize(
    ("value", "share"),
    [("C", 1.0), ("P", 0.5), ("I", 0.0), ("N", 0.0), ("yes", 1.0), ("0.25", 0.25), (True, 1.0), (0.5, 0.5), (1, 1.0),
     (math.nan, None), ("nan", None), (1.5, None), (-1, None), ("good", None), ([1], None), ({"a": 1}, None),
     (None, None)],
)  # fmt: skip
def test_a_value_is_a_share_or_no_score(value: Any, share: float | None) -> None:
    assert as_share(value) == share


@pytest.mark.parametrize(
    ("value", "outcome"),
    [(0.5, "scored"), (None, "abstained"), (math.nan, "judge_failed"), ({"a": 1}, "judge_failed"),
     (ValueError("odd"), "judge_failed"), (TimeoutError("slow"), "infra_failed")],
)  # fmt: skip
def test_their_outcomes_are_typed_here(store: Store, value: Any, outcome: GradeOutcome) -> None:
    sys.modules["inspect_ai.scorer"].made = lambda: anything(value)  # type: ignore[attr-defined]
    grader = load_grader("inspect:inspect_ai.scorer:made", store=store)
    got = asyncio.run(grader.grade(GradingCase("q", "a report", trajectory(0))))
    assert got.outcome == outcome
    assert (got.score is None) == (outcome != "scored")


def test_a_scorer_that_reads_a_target_abstains_where_there_is_none(store: Store) -> None:
    """`"" in report` holds for every report: an empty target would make each one perfect."""
    grader = load_grader("inspect:inspect_ai.scorer:includes", store=store)
    item = trajectory(0)
    outcomes = {
        reference: asyncio.run(grader.grade(GradingCase(item.question, item.report, item, reference=reference)))
        for reference in (None, "3.5 km", "9 km")
    }
    assert {name: (g.outcome, g.score) for name, g in outcomes.items()} == {
        None: ("abstained", None),
        "3.5 km": ("scored", 1.0),
        "9 km": ("scored", 0.0),
    }


@pytest.mark.parametrize(
    ("spec", "told"),
    [("inspect:includes", "expected inspect:module:scorer"), ("inspect:no.such.module:x", "cannot be imported"),
     ("inspect:inspect_ai.scorer:nothing", "has no scorer"), ("inspect:inspect_ai.scorer:needs", "no argument"),
     ("inspect:nowhere/own.py:x", "there is no file")],
)  # fmt: skip
def test_what_cannot_be_loaded_is_said_in_a_sentence(store: Store, spec: str, told: str) -> None:
    with pytest.raises(BadInputError, match=told):
        load_grader(spec, store=store)


def test_an_absent_inspect_names_the_remedy(store: Store) -> None:
    with pytest.raises(MissingExtraError, match="environment of its own"):
        load_grader("inspect:inspect_ai.scorer:includes", store=store)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_real_evaluations_under_inspect(tmp_path: Path) -> None:
    """In an environment of its own, kept between runs: Inspect and the app need different fsspec."""
    home = Path(tempfile.gettempdir()) / "reward-workbench-inspect-0.3.285"
    python = home / "bin" / "python"
    if not (home / "ready").exists():
        venv.create(home, with_pip=True, clear=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", INSPECT, *LIGHT], check=True, capture_output=True)
        (home / "ready").touch()
    began = time.monotonic()
    command = [str(python), "-m", "tests.graders.inspect_eval", str(tmp_path)]
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    result = json.loads(done.stdout.strip().splitlines()[-1])
    ours, outcomes, theirs = result["ours_there"], result["every_outcome"], result["theirs_here"]
    assert [sample["value"] for sample in ours["samples"].values()] == [1.0, 0.0]
    assert outcomes["metrics"] == {"mean": 0.5, "scored": 1, "unscored": 2}
    assert "planted infra_failed" in outcomes["samples"]["infra_failed"]["error"]
    assert [row[:2] for row in theirs["includes"]] == [["scored", 0.0], ["scored", 1.0]]
    assert {row[0] for row in theirs["refuses"]} == {"judge_failed"}
    assert theirs["includes_without_target"][0] == "abstained"
    code = ("graders/inspect_scorer.py", "graders/inspect_grader.py", "tests/graders/inspect_eval.py")
    write_evidence("inspect-adapters", result, seed=0, n=6, seconds=time.monotonic() - began, code=code)
