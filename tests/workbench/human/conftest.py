"""A round that is ready to be rated, and a rater server that serves it."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.workbench.human.sample import RUNS, fill
from workbench.human.rounds import Invitation, create_round, plan_round
from workbench.human.web.app import build_app
from workbench.human.web.server import bind
from workbench.schema.ballot import Round
from workbench.store import Store, open_store


@dataclass(frozen=True, slots=True)
class Opened:
    """A round of two runs over four questions, each pair before two raters."""

    store: Store
    round: Round
    invitations: tuple[Invitation, ...]


def open_round(store: Store, *, reason_required: bool = False) -> Opened:
    if not store.runs.list():
        fill(store, questions=4)
    plan = plan_round(store, runs=[RUNS[0].name, RUNS[1].name], raters=2, overlap=2, seed=11)
    round_, invitations = create_round(
        store,
        plan,
        name="vessel-7b against quill",
        dimensions={"depth": "How deep?", "readability": "How easy?"},
        reason_required=reason_required,
    )
    return Opened(store, round_, invitations)


@pytest.fixture
def opened(store: Store) -> Opened:
    return open_round(store)


@pytest.fixture
def opened_sqlite(sqlite_store: Store) -> Opened:
    return open_round(sqlite_store)


@dataclass(frozen=True, slots=True)
class Served:
    """A running rater server."""

    opened: Opened
    host: str
    port: int

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"


@pytest.fixture(scope="session")
def rater_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, int]]:
    """The real server in a thread of this process, over a store of its own: (store, port)."""
    import uvicorn

    listener = bind("127.0.0.1", 0)
    with open_store(f"sqlite:///{tmp_path_factory.mktemp('rater') / 'store.db'}") as store:
        config = uvicorn.Config(build_app(store), access_log=False, log_level="error", server_header=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        deadline = time.monotonic() + 60
        while not server.started:
            assert time.monotonic() < deadline, "the rater server did not start"
            time.sleep(0.01)
        yield store, listener.getsockname()[1]
        server.should_exit = True
        thread.join(timeout=20)


@pytest.fixture
def served(rater_server: tuple[Store, int]) -> Served:
    """A round of this test's own on the running server."""
    store, port = rater_server
    return Served(open_round(store), "127.0.0.1", port)
