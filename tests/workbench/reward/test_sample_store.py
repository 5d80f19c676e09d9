"""S and R on a small sample store of the simulated web against the article's own arithmetic."""

from collections.abc import Iterator

import pytest

from benchmarks.sample.plan import SamplePlan
from benchmarks.sample_store import build_sample_store
from tests.workbench.reward.by_the_article import assert_equal, independent
from workbench.reward.reference import build_from_store
from workbench.reward.resolve import exact, find_grader, find_spec, table_of
from workbench.reward.score import load_material, score_material
from workbench.store import Store, open_store
from workbench.store.jobs import NullJob
from workbench.store.rows import TrajectoryFilter

PLAN = SamplePlan(questions=12, attempts=2, agents=("broad", "narrow", "padder"), raters=2, stressed_reports=1)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path = tmp_path_factory.mktemp("sample") / "store.db"
    with open_store(f"sqlite:///{path}") as store:
        build_sample_store(store, job=NullJob(), plan=PLAN)
        yield store


def quality(store: Store) -> dict[str, float]:
    """The stored grades; a rollout that ended without a report has quality 0 (decision 0007)."""
    columns = store.grades.scores("checklist")
    pairs = zip(columns["trajectory_id"], columns["score"], strict=True)
    silent = [id_ for id_, facts in store.trajectories.facts(TrajectoryFilter()) if facts.report_chars == 0]
    return {id_: score for id_, score in pairs if score is not None} | dict.fromkeys(silent, 0.0)


def test_rewards_of_every_run_against_the_samples_targets(sample: Store) -> None:
    spec = find_spec(sample, "search-rl-checklist")
    table = table_of(sample, spec.targets.removeprefix("targets@"))
    references = sample.trajectories.facts(TrajectoryFilter(run=table.runs))
    rows = sample.trajectories.facts(TrajectoryFilter(run=PLAN.runs))
    expected = independent(rows, references, quality(sample))
    material = load_material(sample, PLAN.runs, exact(find_grader(sample, spec.quality_grader)))
    assert_equal(score_material(spec, material, table.by_question), expected)
    assert len(expected) == PLAN.n_trajectories
    between = [S for S, _ in expected.values() if 0 < S < 1]
    assert len(between) > len(expected) / 4
    assert any(target.queries == 0 for target in table.targets)  # a question on which no reference searched


def test_leave_one_run_out(sample: Store) -> None:
    spec = find_spec(sample, "search-rl-checklist")
    for run in PLAN.runs:
        others = [name for name in PLAN.runs if name != run]
        references = sample.trajectories.facts(TrajectoryFilter(run=tuple(others)))
        rows = sample.trajectories.facts(TrajectoryFilter(run=run))
        table = build_from_store(sample, PLAN.runs, leave_out=[run])
        material = load_material(sample, [run], exact(find_grader(sample, spec.quality_grader)))
        expected = independent(rows, references, quality(sample))
        assert_equal(score_material(spec, material, table.by_question), expected)
        assert any(0 < S < 1 for S, _ in expected.values())
