"""The simulated web over HTTP, so that an agent of any make can research in it and its rollouts can be judged by gold.

An episode is a question with its tools: `call` them, `say` what one thinks, `finish` with the report, which is then a
trajectory in the store before the answer goes out. `search` and `open` answer without an episode and record nothing.
"""

import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel, Field, ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from benchmarks.simulated_web.environment import SYSTEM_PROMPT, Episode
from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.recording import recorded
from benchmarks.simulated_web.tools import KINDS, TOOL_SPECS, Budget, Faults, Tools
from benchmarks.simulated_web.world import World
from workbench.errors import BadInputError
from workbench.schema.trajectory import Outcome, ToolCall, Trajectory
from workbench.store import Store, TrajectoryFilter

MAX_BODY_BYTES = 1024 * 1024
MOST_OPEN = 1000
IDLE_S = 3600.0
MOST_CALLS = 1000
Message = TypeVar("Message", bound=BaseModel)


class StartMessage(BaseModel):
    """`question` is an id of `/questions`."""

    question: str
    run: str | None = None
    model: str = "outside-agent"
    calls: int = Field(default=Budget().calls, ge=1, le=MOST_CALLS)
    top_k: int = Field(default=Budget().top_k, ge=1, le=50)
    fault_percent: int = Field(default=0, ge=0, le=100)


class CallMessage(BaseModel):
    """One tool call, in the words of an OpenAI function call; `arguments` as an object."""

    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    text: str = ""
    reasoning: str = ""


class SayMessage(BaseModel):
    text: str = ""
    reasoning: str = ""


class FinishMessage(BaseModel):
    """The report, or none with the outcome that says why."""

    report: str = ""
    reasoning: str = ""
    outcome: Outcome = "completed"


@dataclass
class Running:
    """An episode under way. `lock`: one request at a time. `kept` once its trajectory is in the store."""

    episode: Episode
    run: str
    model: str
    used_at: float
    kept: Trajectory | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class Face:
    """Handlers over one world and one store."""

    def __init__(
        self, world: World, questions: Sequence[Question], store: Store, *, run: str, now: Callable[[], float]
    ) -> None:
        self._world, self._store, self._run, self._now = world, store, run, now
        self._questions = {question.id: question for question in questions}
        self._running: dict[str, Running] = {}
        self._lock = threading.Lock()

    def routes(self) -> list[Route]:
        return [
            Route("/", self.about, methods=["GET"]),
            Route("/questions", self.questions, methods=["GET"]),
            Route("/search", self.search, methods=["GET"]),
            Route("/open", self.open, methods=["GET"]),
            Route("/episodes", self.start, methods=["POST"]),
            Route("/episodes/{id}/call", self.call, methods=["POST"]),
            Route("/episodes/{id}/say", self.say, methods=["POST"]),
            Route("/episodes/{id}/finish", self.finish, methods=["POST"]),
        ]

    async def about(self, _: Request) -> Response:
        # Nothing from which the world, and with it the truth, could be made again.
        return JSONResponse(
            {
                "what": "a simulated web with known truth: search it, read its pages, write one cited report",
                "questions": len(self._questions),
                "pages": len(self._world.pages),
                "system_prompt": SYSTEM_PROMPT,
                "tools": TOOL_SPECS,
                "routes": [f"{'/'.join(sorted(r.methods or ()))} {r.path}" for r in self.routes()],
            }
        )

    async def questions(self, _: Request) -> Response:
        return JSONResponse([{"id": q.id, "text": q.text} for q in self._questions.values()])

    async def search(self, request: Request) -> Response:
        asked = request.query_params.get("top_k", "5")
        top_k = int(asked) if asked.isascii() and asked.isdigit() and 1 <= int(asked[:4]) <= 50 else None
        if top_k is None:
            return _error(f"top_k is {asked[:20]!r}; expected 1 to 50", 422)
        tools = Tools(self._world, Budget(1, top_k))
        return _answer(await run_in_threadpool(tools.search, request.query_params.get("q", "")))

    async def open(self, request: Request) -> Response:
        return _answer(await run_in_threadpool(Tools(self._world, Budget(1)).open, request.query_params.get("url", "")))

    async def start(self, request: Request) -> Response:
        return await self._with(request, StartMessage, self._start)

    async def call(self, request: Request) -> Response:
        return await self._with(request, CallMessage, lambda m: self._act(request, lambda r: self._call(r, m)))

    async def say(self, request: Request) -> Response:
        return await self._with(request, SayMessage, lambda m: self._act(request, lambda r: self._say(r, m)))

    async def finish(self, request: Request) -> Response:
        return await self._with(request, FinishMessage, lambda m: self._act(request, lambda r: self._finish(r, m)))

    async def _with(self, request: Request, form: type[Message], do: Callable[[Message], Response]) -> Response:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BODY_BYTES:
                return _error(f"a body of more than {MAX_BODY_BYTES:,} bytes", 413)
        try:
            message = form.model_validate_json(body or b"{}")
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False)[0]
            return _error(f"{'.'.join(map(str, found['loc'])) or 'the body'}: {found['msg']}", 422)
        return await run_in_threadpool(do, message)

    def _start(self, message: StartMessage) -> Response:
        question = self._questions.get(message.question)
        if question is None:
            return _error(f"there is no question {message.question[:60]!r}; GET /questions lists them", 404)
        key, now = secrets.token_urlsafe(16), self._now()
        budget = Budget(message.calls, message.top_k)
        episode = Episode(self._world, question, budget, faults=Faults(message.fault_percent, key))
        with self._lock:
            self._running = {name: r for name, r in self._running.items() if now - r.used_at < IDLE_S}
            if len(self._running) >= MOST_OPEN:
                return _error(f"{MOST_OPEN} episodes are open; finish some first", 503)
            self._running[key] = Running(episode, message.run or self._run, message.model, now)
        started = {"episode": key, "question": question.text, "calls_left": budget.calls, "tools": TOOL_SPECS}
        return JSONResponse(started, status_code=201)

    def _act(self, request: Request, do: Callable[[Running], Mapping[str, object]]) -> Response:
        running = self._running.get(request.path_params["id"])
        if running is None:
            return _error("there is no such episode, or it was left alone for an hour", 404)
        with running.lock:
            running.used_at = self._now()
            try:
                return JSONResponse(dict(do(running)))
            except BadInputError as error:
                return _error(str(error), 409)

    def _call(self, running: Running, message: CallMessage) -> Mapping[str, object]:
        episode = running.episode
        kind = KINDS.get(message.name, "other")
        made = ToolCall(f"call-{len(episode.steps)}", message.name, kind, message.arguments)
        result = episode.act(made, text=message.text, reasoning=message.reasoning)
        return {"text": result.text, "is_error": result.is_error, "calls_left": episode.tools.calls_left}

    def _say(self, running: Running, message: SayMessage) -> Mapping[str, object]:
        running.episode.say(message.text, reasoning=message.reasoning)
        return {"calls_left": running.episode.tools.calls_left}

    def _finish(self, running: Running, message: FinishMessage) -> Mapping[str, object]:
        # Asked again after a lost answer, the same episode gives the same trajectory and is no second one.
        if running.kept is None:
            # Finished and not kept: the store failed the last time, and what was said then stands.
            if not running.episode.finished:
                running.episode.finish(message.report, reasoning=message.reasoning, outcome=message.outcome)
            running.kept = self._keep(running)
        return {"trajectory": running.kept.id, "run": running.run, "attempt": running.kept.attempt}

    def _keep(self, running: Running) -> Trajectory:
        """Stored as the next attempt of this run at this question."""
        with self._lock:
            self._store.runs.ensure(running.run, model=running.model, simulated=True)
            found = TrajectoryFilter(run=running.run, question_id=running.episode.question.id)
            taken = self._store.trajectories.columns(found)["attempt"]
            trajectory = running.episode.trajectory(
                run=running.run,
                model=running.model,
                attempt=max(taken, default=-1) + 1,
                group=f"{running.run}/{running.episode.question.id}",
            )
            self._store.trajectories.add_batch([recorded(trajectory)])
        return trajectory


def build_face(
    world: World,
    questions: Sequence[Question],
    store: Store,
    *,
    run: str,
    hosts: Sequence[str] = ("127.0.0.1", "localhost", "[::1]"),
    now: Callable[[], float] = time.monotonic,
) -> Starlette:
    """`hosts`: names under which it may be asked, so that no web page can reach it by a name of its own."""
    guard = Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))
    return Starlette(routes=Face(world, questions, store, run=run, now=now).routes(), middleware=[guard])


def _answer(result: Any) -> Response:
    return JSONResponse({"text": result.text, "is_error": result.is_error})


def _error(reason: str, status: int) -> Response:
    return JSONResponse({"error": reason}, status_code=status)
