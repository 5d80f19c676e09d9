"""docs/notebook.ipynb runs from top to bottom on a small sample store."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.sample.plan import SamplePlan
from benchmarks.sample_store import build_sample_store
from benchmarks.simulated_web.world import WorldSize
from workbench.notebook import Workbench
from workbench.store import open_store
from workbench.store.jobs import NullJob

PLAN = SamplePlan(
    5, questions=4, attempts=2, raters=2, stressed_reports=1, size=WorldSize(entities=24, sites=24, pages=160)
)
NOTEBOOK = Path(__file__).resolve().parents[3] / "docs" / "notebook.ipynb"


def cells(kind: str) -> list[str]:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path / 'sample.db'}"
    with open_store(url) as store:
        build_sample_store(store, job=NullJob(), plan=PLAN)
    monkeypatch.setenv("WORKBENCH_STORE", url)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    space: dict[str, Any] = {"__name__": "__main__"}
    for number, source in enumerate(cells("code")):
        exec(compile(source, f"cell {number}", "exec"), space)
    for frame in ("trajectories", "phases", "citations", "some", "grades", "scored"):
        assert len(space[frame]) > 0, frame
    assert space["searched"] > 0
    assert (space["some"]["claim"].str.len() > 0).all()


def test_the_notebook_holds_no_output_that_could_grow_stale() -> None:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["outputs"] or cell["execution_count"] for cell in code] == [None] * len(code)


def test_the_guide_names_what_is_there() -> None:
    frames, records, files = (
        "runs trajectories steps phases citations grades ballots votes",
        "iter_trajectories iter_steps iter_citations iter_grades",
        "to_parquet to_jsonl",
    )
    guide = (NOTEBOOK.parent / "notebooks.md").read_text(encoding="utf-8")
    for names in (frames, records, files):
        for name in names.split():
            assert callable(getattr(Workbench, name))
            assert name in guide
