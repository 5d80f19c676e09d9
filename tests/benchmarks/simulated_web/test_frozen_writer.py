"""The rule-based writer writes what was read, and knows neither truth nor the agent's report; and the verb by it."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.sample.plan import SamplePlan
from benchmarks.sample.rollouts import add_rollouts
from benchmarks.simulated_web.frozen_writer import FrozenWriter
from benchmarks.simulated_web.gold import gold_grade
from benchmarks.simulated_web.world import WorldSize
from tests.workbench.store.examples import example_trajectory
from workbench.cli.main import main
from workbench.schema.protocols import ReportWriter
from workbench.schema.trajectory import Trajectory
from workbench.schema.writing import WritingCase, WrittenReport
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.jobs import NullJob

PLAN = SamplePlan(seed=5, questions=5, agents=("broad", "terse", "narrow"), attempts=1, size=WorldSize(24, 24, 160))


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    address = f"sqlite:///{tmp_path_factory.mktemp('frozen') / 'sim.db'}"
    with open_store(address) as store:
        add_rollouts(store, PLAN, NullJob())
    return address


def rollouts(store: Store, run: str) -> list[Trajectory]:
    return [store.trajectories.get(identifier) for identifier in store.trajectories.ids(TrajectoryFilter(run=run))]


def write(trajectory: Trajectory) -> WrittenReport:
    return asyncio.run(FrozenWriter().write(WritingCase(trajectory.question, trajectory)))


def test_it_reads_the_pages_that_were_opened_and_nothing_else(url: str) -> None:
    with open_store(url) as store:
        for trajectory in rollouts(store, "sim-narrow"):
            done = write(trajectory)
            assert done.report is not None
            assert write(replace(trajectory, report="Another report.")).report == done.report
            blind = replace(trajectory, steps=trajectory.steps[:2])
            assert "https://" not in str(write(blind).report)
    assert isinstance(FrozenWriter(), ReportWriter)


def test_its_reports_of_broad_research_are_good_by_gold(url: str) -> None:
    with open_store(url) as store:
        made = rollouts(store, "sim-broad")
        questions = {question.id: question for question in PLAN.asked}
        scores = [
            gold_grade(PLAN.world, questions[t.question_id], t, report=write(t).report).score or 0.0 for t in made
        ]
    assert sum(scores) / len(scores) > 0.8


def test_it_abstains_from_what_is_not_of_the_simulated_web() -> None:
    assert write(example_trajectory()).outcome == "abstained"


def diagnose(capsys: pytest.CaptureFixture[str], url: str, *words: str) -> tuple[int, dict[str, Any]]:
    code = main(["--store", url, "--json", "diagnose", "--writer", "frozen", "--grader", "gold", *words])
    out = capsys.readouterr().out
    return code, json.loads(out) if out else {}


def test_the_verb_diagnoses_saves_and_swaps(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--run", "sim-terse", "--reference", "sim-broad", "--swap", "sim-terse,sim-broad")
    # The broad agent writes as the frozen writer does: four sets of five reports, not six.
    code, plan = diagnose(capsys, url, *words, "--plan")
    assert (code, plan["pairs"], plan["writes"]) == (0, 5, 20)
    code, answer = diagnose(capsys, url, *words)
    assert code == 0
    assert answer["runs"] == ["sim-terse", "sim-broad"]
    assert answer["n"] == 5
    assert answer["verdict"] in {"research_limited", "writing_limited", "both", "not_shown"}
    assert answer["swap"]["writers"] == ["scripted-terse", "scripted-broad"]
    assert answer["cost_usd"] == 0.0
    assert answer["rerun_noise"] == 0.0
    split = answer["swap"]["splits"][0]
    assert split["phi_research"]["value"] + split["phi_writing"]["value"] == pytest.approx(split["gap"]["value"])
    with open_store(url) as store:
        assert store.diagnoses.get(answer["id"]).report["verdict"] == answer["verdict"]


def test_the_panel_for_a_person(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["diagnose", "--writer", "frozen", "--grader", "gold", "--run", "sim-terse"]
    assert main(["--store", url, *words]) == 0
    shown = capsys.readouterr().out
    assert "->" in shown.splitlines()[0]
    assert "--reference" in shown


def test_wrong_words_are_said_in_a_sentence(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert diagnose(capsys, url, "--run", "sim-terse", "--swap", "sim-terse")[0] == 2
    assert diagnose(capsys, url, "--run", "none")[0] == 2
    assert diagnose(capsys, url, "--run", "sim-terse", "--swap", "sim-terse,sim-broad", "--swap-writer", "x")[0] == 2
