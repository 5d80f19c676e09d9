"""Scripted agents: repeatable, different from each other, and true to what they read."""

import statistics
from typing import TypeAlias

import pytest

from benchmarks.simulated_web.agents import SAMPLE, run_agent
from benchmarks.simulated_web.environment import Episode
from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.tools import Budget
from benchmarks.simulated_web.world import World
from workbench.errors import BadInputError, NotFoundError
from workbench.phases import analyse
from workbench.schema.analysis import Analysis
from workbench.schema.trajectory import ToolCall, Trajectory, trajectory_from_json, trajectory_to_json

Runs: TypeAlias = dict[str, list[tuple[Trajectory, Analysis]]]


@pytest.fixture(scope="module")
def runs(world: World, questions: tuple[Question, ...]) -> Runs:
    """One attempt of every agent at the first 20 questions, with what is computed of it."""
    done = {name: [run_agent(name, world, q, seed=2, attempt=0) for q in questions[:20]] for name in SAMPLE}
    return {name: [(trajectory, analyse(trajectory)) for trajectory in of_agent] for name, of_agent in done.items()}


def test_same_arguments_give_the_same_trajectory_and_another_attempt_another(
    world: World, questions: tuple[Question, ...]
) -> None:
    first = run_agent("broad", world, questions[1], seed=2, attempt=0)
    assert run_agent("broad", world, questions[1], seed=2, attempt=0) == first
    assert run_agent("broad", world, questions[1], seed=2, attempt=1).content_hash != first.content_hash


def test_agents_differ_in_breadth_as_planned(runs: Runs) -> None:
    sites = {
        name: statistics.mean(analysis.activity.sites_opened for _, analysis in analysed)
        for name, analysed in runs.items()
    }
    assert sites["padder"] > sites["broad"] > sites["terse"] > sites["narrow"] > sites["fabricating"]


def test_only_the_fabricating_agent_cites_what_it_never_opened(runs: Runs) -> None:
    for name, analysed in runs.items():
        retrieved = [citation.retrieval for _, analysis in analysed for citation in analysis.citations]
        outside = sum(kind != "opened" for kind in retrieved)
        assert (outside > 0.5 * len(retrieved)) if name == "fabricating" else outside == 0, name


def test_trajectories_plan_then_research_then_write(runs: Runs) -> None:
    for name in ("broad", "padder", "terse", "narrow"):
        for trajectory, analysis in runs[name]:
            phases = [found.phase for found in analysis.phases]
            if trajectory.report and any(step.tool_calls for step in trajectory.steps):
                assert "plan" in phases and "research" in phases and phases[-1] == "synthesis"


def test_tool_calls_follow_the_openai_form(world: World, questions: tuple[Question, ...]) -> None:
    trajectory = run_agent("broad", world, questions[1], seed=2, attempt=0)
    calls = [call for step in trajectory.steps for call in step.tool_calls]
    results = [result for step in trajectory.steps for result in step.tool_results]
    assert {(call.name, call.kind) for call in calls} == {("search", "search"), ("open_page", "visit")}
    assert [call.id for call in calls] == [result.call_id for result in results]
    assert len({call.id for call in calls}) == len(calls)
    assert trajectory_from_json(trajectory_to_json(trajectory)) == trajectory


def test_tool_failures_happen_now_and_then(runs: Runs) -> None:
    failed = [r.is_error for t, _ in runs["broad"] for step in t.steps for r in step.tool_results]
    assert 0 < sum(failed) < 0.1 * len(failed)


def test_plan_does_not_name_what_the_question_leaves_to_be_found(world: World, questions: tuple[Question, ...]) -> None:
    for question in questions:
        if question.kind == "linked":
            asked = [world.graph.entity[entity] for entity in question.entities]
            plan = run_agent("narrow", world, question, seed=2, attempt=0).steps[2].text
            assert not any(entity.root in plan for entity in asked if entity.name not in question.text)


def test_no_agent_but_the_padder_searches_where_no_search_is_needed(
    world: World, questions: tuple[Question, ...]
) -> None:
    for question in questions:
        if question.kind == "no_search":
            done = {name: run_agent(name, world, question, seed=2, attempt=0) for name in SAMPLE}
            calls = {name: analyse(trajectory).activity.tool_calls for name, trajectory in done.items()}
            assert calls.pop("padder") > 0
            assert set(calls.values()) == {0}


def test_unknown_agent_is_refused(world: World, questions: tuple[Question, ...]) -> None:
    with pytest.raises(NotFoundError, match="known are broad"):
        run_agent("lazy", world, questions[0], seed=0, attempt=0)


def test_episode_records_what_was_said_and_done(world: World, questions: tuple[Question, ...]) -> None:
    question = questions[1]
    episode = Episode(world, question, Budget(calls=2))
    assert episode.observation().text == question.text
    episode.say("Plan: search.")
    result = episode.act(ToolCall("c1", "search", "search", {"query": "dam"}), reasoning="first")
    assert (episode.observation().text, episode.observation().calls_left) == (result.text, 1)
    episode.finish("# Report")
    assert episode.observation().finished
    trajectory = episode.trajectory(run="r", model="m", attempt=3, group="g", policy_step=7)
    assert [step.role for step in trajectory.steps] == ["system", "user", "assistant", "assistant", "tool", "assistant"]
    assert (trajectory.report, trajectory.outcome, trajectory.policy_step) == ("# Report", "completed", 7)
    assert trajectory.question_id == question.id and trajectory.meta["simulated"] is True
    with pytest.raises(BadInputError, match="finished"):
        episode.act(ToolCall("c2", "search", "search", {"query": "dam"}))


def test_episode_cut_off_has_no_report(world: World, questions: tuple[Question, ...]) -> None:
    episode = Episode(world, questions[1])
    episode.finish("", outcome="truncated")
    trajectory = episode.trajectory(run="r", model="m")
    assert (trajectory.report, trajectory.outcome, len(trajectory.steps)) == ("", "truncated", 2)
