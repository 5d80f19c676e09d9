"""Agreement with phases that a person gave to decisive steps of public runs, by the kind of run.

`tests/labels/segmentation.json` holds, by stratum, file and record, positions and phases: `p2 r4 s6` is plan for step
2, research for 4, synthesis for 6. They were given before the labeller had seen the rules, and hold no text of the
runs. The floors stand a little under what was measured (docs/decisions/0011).
"""

import json
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from tests.support.shared_data import shared
from workbench.ingest.candidates import Candidates
from workbench.ingest.paths import find_files
from workbench.ingest.prepare import Preparer, RejectedError
from workbench.ingest.record_file import open_records
from workbench.phases.segment import segment
from workbench.schema.analysis import Activity, Analysis
from workbench.schema.trajectory import Trajectory

LABELS: dict[str, dict[str, dict[str, str]]] = json.loads(
    (Path(__file__).parents[2] / "labels" / "segmentation.json").read_text(encoding="utf-8")
)
NOT_ANALYSED = Analysis("labels", (), {}, Activity(0, 0, 0, 0, 0, 0, 0, 0, False, 0), ())
# Share of the labelled steps that must agree.
FLOORS = {
    "file_tools": 0.96,
    "multi_agent": 0.94,
    "drafts": 0.95,
    "cut_off": 0.9,
    "code_runs": 0.94,
    "no_search": 0.96,
    "one_answer": 0.96,
    "service_chats": 0.94,
    "webdancer": 0.98,
}
PRECISION_AND_RECALL = {"p": (0.92, 0.9), "r": (0.97, 0.97), "s": (0.95, 0.96)}


@lru_cache(maxsize=1)
def _read(name: str) -> dict[str, Trajectory]:
    """The trajectories of one file of the public data, by the number of their record."""
    found: dict[str, Trajectory] = {}
    for file in find_files([shared(name)]).files:
        preparer = Preparer(file, lambda _: NOT_ANALYSED)
        with open_records(file) as records:
            for number, candidate in enumerate(Candidates(records.records(), file.folder(), None)):
                try:
                    found[str(number)] = preparer.prepare(candidate).trajectory
                except RejectedError:
                    continue
    return found


def _compared(stratum: str) -> list[tuple[str, str, float]]:
    """Label, phase by the rules (first letters) and confidence of every labelled step."""
    pairs = []
    for name, records in LABELS[stratum].items():
        for number, spec in records.items():
            phases = segment(_read(name)[number])
            for label in spec.split():
                given = phases[int(label[1:])]
                pairs.append((label[0], given.phase[0], given.confidence))
    return pairs


@pytest.mark.parametrize("stratum", sorted(FLOORS))
def test_the_rules_agree_with_a_person_on_runs_of_every_kind(stratum: str) -> None:
    pairs = _compared(stratum)
    agreed = sum(label == phase for label, phase, _ in pairs)
    assert agreed / len(pairs) >= FLOORS[stratum], f"{agreed} of {len(pairs)}"


def test_each_phase_is_found_and_rightly_so() -> None:
    pairs = [pair for stratum in LABELS for pair in _compared(stratum)]
    counts = Counter((label, phase) for label, phase, _ in pairs)
    for phase, (precision, recall) in PRECISION_AND_RECALL.items():
        right = counts[phase, phase]
        assert right / sum(counts[label, phase] for label in "prs") >= precision, phase
        assert right / sum(counts[phase, given] for given in "prs") >= recall, phase


def test_no_confidence_promises_more_than_it_keeps() -> None:
    by_confidence: dict[float, list[bool]] = {}
    for stratum in LABELS:
        for label, phase, confidence in _compared(stratum):
            by_confidence.setdefault(confidence, []).append(label == phase)
    for confidence, agreed in by_confidence.items():
        if len(agreed) >= 15:
            assert sum(agreed) / len(agreed) >= confidence, f"{confidence}: {sum(agreed)} of {len(agreed)}"


def test_the_labels_cover_the_hard_kinds() -> None:
    runs = {stratum: sum(len(records) for records in files.values()) for stratum, files in LABELS.items()}
    assert set(runs) == set(FLOORS)
    assert sum(runs.values()) >= 120
    assert runs["webdancer"] <= 20
