"""The study that says whether the policy learns; its result is kept in docs/evidence."""

import time
from pathlib import Path

import pytest

from benchmarks.sample.plan import SamplePlan
from tests.support.evidence import write_evidence
from tests.training.study import ARMS, MEASURES, change, laboratory, run_arm

SEEDS = (0, 1, 2)
STEPS = 40


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_reward_and_breadth_rise_in_every_seed_of_the_shaped_run(tmp_path: Path) -> None:
    began = time.monotonic()
    lab = laboratory(tmp_path, SamplePlan())
    runs = [run_arm(lab, arm, seed, STEPS) for seed in SEEDS for arm in ARMS]
    changes = {arm: {name: change(runs, arm, name) for name in MEASURES} for arm in ARMS}
    result = {
        "what": "GRPO from one SFT start in one simulated web, lambda 0.5 (shaped) against 0 (quality alone): the "
        "policy before and after, over 40 questions x 8 rollouts a seed; reward is that of the shaped spec",
        "seeds": SEEDS,
        "steps": STEPS,
        "changes": changes,
        "runs": runs,
    }
    write_evidence(
        "training-learns", result, seed=SEEDS[0], n=len(runs), seconds=time.monotonic() - began,
        code=("training", "benchmarks/simulated_web", "workbench/reward"),
    )  # fmt: skip
    assert changes["shaped"]["reward"]["least"] > 0
    assert changes["shaped"]["sites_opened"]["least"] > 0
