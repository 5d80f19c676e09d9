"""Reports written through file tools, for runs whose last message is empty or only points to the file.

Standard library only, Python 3.10 syntax: exported jobs may run it.
"""

import re
from collections.abc import Mapping, Sequence
from posixpath import basename, splitext

from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Step, ToolCall

# A longer last message is read as the report itself, whatever files it names.
NOTICE_CHARS = 1500
# A file is preferred to a notice only where it holds clearly more than the notice says.
MIN_TIMES_NOTICE = 2
# Shorter prose is a note, unless the agent names or presents it.
MIN_REPORT_CHARS = 400
# Replaying an edit copies the file: beyond this many characters copied in one run, files edited further are left out.
MAX_COPIED_CHARS = 100_000_000

_PROSE_ENDINGS = frozenset({"", ".md", ".markdown", ".mdx", ".txt", ".rst", ".tex", ".html", ".htm", ".org", ".adoc"})
_PATH_KEYS = ("path", "file_path", "filepath", "filename", "file_name", "file", "target_file", "relative_path")
_TEXT_KEYS = ("file_text", "content", "contents", "text", "code_edit", "data")
_OLD_KEYS = ("old_str", "old_string", "old_text", "search", "find", "old")
_NEW_KEYS = ("new_str", "new_string", "new_text", "replacement", "replace", "new")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_NOTES = re.compile(r"(?:^|[_\-.])(?:todos?|plan|notes?|readme|outline|scratch(?:pad)?)(?:[_\-.]|$)", re.IGNORECASE)
_ANSWER = re.compile(r"<answer>|\\boxed\{")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\+\+\+ (?:b/)?(\S+)", re.MULTILINE)
_FAILED = re.compile(r"\s*(?:error\b|failed\b|traceback|no replacement was performed|.{0,40}not found)", re.IGNORECASE)


def final_report(steps: Sequence[Step], last: str) -> str:
    """The text that a user would have read: `last`, or the file that it points to.

    `last` is the last message, without thoughts. It wins where it is a real report: over NOTICE_CHARS long, holding
    an `<answer>` or a `\\boxed{}` (an answer is returned as it stands, its tags are the reader's to remove), or
    repeating the file. Else the files that tools wrote are replayed to their final content, and the report is, in
    this order: the prose file named last in `last`, one that a call presented, and where `last` is empty the
    longest prose file that is no plan or list of notes, unless the run ends with a search or a visit: it was cut off,
    and what it wrote is a draft.

    In: whole writes, appends, inserts after a line, replacements of a text by another (one place, or all where the
    call says so), lists of such edits, deletions. A call whose result is an error changes nothing, nor does a
    replacement whose old text is not in the file. Out: what code or a shell wrote, files that were there before the
    run, and diffs (a file that a diff touched is left out, its content is not known). Code and data files are never
    reports.
    """
    if len(last) > NOTICE_CHARS or _ANSWER.search(last):
        return last
    files, presented = _replayed(steps)
    prose = {path: text for path, text in files.items() if splitext(path)[1].lower() in _PROSE_ENDINGS}
    named = [path for path in prose if basename(path) in last and splitext(path)[1]]
    named.sort(key=lambda path: last.rfind(basename(path)))
    shown = [path for path in presented if path in prose]
    for path in (*reversed(named), *reversed(shown)):
        if _outweighs(prose[path], last):
            return prose[path]
    if last.strip() or _ends_searching(steps):
        return last
    rest = [text for path, text in prose.items() if not _NOTES.search(basename(path))]
    longest = max(rest, key=len, default="")
    return longest if len(longest) >= MIN_REPORT_CHARS else last


def written_files(steps: Sequence[Step]) -> dict[str, str]:
    """The final content of every file that the run's file tools wrote, by path, the one changed last at the end.

    Files of all kinds, code too; what is in and out is said at `final_report`.
    """
    return _replayed(steps)[0]


def _ends_searching(steps: Sequence[Step]) -> bool:
    last = next((step for step in reversed(steps) if step.role == "assistant"), None)
    return last is not None and any(call.kind in ("search", "visit") for call in last.tool_calls)


def _outweighs(text: str, last: str) -> bool:
    return bool(text.strip()) and len(text.strip()) >= MIN_TIMES_NOTICE * len(last.strip())


def _replayed(steps: Sequence[Step]) -> tuple[dict[str, str], list[str]]:
    """The final content of each file written, and the paths that were presented, in order."""
    failed = {
        result.call_id
        for step in steps
        for result in step.tool_results
        if result.call_id and (result.is_error or _FAILED.match(result.text[:200]))
    }
    files: dict[str, str] = {}
    presented: list[str] = []
    copied = 0
    for step in steps:
        for call in step.tool_calls:
            if call.kind in ("search", "visit") or call.id in failed:
                continue
            words = {word.lower() for word in _WORD.findall(call.name)}
            if words & {"present", "artifact", "artifacts", "deliver", "publish"}:
                presented.extend(_paths(call.arguments))
            for touched in _patched(call):
                files.pop(touched, None)
            path = _text(call.arguments, _PATH_KEYS)
            if path is None:
                continue
            before = files.get(path)
            copied += len(before or "")
            content = _applied(call, words, before) if copied <= MAX_COPIED_CHARS else None
            if content == before and content is not None:
                continue
            files.pop(path, None)
            if content is not None:
                files[path] = content
    return {path: text for path, text in files.items() if text}, presented


def _applied(call: ToolCall, words: set[str], before: str | None) -> str | None:
    """The content of the file after the call; None where there is none that is known."""
    arguments = call.arguments
    command = arguments.get("command")
    verbs = words | (set(re.split(r"[_\W]+", command.lower())) if isinstance(command, str) else set())
    if verbs & {"delete", "remove", "undo"}:
        return None
    edits = arguments.get("edits")
    if isinstance(edits, list):
        for edit in edits:
            before = _edited(edit, before) if isinstance(edit, Mapping) else before
        return before
    if verbs & {"view", "read", "open", "present", "list"}:
        return before
    if _text(arguments, _OLD_KEYS) is not None and _text(arguments, _NEW_KEYS) is not None:
        return _edited(arguments, before)
    if "insert" in verbs and isinstance(line := arguments.get("insert_line"), int):
        text = _text(arguments, ("insert_text", *_NEW_KEYS, *_TEXT_KEYS))
        if before is None or text is None:
            return before
        lines = before.splitlines(keepends=True)
        return "".join((*lines[: max(line, 0)], text if text.endswith("\n") else text + "\n", *lines[max(line, 0) :]))
    text = _text(arguments, _TEXT_KEYS)
    if text is None or not verbs & {"write", "create", "save", "append", "add", "put", "file", "overwrite", "update"}:
        return before
    appends = "append" in verbs or arguments.get("append") is True or arguments.get("mode") in ("a", "append")
    if appends:
        return (before or "") + text
    return text


def _edited(edit: Mapping[str, JsonValue], before: str | None) -> str | None:
    old, new = _text(edit, _OLD_KEYS), _text(edit, _NEW_KEYS)
    if before is None or old is None or new is None:
        return before
    if not old:
        return before if before else new
    everywhere = edit.get("replace_all") is True or edit.get("allow_multiple") is True
    return before.replace(old, new, -1 if everywhere else 1)


def _text(arguments: Mapping[str, JsonValue], keys: tuple[str, ...]) -> str | None:
    for key in keys:
        if isinstance(value := arguments.get(key), str):
            return value
    return None


def _paths(arguments: Mapping[str, JsonValue]) -> list[str]:
    found: list[str] = []
    for value in arguments.values():
        items = value if isinstance(value, list) else [value]
        found.extend(item for item in items if isinstance(item, str))
    return found


def _patched(call: ToolCall) -> list[str]:
    for key in ("patch", "diff", "input"):
        if isinstance(text := call.arguments.get(key), str):
            return [first or second for first, second in _PATCHED.findall(text)]
    return []
