"""Rollouts of an agent that is a program of the user's own: a process for each episode, which uses the tools over HTTP.

It is told where to ask by its environment and by one line of JSON on its standard input:

    WORKBENCH_WORLD_URL   http://127.0.0.1:PORT
    WORKBENCH_EPISODE     key of its episode: POST /episodes/KEY/call, /say, /finish (the routes are at GET /)
    WORKBENCH_QUESTION    what is asked
    WORKBENCH_TRAJECTORY  file where it may write its trajectory itself, in any format that can be imported

An episode that it finishes is stored as it was recorded. Where it writes a file instead, its steps and report are
stored, if every page that the file says was opened was opened in the episode: what an agent says of itself is a claim.
Whatever else happens (no report, time over, a crash) is an episode that failed, stored with the calls it made.
"""

import shlex
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.command_process import Ended, run_process
from benchmarks.simulated_web.budget import Budget
from benchmarks.simulated_web.environment import Episode
from benchmarks.simulated_web.face import build_face
from benchmarks.simulated_web.faults import Faults
from benchmarks.simulated_web.outside import OutsideEpisodes, Running, new_key
from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.reading.text import URL
from benchmarks.simulated_web.tool_specs import Options, tool_specs
from benchmarks.simulated_web.world import World
from workbench.errors import BadInputError
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Trajectory
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import JobHandle, JobStopped

MOST_FILE_BYTES = 32 * 1024 * 1024
_LISTED = 20
_STARTED_S = 30.0


@dataclass(frozen=True, slots=True)
class CommandOptions:
    """`command` as on a command line, without a shell. `limit_s` is for each episode."""

    command: str
    limit_s: float = 600.0
    concurrency: int = 1
    budget: Budget = field(default_factory=Budget)
    faults: Faults = field(default_factory=Faults)
    tools: Options = field(default_factory=lambda: Options(paging=True, find=True))

    @property
    def arguments(self) -> list[str]:
        """Raises BadInputError for a command line that cannot be read, or a program that is not there."""
        try:
            found = shlex.split(self.command)
        except ValueError as error:
            raise BadInputError(f"the command {self.command!r:.200} cannot be read: {error}") from None
        if not found or shutil.which(found[0]) is None:
            raise BadInputError(f"there is no program {found[0] if found else ''!r:.200} to run")
        return found


@dataclass(frozen=True, slots=True)
class CommandReport:
    """`made` episodes ran now, `failed` of them without a report; `found` were in the store."""

    made: int
    found: int
    failed: int
    failures: tuple[dict[str, str], ...]


def run_command(
    store: Store,
    world: World,
    questions: Sequence[Question],
    options: CommandOptions,
    *,
    run: str,
    model: str,
    attempts: int,
    meta: dict[str, JsonValue],
    job: JobHandle,
) -> CommandReport:
    """Runs what the store does not hold of `run` yet. Raises JobStopped once what is under way has been ended; an
    episode that was stopped is not stored, the next run makes it again."""
    arguments = options.arguments
    store.runs.ensure(run, model=model, simulated=True, meta=meta)
    columns = store.trajectories.columns(TrajectoryFilter(run=run))
    there = set(zip(columns["question_id"], columns["attempt"], strict=True))
    todo = [(question, n) for question in questions for n in range(attempts) if (question.id, n) not in there]
    found = len(questions) * attempts - len(todo)
    episodes = OutsideEpisodes(store, now=time.monotonic)
    failures: list[dict[str, str]] = []
    stop = threading.Event()
    with _served(world, store, episodes, run) as url:
        agent = _CommandAgent(world, episodes, options, arguments, url, run, model, stop)
        with ThreadPoolExecutor(options.concurrency) as pool:
            waiting = [(question, n, pool.submit(agent.episode, question, n)) for question, n in todo]
            try:
                for done, (question, n, result) in enumerate(waiting, 1):
                    while not result.done():
                        job.checkpoint()
                        stop.wait(0.05)
                    if reason := result.result():
                        failures.append({"question": question.id, "attempt": str(n), "reason": reason})
                        job.log(f"{question.id} attempt {n}: {reason}", "warning")
                    job.progress(done, len(todo), failed=len(failures))
            except (JobStopped, KeyboardInterrupt, Exception):
                stop.set()
                for _, _, result in waiting:
                    result.cancel()
                raise
    return CommandReport(len(todo), found, len(failures), tuple(failures[:_LISTED]))


@dataclass(frozen=True, slots=True)
class _CommandAgent:
    world: World
    episodes: OutsideEpisodes
    options: CommandOptions
    arguments: Sequence[str]
    url: str
    run: str
    model: str
    stop: threading.Event

    def episode(self, question: Question, attempt: int) -> str:
        """Runs one and stores it; gives why it failed, empty where it did not."""
        if self.stop.is_set():
            return ""
        key = new_key()
        faults = replace(self.options.faults, seed=f"{self.run}/{question.id}/{attempt}")
        budget, tools = self.options.budget, self.options.tools
        episode = Episode(self.world, question, budget, faults=faults, options=tools, clock=time.monotonic)
        self.episodes.begin(key, episode, run=self.run, model=self.model, attempt=attempt)
        running = self.episodes.get(key)
        assert running is not None
        try:
            with tempfile.TemporaryDirectory(prefix="episode-") as folder:
                file = Path(folder) / "trajectory.json"
                ended = self._process(key, question, file)
                with running.lock:
                    if self.stop.is_set() and running.kept is None:
                        return ""
                    return self._settle(running, ended, file)
        finally:
            self.episodes.drop(key)

    def _process(self, key: str, question: Question, file: Path) -> Ended:
        told = {"url": self.url, "episode": key, "question": question.text, "trajectory": str(file)}
        environment = {
            "WORKBENCH_WORLD_URL": self.url,
            "WORKBENCH_EPISODE": key,
            "WORKBENCH_QUESTION": question.text,
            "WORKBENCH_TRAJECTORY": str(file),
        }
        tools = list(tool_specs(self.options.tools))
        try:
            return run_process(
                self.arguments,
                told=told | {"tools": tools},
                environment=environment,
                limit_s=self.options.limit_s,
                stop=self.stop,
            )
        except OSError as error:
            return Ended(1, f"it could not be started: {error.strerror}")

    def _settle(self, running: Running, ended: Ended, file: Path) -> str:
        """What is stored of an episode whose program has ended."""
        if running.kept is not None:
            return "" if running.kept.outcome != "failed" else "it said itself that it failed"
        reason = f"it ran out of its {self.options.limit_s:g} seconds" if ended.code is None else ""
        if not reason and file.is_file() and not file.is_symlink():
            try:
                self.episodes.keep(running, _written(file, running.episode))
                return ""
            except BadInputError as error:
                reason = f"its trajectory file is refused: {error}"
        if not reason:
            reason = f"it ended with code {ended.code} and without a report"
        # What the program printed is for the log alone: a trajectory is what happened in the episode.
        self.episodes.finish(running, "", reasoning=f"The episode failed: {reason}.", outcome="failed")
        return f"{reason}; it said: {ended.said[-300:]}" if ended.said else reason


def _written(file: Path, episode: Episode) -> Trajectory:
    """The trajectory in the file. Raises BadInputError for one that cannot be read, that is too large, or that says it
    opened what it did not."""
    from workbench.ingest.candidates import Candidates
    from workbench.ingest.paths import find_files
    from workbench.ingest.prepare import Preparer, RejectedError
    from workbench.ingest.record_file import open_records
    from workbench.phases import analyse

    if file.stat().st_size > MOST_FILE_BYTES:
        raise BadInputError(f"it has more than {MOST_FILE_BYTES:,} bytes")
    (trace,) = find_files([file]).files
    preparer = Preparer(trace, analyse)
    with open_records(trace) as records:
        candidates = list(Candidates(records.records(), trace.folder(), None))
    if len(candidates) != 1:
        raise BadInputError(f"it holds {len(candidates)} trajectories; expected one")
    try:
        read = preparer.prepare(candidates[0]).trajectory
    except RejectedError as error:
        raise BadInputError(str(error)) from None
    opened = {page.url for page in episode.tools.opened}
    claimed = [
        url
        for step in read.steps
        for call in step.tool_calls
        if call.kind == "visit"
        for url in URL.findall(" ".join(str(value) for value in call.arguments.values()))
    ]
    told = [url for url in claimed if url in episode.world.page and url not in opened]
    if told:
        raise BadInputError(f"it says that it opened {told[0]:.200}, which it did not open in this episode")
    return read


@contextmanager
def _served(world: World, store: Store, episodes: OutsideEpisodes, run: str) -> Iterator[str]:
    """The world over HTTP on a free port of this machine, in a thread. It offers no questions, so that no program can
    begin episodes of its own and write into other runs."""
    import uvicorn

    from workbench.human.web.server import bind

    listener = bind("127.0.0.1", 0)
    face = build_face(world, (), store, run=run, episodes=episodes)
    server = uvicorn.Server(uvicorn.Config(face, access_log=False, log_level="warning", server_header=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        limit = time.monotonic() + _STARTED_S
        while not server.started and thread.is_alive() and time.monotonic() < limit:
            time.sleep(0.02)
        if not server.started:
            raise BadInputError("the server of the simulated web did not start on this machine")
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(_STARTED_S)
        listener.close()
