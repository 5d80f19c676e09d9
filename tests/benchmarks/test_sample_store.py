"""The sample store: the same on both databases, resumable, and true to its plan."""

import statistics

import pytest

from benchmarks.sample.ballots import simulated_ballot
from benchmarks.sample.plan import SamplePlan
from benchmarks.sample_store import STEPS, SampleStep, build_sample_store, is_built
from benchmarks.simulated_web.world import WorldSize
from workbench.schema.ballot import Assignment
from workbench.schema.canonical import JsonObject
from workbench.schema.trajectory import trajectory_from_json
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.jobs import JobHandle, JobStopped, NullJob

SMALL = SamplePlan(
    seed=5,
    questions=4,
    agents=("broad", "terse", "narrow", "fabricating"),
    attempts=2,
    raters=2,
    stressed_reports=1,
    size=WorldSize(entities=24, sites=24, pages=160),
)


class StopAfter(NullJob):
    """A job that somebody stops at its n-th checkpoint."""

    def __init__(self, checkpoints: int) -> None:
        super().__init__()
        self._left = checkpoints

    def checkpoint(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise JobStopped

    async def async_checkpoint(self) -> None:
        self.checkpoint()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """The small sample on SQLite."""
    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('sample') / 'sample.db'}")
    build_sample_store(store, job=NullJob(), plan=SMALL)
    return store


def test_same_store_on_postgresql(built: Store, pg_url: str) -> None:
    with open_store(pg_url) as store:
        build_sample_store(store, job=NullJob(), plan=SMALL)
        assert store.content_hash() == built.content_hash()


def test_building_again_changes_nothing(built: Store) -> None:
    before = built.content_hash()
    steps = build_sample_store(built, job=NullJob(), plan=SMALL)
    assert steps["rollouts"] == {"imported": 0, "trajectories": SMALL.n_trajectories}
    assert built.content_hash() == before
    assert is_built(built, SMALL)


def test_stopped_anywhere_and_started_again_it_comes_out_the_same(built: Store, sqlite_store: Store) -> None:
    for checkpoints in (0, 2, 30, 70, 110, 150, 170, 200):
        try:
            build_sample_store(sqlite_store, job=StopAfter(checkpoints), plan=SMALL)
        except JobStopped:
            continue
    build_sample_store(sqlite_store, job=NullJob(), plan=SMALL)
    assert sqlite_store.content_hash() == built.content_hash()


def test_everything_is_marked_as_simulated(built: Store) -> None:
    runs = built.runs.list()
    assert {run.name for run in runs} == set(SMALL.runs)
    assert all(run.simulated and run.meta["world"]["seed"] == SMALL.seed for run in runs)
    assert all(round_.simulated and round_.state == "closed" for round_ in built.human.rounds())


def test_source_of_a_trajectory_is_its_native_line(built: Store) -> None:
    import orjson

    identity = built.trajectories.ids(TrajectoryFilter(run="sim-broad"))[0]
    line = built.trajectories.source(identity)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert trajectory_from_json(orjson.loads(line)).id == identity


def test_grades_put_the_agents_where_they_belong(built: Store) -> None:
    means = {}
    for run in SMALL.runs:
        scores = built.grades.scores("gold", run)["score"]
        assert len(scores) == SMALL.questions * SMALL.attempts
        means[run] = statistics.mean(scores)
    assert means["sim-broad"] > means["sim-narrow"] > means["sim-fabricating"]


def test_shaping_lies_strictly_between_its_bounds_for_many(built: Store) -> None:
    table = built.rewards.targets_list()[0]
    targets = {target.question_id: target for target in built.rewards.targets(table.version)}
    shares = [
        facts.sites_opened / targets[facts.question_id].sites
        for _, facts in built.trajectories.facts(TrajectoryFilter(run=("sim-narrow", "sim-fabricating")))
        if targets[facts.question_id].sites
    ]
    assert sum(0 < share < 1 for share in shares) > 0.4 * len(shares)


def test_the_specification_is_pinned_to_targets_and_grader_and_knows_its_round(built: Store) -> None:
    (row,) = built.rewards.specs()
    spec = built.rewards.spec(row.version)
    assert row.round_id == built.human.rounds()[0].id
    assert str(spec["targets"]).removeprefix("targets@") == built.rewards.targets_list()[0].version
    assert str(spec["quality"]["grader"]).startswith("checklist@")  # type: ignore[index, call-overload]


def test_further_steps_of_higher_layers_come_last(sqlite_store: Store) -> None:
    seen: list[str] = []

    def work(_store: Store, plan: SamplePlan, _job: JobHandle) -> JsonObject:
        seen.append("further")
        return {"questions": plan.questions}

    tiny = SamplePlan(5, questions=2, attempts=1, raters=2, stressed_reports=1, size=SMALL.size)
    steps = build_sample_store(sqlite_store, job=NullJob(), plan=tiny, further=[SampleStep("x", "more", work)])
    assert list(steps) == [*(step.name for step in STEPS), "x"] and seen == ["further"]


def test_simulated_rater_prefers_the_better_report_and_calls_equals_a_tie() -> None:
    seats = [Assignment(f"a{i}", "r", f"rater-{i}", "q", f"t-{i}", f"u-{i}", 0) for i in range(60)]
    clear = [simulated_ballot(seat, 0.95, 0.2, seed=1).verdict for seat in seats]
    assert set(clear) == {"left"}
    equal = [simulated_ballot(seat, 0.8, 0.8, seed=1).verdict for seat in seats]
    assert {"left", "right", "both_good"} <= set(equal)
    assert all(
        1 <= star <= 5
        for seat in seats
        for pair in simulated_ballot(seat, 1, 0, seed=1).scores.values()
        for star in pair
    )
