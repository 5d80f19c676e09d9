"""The plain ReAct agent: what it is told, what it records, and how it ends; only the model's replies are scripted."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from benchmarks.agents import ReActAgent, ReActOptions
from benchmarks.asking import ask_model
from benchmarks.simulated_web.gold import gold_grade
from benchmarks.simulated_web.questions import Question, make_questions
from benchmarks.simulated_web.world import World, generate_world
from tests.graders.conftest import endpoint
from tests.graders.fake_endpoint import Answer, FakeEndpoint, completion, failure
from tests.graders.helpers import gateway_to
from workbench.cli.main import main
from workbench.phases import analyse
from workbench.schema.trajectory import Trajectory
from workbench.store import open_store
from workbench.store.jobs import NullJob

__all__ = ["endpoint"]


@pytest.fixture(scope="module")
def world() -> World:
    return generate_world(1)


@pytest.fixture(scope="module")
def question(world: World) -> Question:
    return next(q for q in make_questions(world, 20, 7) if q.kind == "profile")


def told(request: dict[str, Any]) -> str:
    return str(request["messages"][1]["content"])


def act(action: str, argument: str = "", *, notes: list[str] | None = None, todo: list[str] | None = None) -> Answer:
    turn = {"thought": "so", "notes": notes or [], "todo": todo or [], "action": action, "argument": argument}
    return completion(json.dumps(turn))


def diligent(request: dict[str, Any]) -> Answer:
    """Searches for the question, opens the first three results, notes what they say, writes its notes up."""
    text = told(request)
    if "Write the report now" in text:
        notes = re.search(r"Your notes:\n(.*?)\n\nLast result", text, re.DOTALL)
        return completion("# Report\n\n" + (notes.group(1) if notes else ""))
    last = text.partition("Last result:\n")[2]
    urls = re.findall(r"URL: (\S+)", last)
    asked = re.search(r"Question:\n(.*?)\n", text)
    if last.startswith("(nothing yet)"):
        return act("search", asked.group(1) if asked else "", todo=["find it"])
    if last.startswith("search"):
        return act("open_page", urls[0])
    body = last.partition("\n\n")[2].replace("\n", " ")
    return act("write", notes=[f"{sentence.strip(' .')} [1]" for sentence in body.split(". ")[:12]])


def run(
    endpoint: FakeEndpoint, world: World, question: Question, options: ReActOptions | None = None, attempt: int = 0
) -> Trajectory:
    options = options or ReActOptions("m", endpoint.base_url)
    agent = ReActAgent(options, gateway_to(None))
    return asyncio.run(agent.run(world, question, run="react", attempt=attempt))


def test_episode_is_recorded_with_its_calls_thoughts_and_cited_report(
    endpoint: FakeEndpoint, world: World, question: Question
) -> None:
    endpoint.responder = diligent
    trajectory = run(endpoint, world, question)
    assert trajectory.outcome == "completed"
    assert [c.name for s in trajectory.steps for c in s.tool_calls] == ["search", "open_page"]
    analysis = analyse(trajectory)
    assert analysis.citations and {c.retrieval for c in analysis.citations} == {"opened"}
    assert gold_grade(world, question, trajectory).outcome == "scored"
    assert "Todo:\n- find it" in [step.text for step in trajectory.steps]


def test_notes_and_todo_come_back_and_older_results_do_not(
    endpoint: FakeEndpoint, world: World, question: Question
) -> None:
    urls = [page.url for page in world.pages[:3]]
    script = [act("open_page", url, notes=[f"note {n}"], todo=[f"todo {n}"]) for n, url in enumerate(urls)]
    endpoint.script.extend([*script, act("write"), completion("# Done")])
    run(endpoint, world, question)
    fourth = told(endpoint.requests[3])
    assert "- note 0\n- note 1\n- note 2" in fourth and "- todo 2" in fourth and "- todo 1" not in fourth
    assert world.pages[2].text[:80] in fourth and world.pages[1].text[:80] not in fourth


def test_reply_without_an_action_is_asked_again_and_three_in_a_row_end_the_episode(
    endpoint: FakeEndpoint, world: World, question: Question
) -> None:
    endpoint.script.extend([completion("I would search."), act("search", " "), act("write"), completion("# Done")])
    assert run(endpoint, world, question).outcome == "completed"
    assert "held no action that could be read" in told(endpoint.requests[1])
    endpoint.responder = lambda _: completion("no idea")
    failed = run(endpoint, world, question)
    assert (failed.outcome, failed.report) == ("failed", "")


def test_spent_turns_still_give_a_report_that_is_called_truncated(
    endpoint: FakeEndpoint, world: World, question: Question
) -> None:
    endpoint.responder = lambda r: (
        completion("# So far") if "Write the report now" in told(r) else act("search", "dam height")
    )
    trajectory = run(endpoint, world, question, ReActOptions("m", endpoint.base_url, turns=3))
    assert trajectory.outcome == "truncated" and trajectory.report == "# So far"
    assert endpoint.calls == 4


def test_action_is_read_out_of_prose_and_the_first_object_that_names_one_counts(
    endpoint: FakeEndpoint, world: World, question: Question
) -> None:
    wrapped = 'I note {"x": 1} and then\n```json\n{"action": "search", "argument": "dam"}\n``` or {"action": "write"}'
    endpoint.script.extend([completion(wrapped), act("write"), completion("# Done")])
    trajectory = run(endpoint, world, question)
    assert [c.arguments for s in trajectory.steps for c in s.tool_calls] == [{"query": "dam"}]


def test_lost_episode_is_not_stored_and_the_next_run_makes_it_and_nothing_else(
    endpoint: FakeEndpoint, world: World, tmp_path: Path
) -> None:
    questions = make_questions(world, 4, 7)
    broken = questions[1].text
    endpoint.responder = lambda r: failure(500) if broken in told(r) else diligent(r)
    with open_store(f"sqlite:///{tmp_path / 'asked.db'}") as store:
        agent = ReActAgent(ReActOptions("m", endpoint.base_url), gateway_to(store))

        def again() -> tuple[int, int, int]:
            found = ask_model(
                store, world, agent, questions, run="react", attempts=1, meta={}, concurrency=2, job=NullJob()
            )
            return found.made, found.found, found.lost

        assert again() == (3, 0, 1)
        assert store.runs.get("react").n == 3
        endpoint.responder = diligent
        assert again() == (1, 3, 0)
        calls = endpoint.calls
        assert again() == (0, 4, 0) and endpoint.calls == calls


def test_command_line_asks_a_served_model(endpoint: FakeEndpoint, tmp_path: Path, capsys: Any) -> None:
    endpoint.responder = diligent
    command = ["--store", f"sqlite:///{tmp_path / 'cli.db'}", "--json", "world", "ask", "--model", "served/m"]
    assert main([*command, "--base-url", endpoint.base_url, "--questions", "2"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["run"], answer["made"], answer["lost"]) == ("react-m", 2, 0)
