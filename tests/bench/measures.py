"""What is measured, each beside the least that the machine could need for it."""

import itertools
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks.sample.plan import SamplePlan
from benchmarks.sample.rollouts import add_rollouts
from tests.bench.timing import Ratio, compare
from workbench.human.ratings import rate
from workbench.phases import analyse
from workbench.reward.columns import Rollouts, rollouts_of
from workbench.reward.vector import evaluate
from workbench.schema.ballot import Vote
from workbench.schema.reward import QuestionTarget, RewardSpec, RolloutFacts, ShapingTerm
from workbench.schema.trajectory import trajectory_to_json
from workbench.store import NewTrajectory, Store, TrajectoryFilter, open_store
from workbench.store.jobs import NullJob

SEED = 20261129
SPEC = RewardSpec("bench", "any", "g", 0.5, (ShapingTerm("distinct_queries", 0.4), ShapingTerm("distinct_sites", 0.6)))


def all_measures() -> Iterator[Ratio]:
    """Every ratio, cheapest first."""
    yield import_of_the_reward()
    yield what_if()
    yield ratings()
    with _store() as (store, path):
        yield list_page(store, path)
        yield columns(store, path)
        yield write(store)


def import_of_the_reward() -> Ratio:
    """A training worker imports the reward: beside a bare interpreter."""

    def run(code: str) -> None:
        subprocess.run([sys.executable, "-c", code], check=True)

    return compare(
        "start Python and import workbench.reward.core",
        lambda: run("import workbench.reward.core.rollout, workbench.reward.core.quality"),
        lambda: run("pass"),
        against="a bare Python start",
        repeats=15,
    )


def _rollouts(n: int) -> Rollouts:
    rng = random.Random(SEED)
    facts = [
        (str(i), RolloutFacts(f"q{i % 997}", rng.randrange(40), rng.randrange(20), 3, 9, 30, 1, 9000)) for i in range(n)
    ]
    targets = {f"q{i}": QuestionTarget(f"q{i}", rng.randrange(30), rng.randrange(15), 5) for i in range(997)}
    return rollouts_of(facts, {row: rng.random() for row, _ in facts}, targets)


def what_if() -> Ratio:
    """R of 100,000 rollouts after a slider moved: beside the bare formula on the same arrays."""
    rollouts = _rollouts(100_000)
    g, q, d = rollouts.quality, rollouts.counts["distinct_queries"], rollouts.counts["sites_opened"]
    goal_q, goal_d = np.maximum(rollouts.target_queries, 1), np.maximum(rollouts.target_sites, 1)

    def bare() -> object:
        return (g + 0.5 * (0.4 * np.minimum(q / goal_q, 1) + 0.6 * np.minimum(d / goal_d, 1))) / 1.5

    return compare(
        "reward of 100,000 rollouts with components", lambda: evaluate(SPEC, rollouts), bare, against="the bare formula"
    )


def ratings() -> Ratio:
    """Ratings with intervals and agreement on 9,000 votes: beside evalica's Bradley-Terry without either."""
    import evalica

    rng = random.Random(SEED)
    names = [f"m{i}" for i in range(30)]
    votes = []
    for number in range(9000):
        a, b = rng.sample(range(30), 2)
        winner = rng.choices(("model_a", "tie", "model_b"), (30 + a, 20, 30 + b))[0]
        votes.append(Vote(names[a], names[b], winner, f"r{number % 60}", f"q{number % 300}", ordinal=number))  # type: ignore[arg-type]
    said = {"model_a": evalica.Winner.X, "model_b": evalica.Winner.Y, "tie": evalica.Winner.Draw}
    left, right = [v.model_a for v in votes], [v.model_b for v in votes]
    winners = [said[v.winner] for v in votes]
    return compare(
        "Bradley-Terry of 9,000 votes with sandwich intervals and agreement",
        lambda: rate(votes),
        lambda: evalica.bradley_terry(left, right, winners),
        against="evalica's point estimate",
        repeats=5,
    )


@contextmanager
def _store() -> Iterator[tuple[Store, Path]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        with open_store(f"sqlite:///{path}") as store:
            add_rollouts(store, SamplePlan(questions=40, attempts=5), NullJob())
            yield store, path


def list_page(store: Store, path: Path) -> Ratio:
    """A page of 50 with its total, filtered by text: beside the two bare queries."""
    chosen = TrajectoryFilter(text="river")

    def bare() -> None:
        with sqlite3.connect(path) as connection:
            where = "WHERE instr(lower(question), 'river') > 0"
            connection.execute(f"SELECT count(*) FROM trajectories {where}").fetchall()
            connection.execute(f"SELECT * FROM trajectories {where} ORDER BY tool_calls DESC LIMIT 50").fetchall()

    return compare(
        "a filtered page of 50 of 1,000 trajectories",
        lambda: store.trajectories.page(chosen, sort="tool_calls", descending=True),
        bare,
        against="two bare queries on the same file",
    )


def columns(store: Store, path: Path) -> Ratio:
    """All columns of 1,000 trajectories: beside reading the bare rows."""

    def bare() -> None:
        with sqlite3.connect(path) as connection:
            connection.execute("SELECT * FROM trajectories").fetchall()

    return compare(
        "the columns of 1,000 trajectories",
        lambda: store.trajectories.columns(TrajectoryFilter()),
        bare,
        against="reading the bare rows",
    )


def write(store: Store) -> Ratio:
    """Phases, citations and rows of 50 new trajectories: beside writing their JSON bytes to a bare SQLite file."""
    sample = list(itertools.islice(store.trajectories.iterate(TrajectoryFilter(run="sim-broad")), 50))
    records = [json.dumps(trajectory_to_json(trajectory)).encode() for trajectory in sample]

    def ours() -> None:
        with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/new.db") as new:
            new.runs.ensure("sim-broad", model="m")
            new.trajectories.add_batch(
                [NewTrajectory(t, analyse(t), record, "bench") for t, record in zip(sample, records, strict=True)]
            )

    def bare() -> None:
        with tempfile.TemporaryDirectory() as folder, sqlite3.connect(f"{folder}/new.db") as connection:
            connection.execute("CREATE TABLE records (body BLOB)")
            connection.executemany("INSERT INTO records VALUES (?)", [(record,) for record in records])
            for record in records:
                json.loads(record)

    return compare(
        "a new store with 50 trajectories, analysed", ours, bare, against="parsing and writing their bytes", repeats=5
    )
