"""A judge's stored verdicts, written again as the replies that a frozen job would have read."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rubrics.judging.prompt import DoesNotFitError, plan_requests
from rubrics.judging.rubric import Rubric
from workbench.evidence.judged import judged_material
from workbench.schema.grade import CriterionVerdict
from workbench.schema.trajectory import Trajectory


def recorded_replies(
    rubric: Rubric, plan_options: Mapping[str, Any], trajectory: Trajectory, verdicts: Sequence[CriterionVerdict]
) -> dict[str, Any]:
    """One reply for each request of the judge's plan: `{"replies": [{"text", "finish"}]}`.

    A verdict that could not be read when it was given is missing from the reply, as it was then. Where the material
    does not fit the judge's context no request is made and there is no reply.
    """
    by_id = {verdict.criterion_id: verdict for verdict in verdicts if verdict.label is not None}
    material = judged_material(trajectory.question, trajectory.report, trajectory)
    try:
        plan = plan_requests(rubric, material, **plan_options)
    except DoesNotFitError:
        return {"replies": []}
    replies = []
    for request in plan.requests:
        given = {c.id: _entry(by_id[c.id]) for c in request.criteria if c.id in by_id}
        document = {"key": request.key, "verdicts": given}
        replies.append({"text": json.dumps(document, ensure_ascii=False, sort_keys=True), "finish": "stop"})
    return {"replies": replies}


def _entry(verdict: CriterionVerdict) -> dict[str, Any]:
    return {"quote": verdict.quote, "reason": verdict.reason, "verdict": verdict.label}
