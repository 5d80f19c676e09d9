"""Each table as batches of columns, whatever repository they come from."""

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any

from workbench.errors import BadInputError
from workbench.notebook.columns import columns_of
from workbench.notebook.filters import NAMES, check_names, filter_from
from workbench.phases import phase_totals
from workbench.schema.analysis import PHASES, PhaseTotals
from workbench.store import Columns, Store, TrajectoryFilter
from workbench.store.types import dump_json

VOTE_BATCH = 10_000


def read_batches(store: Store, table: str, given: Mapping[str, Any], *, bodies: bool) -> Iterator[Columns]:
    """Batches with exactly the table's columns, in its order; none where nothing passes.

    The filter is checked at once, and not when the first batch is asked for. Raises BadInputError.
    """
    names = [column.name for column in columns_of(table, bodies=bodies)]
    batches = _reader(store, table, given, bodies)
    return ({name: batch[name] for name in names} for batch in batches)


def _reader(store: Store, table: str, given: Mapping[str, Any], bodies: bool) -> Iterator[Columns]:
    if table in _OTHER:
        read, known = _OTHER[table]
        check_names(given, known)
        return read(store, given)
    check_names(given, NAMES)
    wanted = filter_from(given)
    if wanted.grader is None and (wanted.min_score is not None or wanted.max_score is not None):
        raise BadInputError("a bound on the score needs the grader whose score it is; add grader=")
    if table == "phases":
        return _phases(store, wanted)
    if table == "trajectories":
        return _renamed(store.columns.trajectories(wanted, bodies=bodies), id="trajectory_id")
    if table == "steps":
        return store.columns.steps(wanted, bodies=bodies)
    if table == "citations":
        return _renamed(store.columns.citations(wanted, bodies=bodies), start="marker_start", end="marker_end")
    return store.columns.grades(wanted, bodies=bodies)


def _renamed(batches: Iterator[Columns], **names: str) -> Iterator[Columns]:
    for batch in batches:
        yield {names.get(name, name): values for name, values in batch.items()}


def _phases(store: Store, wanted: TrajectoryFilter) -> Iterator[Columns]:
    for batch in store.columns.phase_totals(wanted):
        moved = tuple(id_ for id_, n in zip(batch["trajectory_id"], batch["corrected"], strict=True) if n)
        anew = _counted_anew(store, moved)
        rows: list[tuple[Any, ...]] = []
        for id_, question, run, stored, exact, corrected in zip(*batch.values(), strict=True):
            totals = anew.get(id_) or {phase: PhaseTotals(**said) for phase, said in stored.items()}
            for phase in PHASES:
                of_phase = totals.get(phase, PhaseTotals())
                sums = (of_phase.steps, of_phase.tokens, exact, of_phase.tool_calls, of_phase.duration_s)
                rows.append((id_, question, run, phase, *sums, corrected))
        names = [column.name for column in columns_of("phases", bodies=False)]
        yield dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def _counted_anew(store: Store, ids: tuple[str, ...]) -> dict[str, Mapping[Any, PhaseTotals]]:
    """Totals of trajectories in which a person moved a step, as `show` counts them."""
    if not ids:
        return {}
    records = store.columns.step_records(TrajectoryFilter(ids=ids))
    found: dict[str, Mapping[Any, PhaseTotals]] = {}
    for id_, of_one in groupby(records, key=lambda record: record[0]):
        placed = [(step, phase) for _, _, step, phase in of_one if phase is not None]
        found[id_] = phase_totals([step for step, _ in placed], [phase for _, phase in placed])
    return found


def _runs(store: Store, given: Mapping[str, Any]) -> Iterator[Columns]:  # noqa: ARG001 - one form for all readers
    runs = store.runs.list()
    if runs:
        yield {
            "run": [run.name for run in runs],
            "model": [run.model for run in runs],
            "simulated": [run.simulated for run in runs],
            "trajectories": [run.n for run in runs],
            "questions": [run.n_questions for run in runs],
            "created_at": [run.created_at for run in runs],
            "meta": [dump_json(dict(run.meta)) for run in runs],
        }


def _ballots(store: Store, given: Mapping[str, Any]) -> Iterator[Columns]:
    """Those that stand, set aside or not. While a round is open, what is behind its sides is hidden here too."""
    wanted = given.get("round")
    rounds = store.human.rounds() if wanted is None else (store.human.round(wanted),)
    for round_ in sorted(rounds, key=lambda one: (one.created_at, one.id)):
        ballots = store.human.ballots(round_.id)
        if not ballots:
            continue
        shown = {one.id: one for one in store.human.assignments(round_.id)}
        closed = round_.state == "closed"
        pairs = [shown[ballot.assignment_id] for ballot in ballots]
        yield {
            "round": [round_.id] * len(ballots),
            "round_state": [round_.state] * len(ballots),
            "assignment_id": [ballot.assignment_id for ballot in ballots],
            "rater": [ballot.rater for ballot in ballots],
            "question_id": [pair.question_id for pair in pairs],
            "purpose": [pair.purpose for pair in pairs],
            "left": [pair.left if closed else None for pair in pairs],
            "right": [pair.right if closed else None for pair in pairs],
            "verdict": [ballot.verdict for ballot in ballots],
            "scores": [_scores(ballot.scores) for ballot in ballots],
            "seconds": [ballot.seconds for ballot in ballots],
            "created_at": [ballot.created_at for ballot in ballots],
            "set_aside": [ballot.set_aside for ballot in ballots],
            "reason": [ballot.reason for ballot in ballots],
        }


def _votes(store: Store, given: Mapping[str, Any]) -> Iterator[Columns]:
    from workbench.human.votes import counted_votes

    votes = counted_votes(store, round_id=given.get("round"), source=given.get("source")).votes
    for start in range(0, len(votes), VOTE_BATCH):
        part = votes[start : start + VOTE_BATCH]
        names = ("source", "ordinal", "model_a", "model_b", "winner", "rater", "question_id", "reason")
        batch = {name: [getattr(vote, name) for vote in part] for name in names}
        yield batch | {"scores": [_scores(vote.scores) for vote in part]}


def _scores(scores: Mapping[str, tuple[int, int]]) -> str:
    return dump_json({name: list(pair) for name, pair in scores.items()})


_Read = Callable[[Store, Mapping[str, Any]], Iterator[Columns]]
_OTHER: Mapping[str, tuple[_Read, tuple[str, ...]]] = {
    "runs": (_runs, ()),
    "ballots": (_ballots, ("round",)),
    "votes": (_votes, ("round", "source")),
}
