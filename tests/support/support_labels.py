"""Labelled pairs of a claim and a document: does the document support the claim.

Labels hold ids, offsets, short hashes and, for altered claims, the change; the texts come from the public data beside
the checkout. The head of the file says how labels were made and what they mean.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.shared_data import SHARED_DATA
from workbench.ingest.candidates import Candidates
from workbench.ingest.paths import local_file
from workbench.ingest.prepare import Preparer
from workbench.ingest.record_file import open_records
from workbench.phases import analyse
from workbench.schema.trajectory import Trajectory

PATH = Path(__file__).parents[1] / "labels" / "support.json"
LABELS: list[dict[str, Any]] = json.loads(PATH.read_text())["labels"]
FILES = sorted({str(label["file"]) for label in LABELS})


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """One pair. `claim` is the sentence, already changed where `origin` is `altered`; `mark` are the offsets of the
    citation's marker in the report; `spans` say where the document stands: (step, result, start, end) each.

    `label`: supported, partly, contradicted or unrelated. `difficulty`: verbatim, paraphrase, inference or numeric.
    `origin`: real (the cited document), swapped (another document of the same run) or altered (a figure or a
    direction of the claim was changed, the document is the cited one). `clear` is False where the labeller was unsure.
    """

    id: str
    file: str
    trajectory: Trajectory
    claim: str
    document: str
    mark: tuple[int, int]
    claim_span: tuple[int, int]
    spans: tuple[tuple[int, int, int, int], ...]
    retrieval: str
    label: str
    difficulty: str
    origin: str
    clear: bool


def labelled_claims(file: str) -> Iterator[LabelledClaim]:
    """The labelled pairs of one file below the public data; skips the test where that file is absent."""
    if not (SHARED_DATA / file).exists():
        pytest.skip(f"public data is not laid beside this checkout: {file}")
    labels: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for label in LABELS:
        if label["file"] == file:
            labels[label["record"]].append(label)
    for number, trajectory in _trajectories(file, labels.keys()):
        for label in labels[number]:
            yield _claim(label, trajectory)


def short_hash(text: str) -> str:
    """16 hexadecimal digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _trajectories(file: str, wanted: Any) -> Iterator[tuple[int, Trajectory]]:
    local = local_file(SHARED_DATA / file)
    preparer = Preparer(local, analyse)
    with open_records(local) as opened:
        for number, candidate in enumerate(Candidates(opened.records(), local.folder())):
            if number in wanted:
                yield number, preparer.prepare(candidate).trajectory


def _claim(label: dict[str, Any], trajectory: Trajectory) -> LabelledClaim:
    start, end = label["claim"]
    return LabelledClaim(
        id=label["id"],
        file=label["file"],
        trajectory=trajectory,
        claim=_changed(trajectory.report[start:end], label.get("change")),
        document=document_text(trajectory, label["document"]),
        mark=(label["mark"][0], label["mark"][1]),
        claim_span=(start, end),
        spans=tuple((a, b, c, d) for a, b, c, d in label["document"]),
        retrieval=label["retrieval"],
        label=label["label"],
        difficulty=label["difficulty"],
        origin=label["origin"],
        clear=label["confidence"] == "clear",
    )


def _changed(claim: str, change: list[Any] | None) -> str:
    """`change` is [offset in the claim, characters taken out, text put in]."""
    if change is None:
        return claim
    offset, taken = int(change[0]), int(change[1])
    return f"{claim[:offset]}{change[2]}{claim[offset + taken :]}"


def document_text(trajectory: Trajectory, spans: Sequence[Sequence[int]]) -> str:
    """The stretches of the tool results that are one document, an empty line between them."""
    return "\n\n".join(trajectory.steps[a].tool_results[b].text[c:d] for a, b, c, d in spans)
