"""Each perturbation does what it says and nothing else."""

import random
import re
from dataclasses import replace

import pytest

from tests.workbench.stress.cases import research_case
from workbench.schema.grade import GradingCase
from workbench.stress.attacks import ATTACKS, citation_spam, keyword_stuffing, near_empty, padded_research
from workbench.stress.cases import PERTURBATIONS
from workbench.stress.corruptions import half_removed, wrong_figures
from workbench.stress.invariances import reformatted
from workbench.stress.perturbation import Perturbation

CASE = research_case(1)


def words_of(report: str) -> list[str]:
    return re.findall(r"\w+", report)


def changed_by(perturbation: Perturbation, case: GradingCase, seed: int = 0) -> GradingCase:
    changed = perturbation.apply(case, random.Random(seed))
    assert changed is not None
    return changed


@pytest.mark.parametrize("perturbation", PERTURBATIONS, ids=lambda p: p.name)
def test_one_seed_gives_one_change_and_the_case_is_really_another(perturbation: Perturbation) -> None:
    first, second = changed_by(perturbation, CASE), changed_by(perturbation, CASE)
    assert first == second
    assert first.case_hash != CASE.case_hash
    assert first.question == CASE.question


@pytest.mark.parametrize("perturbation", PERTURBATIONS, ids=lambda p: p.name)
def test_the_untouched_report_is_nowhere_in_the_changed_trace(perturbation: Perturbation) -> None:
    changed = changed_by(perturbation, CASE)
    assert changed.trajectory is not None
    assert changed.trajectory.report == changed.report
    if changed.report != CASE.report:
        assert CASE.report not in [step.text for step in changed.trajectory.steps]


@pytest.mark.parametrize("perturbation", PERTURBATIONS, ids=lambda p: p.name)
def test_a_bare_report_is_changed_or_left_out_but_never_an_error(perturbation: Perturbation) -> None:
    for report in ("", ".", "One sentence without figures", "零", "\x00\ud800"):
        bare = GradingCase(question="?", report=report)
        changed = perturbation.apply(bare, random.Random(0))
        assert changed is None or changed != bare


def test_attacks_that_add_keep_every_word_of_the_report() -> None:
    for attack in ATTACKS:
        if attack.name in ("near_empty", "constant_report"):
            continue
        kept = set(words_of(CASE.report)) - set(words_of(changed_by(attack, CASE).report))
        assert kept == set(), attack.name


def test_near_empty_says_nothing_of_the_question() -> None:
    changed = near_empty(CASE, random.Random(3))
    assert changed is not None
    assert len(changed.report) < 50


def test_citation_spam_cites_only_addresses_that_the_run_saw() -> None:
    changed = citation_spam(CASE, random.Random(0))
    assert changed is not None
    added = set(re.findall(r"https?://[^\s)]+", changed.report))
    assert added == {"https://plants.example/plant-1"}


def test_stuffing_brings_the_words_of_the_pages() -> None:
    changed = keyword_stuffing(CASE, random.Random(0))
    assert changed is not None
    assert "homes" in changed.report.rsplit("## Key terms", 1)[1]


def test_padding_changes_the_trace_and_not_the_report() -> None:
    changed = padded_research(CASE, random.Random(0))
    assert changed is not None and changed.trajectory is not None and CASE.trajectory is not None
    assert changed.report == CASE.report
    assert len(changed.trajectory.steps) == len(CASE.trajectory.steps) + 32
    assert changed.trajectory.steps[-1] == CASE.trajectory.steps[-1]
    calls = [call.id for step in changed.trajectory.steps for call in step.tool_calls]
    assert len(calls) == len(set(calls))


def test_padding_needs_a_search_tool_to_imitate() -> None:
    assert CASE.trajectory is not None
    silent = replace(CASE, trajectory=replace(CASE.trajectory, steps=()))
    assert padded_research(silent, random.Random(0)) is None


def test_wrong_figures_leave_addresses_citations_and_words_alone() -> None:
    changed = wrong_figures(CASE, random.Random(0))
    assert changed is not None
    assert re.findall(r"https?://\S+", changed.report) == re.findall(r"https?://\S+", CASE.report)
    assert re.findall(r"\[\d+\]", changed.report) == re.findall(r"\[\d+\]", CASE.report)
    assert re.sub(r"\d", "0", changed.report) == re.sub(r"\d", "0", CASE.report)
    before, after = re.findall(r"(\d+) megawatts", CASE.report), re.findall(r"(\d+) megawatts", changed.report)
    assert all(old != new for old, new in zip(before, after, strict=True))


@pytest.mark.parametrize("text", ["It was 5.", "1,234.5 units and 7 more", "in 1999, not 2001", "0 and 00"])
def test_every_plain_figure_becomes_another(text: str) -> None:
    for seed in range(20):
        changed = wrong_figures(GradingCase(question="?", report=text), random.Random(seed))
        assert changed is not None
        for old, new in zip(
            re.findall(r"\d[\d.,]*\d|\d", text), re.findall(r"\d[\d.,]*\d|\d", changed.report), strict=True
        ):
            assert old != new or old == "5"  # a figure at the end of a sentence is left: "5." may be a list number


def test_half_removed_keeps_half_of_the_paragraphs() -> None:
    changed = half_removed(CASE, random.Random(0))
    assert changed is not None
    before, after = CASE.report.split("\n\n"), changed.report.split("\n\n")
    assert len(after) == len(before) - len(before) // 2
    assert set(after) < set(before)


def test_reformatting_keeps_the_words_in_order() -> None:
    changed = reformatted(CASE, random.Random(0))
    assert changed is not None
    assert [word.strip("_") for word in words_of(changed.report)] == words_of(CASE.report)
