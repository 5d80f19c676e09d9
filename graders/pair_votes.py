"""A grader's verdicts on pairs as votes, marked as a grader's, so that ratings can be computed from them."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from graders.pair_runner import Pair
from workbench.errors import BadInputError
from workbench.human.votes import JUDGE_SOURCE
from workbench.schema.ballot import Vote
from workbench.schema.grade import PairGrade
from workbench.store import Store

Winner: TypeAlias = Literal["model_a", "model_b", "tie", "both_bad", "both_good", "both_fair"]
_TIES: dict[object, Winner] = {"both_bad": "both_bad", "both_good": "both_good", "both_fair": "both_fair"}


def check_name(store: Store, name: str) -> None:
    """Raises BadInputError where verdicts stand under this name already: votes are written once."""
    if JUDGE_SOURCE + name in store.human.vote_sources():
        raise BadInputError(f"votes of {JUDGE_SOURCE + name!r} are in the store already; choose another name")


def write_votes(store: Store, name: str, judged: Sequence[tuple[Pair, PairGrade]]) -> int:
    """One vote a scored judgment, under the source `judge:NAME`; gives how many. Sides carry the runs' names."""
    check_name(store, name)
    scored = [(pair, grade) for pair, grade in judged if grade.preference is not None]
    votes = [
        Vote(
            model_a=pair.runs[1] if pair.swapped else pair.runs[0],
            model_b=pair.runs[0] if pair.swapped else pair.runs[1],
            winner=_winner(grade),
            rater=JUDGE_SOURCE + grade.grader,
            question_id=pair.question_id,
            source=JUDGE_SOURCE + name,
            ordinal=ordinal,
        )
        for ordinal, (pair, grade) in enumerate(scored)
    ]
    return store.human.add_votes(votes)[0]


def _winner(grade: PairGrade) -> Winner:
    if grade.preference is None or grade.preference == 0.5:
        return _TIES.get(grade.detail.get("label"), "tie")
    return "model_a" if grade.preference > 0.5 else "model_b"
