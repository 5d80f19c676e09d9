"""The reward of this folder, for a trainer or any Python: it finds its folder by its own path and needs no package.

- TRL: `reward_funcs=REWARD_FUNCTIONS, reward_weights=REWARD_WEIGHTS` (`reward_fn` alone works too; the others only log
  the components and carry weight 0).
- Anything else: `score_trajectory(trajectory) -> {"reward": number or None, "components": {...}, "dropped": reason}`.

A rollout whose judge failed is dropped: every function gives None for it, never a number.
"""

import importlib.util
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

FOLDER = Path(__file__).resolve().parent
MANIFEST = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
PACKAGE: str = MANIFEST["package"]


def _frozen(module: str) -> ModuleType:
    """A module of the frozen package that lies in this folder, whatever else is on Python's path."""
    if PACKAGE not in sys.modules:
        home = FOLDER / PACKAGE
        spec = importlib.util.spec_from_file_location(
            PACKAGE, home / "__init__.py", submodule_search_locations=[str(home)]
        )
        if spec is None or spec.loader is None:
            raise ImportError(f"{home} is missing: this job folder is not complete, copy it again")
        package = importlib.util.module_from_spec(spec)
        sys.modules[PACKAGE] = package
        spec.loader.exec_module(package)
    return importlib.import_module(f"{PACKAGE}.{module}")


JOB = _frozen("export.runtime.job").open_job(FOLDER)
BatchRewards: Any = _frozen("export.runtime.batch").BatchRewards
REWARDS: Any = BatchRewards(JOB)


def reward_fn(prompts: Any, completions: Any, completion_ids: Any = None, **columns: Any) -> list[float | None]:  # noqa: ARG001
    """The reward of each rollout in [0, 1], None where it is dropped."""
    rewards: list[float | None] = REWARDS.column("reward", prompts, completions, columns)
    return rewards


def component_function(name: str) -> Callable[..., list[float | None]]:
    """A reward function that gives one component, so that a trainer logs it under its name."""

    def component(prompts: Any, completions: Any, completion_ids: Any = None, **columns: Any) -> list[float | None]:  # noqa: ARG001
        values: list[float | None] = REWARDS.column(name, prompts, completions, columns)
        return values

    component.__name__ = component.__qualname__ = name
    return component


COMPONENT_FUNCTIONS = [component_function(name) for name in JOB.component_names]
REWARD_FUNCTIONS = [reward_fn, *COMPONENT_FUNCTIONS]
REWARD_WEIGHTS = [1.0] + [0.0] * len(COMPONENT_FUNCTIONS)


def score_trajectory(trajectory: Mapping[str, Any]) -> dict[str, Any]:
    """The reward of one trajectory in the workbench's native JSON form."""
    scored: dict[str, Any] = JOB.with_judge().score_json(trajectory)
    return scored
