"""`workbench reward`: specifications listed, made, shown, scored over runs and compared."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Column, Table

from workbench.cli import context
from workbench.errors import BadInputError, StoreError

if TYPE_CHECKING:
    from workbench.reward.signal import Flips, Signal
    from workbench.stats.estimate import Measured

SEED = 20261110
Spec = Annotated[str, typer.Option("--spec", help="A specification: file, saved version, or name.")]
Runs = Annotated[list[str], typer.Option("--run", help="A run to score; give it once a run.")]
Targets = Annotated[str, typer.Option("--targets", help="Version of the targets, where the specification names none.")]

app = typer.Typer(help="Reward specifications: list, make, show, score, compare.", no_args_is_help=True)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="reward")


@app.command()
def new(
    name: Annotated[str, typer.Option(help="Name of the new specification.")] = "",
    base: Annotated[str, typer.Option("--from", help="Start from this file, saved version or name.")] = "search-rl",
    grader: Annotated[str, typer.Option(help="The grader whose score is G.")] = "",
    weight: Annotated[float | None, typer.Option("--lambda", help="Weight of shaping against quality.")] = None,
    targets: Annotated[str, typer.Option(help="Version of the targets.")] = "",
    round_id: Annotated[str | None, typer.Option("--round", help="The round of human evaluation it came from.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write it to this YAML file too.")] = None,
) -> None:
    """Saves a specification, changed as the options say, and prints it."""
    from workbench.reward.core.spec import parse_spec, spec_label, spec_to_json, spec_version
    from workbench.reward.files import spec_text
    from workbench.reward.resolve import find_spec, find_targets, save
    from workbench.reward.targets import targets_reference

    with context.store() as store:
        spec = find_spec(store, base)
        spec = replace(
            spec,
            name=name or spec.name,
            quality_grader=grader or spec.quality_grader,
            shaping_weight=spec.shaping_weight if weight is None else weight,
        )
        if targets:
            table = find_targets(store, spec, targets)
            spec = replace(spec, targets=targets_reference(table.version) if table is not None else "")
        spec = parse_spec(spec_to_json(spec), source=spec.name)
        if round_id is not None:
            store.human.round(round_id)
        if out is not None:
            _write_new(out, spec_text(spec))
        save(store, spec, round_id=round_id)
    answer = {"name": spec.name, "version": spec_version(spec), "spec": spec_to_json(spec), "file": str(out or "")}

    def show(_console: Console) -> None:
        context.document(f"# saved as {spec_label(spec)}\n{spec_text(spec)}")

    context.emit(answer, show)


@app.command("show")
def show_spec(word: Annotated[str, typer.Argument(metavar="SPEC", help="File, saved version, or name.")]) -> None:
    """Prints a specification in its canonical form, with its version, its round and the runs trained on it."""
    from workbench.reward.core.spec import spec_label, spec_to_json, spec_version
    from workbench.reward.files import spec_text
    from workbench.reward.lineage import lineage_of
    from workbench.reward.resolve import find_spec

    origin = None
    try:
        with context.store(create=False) as store:
            spec = find_spec(store, word)
            origin = lineage_of(store, spec_version=spec_version(spec))
    except StoreError:
        spec = find_spec(None, word)  # files and the specifications that come with the workbench need no store
    answer = {"name": spec.name, "version": spec_version(spec), "spec": spec_to_json(spec)}
    if origin is not None:
        answer["lineage"] = origin.to_json()

    def show(_console: Console) -> None:
        said = [] if origin is None else [f"# {text}" for text in origin.lines()]
        context.document("\n".join([f"# {spec_label(spec)}", *said, spec_text(spec)]))

    context.emit(answer, show)


@app.command("list")
def list_specs() -> None:
    """Shows the saved specifications, the newest first, and those that come with the workbench."""
    from workbench.reward.core.spec import spec_version
    from workbench.reward.files import library_specs, read_spec_file

    try:
        with context.store(create=False) as store:
            rows = store.rewards.specs()
    except StoreError as error:
        context.note(f"no saved ones: {error}")
        rows = ()
    library = {name: spec_version(read_spec_file(path)) for name, path in library_specs().items()}
    answer = {
        "specs": [
            {"name": row.name, "version": row.version, "round": row.round_id, "created_at": row.created_at}
            for row in rows
        ],
        "library": [{"name": name, "version": version} for name, version in library.items()],
    }

    def show(console: Console) -> None:
        table = Table(Column("name", overflow="fold"), Column("version", no_wrap=True), "saved", "round", box=None)
        for row in rows:
            table.add_row(row.name, row.version, f"{row.created_at:%Y-%m-%d %H:%M}", row.round_id or "")
        for name, version in library.items():
            table.add_row(name, version, "comes with the workbench", "")
        console.print(table)

    context.emit(answer, show)


@app.command()
def score(spec: Spec, run: Runs, targets: Targets = "") -> None:
    """The reward over runs: how many rollouts have one, its mean, its components, and why the others have none."""
    from workbench.reward.core.spec import spec_label, spec_version
    from workbench.reward.resolve import exact, find_grader, find_spec, find_targets
    from workbench.reward.score import load_material, score_material
    from workbench.reward.signal import signal_of
    from workbench.stats.bootstrap import mean_interval

    with context.store(create=False) as store:
        found = find_spec(store, spec)
        table = find_targets(store, found, targets)
        grader = find_grader(store, found.quality_grader)
        material = load_material(store, run, exact(grader))
    result = score_material(found, material, table.by_question if table is not None else {})
    kept = result.rewards.scored
    questions = [facts.question_id for (_, facts), scored in zip(material.facts, kept, strict=True) if scored]
    mean: Measured | None = None
    if result.scored:
        mean = mean_interval(result.rewards.value[kept], questions, seed=SEED)
    signal = signal_of(found, result.rollouts, result.rewards)
    answer = {
        "scored": result.scored,
        "failed": result.failed,
        "mean": result.mean,
        "components": result.components,
        "mean_low": getattr(mean, "low", None),
        "mean_high": getattr(mean, "high", None),
        "dropped": [{"reason": reason, "n": n} for reason, n in result.dropped.items()],
        "spec": {"name": found.name, "version": spec_version(found)},
        "targets": table.version if table is not None else None,
        "grader": {"name": grader.name, "version": grader.version},
        "runs": list(run),
        "without_report": result.without_report,
        "signal": _signal_json(signal),
    }

    def show(console: Console) -> None:
        console.print(
            f"{spec_label(found)} on {', '.join(run)}: {result.scored} of {len(result.rollouts)} rollouts scored"
        )
        if mean is not None:
            console.print(f"R {mean.text()} (interval over questions)", markup=False)
        for name, value in result.components.items():
            console.print(f"  {name}: " + ("not measured" if value is None else f"{value:.3f}"))
        for reason, n in result.dropped.items():
            console.print(f"  dropped {n}: {reason}", markup=False)
        _show_signal(console, signal)

    context.emit(answer, show)
    context.finish(failed=result.failed)


@app.command()
def compare(
    specs: Annotated[list[str], typer.Argument(metavar="SPEC [SPEC]", help="One is compared with its G alone.")],
    run: Runs,
    targets: Targets = "",
) -> None:
    """What changes between two specifications over the same rollouts: signal, leverage, and order within groups."""
    from workbench.reward.core.spec import spec_label
    from workbench.reward.resolve import exact, find_grader, find_spec, find_targets
    from workbench.reward.score import load_material, score_material
    from workbench.reward.signal import rank_flips, signal_of
    from workbench.reward.vector import reweighted

    if not 1 <= len(specs) <= 2:
        raise BadInputError(f"found {len(specs)} specifications; expected one (compared with its G alone) or two")
    with context.store(create=False) as store:
        found = [find_spec(store, word) for word in specs]
        if len(found) == 1:
            found.insert(0, replace(reweighted(found[0], shaping_weight=0.0), name=f"{found[0].name}-quality-alone"))
        tables = [find_targets(store, spec, targets) for spec in found]
        materials = [load_material(store, run, exact(find_grader(store, spec.quality_grader))) for spec in found]
    results = [
        score_material(spec, material, table.by_question if table is not None else {})
        for spec, material, table in zip(found, materials, tables, strict=True)
    ]
    signals = [signal_of(s, r.rollouts, r.rewards) for s, r in zip(found, results, strict=True)]
    flips = rank_flips(results[0].rollouts, results[0].rewards.value, results[1].rewards.value)
    answer = {
        "specs": [
            {"label": spec_label(s), "scored": r.scored, "failed": r.failed, "mean": r.mean, "signal": _signal_json(g)}
            for s, r, g in zip(found, results, signals, strict=True)
        ],
        "flips": _flips_json(flips),
    }

    def show(console: Console) -> None:
        for spec, result, signal in zip(found, results, signals, strict=True):
            mean = "not measured" if result.mean is None else f"{result.mean:.3f}"
            console.print(f"{spec_label(spec)}: {result.scored} of {len(result.rollouts)} scored, mean R {mean}")
            _show_signal(console, signal)
        _show_flips(console, flips)

    context.emit(answer, show)
    context.finish(failed=sum(result.failed for result in results))


def _write_new(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise BadInputError(f"{path} is there already; name a file that is not") from None
    except OSError as error:
        raise BadInputError(f"{path} cannot be written: {error.strerror}") from None


def _signal_json(signal: "Signal") -> dict[str, Any]:
    return {
        "groups": signal.n_groups,
        "rollouts": signal.n_rollouts,
        "zero_spread_share": signal.zero_spread_share,
        "leverage": signal.leverage,
        "shares": dict(signal.shares),
        "saturation": dict(signal.saturation),
        "sigma": dict(signal.sigma),
    }


def _flips_json(flips: "Flips") -> dict[str, Any]:
    return {
        "groups": flips.n_groups,
        "pairs": flips.n_pairs,
        "reversed": flips.reversed,
        "tied": flips.tied,
        "untied": flips.untied,
        "first_changed": [
            {"group": item.group, "was_first": item.was_first, "now_first": item.now_first}
            for item in flips.first_changed
        ],
        "first_untied": flips.first_untied,
    }


def _show_signal(console: Console, signal: "Signal") -> None:
    if signal.zero_spread_share is None:
        console.print("  signal: not measured, no group holds two scored rollouts")
        return
    leverage = "not measured (G has no spread)" if signal.leverage is None else f"{signal.leverage:.2f}"
    console.print(
        f"  signal: {signal.zero_spread_share:.1%} of {signal.n_groups} groups without spread; leverage of S {leverage}"
    )
    for name, share in signal.shares.items():
        full = signal.saturation.get(name)
        console.print(f"    {name}: {share:.0%} of the spread" + ("" if full is None else f", {full:.0%} at target"))


def _show_flips(console: Console, flips: "Flips") -> None:
    console.print(
        f"order within groups: {flips.reversed} of {flips.n_pairs} pairs reversed, {flips.tied} tied, "
        f"{flips.untied} untied; {len(flips.first_changed)} of {flips.n_groups} groups have another best rollout; "
        f"in {flips.first_untied} a tie for the first place was broken"
    )
    if flips.first_changed:
        table = Table("group", "was first", "now first")
        for item in flips.first_changed[:20]:
            table.add_row(item.group, item.was_first, item.now_first)
        console.print(table)
        if len(flips.first_changed) > 20:
            console.print(f"20 of {len(flips.first_changed)} shown; --json gives all")
