"""A look at files before they are imported."""

from pathlib import Path

import pytest

from tests.workbench.ingest.importing import chat, write_lines
from workbench.errors import BadInputError
from workbench.ingest.preview import preview


def test_preview_says_what_an_import_would_find(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", [chat("one", model="m"), b'{"messages": [', chat("two", model="m")])
    (tmp_path / "b.txt").write_text("a shopping list")
    good, other = preview([tmp_path])
    assert (good.formats, good.looked_at, good.more, good.with_report) == (("openai-chat",), 3, False, 2)
    assert (good.questions, good.models, good.runs, good.tool_calls) == (("one", "two"), ("m",), ("a",), 4)
    assert len(good.problems) == 1
    assert other.reason.startswith("it is not JSON or JSONL")


def test_preview_of_a_long_file_looks_at_its_beginning_and_says_so(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", [chat(f"question {n}") for n in range(30)])
    [found] = preview([path], limit=5)
    assert (found.looked_at, found.more, len(found.questions)) == (5, True, 5)


def test_preview_refuses_what_an_import_would(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="not found"):
        preview([tmp_path / "gone"])
