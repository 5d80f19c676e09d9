"""The stored form of a diagnosis loses nothing."""

import json

from tests.workbench.diagnosis.examples import example_report
from workbench.diagnosis.report import DiagnosisReport


def test_a_report_comes_back_from_its_json_as_it_went() -> None:
    report = example_report()

    assert DiagnosisReport.from_json(json.loads(json.dumps(report.to_json()))) == report


def test_a_phase_that_was_not_measured_is_no_zero_in_json() -> None:
    research = example_report().to_json()["parts"]["research"]  # type: ignore[index,call-overload]

    assert research["gap"] == {"not_measured": "no question is shared", "n": 0}  # type: ignore[index,call-overload]
