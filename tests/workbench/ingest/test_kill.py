"""An import that is killed at any moment and run again leaves the store of one that was not."""

import concurrent.futures
import itertools
import random
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy.engine import make_url

from tests.support.evidence import write_evidence
from tests.support.shared_data import shared
from tests.workbench.ingest.importing import PROVEN
from tests.workbench.ingest.kills import content_hash, import_killed, import_whole, make_inputs, search_answers
from workbench.store import open_store

SEED = 20261129
KILLS_EACH = 50


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_inputs(tmp_path_factory.mktemp("kill") / "inputs", n=360, seed=SEED)


@pytest.fixture(scope="module")
def undisturbed(inputs: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, int, dict[str, list[str]]]:
    """(content hash, trajectories, answers of searches) of an import that nobody disturbed."""
    url = f"sqlite:///{tmp_path_factory.mktemp('kill') / 'whole.db'}"
    answer = import_whole(url, inputs)
    assert answer["quarantined"] > 0
    assert answer["duplicates"] > 0
    found = search_answers(url)
    assert all(found.values())
    return content_hash(url), answer["imported"], found


def test_killed_three_times_and_run_again_gives_the_undisturbed_store(
    store_url: str, inputs: Path, undisturbed: tuple[str, int, dict[str, list[str]]]
) -> None:
    wanted, total, answers = undisturbed
    rng = random.Random(SEED)
    kills = [
        import_killed(store_url, inputs, after_rows=int(total * share) + 1, delay_s=rng.uniform(0, 0.1))
        for share in (0.0, 0.35, 0.7)
    ]
    assert all(kill is not None and 0 < kill.rows < total for kill in kills), kills
    import_whole(store_url, inputs)
    assert content_hash(store_url) == wanted
    assert search_answers(store_url) == answers


@pytest.fixture
def fresh_sqlite(tmp_path: Path) -> Callable[[], str]:
    numbers = itertools.count()
    return lambda: f"sqlite:///{tmp_path / f'{next(numbers)}.db'}"


@pytest.fixture
def fresh_postgresql(pg_url: str) -> Iterator[Callable[[], str]]:
    names: list[str] = []

    def make() -> str:
        names.append(f"kill_{len(names)}")
        with psycopg.connect(pg_url, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(names[-1])))
        return make_url(pg_url).set(database=names[-1]).render_as_string()

    yield make
    with psycopg.connect(pg_url, autocommit=True) as connection:
        for name in names:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.mark.slow
def test_kills_at_many_moments_on_both_backends(
    inputs: Path, fresh_sqlite: Callable[[], str], fresh_postgresql: Callable[[], str]
) -> None:
    """Public files and generated ones; every kill has a store of its own. The result goes to docs/evidence."""
    started = time.monotonic()
    shutil.copy(shared("tau-bench-airline-gpt-4o/gpt-4o-airline.json"), inputs)
    whole = fresh_sqlite()
    total = import_whole(whole, inputs)["imported"]
    wanted, answers = content_hash(whole), search_answers(whole)
    rng = random.Random(SEED)
    results: list[dict[str, object]] = []
    for backend, fresh in (("sqlite", fresh_sqlite), ("postgresql", fresh_postgresql)):
        for index in range(KILLS_EACH):
            after_rows = 1 + int((total - 60) * index / KILLS_EACH)
            url, kill = fresh(), None
            while kill is None or kill.rows == total:  # it ended before the kill: another store, a shorter wait
                url = url if kill is None else fresh()
                kill = import_killed(url, inputs, after_rows=after_rows, delay_s=rng.uniform(0, 0.15))
            import_whole(url, inputs)
            found = {"equal": content_hash(url) == wanted, "same_answers": search_answers(url) == answers}
            results.append({"backend": backend, "rows_at_kill": kill.rows, "delay_ms": round(kill.delay_ms, 1)} | found)
            _drop(url)
    equal = sum(bool(result["equal"]) and bool(result["same_answers"]) for result in results)
    write_evidence(
        "import-kills",
        {
            "what": "imports killed with SIGKILL between first and last write, then run again: equal content hashes "
            "and equal answers of searches",
            "records": total,
            "equal": equal,
            "content_hash": wanted,
            "kills": results,
        },
        code=PROVEN,
        seed=SEED,
        n=len(results),
        seconds=time.monotonic() - started,
    )
    assert equal == len(results) == 2 * KILLS_EACH


def _drop(url: str) -> None:
    if url.startswith("sqlite"):
        for suffix in ("", "-wal", "-shm"):
            Path(url.removeprefix("sqlite:///") + suffix).unlink(missing_ok=True)


def test_two_imports_at_once_give_the_undisturbed_store(
    pg_url: str, inputs: Path, undisturbed: tuple[str, int, dict[str, list[str]]]
) -> None:
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda _: import_whole(pg_url, inputs), range(2)))
    assert sum(answer["imported"] for answer in answers) == undisturbed[1]
    assert content_hash(pg_url) == undisturbed[0]
    with open_store(pg_url) as store:
        assert len(store.runs.list()) == 7
