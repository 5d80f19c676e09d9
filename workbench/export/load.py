"""A job folder loaded into this process, for our own trainer: the frozen code scores, not the checkout's."""

import hashlib
import importlib.util
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.errors import BadInputError
from workbench.reward.core.spec import parse_spec
from workbench.schema.reward import RewardSpec

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class ExportedJob:
    """What a trainer needs of a job folder.

    `score_trajectory` takes a trajectory in its native JSON form (`trajectory_to_json`) and gives
    {"reward": float in [0, 1] or None, "components": {name: float or None}, "dropped": reason or ""}. With a reward of
    None every component is None too: such a rollout must leave the batch. `reward_functions` are TRL's, the first is
    the reward and the others carry weight 0.
    """

    folder: Path
    manifest: Mapping[str, Any]
    spec: RewardSpec
    component_names: tuple[str, ...]
    questions: tuple[Mapping[str, Any], ...]
    score_trajectory: Callable[[Mapping[str, Any]], dict[str, Any]]
    reward_functions: Sequence[Callable[..., list[float | None]]]
    reward_weights: Sequence[float]

    @property
    def spec_version(self) -> str:
        return str(self.manifest["spec"]["version"])


def load_job(folder: Path | str) -> ExportedJob:
    """Loads a job folder after checking every file against the manifest.

    Raises BadInputError where the folder is no job, a file is missing or was changed since the export.
    """
    home = Path(folder).resolve()
    manifest = read_manifest(home)
    wrong = changed_files(home, manifest)
    if wrong:
        raise BadInputError(f"{home}: changed since its export: {', '.join(wrong)}; export it again")
    module = _load_entry(home, str(manifest["digest"]))
    return ExportedJob(
        folder=home,
        manifest=manifest,
        spec=parse_spec(json.loads((home / "spec.json").read_text(encoding="utf-8")), source=str(home / "spec.json")),
        component_names=tuple(module.JOB.component_names),
        questions=tuple(_lines(home / "questions.jsonl")),
        score_trajectory=module.score_trajectory,
        reward_functions=tuple(module.REWARD_FUNCTIONS),
        reward_weights=tuple(module.REWARD_WEIGHTS),
    )


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a job folder. Raises BadInputError for a folder that is none."""
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInputError(
            f"{folder} holds no {MANIFEST} ({error.strerror}); expected a folder that `workbench export` wrote"
        ) from None
    except ValueError as error:
        raise BadInputError(f"{path} is no JSON: {error}; export the job again") from None
    if not isinstance(manifest, dict) or manifest.get("kind") != "reward-job":
        raise BadInputError(f"{path} has no kind 'reward-job'; expected a folder that `workbench export` wrote")
    return manifest


def changed_files(folder: Path, manifest: Mapping[str, Any]) -> list[str]:
    """Files that are missing or differ from the manifest, by their path in the folder."""
    out = []
    for name, expected in manifest["files"].items():
        path = folder / name
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != expected:
            out.append(name)
    return sorted(out)


def _load_entry(folder: Path, digest: str) -> Any:
    """The folder's reward.py as a module of its own name, so that two jobs can be loaded side by side."""
    name = f"reward_job_{hashlib.sha256(f'{folder}{digest}'.encode()).hexdigest()[:12]}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, folder / "reward.py")
        if spec is None or spec.loader is None:
            raise BadInputError(f"{folder / 'reward.py'} cannot be loaded; export the job again")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def _lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
