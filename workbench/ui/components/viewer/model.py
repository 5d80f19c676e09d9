"""What the viewer is given at once: the report, its citations, the notes; and the map of all steps as columns."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from workbench.phases.cited import claims_without
from workbench.schema.analysis import Activity, Citation
from workbench.schema.note import Note
from workbench.schema.reward import QuestionTarget
from workbench.schema.trajectory import ToolCall
from workbench.store import StepColumns, StepOutline
from workbench.ui.components.text import short
from workbench.ui.components.viewer.report_html import report_html
from workbench.ui.components.visible import visible
from workbench.ui.theme import RETRIEVAL_WORDS, SUPPORT_WORDS

EMPTY_WORDS: Final = {"tool": "result"} | dict.fromkeys(("assistant", "user", "system"), "empty message")
ARGUMENT_KEYS: Final = ("query", "queries", "q", "url", "urls", "goal", "path", "code")
GLYPHS: Final = {"search": "s", "visit": "v", "code": "c", "other": "c"}
ROLES: Final = {"assistant": "a", "tool": "t", "user": "u", "system": "y"}
KIND_WORDS: Final = {"near_miss": "near miss"}


@st.cache_data(max_entries=32, show_spinner=False)
def report_data(key: str, _report: str, _citations: Sequence[Citation]) -> dict[str, Any]:
    """The report set, its citations with the words for their classes, and how many claims stand without one.

    `key` names report and classes together: a page runs again at every note, and setting 100 KB takes 0.1 s.
    """
    assert key
    claims = claims_without(_report, _citations)
    return {
        "report": report_html(_report, _citations, ((claim.start, claim.end) for claim in claims)),
        "uncited": len(claims),
        "citations": [citation_row(citation) for citation in _citations],
    }


def breadth(activity: Activity, target: QuestionTarget | None) -> dict[str, tuple[int, int | None]]:
    """What was done against the question's target, None where it has none."""
    return {
        "queries": (activity.distinct_queries, target.queries if target else None),
        "sites": (activity.sites_opened, target.sites if target else None),
    }


def columns_data(columns: StepColumns) -> dict[str, Any]:
    """The map of all steps: one character a step for phase and glyph, one number for tool, words and results.

    `tool` is an index into `tools`, -1 where nothing was called; `errors` and `person` are positions.
    """
    number_of: dict[str, int] = {}
    tools = [
        number_of.setdefault(" + ".join(sorted({name for _, name in own})), len(number_of)) if own else -1
        for own in columns.calls
    ]
    glyphs = (glyph(role, own) for role, own in zip(columns.role, columns.calls, strict=True))
    return {
        "phase": "".join([phase[0] if phase else "p" for phase in columns.phase]),
        "glyph": "".join(glyphs),
        "tool": tools,
        "tools": [visible(name) for name in number_of],
        "words": columns.words,
        "results": columns.results,
        "errors": [n for n, count in enumerate(columns.errors) if count],
        "person": columns.by_person,
    }


def glyph(role: str, calls: Iterable[tuple[str, str]]) -> str:
    """The mark of a step: s search, v visit, c another call, else who spoke: a agent, t tool, u user, y system."""
    found = {GLYPHS[kind] for kind, _ in calls}
    return next((mark for mark in "svc" if mark in found), ROLES[role])


def outline_row(step: StepOutline) -> dict[str, Any]:
    """One line of the outline, and how sure its phase is."""
    label = " · ".join(call_label(call) for call in step.tool_calls) or step.preview or EMPTY_WORDS[step.role]
    return {
        "label": short(label, 140),
        "errors": step.n_errors,
        "confidence": step.confidence,
        "by": step.phase_source,
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


def citation_row(citation: Citation) -> dict[str, Any]:
    """A citation with the words for its classes; `step` is where its passage stands, None without one."""
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
    }


def notes_data(notes: Iterable[Note]) -> list[Mapping[str, Any]]:
    """The notes that stand on a step, for the margin."""
    return [
        {
            "step": note.position,
            "kind": note.kind,
            "word": KIND_WORDS.get(note.kind, note.kind),
            "text": visible(note.text),
            "by": visible(note.by),
        }
        for note in notes
        if note.position is not None
    ]
