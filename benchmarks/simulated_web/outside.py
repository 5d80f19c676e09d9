"""Episodes of agents that come from outside: under way in memory, in the store once they have ended."""

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks.simulated_web.environment import Episode
from benchmarks.simulated_web.recording import recorded
from workbench.errors import BadInputError
from workbench.schema.trajectory import Outcome, Trajectory
from workbench.store import Store, TrajectoryFilter

MOST_OPEN = 1000
IDLE_S = 3600.0


@dataclass
class Running:
    """An episode under way. `lock`: one request at a time. `kept` once its trajectory is in the store. `attempt`: None
    for the next one of its run at its question."""

    episode: Episode
    run: str
    model: str
    used_at: float
    attempt: int | None = None
    kept: Trajectory | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class OutsideEpisodes:
    """The open episodes of one store, each under a key that cannot be guessed. Safe to share between threads."""

    def __init__(self, store: Store, *, now: Callable[[], float]) -> None:
        self._store, self._now = store, now
        self._running: dict[str, Running] = {}
        self._lock = threading.Lock()

    def begin(self, key: str, episode: Episode, *, run: str, model: str, attempt: int | None = None) -> None:
        """Raises BadInputError where too many are open. Those left alone for an hour are dropped."""
        now = self._now()
        with self._lock:
            self._running = {name: r for name, r in self._running.items() if now - r.used_at < IDLE_S}
            if len(self._running) >= MOST_OPEN:
                raise BadInputError(f"{MOST_OPEN} episodes are open; finish some first")
            self._running[key] = Running(episode, run, model, now, attempt)

    def get(self, key: str) -> Running | None:
        running = self._running.get(key)
        if running is not None:
            running.used_at = self._now()
        return running

    def drop(self, key: str) -> None:
        """Nothing more is to come of it."""
        with self._lock:
            self._running.pop(key, None)

    def finish(self, running: Running, report: str, *, reasoning: str, outcome: Outcome) -> Trajectory:
        """Ends and stores it, under `running.lock`. Asked again after a lost answer, the same episode gives the same
        trajectory and is no second one."""
        if running.kept is None:
            # Finished and not kept: the store failed the last time, and what was said then stands.
            if not running.episode.finished:
                running.episode.finish(report, reasoning=reasoning, outcome=outcome)
            running.kept = self._keep(running)
        return running.kept

    def keep(self, running: Running, written: Trajectory) -> Trajectory:
        """Stores, as this episode's, what the agent wrote down itself: its steps, report and outcome."""
        episode = running.episode
        episode.steps, episode.report = list(written.steps), written.report
        unsaid: Outcome = "completed" if written.report.strip() else "failed"
        episode.outcome = unsaid if written.outcome == "unknown" else written.outcome
        running.kept = self._keep(running)
        return running.kept

    def _keep(self, running: Running) -> Trajectory:
        with self._lock:
            self._store.runs.ensure(running.run, model=running.model, simulated=True)
            question = running.episode.question.id
            attempt = running.attempt
            if attempt is None:
                found = TrajectoryFilter(run=running.run, question_id=question)
                attempt = max(self._store.trajectories.columns(found)["attempt"], default=-1) + 1
            group = f"{running.run}/{question}"
            trajectory = running.episode.trajectory(run=running.run, model=running.model, attempt=attempt, group=group)
            self._store.trajectories.add_batch([recorded(trajectory)])
        return trajectory


def new_key() -> str:
    """The key of an episode, which is also the seed of its faults."""
    return secrets.token_urlsafe(16)
