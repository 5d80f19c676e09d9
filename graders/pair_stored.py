"""Judgments of pairs that the store holds, whoever asked for them, with runs and questions filled in."""

from graders.pair_runner import Pair
from workbench.schema.grade import PairGrade
from workbench.store import Store, TrajectoryFilter


def stored_pairs(store: Store, version: str) -> tuple[tuple[Pair, PairGrade], ...]:
    """Every judgment by this version, failed ones too. Runs stand in alphabetical order, so that two runs make one
    table whichever was named first."""
    judged = store.pairs.of_grader(version)
    ids = tuple(sorted({name for left, right, _ in judged for name in (left, right)}))
    columns = store.trajectories.columns(TrajectoryFilter(ids=ids))
    of = {
        identifier: (run, question, chars)
        for identifier, run, question, chars in zip(
            *(columns[name] for name in ("id", "run", "question_id", "report_chars")), strict=True
        )
    }
    out = []
    for left, right, grade in judged:
        (one, question, left_chars), (two, _, right_chars) = of[left], of[right]
        first, second = sorted((one, two))
        out.append((Pair(question, (first, second), left, right, one != first, (left_chars, right_chars)), grade))
    return tuple(out)
