"""A job folder whose quality is the citation check by words: it runs where nothing is installed."""

from dataclasses import replace
from pathlib import Path

from graders.deterministic import load_deterministic
from graders.runner import grade_run
from tests.workbench.export.exporting import check, checklist_spec, rows
from workbench.export.build import export_job
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import NullJob


def test_golden_rows_of_the_citation_check_replay_on_a_bare_interpreter(ready_store: Store, tmp_path: Path) -> None:
    grader = load_deterministic("citation-support", ready_store)
    report = grade_run(ready_store, grader, TrajectoryFilter(), job=NullJob())
    assert report.graded > 0
    spec = replace(checklist_spec(), quality_grader=f"citation-support@{grader.version}")
    folder = export_job(ready_store, spec, "trl", tmp_path / "job", force="a test").folder
    done = check(folder)
    assert done.returncode == 0, done.stderr
    golden = rows(folder, "golden.jsonl")
    assert f"{len(golden)} of {len(golden)} golden rows exact" in done.stdout
    assert any((row["expected"]["components"].get("quality") or 0) > 0 for row in golden), golden[0]["expected"]
    assert list(folder.glob("reward_*/**/entailment.py"))
