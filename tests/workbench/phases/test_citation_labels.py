"""Citations of public reports, each read by eye: marker, address, sentence and whether its source was retrieved.

Labels hold ids and offsets only. They were read beside what the rules gave, not blind, and faults that the reading
found were mended: so this keeps what is right, and says little of what the rules would miss (see docs/decisions/0011).
"""

import hashlib
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.support.shared_data import SHARED_DATA
from workbench.ingest.candidates import Candidates
from workbench.ingest.paths import local_file
from workbench.ingest.prepare import Preparer
from workbench.ingest.record_file import open_records
from workbench.phases import analyse
from workbench.phases.urls import normal_url
from workbench.schema.analysis import Citation

LABELS: list[list[Any]] = json.loads((Path(__file__).parents[2] / "labels" / "citations.json").read_text())["labels"]
FOLDERS = sorted({label[0].split("/")[0] for label in LABELS})


def _citations(name: str, records: set[int]) -> dict[int, tuple[Citation, ...]]:
    file = local_file(SHARED_DATA / name)
    preparer, found = Preparer(file, analyse), {}
    with open_records(file) as opened:
        for number, candidate in enumerate(Candidates(opened.records(), file.folder())):
            if number in records:
                found[number] = preparer.prepare(candidate).analysis.citations
            if number >= max(records):
                break
    return found


def _key(citation: Citation) -> tuple[Any, ...]:
    target = hashlib.sha256(normal_url(citation.url).encode()).hexdigest()[:16] if citation.url else ""
    return (
        citation.start,
        citation.end,
        citation.claim_start,
        citation.claim_end,
        target,
        citation.retrieval,
    )


@pytest.mark.parametrize("folder", FOLDERS)
def test_citations_that_were_read_by_eye_are_found_as_they_were_read(folder: str) -> None:
    if not (SHARED_DATA / folder).exists():
        pytest.skip("the public data are not laid beside the checkout")
    by_file: dict[str, list[list[Any]]] = defaultdict(list)
    for label in LABELS:
        if label[0].split("/")[0] == folder:
            by_file[label[0]].append(label)
    outcome: Counter[bool] = Counter()
    for name, labels in by_file.items():
        found = _citations(name, {label[1] for label in labels})
        for label in labels:
            outcome[tuple(label[2:]) in {_key(citation) for citation in found.get(label[1], ())}] += 1
    assert outcome[True] >= 0.97 * outcome.total(), outcome
