"""What `grade --plan` and `compare --plan` say: what it takes, and what it can show, before anyone is asked."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from graders.pair_runner import Pair, Pairs, unjudged
from graders.plan_power import RunShape, Sight, pair_sight, sights
from graders.planning import CallPlan, Known, plan_calls
from graders.runner import Reports, ungraded
from workbench.schema.canonical import JsonValue
from workbench.schema.protocols import Grader, PairwiseGrader
from workbench.store import Store, TrajectoryFilter
from workbench.store.repositories.grades import FAILED
from workbench.store.rows import Columns


@dataclass(frozen=True, slots=True)
class GradePlan:
    """`n` reports (or pairs) of `questions` questions in `runs`, `repeats` grades each. `can_show`: what it would show
    of each two runs, of the first ten of `comparisons`."""

    grader: dict[str, str]
    n: int
    runs: tuple[str, ...]
    questions: int
    repeats: int
    calls: CallPlan
    comparisons: int
    can_show: tuple[Sight, ...]

    def to_json(self) -> dict[str, JsonValue]:
        """`grader n runs questions repeats`, the fields of CallPlan, `comparisons can_show[]`."""
        return {
            "grader": dict(self.grader),
            "n": self.n,
            "runs": list(self.runs),
            "questions": self.questions,
            "repeats": self.repeats,
            **self.calls.to_json(),
            "comparisons": self.comparisons,
            "can_show": [sight.to_json() for sight in self.can_show],
        }


def plan_grades(
    store: Store,
    grader: Grader,
    filter_: TrajectoryFilter,
    *,
    repeats: int = 1,
    limit: int | None = None,
    concurrency: int = 4,
    difference: float | None = None,
) -> GradePlan:
    """What `grade_run` of the same arguments would take. Reads and packs every report that has no grade yet."""
    columns = store.trajectories.columns(filter_)
    rows = list(zip(columns["id"], columns["run"], columns["question_id"], strict=True))[:limit]
    ids = [identifier for identifier, _, _ in rows]
    todo = ungraded(store, grader, ids, repeats)
    stored = store.grades.scores(f"{grader.name}@{grader.version}")
    marks = zip(stored["trajectory_id"], stored["repeat"], stored["outcome"], strict=True)
    failed = {(name, repeat) for name, repeat, outcome in marks if outcome in FAILED}
    calls = plan_calls(
        store,
        grader,
        todo,
        Reports(store, grader).load,
        repeat_of=lambda item: item[1],
        failed_before=failed.__contains__,
        wanted=len(ids) * repeats,
        concurrency=concurrency,
        known=_known(store, grader),
    )
    shapes = _shapes(rows, stored)
    return GradePlan(
        grader={"name": grader.name, "version": grader.version, "kind": grader.kind},
        n=len(ids),
        runs=tuple(shape.run for shape in shapes),
        questions=len({question for _, _, question in rows}),
        repeats=repeats,
        calls=calls,
        comparisons=len(shapes) * (len(shapes) - 1) // 2,
        can_show=sights(shapes, repeats=repeats, difference=difference) if shapes else (),
    )


def plan_pairs(
    store: Store,
    grader: PairwiseGrader,
    pairs: Sequence[Pair],
    *,
    repeats: int = 1,
    concurrency: int = 4,
    difference: float | None = None,
) -> GradePlan:
    """What `compare_runs` of the same arguments would take; `difference` is that of a win share from one half."""
    judged = store.pairs.of_grader(grader.version)
    done = [grade for _, _, grade in judged if grade.outcome not in FAILED]
    failed = {(left, right, grade.repeat) for left, right, grade in judged if grade.outcome in FAILED}
    calls = plan_calls(
        store,
        grader,
        unjudged(store, grader, pairs, repeats),
        Pairs(store, grader).load,
        repeat_of=lambda item: item[1],
        failed_before=lambda item: (item[0].left, item[0].right, item[1]) in failed,
        wanted=len(pairs) * repeats,
        concurrency=concurrency,
        known=_mean([(grade.usage.output_tokens, grade.usage.latency_s) for grade in done]),
    )
    shares = {(left, right): grade.preference for left, right, grade in judged if grade.preference is not None}
    by_runs: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_runs[pair.runs].append(pair)
    shown = [pair_sight(runs, found, shares, repeats, difference) for runs, found in list(by_runs.items())[:10]]
    return GradePlan(
        grader={"name": grader.name, "version": grader.version, "kind": grader.kind},
        n=len(pairs),
        runs=tuple(dict.fromkeys(run for pair in pairs for run in pair.runs)),
        questions=len({pair.question_id for pair in pairs}),
        repeats=repeats,
        calls=calls,
        comparisons=len(by_runs),
        can_show=tuple(shown),
    )


def _known(store: Store, grader: Grader) -> Known | None:
    """What a grade of this version took, by those that are scored or abstained."""
    by_version = TrajectoryFilter(grader=f"{grader.name}@{grader.version}")
    taken: list[tuple[int, float]] = []
    for batch in store.columns.grades(by_version):
        rows: Iterable[tuple[Any, ...]] = zip(batch["outcome"], batch["output_tokens"], batch["latency_s"], strict=True)
        taken.extend((tokens, latency) for outcome, tokens, latency in rows if outcome not in FAILED)
    return _mean(taken)


def _mean(taken: Sequence[tuple[int, float]]) -> Known | None:
    if not taken:
        return None
    n = len(taken)
    return Known(n, sum(tokens for tokens, _ in taken) / n, sum(latency for _, latency in taken) / n)


def _shapes(rows: Sequence[tuple[str, str, str]], stored: Columns) -> list[RunShape]:
    scores: dict[str, list[float]] = defaultdict(list)
    for name, score in zip(stored["trajectory_id"], stored["score"], strict=True):
        if score is not None:
            scores[name].append(score)
    by_run: dict[str, dict[str, list[str]]] = {}
    for identifier, run, question in rows:
        by_run.setdefault(run, {}).setdefault(question, []).append(identifier)
    return [RunShape(run, questions, scores) for run, questions in by_run.items()]
