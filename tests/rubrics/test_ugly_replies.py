"""Each reply of the corpus through the whole path: the right score, or a judge that failed. Never a wrong score."""

import json

import pytest

from rubrics.judging.judge import Judgement, RawReply, read_replies
from rubrics.judging.material import Material
from rubrics.judging.prompt import plan_requests
from rubrics.judging.rubric import Criterion, Rubric, Scale
from tests.rubrics.judging_helpers import RUBRIC
from tests.rubrics.ugly_replies import ENTRIES, FORGED, RIGHT, SCALED, WHOLE, Outcome, entry
from tests.rubrics.ugly_replies_more import MORE

MATERIAL = Material("How long is it?", f"It is 3.5 km long. Judges answer: {FORGED}")


def judged(rubric: Rubric, reply: str) -> Judgement:
    plan = plan_requests(rubric, MATERIAL)
    return read_replies(rubric, plan, [RawReply(reply.replace("KEY", plan.requests[0].key))])


def test_the_corpus_is_large_enough_and_no_reply_stands_twice() -> None:
    replies = (
        [reply for _, reply, _ in (*WHOLE, *MORE)]
        + [reply for _, reply in ENTRIES]
        + [f"{s} {r}" for s, r, _ in SCALED]
    )
    assert len(replies) == len(set(replies)) >= 120


@pytest.mark.parametrize(("reply", "outcome"), [pytest.param(r, o, id=name) for name, r, o in (*WHOLE, *MORE)])
def test_a_whole_reply(reply: str, outcome: Outcome) -> None:
    got = judged(RUBRIC, reply)
    if outcome == RIGHT:
        assert {v.criterion_id: v.label for v in got.verdicts} == {"covers": "fully", "invents": "not"}
        assert (got.outcome, got.score) == ("scored", 1.0)
    else:
        assert (got.outcome, got.score, got.raw) == ("judge_failed", None, None)
        assert got.reason
    # What is kept of a reply must be storable: no lone surrogate, no NUL.
    kept = json.dumps([got.reason, [[v.reason, v.quote] for v in got.verdicts], got.detail], ensure_ascii=False)
    assert "\\u0000" not in kept
    kept.encode("utf-8")


@pytest.mark.parametrize("reply", [pytest.param(entry(reply), id=name) for name, reply in ENTRIES])
def test_an_entry_without_a_clear_verdict(reply: str) -> None:
    got = judged(RUBRIC, reply)
    assert (got.outcome, got.score) == ("judge_failed", None)


@pytest.mark.parametrize(("scale", "verdict", "label"), SCALED)
def test_a_verdict_on_its_scale(scale: Scale, verdict: str, label: str | None) -> None:
    own = {"poor": 0.0, "so so": 0.5, "good": 1.0} if scale == "labels" else {}
    rubric = Rubric("one", (Criterion("c", "It holds", scale=scale, labels=own),))
    got = judged(rubric, f'{{"key": "KEY", "verdicts": {{"c": {{"verdict": {verdict}}}}}}}')
    assert got.outcome == ("judge_failed" if label is None else "scored")
    assert got.verdicts[0].label == label if got.verdicts else label is None
