"""A grader read several times a case: the mean of its runs, as an evaluation reports it."""

import asyncio
from dataclasses import replace

from graders.usage import add_usage
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.grade import Grade, GraderKind, GradingCase
from workbench.schema.protocols import Grader, RepeatableGrader


class RepeatedGrader:
    """The mean of `k` runs of a grader. One run without a score leaves the case without one: its reason is kept."""

    def __init__(self, inner: Grader, k: int) -> None:
        self.inner = inner
        self.k = k
        self.kind: GraderKind = inner.kind
        self.name = f"{inner.name} x{k}"
        self.definition: dict[str, JsonValue] = {"mean_of": k, "grader": inner.name, "version": inner.version}
        self.version = content_hash(self.definition)
        self.definition["definition"] = dict(getattr(inner, "definition", {}))

    async def grade(self, case: GradingCase) -> Grade:
        runs = [
            self.inner.repeated(k) if isinstance(self.inner, RepeatableGrader) else self.inner for k in range(self.k)
        ]
        grades = await asyncio.gather(*(run.grade(case) for run in runs))
        scores = [grade.score for grade in grades if grade.score is not None]
        detail: dict[str, JsonValue] = {"runs": [grade.score for grade in grades]}
        usage = add_usage([grade.usage for grade in grades])
        if len(scores) < self.k:
            first = next(grade for grade in grades if grade.score is None)
            reason = f"{self.k - len(scores)} of {self.k} runs gave no score: {first.reason}"
            return replace(
                first, grader=self.name, grader_version=self.version, reason=reason, usage=usage, detail=detail
            )
        mean = sum(scores) / self.k
        return Grade(
            grader=self.name,
            grader_version=self.version,
            case_hash=case.case_hash,
            outcome="scored",
            score=min(1.0, max(0.0, mean)),
            raw=mean,
            scheme=f"mean_of_{self.k}/{grades[0].scheme}",
            usage=usage,
            detail=detail,
        )
