"""Compares the reports of runs question by question: resumable, typed, and no paid reply is lost."""

import hashlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from graders.collecting import Tally, collect
from graders.runner import load_trajectories
from workbench.errors import BadInputError
from workbench.schema.canonical import JsonValue
from workbench.schema.grade import PairCase, PairGrade
from workbench.schema.protocols import PairwiseGrader
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import JobHandle
from workbench.store.repositories.grades import FAILED

Attempts: TypeAlias = Literal["first", "all"]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two trajectories on one question. `swapped`: the second run's report stands on the left."""

    question_id: str
    runs: tuple[str, str]
    left: str
    right: str
    swapped: bool
    chars: tuple[int, int]  # of the left and the right report


@dataclass(frozen=True, slots=True)
class PairReport:
    """Counts of this run of the job. `cached`: judged before and left alone; `left` not reached because of `stopped`.

    `judged`: all judgments of the selection, (pair, grade), failed ones too. `cost_usd` is what this run paid, None
    where a price is unknown. `failures` lists up to 20.
    """

    scored: int
    cached: int
    abstained: int
    failed: int
    cost_usd: float | None
    n_pairs: int
    left: int
    stopped: str
    failures: tuple[dict[str, str], ...]
    judged: tuple[tuple[Pair, PairGrade], ...]

    def to_json(self) -> dict[str, JsonValue]:
        """`pairs scored cached abstained failed left stopped cost_usd failures[{left, right, outcome, reason}]`."""
        return {
            "pairs": self.n_pairs,
            "scored": self.scored,
            "cached": self.cached,
            "abstained": self.abstained,
            "failed": self.failed,
            "left": self.left,
            "stopped": self.stopped,
            "cost_usd": self.cost_usd,
            "failures": [dict(failure) for failure in self.failures],
        }


def pairs_of(
    store: Store, runs: Sequence[str], *, attempts: Attempts = "first", limit: int | None = None, seed: int = 0
) -> tuple[Pair, ...]:
    """Every two runs on every question that all runs share (the first `limit` of them), by question.

    `first`: each run's first attempt; `all`: every attempt of one with every attempt of the other. Sides are drawn by
    `seed` and the two ids. Raises BadInputError for fewer than two runs, or no shared question.
    """
    if len(set(runs)) < 2 or len(set(runs)) < len(runs):
        raise BadInputError(f"runs {', '.join(runs) or '(none)'}; expected two or more different ones")
    by_run: list[dict[str, list[tuple[int, str, int]]]] = []
    for run in runs:
        store.runs.get(run)
        found: dict[str, list[tuple[int, str, int]]] = {}
        columns = store.trajectories.columns(TrajectoryFilter(run=run))
        names = ("question_id", "attempt", "id", "report_chars")
        for question, attempt, identifier, chars in zip(*(columns[name] for name in names), strict=True):
            found.setdefault(question, []).append((attempt, identifier, chars))
        by_run.append({question: sorted(all_) for question, all_ in found.items()})
    shared = sorted(set.intersection(*(set(found) for found in by_run)))[:limit]
    if not shared:
        raise BadInputError(f"runs {', '.join(runs)} share no question, so that no two reports can be compared")
    most = 1 if attempts == "first" else None
    out: list[Pair] = []
    for question in shared:
        for (one, a), (two, b) in itertools.combinations(zip(runs, by_run, strict=True), 2):
            for (_, x, nx), (_, y, ny) in itertools.product(a[question][:most], b[question][:most]):
                # By the two ids in an order of their own: which run was named first must not matter.
                low, high = sorted((x, y))
                low_left = hashlib.sha256(f"{seed}\n{low}\n{high}".encode()).digest()[0] % 2 == 0
                swapped = (x == low) != low_left
                left, right, chars = (y, x, (ny, nx)) if swapped else (x, y, (nx, ny))
                out.append(Pair(question, (one, two), left, right, swapped, chars))
    return tuple(out)


def compare_runs(
    store: Store,
    grader: PairwiseGrader,
    pairs: Sequence[Pair],
    *,
    job: JobHandle,
    concurrency: int = 4,
    repeats: int = 1,
) -> PairReport:
    """Judges the pairs that have no judgment of this version yet, whichever side they stood on then.

    Failed ones are stored with their reason and tried again by the next run. Raises JobStopped after what was under
    way has ended and is stored, and WorkbenchError where nothing at all could be judged.
    """
    todo = unjudged(store, grader, pairs, repeats)
    tally = collect(store, grader, Pairs(store, grader), todo, job=job, concurrency=concurrency)
    judged = _judged(store, grader.version, pairs, repeats)
    return _report(tally, judged, n_pairs=len(pairs), cached=len(pairs) * repeats - len(todo))


def unjudged(store: Store, grader: PairwiseGrader, pairs: Sequence[Pair], repeats: int) -> list[tuple[Pair, int]]:
    """(pair, repeat) of what this version has neither scored nor abstained on, whichever side each report stood on."""
    found = store.pairs.existing(grader.version)
    wanted = ((pair, repeat) for pair in pairs for repeat in range(repeats))
    return [(p, k) for p, k in wanted if (p.left, p.right, k) not in found and (p.right, p.left, k) not in found]


class Pairs:
    """The work of judging pairs: an item is a pair and a repeat."""

    def __init__(self, store: Store, grader: PairwiseGrader) -> None:
        self._store = store
        self._grader = grader

    def load(self, items: Sequence[tuple[Pair, int]]) -> Sequence[PairCase]:
        ids = [name for pair, _ in items for name in (pair.left, pair.right)]
        found = load_trajectories(self._store, ids)
        sides = [(found[pair.left], found[pair.right]) for pair, _ in items]
        return [PairCase(left.question, left.report, right.report, left, right) for left, right in sides]

    async def ask(self, item: tuple[Pair, int], case: PairCase) -> PairGrade:
        drawn: Any = self._grader
        if item[1] and hasattr(drawn, "repeated"):
            drawn = drawn.repeated(item[1])
        grade: PairGrade = await drawn.compare(case)
        return replace(grade, grader=self._grader.name, grader_version=self._grader.version, repeat=item[1])

    def failed(self, item: tuple[Pair, int], _case: PairCase, reason: str) -> PairGrade:
        return PairGrade(self._grader.name, self._grader.version, "judge_failed", reason=reason, repeat=item[1])

    def keep(self, results: Sequence[tuple[tuple[Pair, int], PairGrade]]) -> None:
        self._store.pairs.add_many([(pair.left, pair.right, grade) for (pair, _), grade in results])

    def named(self, item: tuple[Pair, int]) -> dict[str, str]:
        return {"left": item[0].left, "right": item[0].right}


def _report(tally: Tally, judged: tuple[tuple[Pair, PairGrade], ...], *, n_pairs: int, cached: int) -> PairReport:
    return PairReport(
        scored=tally.scored,
        cached=cached,
        abstained=tally.abstained,
        failed=tally.failed,
        cost_usd=tally.cost_usd,
        n_pairs=n_pairs,
        left=tally.left,
        stopped=tally.stopped,
        failures=tally.failures,
        judged=judged,
    )


def _judged(store: Store, version: str, pairs: Sequence[Pair], repeats: int) -> tuple[tuple[Pair, PairGrade], ...]:
    """Every judgment of the selection; one that was made with the sides the other way comes with its own pair."""
    by_sides: dict[tuple[str, str], tuple[int, Pair]] = {}
    for at, p in enumerate(pairs):
        other = replace(p, left=p.right, right=p.left, swapped=not p.swapped, chars=(p.chars[1], p.chars[0]))
        by_sides[p.left, p.right] = (at, p)
        by_sides[p.right, p.left] = (at, other)
    stored = [
        (*by_sides[left, right], grade)
        for left, right, grade in store.pairs.of_grader(version)
        if (left, right) in by_sides and grade.repeat < repeats
    ]
    # A failure with the sides the other way gives way to what was judged since.
    final = {(at, grade.repeat) for at, _, grade in stored if grade.outcome not in FAILED}
    kept = [j for j in stored if j[2].outcome not in FAILED or (j[0], j[2].repeat) not in final]
    kept.sort(key=lambda item: (item[0], item[2].repeat))
    return tuple((pair, grade) for _, pair, grade in kept)
