"""The labels of support still point at the claims and documents that were read."""

from collections import Counter

import pytest

from tests.support.support_labels import FILES, LABELS, labelled_claims, short_hash

KNOWN = {label["id"]: (label["claim_hash"], label["document_hash"]) for label in LABELS}


@pytest.mark.parametrize("file", FILES)
def test_offsets_point_at_the_claim_and_the_document_that_were_read(file: str) -> None:
    moved = [
        pair.id
        for pair in labelled_claims(file)
        if KNOWN[pair.id] != (short_hash(pair.claim), short_hash(pair.document))
    ]
    assert moved == []


def test_there_are_enough_labels_of_every_origin_and_none_holds_text() -> None:
    origins = Counter(label["origin"] for label in LABELS)
    assert origins["real"] >= 120
    assert origins["swapped"] + origins["altered"] >= 40
    assert len(KNOWN) == len(LABELS)
    assert all(len(label["change"][2]) <= 16 for label in LABELS if "change" in label)
