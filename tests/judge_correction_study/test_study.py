"""The long study, as `make evidence` runs it; a small share of it is in tests/workbench/stats/test_judge_correction."""

import pytest

from tests.judge_correction_study.__main__ import measure
from tests.judge_correction_study.designs import all_designs


def test_no_two_designs_share_a_name() -> None:
    names = [design.name for design in all_designs()]
    assert len(names) == len(set(names)) == 156


@pytest.mark.slow
def test_intervals_hold_where_nothing_cautions_against_them() -> None:
    result = measure(say=False)
    for name, cells in result["designs"].items():
        for method in ("rogan_gladen", "ppi"):
            trusted = result["cautioned"][name] < 0.5 and not (method == "ppi" and "half true" in name)
            if trusted and method in cells:
                assert cells[method]["coverage"] >= 0.935, (name, method, cells[method])
