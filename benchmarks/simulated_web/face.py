"""The simulated web over HTTP, so that an agent of any make can research in it and its rollouts can be judged by gold.

An episode is a question with its tools: `call` them, `say` what one thinks, `finish` with the report, which is then a
trajectory in the store before the answer goes out. `search`, `open` and `find` answer without an episode and record
nothing.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from benchmarks.simulated_web.environment import Episode
from benchmarks.simulated_web.face_messages import CallMessage, FinishMessage, SayMessage, StartMessage, ToolSettings
from benchmarks.simulated_web.outside import OutsideEpisodes, Running, new_key
from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.tool_specs import system_prompt, tool_specs
from benchmarks.simulated_web.tools import KINDS, Budget, Tools
from benchmarks.simulated_web.world import World
from workbench.errors import BadInputError
from workbench.schema.trajectory import ToolCall
from workbench.store import Store

MAX_BODY_BYTES = 1024 * 1024
MOST_RESULTS = 50
MOST_PAGES = 100_000
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
Message = TypeVar("Message", bound=BaseModel)


class Face:
    """Handlers over one world and its open episodes."""

    def __init__(self, world: World, questions: Sequence[Question], episodes: OutsideEpisodes, *, run: str) -> None:
        self._world, self._episodes, self._run = world, episodes, run
        self._questions = {question.id: question for question in questions}

    def routes(self) -> list[Route]:
        return [
            Route("/", self.about, methods=["GET"]),
            Route("/questions", self.questions, methods=["GET"]),
            Route("/search", self.search, methods=["GET"]),
            Route("/open", self.open, methods=["GET"]),
            Route("/find", self.find, methods=["GET"]),
            Route("/episodes", self.start, methods=["POST"]),
            Route("/episodes/{id}/call", self.call, methods=["POST"]),
            Route("/episodes/{id}/say", self.say, methods=["POST"]),
            Route("/episodes/{id}/finish", self.finish, methods=["POST"]),
        ]

    async def about(self, _: Request) -> Response:
        # Nothing from which the world, and with it the truth, could be made again.
        options = ToolSettings().options()
        return JSONResponse(
            {
                "what": "a simulated web with known truth: search it, read its pages, write one cited report",
                "questions": len(self._questions),
                "pages": len(self._world.pages),
                "system_prompt": system_prompt(options),
                "tools": tool_specs(options),
                "episode": StartMessage.model_json_schema(),
                "routes": [f"{'/'.join(sorted(r.methods or ()))} {r.path}" for r in self.routes()],
            }
        )

    async def questions(self, _: Request) -> Response:
        return JSONResponse([{"id": q.id, "text": q.text} for q in self._questions.values()])

    async def search(self, request: Request) -> Response:
        bounds = {"top_k": (Budget().top_k, MOST_RESULTS), "page": (1, MOST_PAGES)}
        numbers: dict[str, int] = {}
        for name, (usual, most) in bounds.items():
            asked = request.query_params.get(name, str(usual))
            if not (asked.isascii() and asked.isdigit() and 1 <= int(asked[:7]) <= most):
                return _error(f"{name} is {asked[:20]!r}; expected 1 to {most}", 422)
            numbers[name] = int(asked)
        tools = Tools(self._world, Budget(1, numbers["top_k"]), options=ToolSettings().options())
        query = request.query_params.get("q", "")
        return _answer(await run_in_threadpool(tools.search, query, page=numbers["page"]))

    async def open(self, request: Request) -> Response:
        return _answer(await run_in_threadpool(Tools(self._world, Budget(1)).open, request.query_params.get("url", "")))

    async def find(self, request: Request) -> Response:
        url, text = (request.query_params.get(name, "") for name in ("url", "text"))

        def found() -> Any:
            tools = Tools(self._world, Budget(2), options=ToolSettings().options())
            opened = tools.open(url)
            return opened if opened.is_error else tools.find(url, text)

        return _answer(await run_in_threadpool(found))

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
        key, options = new_key(), message.tools.options()
        # Time counts as a person's watch would: the agent's own thinking with it.
        episode = Episode(
            self._world,
            question,
            message.budget(),
            faults=message.fault_rates(key),
            options=options,
            clock=time.monotonic,
        )
        try:
            self._episodes.begin(key, episode, run=message.run or self._run, model=message.model)
        except BadInputError as error:
            return _error(str(error), 503)
        started = {"episode": key, "question": question.text, **_left(episode), "tools": tool_specs(options)}
        return JSONResponse(started, status_code=201)

    def _act(self, request: Request, do: Callable[[Running], Mapping[str, object]]) -> Response:
        running = self._episodes.get(request.path_params["id"])
        if running is None:
            return _error("there is no such episode, or it was left alone for an hour", 404)
        with running.lock:
            try:
                return JSONResponse(dict(do(running)))
            except BadInputError as error:
                return _error(str(error), 409)

    def _call(self, running: Running, message: CallMessage) -> Mapping[str, object]:
        episode = running.episode
        kind = KINDS.get(message.name, "other")
        made = ToolCall(f"call-{len(episode.steps)}", message.name, kind, message.arguments)
        result = episode.act(made, text=message.text, reasoning=message.reasoning)
        return {"text": result.text, "is_error": result.is_error, **_left(episode)}

    def _say(self, running: Running, message: SayMessage) -> Mapping[str, object]:
        running.episode.say(message.text, reasoning=message.reasoning)
        return _left(running.episode)

    def _finish(self, running: Running, message: FinishMessage) -> Mapping[str, object]:
        kept = self._episodes.finish(running, message.report, reasoning=message.reasoning, outcome=message.outcome)
        return {"trajectory": kept.id, "run": running.run, "attempt": kept.attempt}


def build_face(
    world: World,
    questions: Sequence[Question],
    store: Store,
    *,
    run: str,
    hosts: Sequence[str] = LOOPBACK,
    now: Callable[[], float] = time.monotonic,
    episodes: OutsideEpisodes | None = None,
) -> Starlette:
    """`hosts`: names under which it may be asked, so that no web page can reach it by a name of its own. `episodes`:
    where the caller begins some itself."""
    guard = Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))
    face = Face(world, questions, episodes or OutsideEpisodes(store, now=now), run=run)
    return Starlette(routes=face.routes(), middleware=[guard])


def _left(episode: Episode) -> dict[str, object]:
    """What is left of the budget; tokens only where they are bounded."""
    tools = episode.tools
    left: dict[str, object] = {"calls_left": tools.calls_left}
    if tools.meter.tokens_left is not None:
        left["tokens_left"] = tools.meter.tokens_left
    return left


def _answer(result: Any) -> Response:
    return JSONResponse({"text": result.text, "is_error": result.is_error})


def _error(reason: str, status: int) -> Response:
    return JSONResponse({"error": reason}, status_code=status)
