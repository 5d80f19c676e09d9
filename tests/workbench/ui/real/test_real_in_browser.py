"""Real trajectories opened in the browser: every step unfolded, and the report, equal the store."""

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.browser import chromium, opened
from tests.support.evidence import write_evidence
from tests.support.servers import app
from tests.support.shared_data import shared
from tests.workbench.ingest.importing import bring_in
from tests.workbench.ui.real.shown import Compared, compare
from workbench.store import Store, TrajectoryFilter, open_store

# Folder or file of the public data -> how many of its trajectories are opened: the longest, and some between.
SETS = {
    "webdancer-trajectories/sample_traj.jsonl": 5,
    "tau-bench-airline-gpt-4o": 5,
    "atif-trajectories": 99,
    "inspect-logs": 12,
    "deepscholar-baselines": 6,
    "deep-research-bench/reports": 6,
}
FEW = {
    "webdancer-trajectories/sample_traj.jsonl": 1,
    "deep-research-bench/reports/open-deep-research_gpt-5.jsonl": 1,
}


def some(store: Store, run_of: Sequence[str], most: int) -> tuple[str, ...]:
    """The trajectories with most steps and text, then others evenly over the rest."""
    rows = store.trajectories.page(TrajectoryFilter(run=tuple(run_of)), limit=100_000).items
    rows = tuple(sorted(rows, key=lambda row: -(row.report_chars + row.activity.tokens)))
    if len(rows) <= most:
        return tuple(row.id for row in rows)
    half = most // 2 + most % 2
    rest = rows[half:]
    between = rest[:: max(1, len(rest) // max(1, most - half))][: most - half]
    return tuple(row.id for row in (*rows[:half], *between))


def imported(store: Store, folder: Path, sets: dict[str, int]) -> dict[str, tuple[str, ...]]:
    aside = folder / "quarantine"
    return {name: some(store, bring_in(store, shared(name), quarantine_dir=aside).runs, n) for name, n in sets.items()}


def all_compared(folder: Path, sets: dict[str, int]) -> dict[str, list[tuple[str, Compared]]]:
    url_of_store = f"sqlite:///{folder}/real.db"
    with open_store(url_of_store) as store:
        chosen = imported(store, folder, sets)
        with chromium() as browser, app(url_of_store, folder) as url, opened(browser, url) as page:
            return {name: [(one, compare(page, url, store, one)) for one in ids] for name, ids in chosen.items()}


def test_a_real_trajectory_and_a_real_report_are_shown_as_they_are_stored(tmp_path: Path) -> None:
    for name, found in all_compared(tmp_path, FEW).items():
        for identifier, compared in found:
            assert compared.equal, (name, identifier, compared.differing[:5], compared.words_lost)


@pytest.mark.slow
def test_real_trajectories_of_every_source_are_shown_as_they_are_stored(tmp_path: Path) -> None:
    began = time.monotonic()
    found = all_compared(tmp_path, SETS)
    every = [compared for own in found.values() for _, compared in own]
    write_evidence(
        "real-in-browser",
        {
            "sources": {
                name: {
                    "trajectories": len(own),
                    "steps": sum(one.steps for _, one in own),
                    "chars_compared": sum(one.chars for _, one in own),
                    "largest_chars": max((one.chars for _, one in own), default=0),
                    "steps_that_differ": sum(len(one.differing) for _, one in own),
                    "reports_that_lose_words": sum(bool(one.words_lost) for _, one in own),
                    "hash_of_what_is_shown": [one.shown.hexdigest()[:16] for _, one in own],
                    "hash_of_the_store": [one.stored.hexdigest()[:16] for _, one in own],
                }
                for name, own in found.items()
            },
            "how": "every step opened with j and unfolded; its texts, names of tools and arguments against the "
            "record's, hidden characters spelt out by the same rule; words of the report counted against the record's",
        },
        seed=0, n=len(every), seconds=time.monotonic() - began, code=("workbench/ui", "workbench/ingest"),
    )  # fmt: skip
    assert [one for one in every if not one.equal] == []
