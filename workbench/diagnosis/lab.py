"""The fixed-evidence diagnosis: a writer rewrites what agents found, and the same grader reads both reports.

writing part  = W(evidence of A) - own(A)              paired by trajectory, over questions
research part = W(evidence of the reference) - W(evidence of A)    paired by question
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workbench.diagnosis.bench import Bench, Item, Scored, failures_of, packing_of
from workbench.diagnosis.parts import ALPHA, LEAST_EFFECT, Differences, judge_parts, mean_over_questions, verdict_of
from workbench.diagnosis.report import DiagnosisReport, Maker
from workbench.diagnosis.swap import SwapCells, swap_table
from workbench.diagnosis.swap_report import SwapTable
from workbench.errors import BadInputError
from workbench.schema.canonical import content_hash
from workbench.schema.protocols import Grader, RepeatableGrader, ReportWriter
from workbench.stats.estimate import Measured, NotMeasured
from workbench.stats.power import within_variance
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import JobHandle

NO_REFERENCE = "research needs a reference: give --reference RUN (stronger research on the same questions)"


@dataclass(frozen=True, slots=True)
class DiagnosisOptions:
    """`limit` trajectories of the run, spread over its questions. `reference`: a run with stronger research, or
    `reference_score` in [0, 1] as a plain target. `swap`: runs with the writer of each, the diagnosed run first or
    not at all. `repeats`: grades a report."""

    reference: str | None = None
    reference_score: float | None = None
    limit: int | None = None
    repeats: int = 1
    least_effect: float = LEAST_EFFECT
    alpha: float = ALPHA
    concurrency: int = 4
    swap: tuple[tuple[str, ReportWriter], ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """What takes part: the run's trajectories, and the other runs' on the same questions."""

    run: str
    items: tuple[Item, ...]
    others: Mapping[str, tuple[Item, ...]]


def select(store: Store, run: str, options: DiagnosisOptions) -> Selection:
    """The trajectories that take part. Raises NotFoundError for a run, BadInputError where nothing can be compared."""
    if options.reference is not None and options.reference_score is not None:
        raise BadInputError("a reference run and a reference score are two references; give one of them")
    if options.reference == run:
        raise BadInputError(f"the reference is the diagnosed run {run!r} itself; give a run with stronger research")
    items = _spread(store, run, None)[: options.limit]
    if not items:
        raise BadInputError(f"run {run!r} has no trajectory; there is nothing to diagnose")
    depth = max(sum(item.question_id == asked for item in items) for asked in {item.question_id for item in items})
    asked = {item.question_id for item in items}
    names = dict.fromkeys([*([options.reference] if options.reference else []), *(name for name, _ in options.swap)])
    others = {name: _spread(store, name, asked, depth) for name in names if name != run}
    for name, found in others.items():
        if not found:
            raise BadInputError(f"runs {run!r} and {name!r} share no question; a pair needs the same question in both")
    return Selection(run, items, others)


def _spread(store: Store, run: str, asked: set[str] | None, depth: int | None = None) -> tuple[Item, ...]:
    """Trajectories in the order first attempts of all questions, second attempts, and so on."""
    store.runs.get(run)
    columns = store.trajectories.columns(TrajectoryFilter(run=run))
    attempts: dict[str, list[str]] = {}
    for identifier, question in zip(columns["id"], columns["question_id"], strict=True):
        if asked is None or question in asked:
            attempts.setdefault(question, []).append(identifier)
    deepest = min(max(map(len, attempts.values()), default=0), depth or 10**9)
    return tuple(
        Item(ids[place], run, question)
        for place in range(deepest)
        for question, ids in attempts.items()
        if place < len(ids)
    )


def diagnose(
    store: Store, grader: Grader, writer: ReportWriter, run: str, options: DiagnosisOptions, *, job: JobHandle
) -> DiagnosisReport:
    """Diagnoses `run`, keeps every report and grade, and saves the answer under a hash of what was asked.

    Resumable: what is in the store is not made again. Raises JobStopped after what was under way is stored.
    """
    selection = select(store, run, options)
    return asyncio.run(_diagnose(store, grader, writer, selection, options, job))


def diagnosis_id(grader: Grader, writer: ReportWriter, run: str, options: DiagnosisOptions) -> str:
    """The hash of what is asked: equal questions have one answer in the store."""
    asked = [
        run, options.reference, options.reference_score, options.limit, options.repeats, options.least_effect,
        options.alpha, writer.version, grader.version, [[name, by.version] for name, by in options.swap],
    ]  # fmt: skip
    return "d-" + content_hash(asked)[:20]


async def _diagnose(
    store: Store,
    grader: Grader,
    writer: ReportWriter,
    selection: Selection,
    options: DiagnosisOptions,
    job: JobHandle,
) -> DiagnosisReport:
    bench = Bench(store, grader, job=job, repeats=options.repeats, concurrency=options.concurrency)
    reference_items = selection.others.get(options.reference or "", ())
    items_of = {selection.run: selection.items, **selection.others}
    swapped = sum(len(items_of[name]) for name, _ in options.swap)
    bench.total = 2 * len(selection.items) + len(reference_items) + swapped * (len(options.swap) + 1)
    own = await bench.own(selection.items)
    rewritten = await bench.rewritten(selection.items, writer)
    reference = await bench.rewritten(reference_items, writer) if reference_items else []
    table: SwapTable | None = None
    swap_results: list[Scored] = []
    if options.swap:
        cells = SwapCells()
        for name, _ in options.swap:
            cells.own[name] = await bench.own(items_of[name])
            for place, (_, by) in enumerate(options.swap):
                cells.cell[name, place] = await bench.rewritten(items_of[name], by)
                swap_results += cells.cell[name, place]
        table = swap_table([(name, by.name) for name, by in options.swap], cells, noiseless=_is_rule(grader))
    report = _report(store, grader, writer, selection, options, bench, own, rewritten, reference, table, swap_results)
    answer = report.to_json()
    store.diagnoses.save(diagnosis_id(grader, writer, selection.run, options), "fixed_evidence", grader.version, answer)
    return report


def _report(
    store: Store,
    grader: Grader,
    writer: ReportWriter,
    selection: Selection,
    options: DiagnosisOptions,
    bench: Bench,
    own: Sequence[Scored],
    rewritten: Sequence[Scored],
    reference: Sequence[Scored],
    table: SwapTable | None,
    swap_results: Sequence[Scored],
) -> DiagnosisReport:
    own_of = {found.item.id: found.score for found in own if found.score is not None}
    pairs = [
        (found.item.question_id, own_of[found.item.id], found.score)
        for found in rewritten
        if found.score is not None and found.item.id in own_of
    ]
    questions = [question for question, _, _ in pairs]
    parts = judge_parts(
        {
            "writing": Differences([after - before for _, before, after in pairs], questions, "no pair was scored"),
            "research": _research(rewritten, reference, options),
        },
        least_effect=options.least_effect,
        alpha=options.alpha,
    )
    verdict, reason = verdict_of(parts, least_effect=options.least_effect)
    harness = {loss.run: loss.loss for loss in (table.harness if table else ())}
    return DiagnosisReport(
        run=selection.run,
        reference=options.reference,
        reference_score=options.reference_score,
        writer=Maker(writer.name, writer.version, writer.kind),
        grader=Maker(grader.name, grader.version, grader.kind),
        n=len(pairs),
        n_chosen=len(selection.items),
        n_questions=len(set(questions)),
        own=mean_over_questions([before for _, before, _ in pairs], questions),
        rewritten=mean_over_questions([after for _, _, after in pairs], questions),
        gap=parts["writing"].gap,
        reference_rewritten=_mean(reference, "no reference run" if not reference else "none of its reports was scored"),
        parts=parts,
        verdict=verdict,
        reason=reason,
        least_effect=options.least_effect,
        alpha=options.alpha,
        failures=failures_of([*own, *rewritten, *reference, *swap_results]),
        packing=packing_of(rewritten),
        harness_loss=harness.get(
            selection.run, NotMeasured("the agent's own writer was not asked: --swap with this run measures it")
        ),
        rerun_noise=_noise(grader, [*rewritten, *reference]),
        cost_usd=bench.cost_usd,
        simulated=store.runs.get(selection.run).simulated,
        swap=table,
    )


def _research(rewritten: Sequence[Scored], reference: Sequence[Scored], options: DiagnosisOptions) -> Differences:
    """What the reference's evidence is worth beyond the run's, question by question."""
    mine = _by_question(rewritten)
    if options.reference_score is not None:
        return Differences([options.reference_score - mine[q] for q in mine], list(mine), "no rewritten report scored")
    if options.reference is None:
        return Differences([], [], NO_REFERENCE)
    theirs = _by_question(reference)
    shared = [question for question in mine if question in theirs]
    missing = "no question has a scored rewritten report from both runs"
    return Differences([theirs[q] - mine[q] for q in shared], shared, missing)


def _by_question(results: Sequence[Scored]) -> dict[str, float]:
    groups: dict[str, list[float]] = {}
    for found in results:
        if found.score is not None:
            groups.setdefault(found.item.question_id, []).append(found.score)
    return {question: sum(scores) / len(scores) for question, scores in groups.items()}


def _mean(results: Sequence[Scored], missing: str) -> Measured:
    scored = [(found.score, found.item.question_id) for found in results if found.score is not None]
    return mean_over_questions([score for score, _ in scored], [question for _, question in scored], missing=missing)


def _noise(grader: Grader, results: Sequence[Scored]) -> float | None:
    """Standard deviation of one report's repeated grades; None where nothing was graded twice."""
    if _is_rule(grader):
        return 0.0
    variance = within_variance([found.repeats for found in results if len(found.repeats) > 1])
    return None if variance is None else float(variance**0.5)


def _is_rule(grader: Grader) -> bool:
    """Whether the grader gives one report one score, whenever it is asked."""
    return not isinstance(grader, RepeatableGrader) and grader.kind in ("gold", "deterministic")
