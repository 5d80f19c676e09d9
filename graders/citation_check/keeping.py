"""What a check found of citations, kept beside the citations themselves, where the viewer and `show` read it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from graders.citation_check.grader import SupportGrader
from workbench.errors import NotFoundError
from workbench.reward.core.quality import CITATION_SUPPORT
from workbench.schema.analysis import SUPPORTS, Citation, Support
from workbench.schema.grade import Grade, GraderKind
from workbench.schema.protocols import Grader
from workbench.store import Store, TrajectoryFilter

# A check by words does not write over what a large model read, nor a small model's guess over either.
_RANK: Mapping[GraderKind, int] = {"llm": 2, "local_model": 0}
_OTHERS = 1


def keep_supports(store: Store, grader: Grader, grades: Sequence[tuple[str, Grade]]) -> None:
    """Stores the supports of these grades, if `grader` checks citations; (trajectory id, grade) each.

    The first repeat alone counts. A trajectory that a better checker has graded keeps what that one found;
    `put_graded` writes over it.
    """
    if not isinstance(grader, SupportGrader):
        return
    checked = {identifier: grade for identifier, grade in grades if grade.repeat == 0 and grade.detail}
    kept = _held_by_better(store, grader.kind, list(checked))
    for identifier, grade in checked.items():
        if identifier not in kept:
            put_supports(store, identifier, grade)


def put_supports(store: Store, trajectory_id: str, grade: Grade) -> int:
    """Stores what one grade of a citation check found, whatever stands there; gives of how many citations.

    Citations are known by their place and address, since the stored ones may be of older rules. `not_checked` is no
    finding and leaves what is there.
    """
    try:
        stored = store.trajectories.analysis(trajectory_id).citations
    except NotFoundError:
        return 0
    supports = dict(_matched(stored, grade.detail))
    if supports:
        store.trajectories.set_supports(trajectory_id, supports)
    return len(supports)


def put_graded(store: Store, grader: str, run: str | None = None) -> tuple[int, int]:
    """`put_supports` for every stored grade of a citation check (a name, or `name@` and a version), the first repeat
    of each; gives how many trajectories and citations have its verdicts now."""
    trajectories = citations = 0
    for identifier, grade in store.columns.grade_records(TrajectoryFilter(run=run, grader=grader)):
        if grade.repeat == 0 and grade.detail.get("citations"):
            put = put_supports(store, identifier, grade)
            trajectories += put > 0
            citations += put
    return trajectories, citations


def _matched(stored: Iterable[Citation], detail: Mapping[str, Any]) -> Iterator[tuple[int, Support]]:
    rows = detail.get("citations")
    if not isinstance(rows, list):  # a grader that counts citations and checks none
        return
    found = {(row["start"], row["end"], row["url"]): row["support"] for row in rows}
    for citation in stored:
        support = found.get((citation.start, citation.end, citation.url), "not_checked")
        if support in SUPPORTS and support != "not_checked":
            yield citation.ordinal, support


def _held_by_better(store: Store, kind: GraderKind, ids: Sequence[str]) -> frozenset[str]:
    rank = _RANK.get(kind, _OTHERS)
    better = [
        summary.version
        for summary in store.grades.graders()
        if summary.name.startswith(CITATION_SUPPORT) and summary.kind and _RANK.get(summary.kind, _OTHERS) > rank
    ]
    return frozenset(identifier for version in better for identifier, _, _ in store.grades.existing(version, ids))
