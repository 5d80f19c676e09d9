"""Agreement with phases that a person gave to public runs, without sight of what the rules say.

`phase_labels.json` holds, by file and record, the phase of each step of the agent: `p2-4 r6` is plan for the steps
2 to 4, research for 6. It holds no text of the runs.
"""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.support.shared_data import shared
from workbench.ingest.messages import read_messages
from workbench.ingest.tagged import read_tagged_messages
from workbench.phases import analyse
from workbench.schema.trajectory import Trajectory

LABELS = json.loads(Path(__file__).with_name("phase_labels.json").read_text(encoding="utf-8"))
TAU, WEBDANCER = LABELS


def _runs() -> list[tuple[Trajectory, str]]:
    chats: list[dict[str, Any]] = json.loads(shared(TAU).read_text(encoding="utf-8"))
    lines = shared(WEBDANCER).read_text(encoding="utf-8").splitlines()
    found = [(read_messages(chats[int(record)]["traj"]), spec) for record, spec in LABELS[TAU].items()]
    tagged = LABELS[WEBDANCER].items()
    found += [(read_tagged_messages(json.loads(lines[int(record)])["messages"]), spec) for record, spec in tagged]
    return [(Trajectory("q", "q-1", "run", "model", read.steps, read.report), spec) for read, spec in found]


def _labels(spec: str) -> dict[int, str]:
    out: dict[int, str] = {}
    for part in spec.split():
        first, _, last = part[1:].partition("-")
        out.update(dict.fromkeys(range(int(first), int(last or first) + 1), part[0]))
    return out


def test_the_rules_agree_with_a_person_at_least_as_often_as_they_say() -> None:
    agreed: dict[float, list[bool]] = defaultdict(list)
    for trajectory, spec in _runs():
        labels = _labels(spec)
        for step, phase in zip(trajectory.steps, analyse(trajectory).phases, strict=True):
            if step.role == "assistant":
                agreed[phase.confidence].append(labels[phase.position] == phase.phase[0])
    every = [one for found in agreed.values() for one in found]
    assert len(every) == 203
    assert sum(every) / len(every) >= 0.97
    for confidence, found in agreed.items():
        if len(found) >= 15:
            assert sum(found) / len(found) >= confidence, f"{confidence}: {sum(found)} of {len(found)}"
