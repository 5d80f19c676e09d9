"""The reward of one rollout, or the reason why it has none."""

import math
from collections.abc import Mapping

from workbench.reward.core.combine import combine, guard_factors
from workbench.reward.core.names import component_names
from workbench.reward.core.terms import credits_of, shaping_of
from workbench.schema.reward import QuestionTarget, Reward, RewardSpec, RolloutFacts

NO_QUALITY = "no quality score"


def dropped(spec: RewardSpec, reason: str) -> Reward:
    """A rollout without a reward. No component carries a number, so that no trainer can sum up the shaping alone."""
    return Reward(None, dict.fromkeys(component_names(spec)), dropped=reason or NO_QUALITY)


def reward_of(
    spec: RewardSpec,
    facts: RolloutFacts,
    quality: float | None,
    targets: Mapping[str, QuestionTarget],
    *,
    failure: str = "",
) -> Reward:
    """R in [0, 1] with its components, or a dropped rollout.

    `quality` is G in [0, 1], or None where the judge failed or abstained; `failure` is its reason. A question without a
    target drops the rollout unless every term has a target of its own. Component `shaping` is S before any floor;
    guards appear as their factor (1: left alone, 0: acted in full). Raises ValueError for a quality outside [0, 1].
    """
    if quality is None:
        return dropped(spec, f"{NO_QUALITY}: {failure}" if failure else NO_QUALITY)
    if not math.isfinite(quality) or not 0.0 <= quality <= 1.0:
        raise ValueError(f"quality is {quality!r}; expected a number in [0, 1], or None for a judge that failed")
    credits = credits_of(spec, facts, targets.get(facts.question_id))
    if credits is None:
        return dropped(spec, f"no target for question {facts.question_id}: build targets from runs that answered it")
    shaping = shaping_of(spec, credits)
    factors = guard_factors(spec, facts, quality=quality, shaping=shaping)
    value = combine(spec, quality, shaping, factors)
    return Reward(value, {"quality": quality, "shaping": shaping, **credits, **factors})
