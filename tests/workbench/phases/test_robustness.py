"""Nothing that a trajectory can hold makes the analysis raise, point outside a text, or take more than its length."""

import pytest
from hypothesis import HealthCheck, given, settings

from tests.workbench.phases.hostile import COSTLY, trajectories
from workbench.phases import analyse, facts_of
from workbench.phases.claims import uncited_claims
from workbench.schema.analysis import PHASES, RETRIEVALS
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory

MEGABYTE, QUARTER = 1_000_000, 250_000
# A quarter of a megabyte takes less than a second of a slow core; what grows with its square takes half an hour.
FAR_TOO_LONG_S = 120


@given(trajectories)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_trajectory_is_analysed_with_valid_offsets_and_sums(trajectory: Trajectory) -> None:
    analysis = analyse(trajectory)
    assert [phase.position for phase in analysis.phases] == list(range(len(trajectory.steps)))
    assert all(phase.phase in PHASES and 0.0 <= phase.confidence <= 1.0 for phase in analysis.phases)
    activity = analysis.activity
    assert sum(total.steps for total in analysis.totals.values()) == len(trajectory.steps)
    assert sum(total.tokens for total in analysis.totals.values()) == activity.tokens
    assert sum(total.tool_calls for total in analysis.totals.values()) == activity.tool_calls
    assert 0 <= activity.distinct_queries <= activity.queries
    assert 0 <= activity.failed_calls <= activity.tool_calls
    report = trajectory.report
    assert [citation.ordinal for citation in analysis.citations] == list(range(len(analysis.citations)))
    for citation in analysis.citations:
        assert report[citation.start : citation.end] == citation.marker != ""
        assert 0 <= citation.claim_start < citation.claim_end <= len(report)
        assert citation.retrieval in RETRIEVALS
        if citation.passage is not None:
            place = citation.passage
            text = trajectory.steps[place.step].tool_results[place.result].text
            assert 0 <= place.start < place.end <= len(text)
            assert citation.retrieval in ("opened", "seen")
    assert facts_of(trajectory, analysis).citations_not_retrieved <= len(analysis.citations)
    assert all(0 <= claim.start < claim.end <= len(report) for claim in uncited_claims(report))


@given(trajectories)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_same_trajectory_gives_the_same_analysis(trajectory: Trajectory) -> None:
    assert analyse(trajectory) == analyse(trajectory)


def test_arguments_nested_without_end_are_read_without_raising() -> None:
    nested: dict[str, object] = {}
    inner = nested
    for _ in range(5000):
        inner["query"] = {}
        inner = inner["query"]  # type: ignore[assignment]
    call = ToolCall("c", "search", "search", nested)  # type: ignore[arg-type]
    steps = (Step(role="assistant", tool_calls=(call,)),)
    assert analyse(Trajectory("q", "q-1", "run", "model", steps, "")).activity.tool_calls == 1


@pytest.mark.timeout(FAR_TOO_LONG_S)
@pytest.mark.parametrize("name", sorted(COSTLY))
def test_text_made_to_be_costly_takes_time_by_its_length(name: str) -> None:
    _analyse_costly(name, QUARTER)


@pytest.mark.slow
@pytest.mark.timeout(FAR_TOO_LONG_S)
@pytest.mark.parametrize("name", sorted(COSTLY))
def test_a_megabyte_made_to_be_costly_takes_time_by_its_length(name: str) -> None:
    _analyse_costly(name, MEGABYTE)


def _analyse_costly(name: str, chars: int) -> None:
    text = (COSTLY[name] * (chars // len(COSTLY[name]) + 1))[:chars]
    search = ToolCall("s", "search", "search", {"query": text[:2000]})
    visit = ToolCall("v", "visit", "visit", {"url": [f"https://a.example/{i}" for i in range(50)] + [text[:2000]]})
    steps = (
        Step(role="assistant", tool_calls=(search, visit), text=text[:1000]),
        Step(role="tool", tool_results=(ToolResult("s", text), ToolResult("v", text))),
    )
    analyse(Trajectory("q", "q-1", "run", "model", steps, text))
