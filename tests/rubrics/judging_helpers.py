"""Rubrics and replies that the judging tests share."""

import json

from rubrics.judging.prompt import JudgeRequest
from rubrics.judging.rubric import Criterion, Rubric

POSITIVE = Criterion("covers", "Every part of the question is answered", weight=3.0)
FAULT = Criterion("invents", "The report invents facts", kind="negative", polarity="negative", weight=-2.0)
RUBRIC = Rubric("two", (POSITIVE, FAULT))


def reply_to(request: JudgeRequest, verdicts: dict[str, object], **more: object) -> str:
    """A reply in the asked form: the key of the request and one entry per verdict given."""
    entries = {name: {"quote": "", "reason": "because", "verdict": verdict} for name, verdict in verdicts.items()}
    return json.dumps({"key": request.key, "verdicts": entries, **more}, ensure_ascii=False)
