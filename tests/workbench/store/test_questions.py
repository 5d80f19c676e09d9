"""Questions are counted by their trajectories, those whose attempts differ most first."""

from tests.workbench.store.examples import example_trajectory, new
from workbench.schema.grade import Grade
from workbench.store import Store, TrajectoryFilter


def graded(store: Store, identifier: str, score: float) -> None:
    store.grades.add(identifier, Grade("g", "v1", f"case-{identifier}", "scored", score=score, raw=score))


def test_questions_are_counted_and_the_widest_spread_comes_first(store: Store) -> None:
    items = [
        new(example_trajectory(question=f"Question {name}?", run=f"run-{n % 2}", attempt=n))
        for name, many in (("a", 2), ("b", 3), ("c", 1))
        for n in range(many)
    ]
    ids = store.trajectories.add_batch(items).ids
    for identifier, score in zip(ids, (0.1, 0.9, 0.5, 0.5, 0.6, 0.2), strict=True):
        graded(store, identifier, score)

    by_score = store.trajectories.questions(TrajectoryFilter(grader="g"), at_least=2)
    assert by_score.total == 2
    assert [(q.question, q.n, q.n_runs, q.lowest, q.highest) for q in by_score.items] == [
        ("Question a?", 2, 2, 0.1, 0.9),
        ("Question b?", 3, 2, 0.5, 0.6),
    ]
    plain = store.trajectories.questions(TrajectoryFilter(), limit=1)
    assert plain.total == 3 and plain.items[0].question == "Question b?" and plain.items[0].lowest is None
    assert [q.question for q in store.trajectories.questions(TrajectoryFilter(), offset=2).items] == ["Question c?"]
    assert store.trajectories.questions(TrajectoryFilter(run="none")).total == 0
