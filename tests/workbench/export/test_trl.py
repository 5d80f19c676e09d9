"""The installed TRL on an exported folder: it trains, its tool loop reaches the reward, and what a failed judge does.

What `workbench.export.trl.FAILED_JUDGE` says in every manifest is measured here.
"""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.workbench.export.exporting import export, rows, sign_again, write_rows
from tests.workbench.export.judge_server import Answer, Body, report_in, serve, verdicts
from tests.workbench.export.rubric_job import export_rubric_job
from tests.workbench.export.tiny_policy import build_policy, scripted_policy
from tests.workbench.reward.small_store import QUESTIONS, REFERENCE, SHEETS, fill
from workbench.export import load_job
from workbench.reward.reference import build_from_store, save_targets
from workbench.store import open_store

pytest.importorskip("trl")
pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore:You are using 'environment_factory'"),
]

REPORTS = {"good": "fully", "fair enough": "partly", "poor": "not"}
LOST = "LOST IN TRANSIT"
QUESTION = QUESTIONS["q-broad"]


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_policy(tmp_path_factory.mktemp("policy"))


@pytest.fixture(scope="module")
def rubric_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("rubric-job")
    with open_store(f"sqlite:///{home / 'store.db'}") as store:
        return export_rubric_job(store, home / "job")


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A judge over HTTP that knows three reports and loses one."""

    def answer(body: Body) -> Answer:
        report = report_in(body)
        return (400, "") if LOST in report else verdicts(body, REPORTS[report])

    with serve(answer) as server:
        monkeypatch.setenv("REWARD_JUDGE_URL", server.url)
        monkeypatch.setenv("REWARD_JUDGE_MODEL", "judge-1")
        yield


@dataclass
class Step:
    """One step of the trainer: what it made of the rollouts, and the gradient of its loss."""

    trainer: Any
    batch: dict[str, Any]
    gradient: Any

    @property
    def advantages(self) -> list[float]:
        return [float(value) for value in self.batch["advantages"]]

    @property
    def tokens(self) -> list[int]:
        return [int(value) for value in self.batch["completion_mask"].sum(dim=1)]


def step(
    policy: Path,
    turns: list[list[str]],
    reward_funcs: list[Any],
    tmp_path: Path,
    *,
    change: Callable[[Any], None] = lambda _: None,
    environment: Any = None,
    **settings: Any,
) -> Step:
    """One real step over rollouts of one question whose words are given."""
    import torch
    from datasets import Dataset
    from transformers import AutoTokenizer
    from trl import GRPOConfig, GRPOTrainer

    n = len(turns[0])
    options = {
        "output_dir": str(tmp_path / "out"),
        "num_generations": n,
        "per_device_train_batch_size": n,
        "max_completion_length": 512,
        "beta": 0.0,
        "use_cpu": True,
        "bf16": False,
        "report_to": "none",
        "gradient_checkpointing": False,
        "reward_weights": [1.0] + [0.0] * (len(reward_funcs) - 1),
    }
    row = {"prompt": [{"role": "user", "content": QUESTION}], "question": QUESTION, "question_id": "q-broad"}
    trainer = GRPOTrainer(
        model=scripted_policy(policy, turns),
        reward_funcs=reward_funcs,
        args=GRPOConfig(**(options | settings)),
        train_dataset=Dataset.from_list([row]),
        processing_class=AutoTokenizer.from_pretrained(policy, padding_side="left"),
        environment_factory=environment,
    )
    change(trainer)
    trainer.current_gradient_accumulation_steps = 1
    batch = trainer._generate_and_score_completions([dict(row) for _ in range(n)])
    trainer.model.zero_grad()
    trainer.compute_loss(trainer.model, batch).backward()
    gradient = torch.cat([p.grad.flatten() for p in trainer.model.parameters() if p.grad is not None])
    return Step(trainer, batch, gradient)


def functions(folder: Path) -> list[Any]:
    return list(load_job(folder).reward_functions)


def ratio(one: Any, other: Any) -> float:
    """How many times `other` the gradient `one` is. Fails where they do not point in one direction."""
    assert float(other.norm()) > 0
    factor = float(one @ other / (other @ other))
    # Rounding of single precision is all that may be left between the two.
    assert float((one - factor * other).norm()) < 1e-4 * float(one.norm())
    return factor


@pytest.mark.usefixtures("judge")
@pytest.mark.parametrize("loss_type", ["dapo", "grpo", "dr_grpo"])
def test_failed_judge_leaves_the_advantages_of_a_group_without_it_and_scales_the_gradient(
    policy: Path, rubric_folder: Path, tmp_path: Path, loss_type: str
) -> None:
    names = list(REPORTS)
    there = step(policy, [[*names, LOST]], functions(rubric_folder), tmp_path, loss_type=loss_type)
    absent = step(policy, [names], functions(rubric_folder), tmp_path, loss_type=loss_type)
    assert there.advantages[:3] == pytest.approx(absent.advantages, abs=1e-6)
    assert there.advantages[3] == 0.0
    assert max(absent.advantages) > 0.5
    tokens = there.tokens
    expected = sum(tokens[:3]) / sum(tokens) if loss_type == "dapo" else 3 / 4
    assert ratio(there.gradient, absent.gradient) == pytest.approx(expected, rel=1e-3)


@pytest.mark.usefixtures("judge")
def test_with_a_kl_penalty_the_dropped_rollout_still_pulls_towards_the_reference(
    policy: Path, rubric_folder: Path, tmp_path: Path
) -> None:
    import torch

    def drift(trainer: Any) -> None:
        torch.manual_seed(1)
        with torch.no_grad():
            for parameter in trainer.model.parameters():
                parameter.add_(0.02 * torch.randn_like(parameter))

    all_lost = [[LOST, f"{LOST} again"]]
    free = step(policy, all_lost, functions(rubric_folder), tmp_path, change=drift)
    held = step(policy, all_lost, functions(rubric_folder), tmp_path, change=drift, beta=0.1)
    assert free.advantages == held.advantages == [0.0, 0.0]
    assert float(free.gradient.norm()) == 0.0
    assert float(held.gradient.norm()) > 0.0


@pytest.mark.usefixtures("judge")
def test_rollout_alone_with_a_reward_in_its_group_teaches_nothing(
    policy: Path, rubric_folder: Path, tmp_path: Path
) -> None:
    lone = step(policy, [["good", LOST, f"{LOST} too"]], functions(rubric_folder), tmp_path)
    assert lone.advantages == [0.0, 0.0, 0.0]
    assert float(lone.gradient.norm()) == 0.0


@pytest.mark.usefixtures("judge")
def test_trl_would_train_on_the_shaping_alone_if_one_function_gave_a_number(
    policy: Path, rubric_folder: Path, tmp_path: Path
) -> None:
    """The trap that None in every function avoids: were shaping a number on a lost rollout, TRL counts it as 0."""
    reward_fn, *components = functions(rubric_folder)

    def leaky(completions: Any, **_: Any) -> list[float]:
        return [0.3] * len(completions)

    trapped = step(policy, [[*REPORTS, LOST]], [reward_fn, leaky], tmp_path)
    assert trapped.advantages[3] < -0.5
    safe = step(policy, [[*REPORTS, LOST]], [reward_fn, *components], tmp_path)
    assert safe.advantages[3] == 0.0


class Web:
    """Two tools over pages of this test's own."""

    def reset(self, **_: Any) -> None:
        """Nothing is kept between rollouts."""

    def search(self, query: str) -> str:
        """Searches.

        Args:
            query: What to look for.
        """
        return f"1. {query}: https://www.site0.org/page"

    def visit(self, url: str) -> str:
        """Opens a page.

        Args:
            url: Its address.
        """
        if "lost" in url:
            raise ValueError("no such page")
        return "The pier was built in 1841 of granite."


def call(name: str, **arguments: str) -> str:
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


def test_tool_loop_of_trl_reaches_the_reward(policy: Path, exported: Path, tmp_path: Path) -> None:
    report = "It was built in 1841 of granite (https://www.site0.org/page)."
    turns = [
        [call("search", query="pier"), "It was built in 1841."],
        [call("visit", url="https://www.site0.org/page")],
        [call("visit", url="https://www.lost.org/page")],
        [report],
    ]
    done = step(policy, turns, functions(exported), tmp_path, environment=Web, max_completion_length=2048)
    logged = {name: list(values) for name, values in done.trainer._logs["rewards"].items()}
    # 1 of 5 queries and 1 of 4 sites (the lost page is not opened); both facts stated and cited.
    assert logged["distinct_queries"] == pytest.approx([0.2, 0.0])
    assert logged["distinct_sites"] == pytest.approx([0.25, 0.0])
    assert logged["quality"] == pytest.approx([1.0, 0.25])
    assert logged["reward_fn"] == pytest.approx([(1 + 0.5 * 0.23) / 1.5, 0.25 / 1.5])
    assert done.advantages[0] > 0 > done.advantages[1]


def test_start_script_trains_two_real_steps(policy: Path, tmp_path: Path) -> None:
    folder = letters_job(tmp_path)
    config = json.loads((folder / "train_config.json").read_text())
    config["grpo"] |= {"max_completion_length": 48, "use_cpu": True, "save_strategy": "no", "learning_rate": 0.01}
    config["grpo"]["gradient_checkpointing"] = False
    (tmp_path / "config.json").write_text(json.dumps(config))
    output = tmp_path / "out"
    command = [sys.executable, "-I", str(folder / "train_trl.py"), "--model", str(policy), "--output", str(output)]
    command += ["--config", str(tmp_path / "config.json"), "--max-steps", "2"]
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environ, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    logs = [ast.literal_eval(line) for line in done.stdout.splitlines() if line.startswith("{")]
    steps = [{name: float(value) for name, value in log.items()} for log in logs if "reward" in log]
    assert len(steps) == 2
    assert all(log["grad_norm"] > 0 and log["reward_std"] > 0 for log in steps)
    # Components are logged and weigh nothing: the reward is the reward function's mean.
    assert all(log["reward"] == pytest.approx(log["rewards/reward_fn/mean"], abs=1e-4) for log in steps)
    assert all(log["rewards/shaping/mean"] == 1.0 and 0 < log["rewards/quality/mean"] < 1 for log in steps)
    assert (output / "model.safetensors").read_bytes() != (policy / "model.safetensors").read_bytes()
    # The same output folder under another reward is refused: its checkpoints learned something else.
    note = json.loads((output / "reward_job.json").read_text())
    (output / "reward_job.json").write_text(json.dumps(note | {"digest": "other"}))
    again = subprocess.run(command, capture_output=True, text=True, env=environ, cwd=tmp_path, check=False)
    assert again.returncode == 1
    assert "holds a run on another reward" in again.stderr


def letters_job(tmp_path: Path) -> Path:
    """A job that pays for single letters, which a policy of random bytes writes now and then; nothing to search."""
    with open_store(f"sqlite:///{tmp_path / 'store.db'}") as store:
        fill(store)
        save_targets(store, build_from_store(store, [REFERENCE]))
        folder = export(store, tmp_path / "job")
    letters = {"facts": [{"id": f"l{letter}", "any_of": [letter]} for letter in "abcdefghijklmnopqrstuvwxyz"]}
    write_rows(folder, "sheets.jsonl", [{"question_id": name, "sheet": letters} for name in SHEETS])
    targets = rows(folder, "targets.jsonl")
    write_rows(folder, "targets.jsonl", [row | {"queries": 0, "sites": 0} for row in targets])
    sign_again(folder)
    return folder
