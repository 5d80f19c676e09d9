"""Run logs in plain text: a query id, a rule, and sections under headings in capitals. One record a query.

Only the headings of one query, in their order, end a section: what follows `ANSWER:` is the report, rules and all.
"""

import re
from collections.abc import Iterator
from typing import IO

from workbench.ingest.containers.container import Container
from workbench.ingest.splitter import RECORD_LIMIT_BYTES, RawRecord
from workbench.schema.canonical import JsonValue

_RULE = r"={20,}[ \t]*"
_BEGINNING = re.compile(rf"^Query ID:[ \t]*(?P<id>[^\n]{{1,200}})\n{_RULE}\n\s*QUESTION:[ \t]*\n", re.MULTILINE)
_TASKS = re.compile(rf"^{_RULE}\n\s*RESEARCH TASKS(?: \((?P<total>\d{{1,6}}) total\))?:[ \t]*\n", re.MULTILINE)
_ANSWER = re.compile(rf"^{_RULE}\n\s*ANSWER:[ \t]*(?:\n|\Z)", re.MULTILINE)
_TASK = re.compile(r"^[ \t]{0,8}#(\d{1,6}):[ \t]*", re.MULTILINE)


def detect(head: bytes, _name: str) -> bool:
    """The first line gives a query's id, then come a rule and the question."""
    start = head[:4096].removeprefix(b"\xef\xbb\xbf").decode("utf-8", "ignore").replace("\r\n", "\n").lstrip()
    return _BEGINNING.match(start) is not None


def records(file: IO[bytes]) -> Iterator[RawRecord]:
    """`{"query_id", "question", "research_tasks": [...], "tasks_total"?, "answer"}`; `answer` is null where cut off."""
    data = file.read(RECORD_LIMIT_BYTES + 1)
    if len(data) > RECORD_LIMIT_BYTES:
        yield RawRecord(b"", 1, problem=f"the log has more than {RECORD_LIMIT_BYTES:,} bytes")
        return
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        yield RawRecord(data, 1, problem=f"the log is not UTF-8: byte at {error.start}")
        return
    beginnings = list(_BEGINNING.finditer(text))
    ends = [found.start() for found in beginnings[1:]] + [len(text)]
    line, counted = 1, 0
    for found, end in zip(beginnings, ends, strict=True):
        line += text.count("\n", counted, found.start())
        counted = found.start()
        yield RawRecord(text[found.start() : end].encode(), line, value=_sections(text, found, end))


def _sections(text: str, beginning: re.Match[str], end: int) -> JsonValue:
    answer = _ANSWER.search(text, beginning.end(), end)
    limit = answer.start() if answer else end
    tasks = _TASKS.search(text, beginning.end(), limit)
    value: dict[str, JsonValue] = {
        "query_id": beginning["id"].strip(),
        "question": text[beginning.end() : tasks.start() if tasks else limit].strip(),
        "research_tasks": list(_tasks(text[tasks.end() : limit])) if tasks else [],
        "answer": text[answer.end() : end].strip() if answer else None,
    }
    if tasks and tasks["total"]:
        value["tasks_total"] = int(tasks["total"])
    return value


def _tasks(section: str) -> Iterator[JsonValue]:
    marks = list(_TASK.finditer(section))
    ends = [mark.start() for mark in marks[1:]] + [len(section)]
    for mark, end in zip(marks, ends, strict=True):
        yield section[mark.end() : end].strip()


CONTAINER = Container("text-log", detect, records)
