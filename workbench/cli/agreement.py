"""`workbench agreement`: a grader against people, gold or another grader, and what its mean is worth."""

from typing import Annotated, Any

import typer
from rich.console import Console

from workbench.cli._figures import measured_text
from workbench.cli.context import emit, store

_FIGURES = ("accuracy", "kappa", "weighted_kappa", "alpha", "tau_b", "bias")
_LISTED = 20


def agreement(
    grader: Annotated[str, typer.Argument(help="Grader under test: its name, or name@ and a beginning of a version.")],
    against: Annotated[str, typer.Argument(help="What it is held against: another grader (gold, say), or people.")],
    run: Annotated[list[str] | None, typer.Option("--run", help="Only these runs.")] = None,
    round_: Annotated[list[str] | None, typer.Option("--round", help="Only these rounds of people.")] = None,
    criterion: Annotated[list[str] | None, typer.Option("--criterion", help="Only these criteria.")] = None,
    cut: Annotated[float, typer.Option(help="Score from which a report is good.")] = 0.5,
    bins: Annotated[int, typer.Option(min=2, max=50, help="Bins of the weighted kappa on a fine scale.")] = 5,
    calibrate: Annotated[bool, typer.Option("--calibrate", help="What a score stands for: isotonic, Platt.")] = False,
    correct_mean: Annotated[
        bool, typer.Option("--correct-mean", help="The mean of what only this grader scored, corrected.")
    ] = False,
) -> None:
    """How far a grader agrees with people or another grader. Reads stored grades; failures are never scores."""
    from graders.agreement.report import measure_agreement

    with store(create=False) as opened:
        report = measure_agreement(
            opened,
            grader,
            against,
            runs=run or (),
            rounds=round_ or (),
            criteria=criterion or (),
            cut=cut,
            bins=bins,
            calibrated=calibrate,
            corrected=correct_mean,
        )
    answer: dict[str, Any] = report.to_json()
    emit(answer, lambda console: _print(console, answer))


def _print(console: Console, answer: dict[str, Any]) -> None:
    reference = answer["against"]
    name = reference if isinstance(reference, str) else f"{reference['name']}@{reference['version'][:8]}"
    console.print(f"{answer['grader']['name']}@{answer['grader']['version'][:8]} against {name}")
    figures = answer["figures"]
    if "questions" in answer:
        console.print(f"{answer['n']} reports scored by both, {answer['questions']} questions")
        for key in _FIGURES:
            console.print(f"  {_words(key, answer['cut'])}: {measured_text(figures[key])}")
    else:
        console.print(
            f"{answer['n']} pairs that both judged, {answer['ballots']} ballots, "
            f"{figures['pairs_without_score']} pairs without a score"
        )
        console.print(f"  tau-b with the mean preference: {measured_text(figures['tau_b'])}")
    _print_pairs(console, figures["pairwise"])
    if "dimensions" in figures:
        console.print(f"  one rater against the others, ordered alike: {measured_text(figures['people_alike'])}")
        for dimension, found in figures["dimensions"].items():
            alike, tau = measured_text(found["ordered_alike"]), measured_text(found["tau_b"])
            console.print(f"  {dimension}: ordered alike {alike}; tau-b {tau}")
    _print_criteria(console, answer)
    for method, found in answer.get("calibration", {}).items():
        _print_calibration(console, method, found)
    for mean in answer.get("corrected_means", ()):
        _print_mean(console, mean, answer["cut"])
    for said in answer["notes"]:
        console.print(f"note: {said}")


def _words(key: str, cut: float) -> str:
    return {
        "accuracy": f"accuracy at {cut:g}",
        "kappa": f"Cohen's kappa at {cut:g}",
        "weighted_kappa": "quadratic-weighted kappa",
        "alpha": "Krippendorff's alpha",
        "tau_b": "tau-b",
        "bias": "mean difference",
    }[key]


def _print_pairs(console: Console, pairs: dict[str, Any]) -> None:
    console.print(f"  pairs of one question ordered alike (chance 0.5): {measured_text(pairs['ordered_alike'])}")
    console.print(
        f"  pairs with ties as an answer: {measured_text(pairs['three_way'])}; "
        f"ties up to a gap fitted on other questions: {measured_text(pairs['held_out'])}"
    )


def _print_criteria(console: Console, answer: dict[str, Any]) -> None:
    criteria = answer.get("criteria", [])
    if not criteria:
        return
    if answer["all_criteria"] is not None:
        console.print(f"verdicts of all criteria: {_criterion(answer['all_criteria'])}")
        if not answer["all_criteria"]["same_words"]:
            mine, theirs = (" ".join(answer["all_criteria"][side]) for side in ("judge_only", "reference_only"))
            gap = measured_text(answer["all_criteria"]["credit_gap"])
            console.print(f"  they use different words ({mine} against {theirs}): read the gap of credits, {gap}")
    for found in criteria[:_LISTED]:
        console.print(f"  {found['criterion']}: {_criterion(found)}")
    if len(criteria) > _LISTED:
        console.print(f"  {_LISTED} of {len(criteria)} criteria; --json or --criterion NAME for the others")


def _criterion(found: dict[str, Any]) -> str:
    missing = f", {found['missing']} without a verdict" if found["missing"] else ""
    return f"accuracy {measured_text(found['accuracy'])}, kappa {measured_text(found['kappa'])}{missing}"


def _print_calibration(console: Console, method: str, found: dict[str, Any]) -> None:
    if "before" not in found:
        console.print(f"calibration ({method}): {measured_text(found)}")
        return
    before, after = found["before"], found["after"]
    console.print(
        f"calibration ({method}, fitted on other questions): Brier {measured_text(before['brier'])} -> "
        f"{measured_text(after['brier'])}, gain {measured_text(found['brier_gain'])}"
    )
    console.print(
        f"  ECE {measured_text(before['ece'])} -> {measured_text(after['ece'])}; a calibrated grader would show "
        f"{before['ece_floor']:.3f} -> {after['ece_floor']:.3f}"
    )
    for row in after["bins"]:
        says = f"{row['low']:.3f} to {row['high']:.3f}: says {row['predicted']:.3f}"
        console.print(f"    {says}, is {measured_text(row['observed'])}")


def _print_mean(console: Console, mean: dict[str, Any], cut: float) -> None:
    console.print(f"{mean['run'] or 'all runs'}: {mean['labelled']} labelled, {mean['judged_only']} judged only")
    if not mean["judged_only"]:
        console.print(f"  nothing to correct: every report is labelled, mean {measured_text(mean['labels_alone'])}")
        return
    console.print(f"  mean, judge alone: {measured_text(mean['judge_alone'])}")
    console.print(f"  mean, labels alone: {measured_text(mean['labels_alone'])}")
    console.print(f"  mean, corrected (PPI++): {measured_text(mean['ppi'])}")
    console.print(f"  share at {cut:g} or above (Rogan-Gladen): {measured_text(mean['share_good']['rogan_gladen'])}")
    for caution in mean["cautions"]:
        console.print(f"  caution: {caution}")


def register(app: typer.Typer) -> None:
    app.command("agreement")(agreement)
