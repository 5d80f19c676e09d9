"""Agreement with phases that a person gave to decisive steps of public runs, by the kind of run.

`tests/labels/segmentation.json` holds, by stratum, file and record, positions and phases: `p2 r4 s6` is plan for step
2, research for 4, synthesis for 6. They were given before the labeller had seen the rules (`fresh_chats`: after the
rules were done, before what they say was seen), and hold no text of the runs. The floors stand a little under what
was measured (docs/decisions/0011).
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
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
    "fresh_chats": 0.93,
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


def _labelled(stratum: str) -> Iterator[tuple[Trajectory, list[tuple[int, str]]]]:
    """Every run of a stratum with its labels: position and first letter of the phase."""
    for name, records in LABELS[stratum].items():
        for number, spec in records.items():
            yield _read(name)[number], [(int(label[1:]), label[0]) for label in spec.split()]


def _compared(stratum: str) -> list[tuple[str, str, float]]:
    """Label, phase by the rules (first letters) and confidence of every labelled step."""
    pairs = []
    for trajectory, labels in _labelled(stratum):
        phases = segment(trajectory)
        pairs += [(label, phases[at].phase[0], phases[at].confidence) for at, label in labels]
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


def test_a_run_cut_off_at_a_third_or_two_thirds_keeps_the_phases_of_what_it_did() -> None:
    agreed = []
    for stratum in ("file_tools", "multi_agent", "drafts", "code_runs", "one_answer", "webdancer"):
        for trajectory, labels in _labelled(stratum):
            for third in (1, 2):
                last = labels[max(0, len(labels) * third // 3 - 1)][0]
                cut = replace(trajectory, steps=trajectory.steps[: last + 1], report="", outcome="truncated")
                phases = segment(cut)
                agreed += [phases[at].phase[0] == label for at, label in labels if at <= last]
    assert sum(agreed) / len(agreed) >= 0.96, f"{sum(agreed)} of {len(agreed)}"


def test_the_labels_cover_the_hard_kinds() -> None:
    runs = {stratum: sum(len(records) for records in files.values()) for stratum, files in LABELS.items()}
    assert set(runs) == set(FLOORS)
    assert sum(runs.values()) >= 120
    assert runs["webdancer"] <= 20
