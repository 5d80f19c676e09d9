"""The graders that need no model: citations and checklist, as the exported job computes them."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from workbench.errors import NotFoundError
from workbench.phases import RULES_VERSION
from workbench.reward.core.quality import DETERMINISTIC, NEEDS_SHEET
from workbench.schema.canonical import JsonObject, JsonValue, content_hash, question_key
from workbench.schema.grade import Grade, GraderKind, GradingCase, Usage
from workbench.store import Store

_REVISION = 1


class DeterministicGrader:
    """A function of trajectory and question sheet. `sheets`: question id -> sheet, empty where none is needed."""

    kind: GraderKind = "deterministic"

    def __init__(self, name: str, sheets: Mapping[str, JsonObject] | None = None) -> None:
        self.name = name
        self.sheets = sheets or {}
        self.version = content_hash(self.definition)

    @property
    def definition(self) -> dict[str, JsonValue]:
        """What decides a score: the function, the rules that find citations, and the sheets."""
        return {
            "function": self.name,
            "revision": _REVISION,
            "phases": RULES_VERSION,
            "sheets": content_hash(dict(self.sheets)),
        }

    async def grade(self, case: GradingCase) -> Grade:
        return await asyncio.to_thread(self.grade_now, case)

    def grade_now(self, case: GradingCase) -> Grade:
        """Reads `case.report`, which may differ from the trajectory's own (an attacked or rewritten report)."""

        def abstained(reason: str) -> Grade:
            return Grade(self.name, self.version, case.case_hash, "abstained", reason=reason, usage=_FREE)

        if case.trajectory is None:
            return abstained("the report has no trajectory: nothing says which pages were opened")
        if not case.report.strip():
            return abstained("the case has no report")
        trajectory = case.trajectory
        if case.report != trajectory.report:
            trajectory = replace(trajectory, report=case.report)
        sheet = self.sheets.get(trajectory.question_id) or self.sheets.get(question_key(case.question))
        quality = DETERMINISTIC[self.name](trajectory, sheet, None)
        if quality.score is None:
            return abstained(quality.reason)
        return Grade(
            grader=self.name,
            grader_version=self.version,
            case_hash=case.case_hash,
            outcome="scored",
            score=quality.score,
            raw=quality.score,
            scheme=quality.scheme,
            verdicts=quality.verdicts,
            usage=_FREE,
            detail=quality.detail,
        )


_FREE = Usage(cost_usd=0.0)


def load_deterministic(name: str, store: Store) -> DeterministicGrader:
    """The grader of this name, with the sheets that the store holds under it. Raises NotFoundError without any."""
    sheets = store.sheets.all(name) if name in NEEDS_SHEET else {}
    if name in NEEDS_SHEET and not sheets:
        raise NotFoundError(
            f"grader {name!r} reads question sheets and this store holds none named {name!r}; "
            "`workbench demo build` makes some for its own questions, and a store can be given others (store.sheets)"
        )
    return DeterministicGrader(name, sheets)
