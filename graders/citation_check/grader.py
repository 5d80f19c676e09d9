"""Grades a report by whether what its run retrieved supports what it says, with any checker."""

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from graders.citation_check.checker import SupportChecker
from graders.citation_check.judged import JudgedChecker
from rubrics.judging.support import SupportVerdict
from rubrics.judging.support_figures import SCHEME
from workbench.phases import RULES_VERSION
from workbench.reward.core.citation_support import CitedReport, check_report, read_citations
from workbench.reward.core.quality import CITATION_SUPPORT, NO_REPORT
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.grade import Grade, GradeOutcome, GraderKind, GradingCase, Usage
from workbench.schema.protocols import TransportError

if TYPE_CHECKING:
    from graders.planning import PlannedCall

_REVISION = 1


@runtime_checkable
class _Redrawn(Protocol):
    """A checker whose model may answer differently each time."""

    def repeated(self, repeat: int) -> SupportChecker: ...


class SupportGrader:
    """A Grader and a RepeatableGrader. The score is that of `rubrics.judging.support_figures`; the detail carries all
    figures, the checker, and every citation with its verdict. Failures of judge and wire are outcomes.

    `name`: by default the checker's follows a slash, since another checker gives other scores.
    """

    def __init__(self, checker: SupportChecker, *, name: str = "", repeat: int = 0) -> None:
        self.checker = checker
        self.name = name or f"{CITATION_SUPPORT}/{checker.name}"
        self.kind: GraderKind = checker.kind
        self.repeat = repeat
        self.gateway = getattr(checker, "gateway", None)
        self.version = content_hash(self.definition)

    @property
    def definition(self) -> dict[str, JsonValue]:
        """What decides a score: the checker, the rules that find citations and claims, and the rule of the score."""
        return {
            "checks": CITATION_SUPPORT,
            "checker": dict(self.checker.definition),
            "phases": RULES_VERSION,
            "scheme": SCHEME,
            "revision": _REVISION,
        }

    def repeated(self, repeat: int) -> "SupportGrader":
        checker = self.checker.repeated(repeat) if isinstance(self.checker, _Redrawn) else self.checker
        return SupportGrader(checker, name=self.name, repeat=repeat)

    async def grade(self, case: GradingCase) -> Grade:
        """Raises GradingStoppedError (spend limit, key) and nothing else."""
        free = Usage(cost_usd=0.0)
        report = await asyncio.to_thread(_read, case)
        if isinstance(report, str):
            return self._unscored(case, "abstained", report, free)
        if not report.asked:
            return self._graded(case, report, (), free)
        try:
            verdicts, usage = await self.checker.check(case.question, report.claims)
        except TransportError as error:
            return self._unscored(case, "infra_failed", str(error), Usage())
        return self._graded(case, report, verdicts, usage)

    def planned(self, case: GradingCase) -> list["PlannedCall"]:
        """The calls that grading this case takes if no prompt is found too long; none for a checker without a model."""
        from graders.planning import PlannedCall

        checker, report = self.checker, _read(case)
        if not isinstance(checker, JudgedChecker) or isinstance(report, str):
            return []
        plan = checker.plan(case.question, report.claims, checker.options.budget_tokens)
        return [PlannedCall(checker.wire(asked), checker.repeat, checker.gateway) for asked in plan.requests]

    def _graded(
        self, case: GradingCase, report: CitedReport, verdicts: tuple[SupportVerdict, ...], usage: Usage
    ) -> Grade:
        checked = check_report(report, verdicts)
        figures = checked.figures
        score = None if figures.score is None else figures.score.value
        return Grade(
            grader=self.name,
            grader_version=self.version,
            case_hash=case.case_hash,
            outcome=figures.outcome,
            score=score,
            raw=score,
            scheme=SCHEME,
            reason=figures.reason,
            verdicts=checked.verdicts,
            usage=usage,
            repeat=self.repeat,
            detail={"checker": {"name": self.checker.name, "kind": self.kind}, **checked.detail},
        )

    def _unscored(self, case: GradingCase, outcome: GradeOutcome, reason: str, usage: Usage) -> Grade:
        return Grade(self.name, self.version, case.case_hash, outcome, reason=reason, usage=usage, repeat=self.repeat)


def _read(case: GradingCase) -> CitedReport | str:
    """The case's citations, or why there is nothing to check. `case.report` may differ from the trajectory's own."""
    if case.trajectory is None:
        return "the report has no trajectory: nothing says what was read"
    if not case.report.strip():
        return NO_REPORT
    same = case.report == case.trajectory.report
    return read_citations(case.trajectory if same else replace(case.trajectory, report=case.report))
