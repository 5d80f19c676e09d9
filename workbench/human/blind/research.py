"""What a run searched, opened and found, in one form for every harness: for rounds on research, and beside reports."""

from html import escape

from workbench.evidence import Document, documents_of
from workbench.human.blind.masking import Masker
from workbench.human.blind.passages import inert
from workbench.phases.activity import queries_of
from workbench.phases.calls import Place, call_records
from workbench.schema.trajectory import ToolCall, Trajectory

# Of each document; how much more there is is said.
SHOWN_CHARS = 1500
_DID = {"visit": "Opened a page", "code": "Ran code", "other": "Used a tool"}


def researched(trajectory: Trajectory) -> bool:
    """Whether there is anything to show: a tool was called and gave something back."""
    return any(record.place is not None for record in call_records(trajectory))


def render_research(trajectory: Trajectory, masker: Masker) -> str:
    """One item a call: what was asked for, and the documents that came back, closed until opened. Inert HTML.

    Names are masked and addresses gone, as in reports. Tools are told by kind: their names belong to a harness.
    """
    found: dict[Place, list[Document]] = {}
    for document in documents_of(trajectory):
        found.setdefault(Place(document.step, document.result), []).append(document)
    items = []
    for record in call_records(trajectory):
        documents = found.get(record.place, []) if record.place is not None else []
        items.append(f"<li>{_asked(record.call, masker)}{_answer(trajectory, documents, masker)}</li>")
    return f'<ol class="trace">{"".join(items)}</ol>' if items else "<p>Nothing was searched or opened.</p>"


def _asked(call: ToolCall, masker: Masker) -> str:
    queries = queries_of(call)
    if not queries:
        return f"<p>{_DID.get(call.kind, 'Searched')}</p>"
    asked = " · ".join(f"<em>{inert(query, masker.mask)}</em>" for query in queries)
    return f"<p>Searched for {asked}</p>"


def _answer(trajectory: Trajectory, documents: list[Document], masker: Masker) -> str:
    good = [one for one in documents if not one.failed]
    if not good:
        return "<p>It failed.</p>" if documents else "<p>Nothing came back.</p>"
    chars = sum(one.end - one.start for one in good)
    parts = "".join(f"<blockquote>{_text(trajectory, one, masker)}</blockquote>" for one in good)
    failed = f", {len(documents) - len(good)} failed" if len(good) < len(documents) else ""
    counted = f"{len(good)} result{'s' if len(good) > 1 else ''}, {chars:,} characters{failed}"
    return f"<details><summary>{escape(counted)}</summary>{parts}</details>"


def _text(trajectory: Trajectory, document: Document, masker: Masker) -> str:
    text = trajectory.steps[document.step].tool_results[document.result].text[document.start : document.end]
    more = len(text) - SHOWN_CHARS
    shown = inert(text[:SHOWN_CHARS], masker.mask)
    return f"{shown} … {more:,} characters more" if more > 0 else shown
