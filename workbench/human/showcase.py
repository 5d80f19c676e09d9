"""What of a round's pairs a rater is shown, made blind once and kept: the question and the two sides as inert HTML."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Generic, TypeVar

from workbench.human.blind.masking import Masker
from workbench.human.blind.passages import passage_html, signed, with_openings
from workbench.human.blind.rendering import render
from workbench.human.blind.research import render_research
from workbench.human.blind.sites import sites_of_one
from workbench.human.rounds.page import PageForm, page_of
from workbench.human.rounds.shown import names_of_runs, text_shown
from workbench.schema.ballot import Assignment, Round
from workbench.store import Store, TrajectoryFilter

# Of reports as long as deep research writes them: some 30 MB.
SIDES_KEPT, QUESTIONS_KEPT, ROUNDS_KEPT = 512, 2048, 64
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


@dataclass(frozen=True, slots=True)
class Side:
    """Inert HTML: what is judged, the passages that its marks open (by their number), and its research if shown."""

    html: str
    passages: tuple[str, ...] = ()
    trace: str = ""


class Showcase:
    """Sides of pairs as a rater's browser gets them. Nothing here names a run, a model or a trajectory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sides: Kept[Side] = Kept(SIDES_KEPT)
        self._questions: Kept[str] = Kept(QUESTIONS_KEPT)
        self._hidden: Kept[Hidden] = Kept(ROUNDS_KEPT)

    def question(self, assignment: Assignment) -> str:
        """Of the side that answers it: in a check the other one belongs to another question."""

        def make() -> str:
            sides = [self._store.trajectories.row(identity) for identity in (assignment.left, assignment.right)]
            return next((one.question for one in sides if one.question_id == assignment.question_id), sides[0].question)

        return self._questions.get((assignment.question_id, assignment.left, assignment.right), make)

    def sides(self, round_: Round, assignment: Assignment) -> tuple[Side, Side]:
        """Left and right. Passages open on both sides or on neither: marks that never open would tell a system."""
        left, right = (self._side(round_, assignment, one) for one in (assignment.left, assignment.right))
        if left.passages and right.passages:
            return left, right
        return Side(left.html, (), left.trace), Side(right.html, (), right.trace)

    def _side(self, round_: Round, assignment: Assignment, trajectory_id: str) -> Side:
        def make() -> Side:
            hidden = self._hidden.get((round_.id,), lambda: hidden_of(self._store, round_))
            masker = Masker(hidden.names, question=self.question(assignment), hosts=hidden.sites)
            return self._made_blind(page_of(round_.settings), trajectory_id, masker)

        return self._sides.get((round_.id, assignment.question_id, trajectory_id), make)

    def _made_blind(self, page: PageForm, trajectory_id: str, masker: Masker) -> Side:
        if page.shows == "research":
            return Side(render_research(self._store.trajectories.get(trajectory_id), masker))
        trace = render_research(self._store.trajectories.get(trajectory_id), masker) if page.trace else ""
        text = text_shown(self._store, page, trajectory_id)
        if page.shows == "rewrites":
            # A rewrite's citations are those of its writer, not of the run: no passage is known for them.
            return Side(with_openings(render(text, masker, plain_markup=page.plain_markup), lambda _: None), (), trace)
        citations = self._store.trajectories.citations(trajectory_id)
        numbered = sorted(citations, key=lambda one: one.start)
        places = list(dict.fromkeys(one.passage for one in numbered if one.passage is not None))
        steps = self._store.trajectories.steps(trajectory_id) if places else ()
        number = {place: position for position, place in enumerate(places)}

        def opens(citation: int) -> int | None:
            place = numbered[citation].passage
            return None if place is None else number[place]

        html = with_openings(render(signed(text, citations), masker, plain_markup=page.plain_markup), opens)
        return Side(html, tuple(passage_html(steps, place, masker.mask) for place in places), trace)


@dataclass(frozen=True, slots=True)
class Hidden:
    """What would tell the systems of a round apart: names of runs and models, and sites that one of them turns to."""

    names: tuple[str, ...]
    sites: frozenset[str]


def hidden_of(store: Store, round_: Round) -> Hidden:
    """Over all reports that the round shows: what is one system's habit shows only over many."""
    shown = {side for one in store.human.assignments(round_.id) for side in (one.left, one.right)}
    texts: dict[str, dict[str, str]] = {}
    for run in round_.runs:
        columns = store.trajectories.columns(TrajectoryFilter(run=run))
        texts[run] = {one: store.trajectories.report(one) for one in columns["id"] if one in shown}
    return Hidden(names_of_runs(store, round_.runs), sites_of_one(texts))
