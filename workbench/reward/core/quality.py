"""Quality without a model: the deterministic graders as functions of a trajectory and a question sheet.

Grading in the workbench and rewarding in a trainer both call these, so that a run trains on the score that was shown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rubrics.judging.checklist import SCHEME as CHECKLIST_SCHEME
from rubrics.judging.checklist import score_checklist
from rubrics.judging.citations import SCHEME as CITATIONS_SCHEME
from rubrics.judging.citations import count_retrievals, score_citations
from rubrics.judging.support_figures import SCHEME as SUPPORT_SCHEME
from workbench.phases import analyse
from workbench.reward.core.citation_support import check_report, read_citations, verdicts_by_words
from workbench.schema.analysis import Analysis
from workbench.schema.canonical import JsonObject, JsonValue
from workbench.schema.grade import CriterionVerdict
from workbench.schema.reward import RolloutFacts
from workbench.schema.trajectory import Trajectory

CITATION_SUPPORT = "citation-support"
NO_REPORT = "the case has no report"


@dataclass(frozen=True, slots=True)
class Quality:
    """G in [0, 1], or None with the reason why there is none (the grader abstains: never a zero)."""

    score: float | None
    scheme: str
    reason: str = ""
    verdicts: tuple[CriterionVerdict, ...] = ()
    detail: Mapping[str, JsonValue] = field(default_factory=dict)


def checklist(trajectory: Trajectory, sheet: JsonObject | None, analysis: Analysis | None = None) -> Quality:
    """Share of the sheet's facts that the report states, half credit without a citation to a page that was opened.

    None without a report, without a sheet, and for a report that was imported without its trace. `analysis` saves
    computing it again. Raises ValueError for a sheet that is malformed.
    """
    if not trajectory.report.strip():
        return Quality(None, CHECKLIST_SCHEME, NO_REPORT)
    if sheet is None:
        return Quality(None, CHECKLIST_SCHEME, f"no question sheet for {trajectory.question_id}")
    traced = any(step.role == "assistant" for step in trajectory.steps)
    citations = (analysis or analyse(trajectory)).citations if traced else None
    result = score_checklist(trajectory.report, sheet, citations)
    return Quality(result.score, CHECKLIST_SCHEME, result.reason, result.verdicts, {"parts": dict(result.parts)})


def citations(trajectory: Trajectory, sheet: JsonObject | None = None, analysis: Analysis | None = None) -> Quality:  # noqa: ARG001
    """Mean credit of the report's citations by what became of their source. Needs no sheet."""
    counts = count_retrievals((analysis or analyse(trajectory)).citations)
    result = score_citations(counts)
    by_retrieval: dict[str, JsonValue] = {str(name): n for name, n in result.counts.items()}
    detail: dict[str, JsonValue] = {"citations": result.n, "by_retrieval": by_retrieval}
    return Quality(result.score, CITATIONS_SCHEME, result.reason, detail=detail)


def citation_support(
    trajectory: Trajectory,
    sheet: JsonObject | None = None,  # noqa: ARG001
    analysis: Analysis | None = None,  # noqa: ARG001
) -> Quality:
    """Whether what the run retrieved supports what the report says, by words.

    None without a report or trace, where nothing needs a citation, and where too much could not be compared. Needs no
    sheet; citations are read anew, since an analysis does not hold the texts of their sources.
    """
    if not trajectory.report.strip():
        return Quality(None, SUPPORT_SCHEME, NO_REPORT)
    report = read_citations(trajectory)
    checked = check_report(report, verdicts_by_words(report.claims))
    score = checked.figures.score
    return Quality(
        None if score is None else score.value,
        SUPPORT_SCHEME,
        checked.figures.reason,
        checked.verdicts,
        checked.detail,
    )


def quality_in_training(quality: float | None, facts: RolloutFacts) -> float | None:
    """The G that a reward reads: the grader's, and 0 for a rollout that ended without a report.

    A grader abstains there, having nothing to read, which is no verdict on the agent. But a rollout that never reports
    is the worst answer to its question: if it were dropped, a policy could escape every low score by writing nothing.
    """
    return 0.0 if facts.report_chars == 0 else quality


DETERMINISTIC: Mapping[str, Callable[[Trajectory, JsonObject | None, Analysis | None], Quality]] = {
    "checklist": checklist,
    "citations": citations,
    CITATION_SUPPORT: citation_support,
}
NEEDS_SHEET: frozenset[str] = frozenset({"checklist"})
