"""Export: from a specification and a store to a job folder, refused unless its gates hold."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.errors import BadInputError, NotFoundError
from workbench.export import trl
from workbench.export.freeze import Frozen, freeze
from workbench.export.gates import (
    Gate,
    agreement_gate,
    gates_to_json,
    golden_gate,
    refuse_unless_they_hold,
    stress_gate,
)
from workbench.export.golden import Context, Golden, golden_rows
from workbench.export.grader import CarriedGrader, carried_grader, rubric_files
from workbench.export.job_folder import Draft, json_file, lines_file, sha256
from workbench.reward.core.names import component_names
from workbench.reward.core.quality import DETERMINISTIC
from workbench.reward.core.spec import spec_to_json, spec_version
from workbench.reward.resolve import find_grader, find_targets, save
from workbench.reward.roles import known, mark_trained
from workbench.reward.score import load_material, score_material
from workbench.reward.targets import TargetsTable, targets_reference, targets_to_json
from workbench.reward.votes import preferences_of
from workbench.schema.reward import RewardSpec
from workbench.store import Store
from workbench.store.rows import GraderSummary, TrajectoryFilter

FOLDER_FILES = Path(__file__).parent / "folder"
TRAINERS = (trl.NAME,)
SUFFIX_LIST = "phases/public_suffix_list.dat"


@dataclass(frozen=True, slots=True)
class Export:
    """What was written and what its gates said."""

    folder: Path
    manifest: Mapping[str, Any]
    gates: tuple[Gate, ...]
    spec: RewardSpec


def export_job(
    store: Store,
    spec: RewardSpec,
    trainer: str,
    destination: Path,
    *,
    targets: str = "",
    force: str | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> Export:
    """Writes the job folder of a specification, whole or not at all, and records it in the store.

    `targets` chooses a table where the specification names none. Equal stores and specifications give equal bytes.
    Raises BadInputError where a gate does not hold and `force` gives no reason, and for what a trainer cannot run.
    """
    _refuse_what_no_trainer_runs(spec, trainer)
    table = find_targets(store, spec, targets)
    spec = replace(spec, targets=targets_reference(table.version)) if table is not None else spec
    grader = _grader(store, spec)
    runs = [run.name for run in store.runs.list()]
    material = load_material(store, runs, grader.word)
    by_question = table.by_question if table is not None else {}
    scored = sum(score is not None for score in material.quality.values())
    note(f"{scored} of {len(material.facts)} rollouts have a score by {grader.name}")
    gates = [
        stress_gate(store, spec, grader),
        agreement_gate(spec, score_material(spec, material, by_question), preferences_of(store)),
    ]
    golden = golden_rows(Context(store, spec, material, by_question, grader))
    frozen = freeze()
    files = _files(store, spec, table, grader, golden, frozen)
    manifest = _manifest(spec, table, grader, golden, frozen, files, force)
    with Draft(destination) as draft:
        manifest = draft.write(files, manifest)
        gates.append(golden_gate(spec, len(golden.rows), draft.check() if golden.rows else []))
        refuse_unless_they_hold(gates, force)
        whole = draft.sign({**manifest, "gates": gates_to_json(gates)})
        save(store, spec)
        folder = draft.put_in_place()
    mark_trained(store, known(store, grader.name, grader.version))
    store.rewards.record_export(str(folder), spec_version(spec), trainer, whole)
    return Export(folder, whole, tuple(gates), spec)


def _refuse_what_no_trainer_runs(spec: RewardSpec, trainer: str) -> None:
    if trainer not in TRAINERS:
        raise BadInputError(f"trainer is {trainer!r}; this version exports to {', '.join(TRAINERS)}")
    if spec.report_source != "agent":
        raise BadInputError(
            f"report_source is {spec.report_source!r}: a job folder can score only the report that the agent wrote; "
            "set report_source: agent"
        )


def _grader(store: Store, spec: RewardSpec) -> CarriedGrader:
    summary: GraderSummary | None
    try:
        summary = find_grader(store, spec.quality_grader)
    except NotFoundError:
        if spec.quality_grader.partition("@")[0] not in DETERMINISTIC:
            raise
        summary = None  # a deterministic grader can be carried without having graded here
    return carried_grader(store, spec.quality_grader, summary)


def _files(
    store: Store,
    spec: RewardSpec,
    table: TargetsTable | None,
    grader: CarriedGrader,
    golden: Golden,
    frozen: Frozen,
) -> dict[str, bytes]:
    """Every file of the folder but the manifest."""
    targets = targets_to_json(table.targets) if table is not None else []
    asked = {str(row["question_id"]) for row in targets}
    golden_questions = {str(row["trajectory"]["question_id"]) for row in golden.rows}
    carried = asked | golden_questions if targets else set(grader.sheets)
    sheets: list[dict[str, Any]] = [
        {"question_id": question, "sheet": sheet}
        for question, sheet in sorted(grader.sheets.items())
        if question in carried
    ]
    files = {
        "spec.json": json_file(spec_to_json(spec)),
        "targets.jsonl": lines_file(targets),
        "sheets.jsonl": lines_file(sheets),
        "questions.jsonl": lines_file(_questions(store, table, asked)),
        "grader.json": json_file(grader.config),
        "golden.jsonl": lines_file(golden.rows),
        "train_config.json": json_file(trl.settings(spec)),
        **{name: json_file(rubric) for name, rubric in rubric_files(grader).items()},
        **{name: (FOLDER_FILES / name).read_bytes() for name in trl.FILES},
        **frozen.files,
    }
    return dict(sorted(files.items()))


def _questions(store: Store, table: TargetsTable | None, asked: set[str]) -> Sequence[dict[str, Any]]:
    """The texts of the questions to train on: those with targets, else all that the store holds."""
    chosen = TrajectoryFilter(run=table.runs if table is not None else None)
    columns = store.trajectories.columns(chosen)
    texts: dict[str, str] = {}
    for question_id, question in zip(columns["question_id"], columns["question"], strict=True):
        if table is None or question_id in asked:
            texts[question_id] = min(texts.get(question_id, question), question)
    return [{"question_id": question_id, "question": texts[question_id]} for question_id in sorted(texts)]


def _manifest(
    spec: RewardSpec,
    table: TargetsTable | None,
    grader: CarriedGrader,
    golden: Golden,
    frozen: Frozen,
    files: Mapping[str, bytes],
    force: str | None,
) -> dict[str, Any]:
    suffix_list = frozen.files[f"{frozen.package}/{SUFFIX_LIST}"]
    return {
        "kind": "reward-job",
        "format": 1,
        "package": frozen.package,
        "spec": {"name": spec.name, "version": spec_version(spec), "stage": spec.stage},
        "trainer": {
            "name": trl.NAME,
            "checked_with": trl.CHECKED_WITH,
            "entry": trl.ENTRY,
            "components": list(component_names(spec)),
            "failed_judge": trl.FAILED_JUDGE,
        },
        "grader": {"name": grader.name, "version": grader.version, "kind": grader.config["kind"]},
        "targets": None
        if table is None
        else {
            "version": table.version,
            "questions": len(table.targets),
            "counts": table.counts,
            "runs": list(table.runs),
            "left_out": list(table.left_out),
        },
        "hashes": {
            "spec": sha256(files["spec.json"]),
            "targets": sha256(files["targets.jsonl"]),
            "sheets": sha256(files["sheets.jsonl"]),
            "rubrics": {name: sha256(data) for name, data in files.items() if name.startswith("rubrics/")},
            "grader": sha256(files["grader.json"]),
            "public_suffix_list": sha256(suffix_list),
            "code": frozen.code_hash,
        },
        "golden": {
            "rows": len(golden.rows),
            "as_messages": sum(bool(row["as_messages"]) for row in golden.rows),
            "cases": {case: dict(counts) for case, counts in golden.coverage.items()},
        },
        "gates": {},
        "forced": force,
    }
