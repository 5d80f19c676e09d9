"""The blindness audit in a real browser: nothing names a system, and nothing but the texts tells them apart."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

from tests.support.browser import chromium
from tests.support.evidence import write_evidence
from tests.workbench.human.audit.browse import Browsing, browse
from tests.workbench.human.audit.separating import separations
from tests.workbench.human.audit.systems import LOUD, audited_round, secrets_of
from workbench.human.rounds import link_of
from workbench.schema.ballot import Round
from workbench.store import Store

BALLOTS, SEED = 50, 5
# Two classifiers are asked: each at half of five percent.
ALPHA = 0.025


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


def audited(rater_server: tuple[Store, int], browser: Browser, pairs: int) -> tuple[Store, Round, Browsing]:
    store, port = rater_server
    round_, invitation = audited_round(store, pairs, seed=SEED)
    return store, round_, browse(browser, link_of(invitation, f"http://127.0.0.1:{port}"), pairs)


def named(store: Store, round_: Round, found: Browsing) -> list[str]:
    everything = "\n".join(found.received).casefold()
    assert "[model]" in everything and "[site]" in everything  # the texts do name systems and their sites
    return [word for word in secrets_of(store, round_) if word.casefold() in everything]


def test_no_byte_of_ten_ballots_names_a_system(rater_server: tuple[Store, int], browser: Browser) -> None:
    store, round_, found = audited(rater_server, browser, 10)
    assert named(store, round_, found) == []
    assert len(found.hosts_asked) == 1
    assert len({frozenset(one.outside) for one in found.pairs}) == 1


@pytest.mark.slow
def test_fifty_ballots_tell_nothing_outside_the_texts(rater_server: tuple[Store, int], browser: Browser) -> None:
    """And the same classifiers do see a difference where there is one: in the texts' lengths, or one planted byte."""
    began = time.perf_counter()
    store, round_, found = audited(rater_server, browser, BALLOTS)
    loud = {one.id for one in store.human.assignments(round_.id) if store.trajectories.row(one.left).run == LOUD.name}
    labels = np.array([one.assignment in loud for one in found.pairs], dtype=np.int64)
    names = list(found.pairs[0].outside)
    rows = np.array([[one.outside[name] for name in names] for one in found.pairs])
    lengths = np.array([[left - right] for one in found.pairs for left, right in [one.body_chars]], dtype=np.float64)
    planted = rows.copy()
    planted[:, names.index("envelope_chars")] += labels
    result: dict[str, Any] = {
        "ballots": len(found.pairs),
        "loud_on_the_left": int(labels.sum()),
        "bytes_received": sum(len(one.encode()) for one in found.received),
        "words_searched": len(secrets_of(store, round_)),
        "words_found": named(store, round_, found),
        "features": names,
        "alpha_each": ALPHA,
        "outside_the_texts": [one.to_json() for one in separations(rows, labels, seed=SEED)],
        "control_lengths_of_the_texts": [one.to_json() for one in separations(lengths, labels, seed=SEED)],
        "control_one_planted_byte": [one.to_json() for one in separations(planted, labels, seed=SEED)],
    }
    code = ("workbench/human", "tests/workbench/human/audit")
    write_evidence("blindness", result, seed=SEED, n=BALLOTS, seconds=time.perf_counter() - began, code=code)
    assert result["words_found"] == []
    assert [one for one in result["outside_the_texts"] if one["p"] <= ALPHA] == []
    for control in ("control_lengths_of_the_texts", "control_one_planted_byte"):
        assert min(one["p"] for one in result[control]) <= ALPHA
