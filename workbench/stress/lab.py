"""Runs perturbations against a grader on stored trajectories, keeps every trial, and answers with a verdict.

Resumable: a trial that is in the store is not made again, so a stopped run goes on where it was.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from workbench.phases import analyse, facts_of
from workbench.schema.grade import Grade, GradingCase
from workbench.schema.protocols import Grader, RepeatableGrader
from workbench.schema.reward import RolloutFacts
from workbench.store import Store, StressTrial
from workbench.store.jobs import JobHandle
from workbench.stress.cases import CaseMaker, StressOptions, draw_cases
from workbench.stress.perturbation import Perturbation
from workbench.stress.report import StressReport, Trial, summarise

NOISE_CASES = 20


def run_stress(
    store: Store,
    grader: Grader,
    run: str,
    options: StressOptions,
    *,
    job: JobHandle,
    make_case: CaseMaker | None = None,
) -> StressReport:
    """Stresses `grader` on trajectories of `run`. `make_case` adds what the grader needs (a rubric).

    Raises BadInputError where the run has no trajectory with a report.
    """
    cases = draw_cases(store, run, options, make_case)
    trials, noise_pairs = asyncio.run(_grade_all(store, grader, run, cases, options, job))
    report = summarise(grader, run, trials, noise_pairs, cases, options)
    store.stress.save_report(grader.version, run, report.to_json())
    return report


async def _grade_all(
    store: Store,
    grader: Grader,
    run: str,
    cases: Mapping[str, tuple[str, GradingCase]],
    options: StressOptions,
    job: JobHandle,
) -> tuple[list[Trial], list[tuple[float, float]]]:
    chosen = options.chosen()
    noise_ids = list(cases)[:NOISE_CASES]
    total = len(cases) * (1 + len(chosen)) + len(noise_ids)
    gate = asyncio.Semaphore(options.concurrency)
    done = failed = 0

    async def graded(case: GradingCase, by: Grader) -> Grade:
        nonlocal done, failed
        async with gate:
            await job.async_checkpoint()
            grade = await by.grade(case)
        done += 1
        failed += grade.outcome not in ("scored", "abstained")
        job.progress(done, total, failed=failed)
        return grade

    bases = dict(zip(cases, await asyncio.gather(*(graded(case, grader) for _, case in cases.values())), strict=True))
    known = _stored(store, grader, run, options.seed)
    trials: list[Trial] = []
    for perturbation in chosen:
        batch = await asyncio.gather(
            *(
                _trial(
                    store, grader, perturbation, identifier, question, case, bases[identifier], known, options, graded
                )
                for identifier, (question, case) in cases.items()
            )
        )
        trials.extend(trial for trial in batch if trial is not None)
    again = grader.repeated(1) if isinstance(grader, RepeatableGrader) else grader
    second = await asyncio.gather(*(graded(cases[identifier][1], again) for identifier in noise_ids))
    pairs = [
        (first, later.score)
        for identifier, later in zip(noise_ids, second, strict=True)
        if (first := bases[identifier].score) is not None and later.score is not None
    ]
    return trials, pairs


async def _trial(
    store: Store,
    grader: Grader,
    perturbation: Perturbation,
    identifier: str,
    question: str,
    case: GradingCase,
    base: Grade,
    known: Mapping[tuple[str, str], Trial],
    options: StressOptions,
    graded: Callable[[GradingCase, Grader], Awaitable[Grade]],
) -> Trial | None:
    stored = known.get((perturbation.name, identifier))
    if stored is not None and stored.base == base.score:
        return replace(stored, question_id=question)
    # One generator a trial, so that the order in which trials run does not decide what they contain.
    changed_case = perturbation.apply(case, random.Random(f"{options.seed}:{perturbation.name}:{identifier}"))
    if changed_case is None:
        return None
    grade = await graded(changed_case, grader)
    trial = Trial(
        attack=perturbation.name,
        trajectory_id=identifier,
        question_id=question,
        base=base.score,
        changed=grade.score,
        terms=_term_changes(case, changed_case),
        abstained=_abstained(base, grade),
    )
    store.stress.add_trial(
        StressTrial(
            grader=grader.name,
            grader_version=grader.version,
            attack=perturbation.name,
            family=perturbation.family,
            trajectory_id=identifier,
            seed=options.seed,
            outcome=grade.outcome if base.outcome == "scored" else base.outcome,
            base_score=base.score,
            attacked_score=grade.score,
            terms=dict(trial.terms),
        )
    )
    return trial


def _abstained(base: Grade, changed: Grade) -> bool:
    """Neither side failed, and at least one was abstained from."""
    outcomes = {base.outcome, changed.outcome}
    return "abstained" in outcomes and outcomes <= {"abstained", "scored"}


def _stored(store: Store, grader: Grader, run: str, seed: int) -> dict[tuple[str, str], Trial]:
    columns = store.stress.trials(grader_version=grader.version, run=run)
    found: dict[tuple[str, str], Trial] = {}
    for index, attack in enumerate(columns["attack"]):
        if columns["seed"][index] != seed or columns["outcome"][index] != "scored":
            continue
        identifier = columns["trajectory_id"][index]
        found[attack, identifier] = Trial(
            attack=attack,
            trajectory_id=identifier,
            question_id="",
            base=columns["base_score"][index],
            changed=columns["attacked_score"][index],
            terms=columns["terms"][index],
        )
    return found


def _facts(case: GradingCase) -> RolloutFacts | None:
    if case.trajectory is None:
        return None
    return facts_of(case.trajectory, analyse(case.trajectory))


def _term_changes(case: GradingCase, changed: GradingCase) -> dict[str, float]:
    """How far the perturbation moved each count that a reward may read; `reward` re-weights these later."""
    before, after = _facts(case), _facts(changed)
    if before is None or after is None:
        return {}
    names = ("distinct_queries", "sites_opened", "sites_cited", "report_chars", "citations", "citations_not_retrieved")
    return {name: float(getattr(after, name) - getattr(before, name)) for name in names}
