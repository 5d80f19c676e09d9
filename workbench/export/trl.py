"""What a job folder needs for TRL: its start script, its settings, and what a failed judge does there."""

from typing import Any

from workbench.schema.reward import RewardSpec

NAME = "trl"
CHECKED_WITH = "trl 1.16.0"
FILES = ("reward.py", "check.py", "train_trl.py")
ENTRY = "reward.py:reward_fn"

# Measured by tests/workbench/export/test_trl.py against the installed trainer.
FAILED_JUDGE = (
    "Every reward function gives None for a rollout whose judge failed or abstained, or whose question has no target. "
    "TRL then leaves it out of its group's mean and standard deviation and sets its advantage to 0: the advantages of "
    "the others are those of a group without it. Its tokens still count in the normaliser of the loss, so the gradient "
    "of the others is that of the batch without it times a factor below 1 (scored tokens / all tokens for dapo, "
    "scored rollouts / all rollouts for grpo and dr_grpo); with beta > 0 the KL term acts on it too. A rollout alone "
    "with a reward in its group gets advantage 0. Were any single function to give a number, TRL would sum the missing "
    "ones as 0 and train on the rest; so none does."
)


def settings(spec: RewardSpec) -> dict[str, Any]:
    """train_config.json. `grpo` holds arguments of TRL's GRPOConfig."""
    return {
        "observations_in_text": False,
        "system_prompt": "",
        "grpo": {
            "num_generations": 8,
            "per_device_train_batch_size": 8,
            "learning_rate": 1e-06,
            "beta": 0.0,
            "loss_type": "dapo",
            "scale_rewards": spec.normalise,
            # Tool results count against this length in TRL, whose default of 512 cuts research off.
            "max_completion_length": 8192,
            "logging_steps": 1,
            "save_steps": 50,
            "seed": 0,
            "report_to": "none",
        },
    }
