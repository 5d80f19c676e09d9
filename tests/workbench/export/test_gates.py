"""Gates: what passes, what fails, and what was not measured."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.workbench.export.exporting import checklist_spec
from tests.workbench.reward.small_store import GRADER_VERSION, REFERENCE, ROLLOUTS, RUN
from workbench.errors import BadInputError
from workbench.export.build import export_job
from workbench.export.gates import Gate, agreement_gate, golden_gate, refuse_unless_they_hold, stress_gate
from workbench.export.grader import carried_grader
from workbench.reward.resolve import find_grader, find_targets
from workbench.reward.score import load_material, score_material
from workbench.reward.votes import preferences_of
from workbench.schema.ballot import Assignment, Ballot, BallotVerdict, Round
from workbench.store import Store

NOW = datetime(2026, 11, 1, tzinfo=UTC)


# On each question the rollout that the reward puts first, and another.
PAIRS = ((ROLLOUTS[5], ROLLOUTS[6]), (ROLLOUTS[8], ROLLOUTS[9]), (ROLLOUTS[10], ROLLOUTS[11]))


def vote(store: Store, verdict: BallotVerdict, *, close: bool = True) -> None:
    """A round in which one rater gives the same verdict on every pair, the better rollout on the left."""
    assignments = [
        Assignment(f"a{n}", "round-1", "rater", left.question_id, left.id, right.id, n)
        for n, (left, right) in enumerate(PAIRS)
    ]
    store.human.create_round(Round("round-1", "r", (RUN,), {}, False, "open", 1, False, NOW), assignments)
    for assignment in assignments:
        ballot = Ballot(assignment.id, "round-1", "rater", verdict, created_at=NOW)
        store.human.cast(ballot, idempotency_key=assignment.id)
    if close:
        store.human.close_round("round-1", NOW)


def states(store: Store) -> dict[str, str]:
    """The two gates that read the store, as an export would find them."""
    spec = checklist_spec()
    grader = carried_grader(store, spec.quality_grader, find_grader(store, spec.quality_grader))
    table = find_targets(store, spec)
    assert table is not None
    material = load_material(store, [RUN, REFERENCE], grader.word)
    score = score_material(spec, material, table.by_question)
    gates = [stress_gate(store, spec, grader), agreement_gate(spec, score, preferences_of(store))]
    return {gate.name: gate.state for gate in gates}


@pytest.mark.parametrize(
    ("verdict", "state"), [("none_found", "passed"), ("holes_found", "failed"), ("not_measurable", "not_measured")]
)
def test_stress_gate_follows_the_report_on_this_version(ready_store: Store, verdict: str, state: str) -> None:
    ready_store.stress.save_report(GRADER_VERSION, RUN, {"verdict": verdict})
    ready_store.stress.save_report("another-version", RUN, {"verdict": "holes_found"})
    assert states(ready_store)["stress"] == state


def test_stress_gate_without_a_report_is_not_measured(ready_store: Store) -> None:
    ready_store.stress.save_report("another-version", RUN, {"verdict": "none_found"})
    assert states(ready_store)["stress"] == "not_measured"


def test_one_run_with_holes_fails_the_gate_whatever_other_runs_say(ready_store: Store) -> None:
    ready_store.stress.save_report(GRADER_VERSION, RUN, {"verdict": "none_found"})
    ready_store.stress.save_report(GRADER_VERSION, "reference", {"verdict": "holes_found"})
    assert states(ready_store)["stress"] == "failed"


@pytest.mark.parametrize(("verdict", "state"), [("left", "passed"), ("right", "failed"), ("both_good", "not_measured")])
def test_agreement_gate_follows_what_people_preferred(ready_store: Store, verdict: BallotVerdict, state: str) -> None:
    vote(ready_store, verdict)
    assert states(ready_store)["agreement"] == state


def test_open_round_tells_nothing_yet(ready_store: Store) -> None:
    vote(ready_store, "left", close=False)
    assert states(ready_store)["agreement"] == "not_measured"


def test_export_needs_no_force_where_every_gate_holds(ready_store: Store, tmp_path: Path) -> None:
    ready_store.stress.save_report(GRADER_VERSION, RUN, {"verdict": "none_found"})
    vote(ready_store, "left")
    result = export_job(ready_store, checklist_spec(), "trl", tmp_path / "job")
    assert {gate.state for gate in result.gates} == {"passed"}
    assert result.manifest["forced"] is None


def test_gate_that_nobody_asked_for_refuses_nothing() -> None:
    refuse_unless_they_hold([Gate("stress", "failed", None, "holes_found on run r")], None)
    with pytest.raises(BadInputError, match="1 of 1 gates do not hold: stress is failed"):
        refuse_unless_they_hold([Gate("stress", "failed", "none_found", "holes_found on run r")], None)


def test_no_golden_row_is_not_a_pass() -> None:
    assert golden_gate(checklist_spec(), 0, []).state == "not_measured"
    assert golden_gate(checklist_spec(), 3, ["row 1 (t-1): reward is 0"]).state == "failed"
    assert golden_gate(checklist_spec(), 3, []).state == "passed"
