"""Untrusted text in tables runs in no spreadsheet and hides nothing; figures stay what they are."""

from typing import Any

import pandas as pd
import pytest

from workbench.ui.components.cells import cell, framed, readable


@pytest.mark.parametrize(
    "formula",
    [
        "=1+1",
        '=HYPERLINK("https://evil.example","x")',
        "@SUM(1)",
        "+cmd|' /C calc'!A0",
        "-2+3+cmd|' /C calc'!A0",
        "  =1",
        "\t=1",
        '+1+HYPERLINK("https://evil.example")',
    ],
)
def test_what_a_spreadsheet_would_run_is_text_there(formula: str) -> None:
    assert cell(formula) == f"'{formula}"


@pytest.mark.parametrize(
    "honest", ["+0.12 [-0.03, +0.27] (n=40)", "-0.5", "- none", "a=b", "me@example.org", "-", "中文"]
)
def test_figures_and_words_stay(honest: str) -> None:
    assert cell(honest) == honest


def test_every_text_of_a_table_is_made_readable_and_numbers_are_left() -> None:
    frame = pd.DataFrame({"=run\u202e": ["a\u200bb", None, "=1"], "n": [1, 2, 3], "score": [0.5, None, 1.0]})
    shown = readable(frame)
    assert list(shown.columns) == ["'=run⟨U+202E⟩", "n", "score"]
    assert shown.iloc[:, 0].fillna("none").tolist() == ["a⟨U+200B⟩b", "none", "'=1"]
    assert shown["n"].tolist() == [1, 2, 3] and shown.dtypes.iloc[2] == frame.dtypes.iloc[2]
    assert frame.iloc[2, 0] == "=1"


def test_a_table_without_rows_stays_one() -> None:
    assert readable(pd.DataFrame({"a": []})).empty


@pytest.mark.parametrize("data", [{"a": ["x\udcff", None], "n": [1, 2]}, [{"a": "x\udcff", "n": 1}, {"n": 2}]])
def test_half_of_a_surrogate_pair_breaks_no_table(data: Any) -> None:
    frame = framed(data)
    assert frame["a"].fillna("none").tolist() == ["x\ufffd", "none"] and frame["n"].tolist() == [1, 2]
