"""Real evaluations under inspect-ai, in an environment that has it: prints what came out as one JSON document.

Run by test_inspect_adapters (slow): `python -m tests.graders.inspect_eval FOLDER`. No network, no model: mockllm.
"""

import asyncio
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from graders.deterministic import DeterministicGrader
from graders.inspect_scorer import inspect_scorer
from graders.registry import load_grader
from workbench.cli.main import main as workbench
from workbench.schema.grade import Grade, GradeOutcome, GraderKind, GradingCase
from workbench.schema.protocols import Grader
from workbench.store import TrajectoryFilter, open_store

PAGE = "The Alder Bridge is 3.5 km long. " * 5
URL = "https://bridges.example/0"
REPORTS = {
    "cited": f"The Alder Bridge is 3.5 km long ([source]({URL})).",
    "invented": "The Alder Bridge is 9 km long ([source](https://nowhere.example/1)).",
}
OUTCOMES: tuple[GradeOutcome, ...] = ("scored", "abstained", "judge_failed", "infra_failed")


class EveryOutcome:
    """Gives the outcome that the question names; half a point where that is a score."""

    name = "every-outcome"
    version = "v1"
    kind: GraderKind = "callable"

    async def grade(self, case: GradingCase) -> Grade:
        outcome = next(word for word in OUTCOMES if word in case.question)
        if outcome == "scored":
            return Grade(self.name, self.version, case.case_hash, outcome, 0.5, 0.5, "half")
        return Grade(self.name, self.version, case.case_hash, outcome, reason=f"planted {outcome}")


def run(samples: list[Any], outputs: list[Any], grader: Grader, folder: Path, *, tools: bool) -> Any:
    """One evaluation, its log as an object."""
    inspect, model, solver = (import_module(f"inspect_ai{part}") for part in ("", ".model", ".solver"))
    task = inspect.Task(
        dataset=samples,
        solver=[*([solver.use_tools(visit_tool())] if tools else []), solver.generate()],
        scorer=inspect_scorer(grader),
    )
    for output in outputs:  # without it, the mock counts tokens by a table that it fetches from the network
        output.usage = model.ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    mock = model.get_model("mockllm/model", custom_outputs=outputs)
    options = {"log_dir": str(folder), "log_format": "json", "display": "none", "max_samples": 1}
    return inspect.eval(task, model=mock, fail_on_error=False, **options)[0]


def visit_tool() -> Any:
    @import_module("inspect_ai.tool").tool  # type: ignore[untyped-decorator]
    def visit() -> Any:
        async def execute(url: str) -> str:
            """Opens a page.

            Args:
                url: Its address.
            """
            return f"{url}\n{PAGE}"

        return execute

    return visit()


def ours_there(folder: Path) -> dict[str, Any]:
    sample = import_module("inspect_ai.dataset").Sample
    output = import_module("inspect_ai.model").ModelOutput
    samples = [sample(input=f"How long is it? ({name})", target="3.5 km", id=name) for name in REPORTS]
    outputs = [
        made
        for report in REPORTS.values()
        for made in (output.for_tool_call("mockllm", "visit", {"url": URL}), output.from_content("mockllm", report))
    ]
    log = run(samples, outputs, DeterministicGrader("citations"), folder / "citations", tools=True)
    return {"status": log.status, "samples": told(log), "metrics": metrics(log), "log": log.location}


def every_outcome(folder: Path) -> dict[str, Any]:
    sample = import_module("inspect_ai.dataset").Sample
    output = import_module("inspect_ai.model").ModelOutput
    samples = [sample(input=f"Give the outcome {outcome}", id=outcome) for outcome in OUTCOMES]
    outputs = [output.from_content("mockllm", "a report") for _ in OUTCOMES]
    log = run(samples, outputs, EveryOutcome(), folder / "outcomes", tools=False)
    return {"status": log.status, "samples": told(log), "metrics": metrics(log)}


def told(log: Any) -> dict[str, Any]:
    return {
        str(item.id): {
            "value": None if score is None or score.value != score.value else score.value,
            "unscored_reason": None if score is None else score.reason,
            "error": None if item.error is None else item.error.message,
        }
        for item in log.samples
        for score in [next(iter((item.scores or {}).values()), None)]
    }


def metrics(log: Any) -> dict[str, Any]:
    found = log.results.scores[0]
    return {
        "mean": found.metrics["mean"].value,
        "scored": found.scored_samples,
        "unscored": found.unscored_samples,
    }


OWN = """
from inspect_ai.scorer import Score, mean, scorer


@scorer(metrics=[mean()])
def refuses():
    async def score(state, target):
        return Score.unscored(reason="grader_refusal", explanation="no verdict")

    return score


@scorer(metrics=[mean()])
def counts_messages():
    async def score(state, target):
        return Score(value=min(1.0, len(state.messages) / 10), explanation=str(len(state.messages)))

    return score
"""


def theirs_here(folder: Path, log: str) -> dict[str, Any]:
    """The log of our own evaluation imported, and graded by a scorer of Inspect's and by two of a user's."""
    url = f"sqlite:///{folder / 'store.db'}"
    (folder / "own.py").write_text(OWN, encoding="utf-8")
    quiet = ["--store", url, "--json", "import", log, "--run", "inspected"]
    sys.stdout, shown = sys.stderr, sys.stdout
    code = workbench(quiet)
    sys.stdout = shown
    answers: dict[str, Any] = {"import_code": code}
    with open_store(url) as store:
        kept = [store.trajectories.get(name) for name in store.trajectories.ids(TrajectoryFilter(run="inspected"))]
        for word in ("inspect_ai.scorer:includes", f"{folder}/own.py:refuses", f"{folder}/own.py:counts_messages"):
            grader = load_grader(f"inspect:{word}", store=store)
            grades = [asyncio.run(grader.grade(GradingCase(t.question, t.report, t))) for t in kept]
            answers[word.rpartition(":")[2]] = sorted([[g.outcome, g.score, g.reason[:80]] for g in grades], key=str)
        bare = load_grader("inspect:inspect_ai.scorer:includes", store=store)
        found = asyncio.run(bare.grade(GradingCase("q", "anything")))
        answers["includes_without_target"] = [found.outcome, found.score, found.reason[:80]]
    return answers


def main(folder: Path) -> None:
    ours = ours_there(folder)
    result = {
        "inspect_ai": import_module("inspect_ai").__version__,
        "ours_there": {name: value for name, value in ours.items() if name != "log"},
        "every_outcome": every_outcome(folder),
        "theirs_here": theirs_here(folder, ours["log"]),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
