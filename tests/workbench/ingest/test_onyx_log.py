"""Text logs: sections in their order, whatever a report looks like inside."""

import io
from typing import Any

from tests.support.shared_data import shared
from workbench.ingest.containers import text_log
from workbench.ingest.formats import onyx_log
from workbench.ingest.splitter import RawRecord

RULE = "=" * 60
REPORT = f"# So\n{RULE}\n\nIt is so [[1]](https://a.example/).\n\nANSWER:\nyes\n\nRESEARCH TASKS (9 total):\n  #1: no"
TASKS = "RESEARCH TASKS (2 total):\n  #1: one\nmore\n  #2: two\n"
LOG = f"Query ID: 7\n{RULE}\n\nQUESTION:\nx?\nreally\n\n{RULE}\n\n{TASKS}\n{RULE}\n\nANSWER:\n{REPORT}\n"


def cut(text: str | bytes) -> list[RawRecord]:
    return list(text_log.records(io.BytesIO(text.encode() if isinstance(text, str) else text)))


def test_rules_and_headings_within_a_report_belong_to_it() -> None:
    (record,) = cut(LOG)
    value: Any = record.value
    draft = onyx_log.read(value)
    assert (draft.question, draft.report) == ("x?\nreally", REPORT)
    assert [call.arguments for call in draft.steps[1].tool_calls] == [{"task": "one\nmore"}, {"task": "two"}]
    assert draft.meta == {"undisclosed_results": 2, "query_id": "7"}
    assert record.raw.decode() == LOG


def test_several_queries_of_one_file_are_told_apart() -> None:
    first, second = cut(LOG + LOG.replace("Query ID: 7", "Query ID: 8").replace("\n", "\r\n"))
    assert [value["query_id"] for value in (first.value, second.value) if isinstance(value, dict)] == ["7", "8"]
    assert second.line == LOG.count("\n") + 1


def test_a_log_that_was_cut_has_no_report() -> None:
    (record,) = cut(LOG[: LOG.index("ANSWER:") - 5])
    value: Any = record.value
    draft = onyx_log.read(value)
    assert (draft.report, draft.outcome) == ("", "truncated")
    assert len(draft.steps[1].tool_calls) == 2


def test_detected_by_its_first_lines() -> None:
    assert text_log.detect(LOG.encode(), "x.json")
    assert text_log.detect(b"\xef\xbb\xbf" + LOG.replace("\n", "\r\n").encode(), "")
    assert not text_log.detect(b"Query ID: 7\nQUESTION:\n", "x.log")
    assert not text_log.detect(b'{"a": "Query ID: 7"}', "x.log")
    assert "UTF-8" in cut(LOG.encode() + b"\xff")[0].problem


def test_shared_logs_hold_the_tasks_that_they_count() -> None:
    seen = 0
    for path in sorted(shared("drb-onyx-report-logs").glob("[0-9]*.md")):
        (record,) = cut(path.read_bytes())
        value: Any = record.value
        assert len(value["research_tasks"]) == value["tasks_total"]
        assert len(onyx_log.read(value).report) > 1000
        seen += 1
    assert seen == 20
