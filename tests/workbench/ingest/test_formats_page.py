"""The page that tells users what is read."""

import re
from pathlib import Path

from workbench.ingest.registry import FORMATS

PAGE = Path(__file__).parents[3] / "docs" / "formats.md"


def test_page_has_a_row_for_every_format_and_for_no_other() -> None:
    rows = re.findall(r"^\| `([a-z0-9-]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted(found.name for found in FORMATS)


def test_every_row_has_all_columns() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    assert {line.count("|") for line in rows} == {6}
