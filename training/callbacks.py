"""What a run leaves behind at each step: its rollouts as native JSONL, imported like any file, and its figures."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from training.checkpoint import write_atomically
from workbench.errors import StoreError
from workbench.ingest.importer import import_paths
from workbench.phases import analyse
from workbench.schema.analysis import Analysis
from workbench.schema.canonical import canonical_json
from workbench.schema.trajectory import Trajectory, trajectory_to_json
from workbench.store import Store
from workbench.store.jobs import NullJob


@dataclass
class Recorder:
    """Writes to `folder` and to the store. Rollouts wait in their files until `import_rollouts`.

    A step that is done again after a resume writes the same bytes, whose import changes nothing.
    """

    store: Store
    run: str
    folder: Path
    imported: int = 0
    _waiting: list[Path] = field(default_factory=list)
    _analyses: dict[str, Analysis] = field(default_factory=dict)

    def analysis(self, trajectory: Trajectory) -> Analysis:
        """Computed once, for the figures and for the import."""
        key = trajectory.id
        if key not in self._analyses:
            self._analyses[key] = analyse(trajectory)
        return self._analyses[key]

    def rollouts(self, step: int, trajectories: Sequence[Trajectory]) -> Path:
        """One file a step, `step-NNNNNN.jsonl`, whole or absent."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self._rollouts_file(step)
        write_atomically(path, b"".join(canonical_json(trajectory_to_json(t)) + b"\n" for t in trajectories))
        self._waiting.append(path)
        return path

    def import_rollouts(self) -> int:
        """Imports the files that wait; returns how many rollouts were new. Raises StoreError if any was set aside."""
        if not self._waiting:
            return 0
        report = import_paths(
            self.store,
            self._waiting,
            analyse=self.analysis,
            job=NullJob(),
            quarantine_dir=self.folder / "quarantine",
        )
        if report.quarantined or report.skipped_files:
            raise StoreError(
                f"{report.quarantined} rollouts of {self.run!r} were set aside by the import "
                f"(see {report.quarantine_path}); expected all {report.read} to be taken"
            )
        self._waiting, self._analyses = [], {}
        self.imported += report.imported
        return report.imported

    def figures(self, step: int, metrics: Mapping[str, float]) -> None:
        """The curve's points of one step, in the store and in a file beside the rollouts."""
        self.folder.mkdir(parents=True, exist_ok=True)
        known = {name: value for name, value in metrics.items() if not math.isnan(value)}
        write_atomically(self._figures_file(step), canonical_json(known))
        self.store.training.log(self.run, step, metrics)

    def bring_back(self, steps: int, rollouts: int) -> None:
        """Brings the first `steps` steps into a store that does not have them: one made anew since the run began.

        `rollouts` is how many they have together.
        """
        held = {run.name: run.n for run in self.store.runs.list()}.get(self.run, 0)
        if held < rollouts:
            self._waiting = [path for path in map(self._rollouts_file, range(steps)) if path.exists()]
            self.import_rollouts()
        logged = set(self.store.training.metrics(self.run)["step"])
        for step in range(steps):
            if step not in logged and self._figures_file(step).exists():
                self.store.training.log(self.run, step, json.loads(self._figures_file(step).read_bytes()))

    def _rollouts_file(self, step: int) -> Path:
        return self.folder / f"step-{step:06d}.jsonl"

    def _figures_file(self, step: int) -> Path:
        return self.folder / f"step-{step:06d}.figures.json"
