"""Routes of the rater server. There is no other: what is not listed here cannot be asked for."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from workbench.errors import BadInputError, NotFoundError
from workbench.human.desk import ClosedError, Desk
from workbench.human.rounds.invitations import token_hash
from workbench.human.web.messages import BallotMessage, DraftMessage, NothingMessage
from workbench.human.web.security import COOKIE, SecureHeaders, from_own_page, read_body, remember
from workbench.store import Store

_STATIC = Path(__file__).parent / "static"
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
# Read once into a fixed table: a request names an entry or nothing, no path of the disk.
_ASSETS = {path.name: path.read_bytes() for path in sorted(_STATIC.iterdir()) if path.suffix in _TYPES}

NO_INVITATION = "This page needs a valid invitation. Open your personal link again, or ask for a new one."
Body = TypeVar("Body", bound=BaseModel)
Who = tuple[str, str]


class RaterServer:
    """Handlers over one store. Each request is answered for the rater whose token its cookie holds, or not at all."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._desk = Desk(store)

    def routes(self) -> list[Route]:
        return [
            Route("/", self.page, methods=["GET"]),
            Route("/r/{token}", self.enter, methods=["GET"]),
            Route("/static/{name}", self.asset, methods=["GET"]),
            Route("/api/desk", self.desk, methods=["GET"]),
            Route("/api/ballots", self.cast, methods=["POST"]),
            Route("/api/undo", self.undo, methods=["POST"]),
            Route("/api/drafts/{assignment}", self.draft, methods=["PUT"]),
        ]

    async def enter(self, request: Request) -> Response:
        """Takes the token out of the address: the page it answers with goes on to `/` by itself.

        Not an HTTP redirect: a browser that comes from a mail or another site would not send a strict cookie along it.
        """
        token = request.path_params["token"]
        if await self._who(token) is None:
            return _message_page(NO_INVITATION, 403)
        response = HTMLResponse(_page("enter.html"))
        remember(response, token, secure=request.url.scheme == "https")
        return response

    async def page(self, request: Request) -> Response:
        if await self._who(request.cookies.get(COOKIE)) is None:
            return _message_page(NO_INVITATION, 403)
        return HTMLResponse(_page("rate.html"))

    async def asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _ASSETS:
            return _error("nothing here", 404)
        return Response(_ASSETS[name], media_type=_TYPES[Path(name).suffix])

    async def desk(self, request: Request) -> Response:
        who = await self._who(request.cookies.get(COOKIE))
        return _error(NO_INVITATION, 403) if who is None else await self._answer(who, {})

    async def cast(self, request: Request) -> Response:
        key = request.headers.get("idempotency-key", "")
        if not 8 <= len(key) <= 100:
            return _error("a ballot needs an Idempotency-Key header of 8 to 100 characters", 422)

        def work(who: Who, message: BallotMessage) -> dict[str, object]:
            ballot = message.to_ballot()
            outcome = self._desk.cast(*who, ballot, idempotency_key=key)
            return {"outcome": outcome, "feedback": self._desk.feedback(*who, ballot.assignment_id)}

        return await self._write(request, BallotMessage, work)

    async def undo(self, request: Request) -> Response:
        return await self._write(request, NothingMessage, lambda who, _: {"undone": self._desk.undo(*who)})

    async def draft(self, request: Request) -> Response:
        def work(who: Who, message: DraftMessage) -> None:
            self._desk.save_draft(*who, request.path_params["assignment"], message.to_json())

        return await self._write(request, DraftMessage, work)

    async def _write(
        self, request: Request, expected: type[Body], work: Callable[[Who, Body], dict[str, object] | None]
    ) -> Response:
        """A request that changes something. `work` gives what goes before the desk in the answer, or None: no desk."""
        who = await self._who(request.cookies.get(COOKIE))
        if who is None:
            return _error(NO_INVITATION, 403)
        if not from_own_page(request):
            return _error("this request does not come from the rating page", 403)
        body = await read_body(request)
        if body is None:
            return _error("this is longer than a ballot can be", 413)
        try:
            message = expected.model_validate_json(body or b"{}")
            before = await run_in_threadpool(work, who, message)
        except ValidationError as error:
            first = error.errors()[0]
            return _error(f"{'.'.join(map(str, first['loc'])) or 'body'}: {first['msg']}", 422)
        except ClosedError as error:
            return _error(str(error), 409)
        except NotFoundError as error:
            return _error(str(error), 404)
        except BadInputError as error:
            return _error(str(error), 422)
        return Response(status_code=204) if before is None else await self._answer(who, before)

    async def _answer(self, who: Who, before: dict[str, object]) -> Response:
        place = await run_in_threadpool(self._desk.place, *who)
        view = await run_in_threadpool(self._desk.view_of, place)
        return JSONResponse({**before, "desk": view}, background=BackgroundTask(self._desk.warm, place))

    async def _who(self, token: str | None) -> Who | None:
        if not token:
            return None
        return await run_in_threadpool(self._store.human.rater_for_token, token_hash(token), datetime.now(UTC))


def build_app(store: Store) -> ASGIApp:
    """The ASGI application. The caller owns the store."""
    app = Starlette(routes=RaterServer(store).routes())
    # A redirect to the same path with a slash would echo a token into one more address.
    app.router.redirect_slashes = False
    # Outermost, so that a defect's answer carries the headers too.
    return SecureHeaders(app)


def _page(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")


def _message_page(text: str, status: int) -> Response:
    return HTMLResponse(_page("message.html").replace("{{message}}", text), status_code=status)


def _error(text: str, status: int) -> Response:
    return JSONResponse({"error": text}, status_code=status)
