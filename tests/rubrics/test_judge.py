"""Replies to one judgment, as grading and a training job both read them."""

import dataclasses

import pytest

from rubrics.judging.judge import RawReply, read_replies
from rubrics.judging.material import Material
from rubrics.judging.prompt import plan_requests
from rubrics.judging.rubric import Criterion, rubric_from_json, rubric_to_json
from tests.rubrics.judging_helpers import FAULT, POSITIVE, RUBRIC, reply_to

MATERIAL = Material("How long?", "It is 3.5 km long.")


def test_batched_and_atomic_replies_give_one_score() -> None:
    batched = plan_requests(RUBRIC, MATERIAL)
    atomic = plan_requests(RUBRIC, MATERIAL, batch_size=1)
    verdicts: dict[str, object] = {"covers": "fully", "invents": "not"}
    one = read_replies(RUBRIC, batched, [RawReply(reply_to(batched.requests[0], verdicts))])
    each = [
        RawReply(reply_to(request, {request.criteria[0].id: verdicts[request.criteria[0].id]}))
        for request in atomic.requests
    ]
    two = read_replies(RUBRIC, atomic, each)
    assert one.score == two.score == 1.0
    assert one.verdicts == two.verdicts


def test_an_unreadable_reply_is_a_failure_and_no_score() -> None:
    plan = plan_requests(RUBRIC, MATERIAL)
    got = read_replies(RUBRIC, plan, [RawReply("no idea")])
    assert (got.outcome, got.score, got.raw) == ("judge_failed", None, None)
    assert "no_json" in got.reason


def test_the_reply_to_another_report_is_refused() -> None:
    plan = plan_requests(RUBRIC, MATERIAL)
    other = plan_requests(RUBRIC, Material("How long?", "Another report."))
    reply = RawReply(reply_to(other.requests[0], {"covers": "fully", "invents": "not"}))
    assert "wrong_key" in read_replies(RUBRIC, plan, [reply]).reason


def test_a_failed_call_on_a_fault_never_frees_it() -> None:
    rubric = dataclasses.replace(RUBRIC, missing="skip_with_bounds")
    plan = plan_requests(rubric, MATERIAL, batch_size=1)
    replies = [RawReply(reply_to(plan.requests[0], {"covers": "fully"})), RawReply("")]
    got = read_replies(rubric, plan, replies)
    assert got.outcome == "scored"
    assert got.score == pytest.approx(0.6)
    assert (got.detail["low"], got.detail["high"]) == pytest.approx((0.6, 1.0))


def test_quotes_that_are_not_in_the_material_are_named() -> None:
    plan = plan_requests(RUBRIC, MATERIAL)
    text = reply_to(plan.requests[0], {"covers": "fully", "invents": "not"})
    real = text.replace('"quote": ""', '"quote": "it  IS 3.5 km"', 1)
    invented = text.replace('"quote": ""', '"quote": "it is 9 km"', 1)
    assert read_replies(RUBRIC, plan, [RawReply(real)]).detail["quotes_not_found"] == []
    assert read_replies(RUBRIC, plan, [RawReply(invented)]).detail["quotes_not_found"] == ["covers"]


def test_no_report_abstains() -> None:
    assert read_replies(RUBRIC, plan_requests(RUBRIC, Material("q", "")), []).outcome == "abstained"


def test_json_form_is_lossless_and_its_hash_is_the_version() -> None:
    again = rubric_from_json(rubric_to_json(RUBRIC))
    assert again == RUBRIC
    assert again.version == RUBRIC.version
    assert dataclasses.replace(RUBRIC, aggregation="strict_signed").version != RUBRIC.version


@pytest.mark.parametrize(
    ("criterion", "says"),
    [
        (dataclasses.replace(FAULT, weight=2.0), "expected a weight <= 0"),
        (dataclasses.replace(POSITIVE, weight=-2.0), "expected a weight >= 0"),
        (dataclasses.replace(POSITIVE, kind="negative"), "both or neither"),
        (dataclasses.replace(POSITIVE, fatal=True), "state the fault"),
        (dataclasses.replace(POSITIVE, anchors={"yes": "x"}), "no label of scale"),
        (dataclasses.replace(POSITIVE, id="two words"), "is no name"),
        (dataclasses.replace(POSITIVE, text=" "), "text is empty"),
        (dataclasses.replace(POSITIVE, weight=1e9), "finite"),
        (Criterion("x", "t", scale="hundred"), "scale is 'hundred'"),  # type: ignore[arg-type]
    ],
)
def test_a_rubric_without_meaning_is_refused_with_a_sentence(criterion: Criterion, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        rubric_from_json(rubric_to_json(dataclasses.replace(RUBRIC, criteria=(criterion,))))


@pytest.mark.parametrize("weight", ["nan", "inf", "much"])
def test_a_weight_that_is_no_finite_number_is_refused(weight: str) -> None:
    form = {**rubric_to_json(RUBRIC), "criteria": [{"id": "x", "text": "t", "weight": weight}]}
    with pytest.raises(ValueError, match=r"finite|could not convert"):
        rubric_from_json(form)


def test_report_and_reference_are_judged_apart_and_the_score_is_the_share_of_both() -> None:
    rubric = rubric_from_json(
        {
            "name": "beside",
            "aggregation": "tree",
            "score_map": "reference_share",
            "criteria": [{"id": "deep", "text": "It explains why", "scale": "score10"}],
        }
    )
    assert "reference" in plan_requests(rubric, MATERIAL).abstain
    plan = plan_requests(rubric, dataclasses.replace(MATERIAL, reference="It is long because of the tide."))
    ours, theirs = plan.requests
    assert [ours.on_reference, theirs.on_reference] == [False, True]
    assert "tide" not in ours.messages[-1]["content"]
    assert "3.5 km" not in theirs.messages[-1]["content"]
    got = read_replies(rubric, plan, [RawReply(reply_to(ours, {"deep": 3})), RawReply(reply_to(theirs, {"deep": 6}))])
    assert got.score == pytest.approx(1 / 3)
    assert got.detail["reference_raw"] == pytest.approx(0.6)
    assert [v.criterion_id for v in got.verdicts] == ["deep"]
    lost = read_replies(rubric, plan, [RawReply(reply_to(ours, {"deep": 3})), RawReply("no idea")])
    assert (lost.outcome, lost.score) == ("judge_failed", None)
