"""Playing, imitating and reinforcing: the tokens that were drawn are the tokens that are trained, and it learns."""

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from benchmarks.simulated_web.questions import Question, make_questions
from tests.training.conftest import TINY, Workshop
from training.advantages import advantages, reward_matrix
from training.batches import collate
from training.config import RlConfig, SftConfig
from training.data import policy_share, replay
from training.environments import Surroundings, WebEpisode
from training.grammar import Grammar
from training.model import build_model
from training.policy import score
from training.report import choose_claims, write_report
from training.rl import NOTHING_LEARNED, update
from training.rollouts import TokenPath, play
from training.sft import fine_tune, learning_rate
from training.start import QUESTION_SEED, ready_start, scripted_examples
from workbench.phases import analyse

CONFIG = RlConfig(learning_rate=1e-2, kl_weight=0.0, micro_batch=4)


@pytest.fixture(scope="module")
def model(around: Surroundings) -> Any:
    return build_model(TINY.model, len(around.tokenizer.vocabulary), seed=0)


@pytest.fixture(scope="module")
def played(
    model: Any, around: Surroundings, grammar: Grammar, workshop: Workshop
) -> tuple[list[WebEpisode], list[TokenPath]]:
    episodes = [WebEpisode(around, question) for question in make_questions(workshop.world, 6, 3)]
    return episodes, play(model, grammar, episodes, generator=torch.Generator().manual_seed(0))


def test_log_probabilities_drawn_are_those_that_training_computes(
    model: Any, grammar: Grammar, played: tuple[list[WebEpisode], list[TokenPath]]
) -> None:
    batch = collate(played[1], pad=0)
    with torch.no_grad():
        scored = score(model, grammar, batch)
    torch.testing.assert_close(scored.logp, batch.old, atol=2e-4, rtol=1e-3)
    assert batch.policy_tokens == len(batch.rows) > 0


def test_every_episode_ends_with_a_report_within_its_turns(
    played: tuple[list[WebEpisode], list[TokenPath]],
) -> None:
    for episode, path in zip(*played, strict=True):
        trajectory = episode.trajectory(path, run="r", model="m", group="g", attempt=0, policy_step=0)
        assert trajectory.outcome == "completed" and trajectory.report
        activity = analyse(trajectory).activity
        assert activity.tool_calls == episode.calls <= TINY.max_turns - 1
        assert activity.tokens_exact


def test_padding_and_company_do_not_change_a_rollouts_log_probabilities(
    model: Any, grammar: Grammar, played: tuple[list[WebEpisode], list[TokenPath]]
) -> None:
    paths = played[1]
    with torch.no_grad():
        alone = torch.cat([score(model, grammar, collate([path], pad=0)).logp for path in paths])
        together = score(model, grammar, collate(paths, pad=0)).logp
    torch.testing.assert_close(alone, together, atol=1e-4, rtol=1e-3)


def test_frozen_writer_reports_what_the_policy_found(model: Any, around: Surroundings, workshop: Workshop) -> None:
    frozen = replace(around, own_report=False)
    grammar = Grammar(around.tokenizer, own_report=False)
    episodes = [WebEpisode(frozen, question) for question in make_questions(workshop.world, 6, 3)]
    paths = play(model, grammar, episodes, generator=torch.Generator().manual_seed(0))
    for episode, path in zip(episodes, paths, strict=True):
        assert episode.report == write_report(
            workshop.world.graph, episode.question.text, episode.found, choose_claims(episode.found)
        )
        assert path.segments[-1].ids == (around.tokenizer.mark("report"),)


def test_imitation_lowers_the_loss_and_sees_policy_tokens_only(around: Surroundings, grammar: Grammar) -> None:
    config = SftConfig(steps=25, batch=8, warmup=2, questions=16)
    paths = [example.path for example in scripted_examples(around, grammar, config, exclude=frozenset())]
    assert 0.05 < policy_share(paths) < 0.6
    pupil = build_model(TINY.model, len(around.tokenizer.vocabulary), seed=0)
    result = fine_tune(pupil, grammar, paths, config, seed=0)
    assert np.mean(result.losses[-3:]) < 0.75 * result.losses[0]


def test_scripted_answers_to_held_out_questions_are_not_shown(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: set[str] = set()

    def watched(around: Any, grammar: Any, question: Question, trajectory: Any) -> Any:
        shown.add(question.id)
        return replay(around, grammar, question, trajectory)

    monkeypatch.setattr("training.start.replay", watched)
    likely = make_questions(workshop.world, TINY.sft.questions, QUESTION_SEED)[:4]
    ready_start(workshop.world, TINY, tmp_path, own_report=True, held_out=likely)
    assert shown and not shown & {question.id for question in likely}


def learn(model: Any, grammar: Grammar, paths: list[TokenPath], rewards: list[list[float | None]]) -> tuple[Any, Any]:
    pupil = copy.deepcopy(model)
    optimiser = torch.optim.SGD(pupil.parameters(), lr=0.5)
    figures = update(
        pupil, model, grammar, optimiser, paths, advantages(reward_matrix(rewards), scaling="group"), CONFIG
    )
    return pupil, figures


def log_probability(model: Any, grammar: Grammar, path: TokenPath) -> float:
    with torch.no_grad():
        return float(score(model, grammar, collate([path], pad=0)).logp.sum())


def test_rewarded_rollouts_become_likelier_and_the_others_less_likely(
    model: Any, grammar: Grammar, played: tuple[list[WebEpisode], list[TokenPath]]
) -> None:
    paths = played[1]
    pupil, figures = learn(model, grammar, paths, [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    change = [log_probability(pupil, grammar, p) - log_probability(model, grammar, p) for p in paths]
    assert change[0] > 0 and change[5] > 0
    assert change[0] + change[5] > sum(change[i] for i in (1, 2, 3, 4)) / 2
    assert figures.kl == pytest.approx(0.0, abs=1e-6) and figures.clipped_share == 0.0


def test_dropped_rollout_changes_nothing_as_if_it_had_not_been_played(
    model: Any, grammar: Grammar, played: tuple[list[WebEpisode], list[TokenPath]]
) -> None:
    paths = played[1]
    with_dropped, _ = learn(model, grammar, paths[:4], [[1.0, 0.5, None, 0.0]])
    without, _ = learn(model, grammar, [paths[0], paths[1], paths[3]], [[1.0, 0.5, 0.0]])
    for one, other in zip(with_dropped.parameters(), without.parameters(), strict=True):
        torch.testing.assert_close(one, other)


def test_group_without_spread_teaches_nothing(
    model: Any, grammar: Grammar, played: tuple[list[WebEpisode], list[TokenPath]]
) -> None:
    pupil, _ = learn(model, grammar, played[1][:3], [[0.4, 0.4, 0.4]])
    for one, other in zip(pupil.parameters(), model.parameters(), strict=True):
        assert torch.equal(one, other)


def test_batch_that_was_dropped_whole_makes_no_step(
    model: Any, grammar: Grammar, played: tuple[list[WebEpisode], list[TokenPath]]
) -> None:
    pupil, figures = learn(model, grammar, played[1][:3], [[None, None, None]])
    assert figures == NOTHING_LEARNED
    assert all(torch.equal(a, b) for a, b in zip(pupil.parameters(), model.parameters(), strict=True))


def test_learning_rate_warms_up_and_falls_to_a_tenth() -> None:
    config = replace(SftConfig(), steps=100, warmup=10, learning_rate=1.0)
    rates = [learning_rate(step, config) for step in range(100)]
    assert rates[0] == pytest.approx(0.1) and rates[9] == pytest.approx(1.0)
    assert rates[-1] == pytest.approx(0.1, abs=0.01)
    assert max(rates) == pytest.approx(1.0)
