"""Scores rollouts with the exported reward, and sums up what a step's rollouts were like."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from training.advantages import Advantages, FloatArray
from training.environments import WebEpisode
from workbench.export.load import ExportedJob
from workbench.phases import facts_of
from workbench.schema.analysis import Analysis
from workbench.schema.reward import RolloutFacts
from workbench.schema.trajectory import Trajectory, trajectory_to_json

# What the store's tables call a count is not what the reward calls a credit, so credits get a prefix.
TERMS = frozenset({"distinct_queries", "distinct_sites"})


@dataclass(frozen=True, slots=True)
class Rewarded:
    """The reward of one rollout in [0, 1] and its components; all None, with the reason in `dropped`, where it has
    none."""

    value: float | None
    components: Mapping[str, float | None]
    dropped: str


def reward_all(job: ExportedJob, trajectories: Sequence[Trajectory]) -> list[Rewarded]:
    """Rewards by the frozen code of the folder, from nothing but the trajectory in its native JSON form."""
    scored = [job.score_trajectory(trajectory_to_json(trajectory)) for trajectory in trajectories]
    return [Rewarded(found["reward"], found["components"], found["dropped"]) for found in scored]


def step_metrics(
    episodes: Sequence[WebEpisode],
    trajectories: Sequence[Trajectory],
    rewards: Sequence[Rewarded],
    advantages: Advantages,
    analysis: Callable[[Trajectory], Analysis],
) -> dict[str, float]:
    """Means over a step's rollouts. Rewards and components are over those that were not dropped, NaN if all were."""
    facts = [facts_of(trajectory, analysis(trajectory)) for trajectory in trajectories]
    kept = [rewarded for rewarded in rewards if rewarded.value is not None]
    metrics = {"reward": _mean([rewarded.value for rewarded in kept])}
    for name in rewards[0].components:
        shown = f"credit_{name}" if name in TERMS else name
        metrics[shown] = _mean([rewarded.components[name] for rewarded in kept])
    for name in ("distinct_queries", "sites_opened", "sites_cited", "tool_calls", "report_chars", "citations"):
        metrics[name] = _mean([float(getattr(fact, name)) for fact in facts])
    calls = sum(fact.tool_calls for fact in facts)
    pages = sum(episode.pages_opened for episode in episodes)
    metrics["invalid_call_share"] = sum(fact.failed_calls for fact in facts) / calls if calls else 0.0
    metrics["empty_page_share"] = sum(episode.empty_pages for episode in episodes) / pages if pages else 0.0
    metrics["dropped_share"] = sum(rewarded.value is None for rewarded in rewards) / len(rewards)
    metrics["zero_spread_share"] = advantages.zero_spread_share
    metrics["reward_sites_correlation"] = _within_groups(rewards, facts, advantages.values.shape)
    return metrics


def rewards_by_group(rewards: Sequence[Rewarded], group: int) -> list[list[float | None]]:
    values = [rewarded.value for rewarded in rewards]
    return [values[i : i + group] for i in range(0, len(values), group)]


def _mean(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else float("nan")


def _within_groups(rewards: Sequence[Rewarded], facts: Sequence[RolloutFacts], shape: tuple[int, ...]) -> float:
    """Correlation of reward and distinct sites about their group means: what the gradient sees of breadth. NaN where
    either does not vary."""
    values_QG = np.array([np.nan if r.value is None else r.value for r in rewards]).reshape(shape)
    sites_QG = np.array([float(fact.sites_opened) for fact in facts]).reshape(shape)
    sites_QG = np.where(np.isnan(values_QG), np.nan, sites_QG)
    known_Q = ~np.isnan(values_QG).all(axis=1)
    x, y = _centred(values_QG[known_Q]), _centred(sites_QG[known_Q])
    scale = float(np.sqrt((x**2).sum() * (y**2).sum()))
    return float((x * y).sum() / scale) if scale > 0 else float("nan")


def _centred(values_QG: FloatArray) -> FloatArray:
    centred = values_QG - np.nanmean(values_QG, axis=1, keepdims=True)
    return np.asarray(centred[~np.isnan(centred)], dtype=np.float64)
