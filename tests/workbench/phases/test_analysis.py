"""The analysis as a whole on small trajectories."""

from tests.workbench.phases.building import report_only, run
from workbench.phases import analyse, facts_of

PAGE = "https://www.north.example/reports/tides?utm_source=x"
OTHER = "https://south.example/a"


def test_search_visit_report_gives_phases_activity_and_citations() -> None:
    trajectory = run(
        ("say", "I will first look for tide tables, then compare them."),
        ("search", "tides 2024", f"1. [Tides]({PAGE})\nHighest tide 4.2 m in 2024.\n2. [Other]({OTHER})\nNothing."),
        ("visit", PAGE, "The highest tide of 2024 was 4.2 m in March. Nothing else happened."),
        ("report", f"The highest tide was 4.2 m in March 2024 [1]. It fell later [2].\n\n## References\n[1] {PAGE}\n"),
    )
    analysis = analyse(trajectory)
    assert [phase.phase for phase in analysis.phases][1:] == [
        "plan",
        "research",
        "research",
        "research",
        "research",
        "synthesis",
    ]
    assert (analysis.activity.queries, analysis.activity.sites_opened, analysis.activity.sites_seen) == (1, 1, 1)
    first, second = analysis.citations
    assert (first.retrieval, second.retrieval) == ("opened", "dangling")
    assert first.site == "north.example"
    assert trajectory.report[first.claim_start : first.claim_end].startswith("The highest tide")
    assert first.passage is not None
    text = trajectory.steps[first.passage.step].tool_results[first.passage.result].text
    assert "4.2 m in March" in text[first.passage.start : first.passage.end]


def test_report_without_its_run_has_no_trace() -> None:
    analysis = analyse(report_only("So it is [1].\n\nSources:\n[1] https://a.example/x"))
    assert [citation.retrieval for citation in analysis.citations] == ["no_trace"]
    assert analysis.phases == ()


def test_facts_are_the_counts_of_the_analysis() -> None:
    trajectory = run(("search", "a", ""), ("search", "A!", ""), ("report", "Yes [1]."))
    facts = facts_of(trajectory, analyse(trajectory))
    assert (facts.distinct_queries, facts.citations, facts.citations_not_retrieved) == (1, 1, 1)
    assert facts.report_chars == len("Yes [1].")
