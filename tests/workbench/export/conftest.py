"""A store ready to export, and one job folder made of it that tests copy before they harm it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workbench.export.exporting import export, ready
from workbench.store import Store, open_store


@pytest.fixture
def ready_store(sqlite_store: Store) -> Store:
    """The small store with targets from its reference run."""
    ready(sqlite_store)
    return sqlite_store


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A job folder of the small store. Shared: read only."""
    home = tmp_path_factory.mktemp("exported")
    with open_store(f"sqlite:///{home / 'store.db'}") as store:
        ready(store)
        yield export(store, home / "job")


@pytest.fixture
def folder(exported: Path, tmp_path: Path) -> Path:
    """A copy of the job folder, elsewhere, to be changed."""
    return Path(shutil.copytree(exported, tmp_path / "moved" / "job elsewhere"))
