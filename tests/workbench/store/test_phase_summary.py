"""Sums over many analyses say what the analyses say one by one."""

from collections import Counter
from dataclasses import replace

from tests.workbench.store.examples import example_trajectory, new
from workbench.store import Store, TrajectoryFilter

BOUND = 0.85


def test_summary_is_the_sum_of_the_analyses(store: Store) -> None:
    items = [new(example_trajectory(attempt=i, run=f"run-{i % 2}")) for i in range(5)]
    items[3] = replace(items[3], analysis=replace(items[3].analysis, version="rules-0", phases=(), totals={}))
    store.trajectories.add_batch(items)
    for position in (0, 2):
        store.trajectories.correct_phase(items[1].trajectory.id, position, "synthesis", by="R.")
    store.trajectories.correct_phase(items[3].trajectory.id, 1, "plan", by="R.")  # a step without a computed phase
    for wanted in (TrajectoryFilter(), TrajectoryFilter(run="run-1"), TrajectoryFilter(run="none")):
        ids = store.trajectories.ids(wanted)
        analyses = [store.trajectories.analysis(id_) for id_ in ids]
        phases = [phase for analysis in analyses for phase in analysis.phases]
        summary = store.trajectories.phase_summary(wanted, unsure_below=BOUND)
        assert summary.versions == Counter(analysis.version for analysis in analyses)
        assert store.trajectories.analysis_versions(wanted) == tuple(
            (id_, analysis.version) for id_, analysis in zip(ids, analyses, strict=True)
        )
        assert summary.steps == len(phases)
        assert summary.unsure == sum(phase.confidence < BOUND for phase in phases)
        assert summary.corrected == sum(phase.source == "person" for phase in phases)
        for phase, total in summary.totals.items():
            each = [analysis.totals[phase] for analysis in analyses if phase in analysis.totals]
            assert total.steps == sum(one.steps for one in each)
            assert total.tokens == sum(one.tokens for one in each)
            assert total.tool_calls == sum(one.tool_calls for one in each)
