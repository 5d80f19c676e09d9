"""First half of the study: every planted run is diagnosed and the answers are written down. No truth is read here."""

import json
from pathlib import Path
from typing import Any

from benchmarks.simulated_web.frozen_writer import FrozenWriter
from benchmarks.simulated_web.gold import GoldGrader
from tests.diagnosis_study.planting import NEGLIGIBLE
from workbench.diagnosis.lab import DiagnosisOptions, diagnose
from workbench.diagnosis.parts import LEAST_EFFECT
from workbench.phases import analyse
from workbench.schema.trajectory import trajectory_from_json
from workbench.store import NewTrajectory, Store, open_store
from workbench.store.jobs import NullJob

REFERENCE = "reference"
# What the planting calls practically none is what the diagnosis is asked not to name. The verb's own default besides.
LIMITS = {"at_planted_limit": NEGLIGIBLE, "at_default": LEAST_EFFECT}


def load(path: Path, store: Store) -> list[str]:
    """Imports a series and gives the names of its agent runs, in the file's order."""
    runs: list[str] = []
    batch: list[NewTrajectory] = []
    with path.open("rb") as file:
        for line in file:
            trajectory = trajectory_from_json(json.loads(line))
            if trajectory.run not in runs:
                runs.append(trajectory.run)
                store.runs.ensure(trajectory.run, model=trajectory.model, simulated=True)
            batch.append(NewTrajectory(trajectory, analyse(trajectory), line, path.name))
            if len(batch) == 100:
                store.trajectories.add_batch(batch)
                batch = []
    store.trajectories.add_batch(batch)
    return [run for run in runs if run != REFERENCE]


def verdicts_of(path: Path, work: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Limit -> run -> verdict, with p-values and gaps, of one series. `work`: a folder for its store."""
    out: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in LIMITS}
    with open_store(f"sqlite:///{work / 'series.db'}") as store:
        for run in load(path, store):
            for name, least in LIMITS.items():
                options = DiagnosisOptions(reference=REFERENCE, least_effect=least)
                report = diagnose(store, GoldGrader(), FrozenWriter(), run, options, job=NullJob())
                out[name][run] = {
                    "verdict": report.verdict,
                    "n": report.n,
                    "failed": report.failed,
                    **{f"{part}_shown": found.shown for part, found in report.parts.items()},
                    **{f"{part}_gap": getattr(found.gap, "value", None) for part, found in report.parts.items()},
                    **{f"{part}_low": getattr(found.gap, "low", None) for part, found in report.parts.items()},
                    **{f"{part}_high": getattr(found.gap, "high", None) for part, found in report.parts.items()},
                    **{f"{part}_p_holm": found.p_holm for part, found in report.parts.items()},
                    **{f"{part}_visible": found.smallest_visible for part, found in report.parts.items()},
                }
    return out
