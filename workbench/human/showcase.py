"""What of a round's pairs a rater is shown, made blind once and kept: the question and the two sides as inert HTML."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from workbench.human.blind.masking import Masker
from workbench.human.blind.rendering import render
from workbench.schema.ballot import Assignment, Round
from workbench.store import Store, TrajectoryFilter

# Of reports as long as deep research writes them: some 20 MB.
SIDES_KEPT, QUESTIONS_KEPT = 512, 2048
Made = TypeVar("Made")


class Kept(Generic[Made]):
    """The last `size` things made, by key. Safe for use from several threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._made: OrderedDict[tuple[str, ...], Made] = OrderedDict()
        self._lock, self._making = Lock(), Lock()

    def get(self, key: tuple[str, ...], make: Callable[[], Made]) -> Made:
        """What was made under this key, else made now. One at a time: forty raters begin with the same pairs."""
        found = self._find(key)
        if found:
            return found[0]
        with self._making:
            if found := self._find(key):
                return found[0]
            made = make()
            with self._lock:
                self._made[key] = made
                while len(self._made) > self._size:
                    self._made.popitem(last=False)
        return made

    def _find(self, key: tuple[str, ...]) -> tuple[Made, ...]:
        with self._lock:
            if key not in self._made:
                return ()
            self._made.move_to_end(key)
            return (self._made[key],)


class Showcase:
    """Sides of pairs as a rater's browser gets them. Nothing here names a run, a model or a trajectory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sides: Kept[str] = Kept(SIDES_KEPT)
        self._questions: Kept[str] = Kept(QUESTIONS_KEPT)
        self._names: Kept[tuple[str, ...]] = Kept(QUESTIONS_KEPT)

    def question(self, assignment: Assignment) -> str:
        """Of the side that answers it: in a check the other one belongs to another question."""

        def make() -> str:
            sides = [self._store.trajectories.row(identity) for identity in (assignment.left, assignment.right)]
            return next((one.question for one in sides if one.question_id == assignment.question_id), sides[0].question)

        return self._questions.get((assignment.question_id, assignment.left, assignment.right), make)

    def side(self, round_: Round, assignment: Assignment, trajectory_id: str) -> str:
        """The report of one side as inert HTML, names masked."""

        def make() -> str:
            masker = Masker(self._names_of(round_), question=self.question(assignment))
            return render(self._store.trajectories.report(trajectory_id), masker)

        return self._sides.get((round_.id, assignment.question_id, trajectory_id), make)

    def _names_of(self, round_: Round) -> tuple[str, ...]:
        return self._names.get((round_.id,), lambda: names_of_round(self._store, round_.runs))


def names_of_round(store: Store, runs: tuple[str, ...]) -> tuple[str, ...]:
    """Every name that could tell a round's systems apart: of the runs, and of the models within them."""
    names = dict.fromkeys(runs)
    for run in runs:
        names.update(dict.fromkeys(store.trajectories.columns(TrajectoryFilter(run=run))["model"]))
    return tuple(name for name in names if name)
