"""What a source says was retrieved, as the text of a tool result that the phases tell apart by address.

Where a record lists documents but not the call that found them, they stand in a tool result that answers no call
(`call_id` empty): the documents are known, an action is not, and none is invented.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from workbench.schema.trajectory import Step, ToolResult


@dataclass(frozen=True, slots=True)
class Document:
    """One document: any part may be empty."""

    title: str = ""
    url: str = ""
    text: str = ""


def documents_text(documents: Iterable[Document]) -> str:
    """One document a paragraph: title and address on its first line, so that what follows belongs to that address."""
    found = []
    for document in documents:
        first = " ".join(part for part in (" ".join(document.title.split()), document.url.strip()) if part)
        found.append("\n".join(part for part in (first, document.text.strip()) if part))
    return "\n\n".join(part for part in found if part)


def documents_step(documents: Iterable[Document], *, call_id: str = "", agent: str = "") -> tuple[Step, ...]:
    """The tool step that holds them, none where they say nothing."""
    text = documents_text(documents)
    return (Step(role="tool", tool_results=(ToolResult(call_id, text),), agent=agent),) if text else ()
