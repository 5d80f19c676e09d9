"""Evidence packed into a budget: never over it, every document in one list, passages verbatim."""

import json
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.shared_data import shared
from tests.workbench.phases.building import run
from tests.workbench.phases.hostile import trajectories
from workbench.errors import BadInputError
from workbench.evidence import EvidencePack, documents_of, pack
from workbench.ingest.tagged import read_tagged_messages
from workbench.schema.trajectory import Trajectory

A, B = "https://a.example/x", "https://b.example/y"
LISTING = f"Found 2 results:\n\n1. [A]({A})\nThe tide rose by 4.2 m.\n\n2. [B]({B})\nNothing of interest here.\n"


def _check(trajectory: Trajectory, packed: EvidencePack) -> None:
    assert len(packed.text) <= packed.budget_chars
    documents = documents_of(trajectory)
    listed = [item.document for item in (*packed.kept, *packed.shortened)] + [item.document for item in packed.left_out]
    assert sorted(listed, key=lambda document: document.number) == list(documents)
    assert packed.n_documents == len(documents)
    for item in packed.kept:
        assert [(p.start, p.end) for p in item.passages] == [(item.document.start, item.document.end)]
    for item in (*packed.kept, *packed.shortened):
        text = trajectory.steps[item.document.step].tool_results[item.document.result].text
        assert item.passages
        for passage in item.passages:
            assert item.document.start <= passage.start < passage.end <= item.document.end
            assert text[passage.start : passage.end] in packed.text
        assert all(left.end < right.start for left, right in pairwise(item.passages))
    for left in packed.left_out:
        assert (left.reason == "duplicate") == (left.of is not None)


@given(trajectories, st.integers(0, 4000), st.one_of(st.none(), st.text(max_size=20)))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_run_fits_its_budget_with_every_document_accounted_for(
    trajectory: Trajectory, budget: int, query: str | None
) -> None:
    packed = pack(trajectory, budget, query=query)
    _check(trajectory, packed)
    assert packed == pack(trajectory, budget, query=query)


@given(trajectories)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_documents_cover_every_answer_without_overlap(trajectory: Trajectory) -> None:
    documents = documents_of(trajectory)
    for step, at in enumerate(trajectory.steps):
        for result, answer in enumerate(at.tool_results):
            spans = [(d.start, d.end) for d in documents if (d.step, d.result) == (step, result)]
            assert sum(end - start for start, end in spans) == len(answer.text)
            assert all(left[1] == right[0] for left, right in pairwise(spans))


def test_hits_pages_and_other_answers_are_documents_of_their_kind() -> None:
    trajectory = run(("search", "tides", LISTING), ("visit", A, "The tide rose by 4.2 m."), ("code", "1+1", "2"))
    assert [(document.kind, document.url) for document in documents_of(trajectory)] == [
        ("hit", A),
        ("hit", B),
        ("page", A),
        ("output", None),
    ]


def test_a_batch_of_pages_is_one_document_each_and_a_missing_one_failed() -> None:
    batch = f"Page {A}\nThe tide rose.\n=====\nPage {B}\n404 Not Found"
    trajectory = run(("visit", [A, B], batch))  # type: ignore[arg-type]
    assert [(document.url, document.failed) for document in documents_of(trajectory)] == [(A, False), (B, True)]
    assert [item.reason for item in pack(trajectory, 1000).left_out] == ["failed"]


def test_with_room_for_all_everything_new_is_kept_whole() -> None:
    trajectory = run(("search", "tides", LISTING), ("search", "again", LISTING), ("visit", B, "Error: 404"))
    packed = pack(trajectory, 10_000)
    assert len(packed.kept) == 2
    assert packed.shortened == ()
    assert [(item.reason, item.of) for item in packed.left_out] == [
        ("duplicate", 1),
        ("duplicate", 2),
        ("failed", None),
    ]


def test_with_little_room_what_the_report_cites_comes_first() -> None:
    filler = "Nothing to the point is said in this sentence at all. " * 30
    trajectory = run(
        ("visit", B, filler),
        ("visit", A, f"{filler}The equinoctial tide rose by 4.2 m at Northhaven. {filler}"),
        ("report", f"The equinoctial tide rose by 4.2 m at Northhaven ({A})."),
    )
    packed = pack(trajectory, 900)
    chars = {item.document.url: sum(p.end - p.start for p in item.passages) for item in packed.shortened}
    assert chars[A] > chars.get(B, 0)
    assert "rose by 4.2 m at Northhaven" in packed.text


def test_the_query_decides_what_is_taken() -> None:
    page = "Herring spawn in May. " + "Nothing more is known of it. " * 40 + "Seals rest on the northern bank."
    trajectory = run(("visit", A, page), ("report", "Herring spawn in May."))
    assert "Herring" in pack(trajectory, 700).text
    assert "Seals" in pack(trajectory, 700, query="Where do seals rest?").text


def test_a_run_without_evidence_and_a_budget_of_nothing_pack_nothing() -> None:
    assert pack(run(("report", "It rose.")), 100).n_documents == 0
    packed = pack(run(("search", "tides", LISTING)), 0)
    assert packed.text == ""
    assert {item.reason for item in packed.left_out} == {"budget"}


def test_a_negative_budget_is_refused() -> None:
    with pytest.raises(BadInputError, match="expected 0 or more"):
        pack(run(("report", "It rose.")), -1)


def test_real_runs_are_packed_at_every_budget() -> None:
    lines = shared("webdancer-trajectories/sample_traj.jsonl").read_text(encoding="utf-8").splitlines()[:12]
    for line in lines:
        found = read_tagged_messages(json.loads(line)["messages"])
        trajectory = Trajectory("q", "q-1", "run", "model", found.steps, found.report)
        for budget in (500, 3000, 100_000):
            packed = pack(trajectory, budget)
            _check(trajectory, packed)
            assert len(packed.text) > 0.8 * min(budget, sum(d.end - d.start for d in documents_of(trajectory)) / 1.2)
