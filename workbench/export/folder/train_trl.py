"""Starts GRPO on this folder's reward with TRL 1.16.

    python train_trl.py --model MODEL --output DIR [--environment FILE.py:Class] [--max-steps N] [--resume]

Settings are in train_config.json: `grpo` goes to TRL's GRPOConfig as it stands. `--environment` names a class with
`reset(**row)` and public methods as tools (TRL's `environment_factory`); its tool results then come to the reward as
tool messages. Without one the policy answers without tools. See manifest.json for what a failed judge does.
"""

import argparse
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

import reward  # type: ignore[import-not-found]  # noqa: E402 - the folder's own, found by the line above


def main() -> None:
    options = _options()
    config = json.loads(options.config.read_text(encoding="utf-8"))
    _same_job(options.output)
    # A missing judge must stop the run before a model is loaded, not drop every rollout of it.
    reward.JOB.with_judge()
    reward.REWARDS.observations_in_text = bool(config["observations_in_text"])
    trainer = make_trainer(options, config)
    trainer.train(resume_from_checkpoint=options.resume or None)
    trainer.save_model()


def make_trainer(options: argparse.Namespace, config: dict[str, Any]) -> Any:
    """TRL's trainer on this folder's questions and reward functions."""
    from datasets import Dataset
    from transformers import AutoTokenizer
    from trl import GRPOConfig, GRPOTrainer

    settings = {**config["grpo"], "output_dir": str(options.output), "reward_weights": reward.REWARD_WEIGHTS}
    if options.max_steps:
        settings["max_steps"] = options.max_steps
    return GRPOTrainer(
        model=options.model,
        reward_funcs=list(reward.REWARD_FUNCTIONS),
        args=GRPOConfig(**settings),
        train_dataset=Dataset.from_list(prompts(options.questions, config["system_prompt"])),
        processing_class=AutoTokenizer.from_pretrained(options.model, padding_side="left"),
        environment_factory=_environment(options.environment) if options.environment else None,
    )


def prompts(questions: Path, system_prompt: str) -> list[dict[str, Any]]:
    """One row a question. `question` and `question_id` travel to the reward as columns."""
    rows = [json.loads(line) for line in questions.read_text(encoding="utf-8").splitlines() if line]
    if not rows:
        raise SystemExit(f"{questions} holds no question; name a file with --questions")
    system = [{"role": "system", "content": system_prompt}] if system_prompt else []
    return [
        {
            "prompt": [*system, {"role": "user", "content": row["question"]}],
            "question": row["question"],
            "question_id": row["question_id"],
        }
        for row in rows
    ]


def _environment(word: str) -> Any:
    path, _, name = word.rpartition(":")
    spec = importlib.util.spec_from_file_location("reward_environment", path)
    if not name or spec is None or spec.loader is None:
        raise SystemExit(f"--environment is {word!r}; expected FILE.py:Class")
    module = importlib.util.module_from_spec(spec)
    sys.modules["reward_environment"] = module
    spec.loader.exec_module(module)
    return getattr(module, name)


def _same_job(output: Path) -> None:
    """Refuses to go on with a run that was started on another job: its checkpoints learned another reward."""
    note = output / "reward_job.json"
    job = {"digest": reward.MANIFEST["digest"], "spec": reward.MANIFEST["spec"]}
    if note.exists() and json.loads(note.read_text(encoding="utf-8"))["digest"] != job["digest"]:
        raise SystemExit(f"{output} holds a run on another reward; choose another --output")
    output.mkdir(parents=True, exist_ok=True)
    note.write_text(json.dumps(job, indent=2) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--environment", default="")
    parser.add_argument("--questions", type=Path, default=FOLDER / "questions.jsonl")
    parser.add_argument("--config", type=Path, default=FOLDER / "train_config.json")
    parser.add_argument("--max-steps", type=int, default=0)
    parser.add_argument("--resume", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
