"""What the viewer is given: plain JSON of the outline, the report and the citations, and one step's body."""

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.phases.cited import claims_without
from workbench.schema.analysis import Analysis, Citation
from workbench.schema.reward import QuestionTarget
from workbench.schema.trajectory import Step, ToolCall
from workbench.store import StepOutline
from workbench.ui.components.text import short
from workbench.ui.components.viewer.report_html import report_html
from workbench.ui.components.visible import visible, visible_json
from workbench.ui.theme import RETRIEVAL_WORDS, SUPPORT_WORDS

AROUND = 320
EMPTY_WORDS = {"tool": "result", "assistant": "empty message", "user": "empty message", "system": "empty message"}
ARGUMENT_KEYS = ("query", "queries", "q", "url", "urls", "goal", "path", "code")


def viewer_data(
    outline: Sequence[StepOutline],
    report: str,
    analysis: Analysis,
    passages: Mapping[int, Mapping[str, str]],
    target: QuestionTarget | None,
) -> dict[str, Any]:
    """The whole of what does not change while one reads: `passages` by citation ordinal (see `passage_text`)."""
    claims = claims_without(report, analysis.citations)
    return {
        "steps": [step_row(step) for step in outline],
        "report": report_html(report, analysis.citations, ((claim.start, claim.end) for claim in claims)),
        "uncited": len(claims),
        "citations": [citation_row(citation, passages.get(citation.ordinal)) for citation in analysis.citations],
        "breadth": {
            "queries": [analysis.activity.distinct_queries, target.queries if target else None],
            "sites": [analysis.activity.sites_opened, target.sites if target else None],
        },
    }


def step_row(step: StepOutline) -> dict[str, Any]:
    """One line of the outline. `glyph` names the mark on the timeline."""
    kinds = [call.kind for call in step.tool_calls]
    glyph = "search" if "search" in kinds else "visit" if "visit" in kinds else "call" if kinds else step.role
    label = " · ".join(call_label(call) for call in step.tool_calls) or step.preview or EMPTY_WORDS.get(step.role, "")
    return {
        "n": step.position,
        "role": step.role,
        "phase": step.phase or "plan",
        "confidence": step.confidence,
        "by": step.phase_source,
        "glyph": glyph,
        "label": short(label, 140),
        "tools": sorted({visible(call.name) for call in step.tool_calls}),
        "chars": step.chars + step.reasoning_chars + step.result_chars,
        "result_chars": step.result_chars,
        "errors": step.n_errors,
    }


def call_label(call: ToolCall) -> str:
    """The argument that says what a call was for, else its name."""
    for key in ARGUMENT_KEYS:
        value = call.arguments.get(key)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, Sequence) and not isinstance(value, str) and value:
            return " | ".join(str(item) for item in value)
    return call.name


def citation_row(citation: Citation, passage: Mapping[str, str] | None) -> dict[str, Any]:
    """A citation with the words for its classes and, where something was retrieved, the passage around it."""
    return {
        "c": citation.ordinal,
        "marker": short(citation.marker, 40),
        "url": visible(citation.url or ""),
        "site": visible(citation.site or ""),
        "retrieval": citation.retrieval,
        "retrieval_words": RETRIEVAL_WORDS[citation.retrieval],
        "support": citation.support,
        "support_words": SUPPORT_WORDS[citation.support],
        "fault": citation.retrieval in ("not_retrieved", "dangling")
        or citation.support in ("contradicted", "unrelated"),
        "step": citation.passage.step if citation.passage else None,
        "passage": passage,
    }


def passage_text(citation: Citation, step: Step | None) -> dict[str, str] | None:
    """The passage that a citation rests on with its surroundings, verbatim: before, match, after."""
    if citation.passage is None or step is None or citation.passage.result >= len(step.tool_results):
        return None
    text = step.tool_results[citation.passage.result].text
    start, end = citation.passage.start, citation.passage.end
    before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    return {
        "before": ("…" if start > AROUND else "") + visible(before),
        "match": visible(text[start:end]),
        "after": visible(after) + ("…" if end + AROUND < len(text) else ""),
    }


def step_body(position: int, step: Step) -> dict[str, Any]:
    """Everything of one step, uncut, with what is hidden in it spelt out."""
    return {
        "n": position,
        "role": step.role,
        "agent": visible(step.agent),
        "reasoning": visible(step.reasoning),
        "text": visible(step.text),
        "calls": [{"name": visible(call.name), "arguments": visible_json(call.arguments)} for call in step.tool_calls],
        "results": [{"text": visible(result.text), "error": result.is_error} for result in step.tool_results],
    }
