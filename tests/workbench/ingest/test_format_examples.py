"""Every registered format at once: an example is recognised as it, imports whole, and imports once."""

from pathlib import Path

import pytest

from tests.support.shared_data import SHARED_DATA, shared
from tests.workbench.ingest.format_examples import all_examples
from tests.workbench.ingest.format_examples.example import Example
from tests.workbench.ingest.importing import EVERYTHING, bring_in, set_aside
from workbench.ingest.candidates import Candidates
from workbench.ingest.paths import find_files
from workbench.ingest.record_file import open_records
from workbench.ingest.registry import FORMATS
from workbench.store import open_store

EXAMPLES = all_examples()


def test_every_format_has_an_example() -> None:
    assert {example.format for example in EXAMPLES} == {found.name for found in FORMATS}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: f"{each.format}-{min(each.files)}")
def test_example_is_recognised_and_imports_whole_and_once(example: Example, tmp_path: Path, sqlite_url: str) -> None:
    folder = example.write(tmp_path / "files")
    assert formats_in(folder) == {example.format}
    with open_store(sqlite_url) as store:
        report = bring_in(store, folder)
        assert (report.imported, report.duplicates, report.quarantined) == (example.trajectories, 0, 0), set_aside(
            report
        )
        for trajectory in store.trajectories.iterate(EVERYTHING):
            assert trajectory.question.strip()
            assert trajectory.steps or trajectory.report.strip()
        again = bring_in(store, folder)
        assert (again.imported, again.duplicates) == (0, example.trajectories)


def formats_in(folder: Path) -> set[str]:
    names = set()
    for file in find_files([folder]).files:
        with open_records(file) as opened:
            for candidate in Candidates(opened.records(), file.folder()):
                names.add(candidate.format.name if candidate.format else "none")
    return names


IMPORTED_AND_SET_ASIDE: dict[str, tuple[int, int]] = {
    "atif-trajectories": (10, 0),
    "deep-research-bench": (373, 0),
    "deerflow-langgraph-threads": (6, 0),
    "deerflow-monocle-spans": (2, 0),
    "deerflow-sse-replays": (7, 0),
    "deepscholar-baselines": (6, 0),
    "drb-onyx-repeated-judging": (75, 0),
    "drb-onyx-report-logs": (20, 0),
    "evidence-bundle-live-runs": (1, 0),
    "gpt-researcher-benchmarks": (202, 0),
    "inspect-logs": (145, 1),
    "langfuse-framework-traces": (15, 0),
    "miroflow-message-histories": (1, 0),
    "miroflow-rag-report-runs": (12, 0),
    "provider-web-search-recordings": (17, 0),
    "sharegpt-toolcalls-glaive": (141, 0),
    "swe-agent-traj": (15, 0),
    "tau-bench-airline-gpt-4o": (120, 0),
    "webdancer-trajectories": (160, 0),
    "webthinker-glaive-reports": (63, 0),
    "webweaver-reports": (3, 0),
    "whoandwhen-magentic-one": (123, 0),
}
# Judgments, rubrics and votes, which other parts read.
NO_TRAJECTORIES = {
    "alpacaeval-leaderboards",
    "bipia-injection",
    "bradley-terry-worked-examples",
    "healthbench-rubrics",
    "judge-master-keys",
    "llmbar-judge-agreement",
    "llmfao-pairwise-elo-golden",
    "pandalm-human-pairwise",
    "paperbench-rubrics",
}


@pytest.mark.parametrize("name", sorted(IMPORTED_AND_SET_ASIDE))
def test_shared_folder_gives_its_known_numbers(name: str, sqlite_url: str, tmp_path: Path) -> None:
    with open_store(sqlite_url) as store:
        report = bring_in(store, shared(name), quarantine_dir=tmp_path)
    assert (report.imported, report.quarantined) == IMPORTED_AND_SET_ASIDE[name]


def test_every_other_shared_folder_holds_trajectories_too(tmp_path: Path, sqlite_url: str) -> None:
    """Folders that are not in the table: those that were laid there after it was written."""
    shared("README.md")
    folders = {path.name for path in SHARED_DATA.iterdir() if path.is_dir()}
    with open_store(sqlite_url) as store:
        for name in sorted(folders - set(IMPORTED_AND_SET_ASIDE) - NO_TRAJECTORIES):
            assert bring_in(store, SHARED_DATA / name, quarantine_dir=tmp_path).imported, name
