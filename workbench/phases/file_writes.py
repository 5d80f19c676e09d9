"""What a call of a file tool does to a text file: writes prose, a plan or notes, or only looks."""

from collections.abc import Mapping
from posixpath import basename, splitext
from re import IGNORECASE, MULTILINE
from typing import Literal

from workbench.phases.lazy import Pattern
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import ToolCall

FileWrite = Literal["prose", "plan", "notes", "viewed", ""]

_PROSE_ENDINGS = frozenset(
    {".md", ".markdown", ".mdx", ".txt", ".rst", ".tex", ".html", ".htm", ".org", ".adoc", ".docx"}
)
_PATH_KEYS = ("path", "file_path", "filepath", "filename", "file_name", "file", "target_file", "relative_path")
_TEXT_KEYS = frozenset(
    {
        "file_text",
        "content",
        "contents",
        "text",
        "code_edit",
        "data",
        "new_str",
        "new_string",
        "new_text",
        "insert_text",
    }
    | {"replacement", "edits"}
)
_PATCHED = Pattern(r"^\*\*\* (?:Add|Update) File: (.+)$|^\+\+\+ (?:b/)?(\S+)", MULTILINE)
_PLANS = Pattern(r"(?:^|[_\-. ])(?:todos?|plan|outline|roadmap)(?:[_\-. ]|$)", IGNORECASE)
_NOTES = Pattern(r"(?:^|[_\-. ])(?:notes?|scratch(?:pad)?|findings|sources)(?:[_\-. ]|$)", IGNORECASE)
_PATCH_CHARS = 20_000


def file_write(call: ToolCall) -> FileWrite:
    """What kind of text file a call wrote or patched; `viewed` where it only looked, "" where it names no such file.

    A file is prose by its ending, a plan or notes by its name. A file of code or data is "".
    """
    arguments = call.arguments
    if arguments.get("command") in ("view", "read", "open", "list"):
        return "viewed"
    path = _path(arguments)
    if path is None:
        return ""
    name = basename(path.strip())
    if splitext(name)[1].lower() not in _PROSE_ENDINGS:
        return ""
    if _PLANS().search(name):
        return "plan"
    return "notes" if _NOTES().search(name) else "prose"


def _path(arguments: Mapping[str, JsonValue]) -> str | None:
    """The file that a call changes, by its arguments or by the head of its patch."""
    if any(key in _TEXT_KEYS for key in arguments):
        for key in _PATH_KEYS:
            if isinstance(value := arguments.get(key), str):
                return value
    for key in ("patch", "diff", "input"):
        if isinstance(text := arguments.get(key), str) and (found := _PATCHED().search(text[:_PATCH_CHARS])):
            return found[1] or found[2]
    return None
