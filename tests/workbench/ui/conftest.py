"""A small sample store, the app on it, and a browser. A module that needs another store overrides `sample_url`."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from benchmarks.sample.plan import SamplePlan
from benchmarks.sample_store import build_sample_store
from benchmarks.simulated_web.agents import SAMPLE
from tests.support.browser import chromium, opened
from tests.support.servers import app
from workbench.store import open_store
from workbench.store.jobs import NullJob

SMALL = SamplePlan(questions=6, attempts=2, stressed_reports=6, agents=tuple(SAMPLE))


@pytest.fixture(scope="session")
def sample_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built once; nobody writes into it."""
    path = tmp_path_factory.mktemp("sample") / "sample.db"
    with open_store(f"sqlite:///{path}") as store:
        build_sample_store(store, job=NullJob(), plan=SMALL)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the app runs: what it writes lands here."""
    return tmp_path_factory.mktemp("app")


@pytest.fixture(scope="module")
def sample_url(sample_file: Path, folder: Path) -> str:
    """The sample in a store of this module's own."""
    path = folder / "store.db"
    for suffix in ("", "-wal", "-shm"):
        source = Path(f"{sample_file}{suffix}")
        if source.exists():
            shutil.copy(source, f"{path}{suffix}")
    return f"sqlite:///{path}"


@pytest.fixture(scope="module")
def browser(sample_url: str) -> Iterator[Browser]:
    assert sample_url  # the store first: the driver keeps an event loop in this thread, and grading needs its own
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def url(sample_url: str, folder: Path) -> Iterator[str]:
    with app(sample_url, folder) as found:
        yield found


@pytest.fixture
def page(browser: Browser, url: str) -> Iterator[Page]:
    with opened(browser, url) as found:
        yield found
