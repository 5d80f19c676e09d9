"""Who may reach the app: this machine alone, or whoever knows the password or is known to an OIDC provider.

The gate stands before everything that the server answers, pages, files, sockets and the viewer's parts alike.
"""

import asyncio
import hmac
import ipaddress
import os
import secrets
import time
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Final, Literal
from urllib.parse import parse_qs, quote

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from workbench.errors import BadInputError

VARIABLE: Final = "WORKBENCH_PASSWORD"
SHORTEST: Final = 8
COOKIE: Final = "workbench-access"
LOGIN: Final = "/workbench-login"
HEALTH: Final = "/_stcore/health"
VALID_S: Final = 14 * 86_400
# One guess after the other, each with its wait: two a second from all the world.
WAIT_S: Final = 0.5
MOST_BYTES: Final = 4096
_PAGE: Final = Path(__file__).with_name("login.html")

REFUSED: Final = (
    "The app would be open to everyone on the network at {address!r}: set WORKBENCH_PASSWORD, or OIDC in "
    ".streamlit/secrets.toml ([auth], see st.login), or bind it to this machine with --server.address 127.0.0.1."
)


@dataclass(frozen=True, slots=True)
class Access:
    """`open`: whoever sits at this machine. `oidc`: the pages ask for a log-in by the provider (`ui.main`)."""

    kind: Literal["open", "password", "oidc"]
    password: str = field(default="", repr=False)


def access_from_environment() -> Access:
    """What is set. Raises BadInputError for a password that is too short, and for OIDC without its library."""
    from streamlit.auth_util import get_secrets_auth_section, is_authlib_installed

    password = os.environ.get(VARIABLE, "")
    if password and len(password) < SHORTEST:
        raise BadInputError(f"{VARIABLE} has {len(password)} characters; expected at least {SHORTEST}")
    if password:
        return Access("password", password)
    if not get_secrets_auth_section():
        return Access("open")
    if not is_authlib_installed():
        raise BadInputError("OIDC is set in secrets.toml, but its library is missing: pip install 'streamlit[auth]'")
    return Access("oidc")


def check_binding(address: str | None, access: Access) -> None:
    """Raises BadInputError where `address` (None: every interface) is no loopback one and nobody is asked who they
    are."""
    if access.kind == "open" and not is_loopback(address or ""):
        raise BadInputError(REFUSED.format(address=address or "every interface"))


def is_loopback(host: str) -> bool:
    """Whether an address or a name of a host is this machine's own."""
    bare = host.strip("[]").partition("%")[0]
    try:
        return ipaddress.ip_address(bare).is_loopback
    except ValueError:
        return bare == "localhost"


class Gate:
    """ASGI middleware. An open app answers only at a loopback address and name: however the server was started, no
    network reaches it, and no name that a stranger points at this machine does."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access
        # Anew for each server: to start it again logs everyone out.
        self._key = secrets.token_bytes(32)
        self._guesses = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or self._may_pass(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "not logged in"})
        else:
            await (await self._answer(Request(scope, receive)))(scope, receive, send)

    def _may_pass(self, scope: Scope) -> bool:
        if self.access.kind == "oidc" or scope.get("path") == HEALTH:
            return True
        connection = HTTPConnection(scope)
        if self.access.kind == "open":
            host, port = scope.get("server") or ("", 0)
            named = connection.headers.get("host", "").rsplit(":", 1)[0] or "localhost"
            return (port is None or is_loopback(host)) and is_loopback(named)
        return self._is_valid(connection.cookies.get(COOKIE, ""))

    async def _answer(self, request: Request) -> Response:
        if self.access.kind == "open":
            return PlainTextResponse(REFUSED.format(address=request.headers.get("host", "")), 403)
        if request.method == "POST" and request.url.path == LOGIN:
            return await self._log_in(request)
        if "text/html" not in request.headers.get("accept", ""):
            return PlainTextResponse("not logged in", 401)
        there = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return _login_page(there if request.url.path != LOGIN else "/")

    async def _log_in(self, request: Request) -> Response:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > MOST_BYTES:
                return PlainTextResponse("too long", 413)
        given = parse_qs(body.decode("utf-8", "replace"))
        there = given.get("next", ["/"])[0]
        if not there.startswith("/") or there.startswith(("//", "/\\")):
            there = "/"
        said = given.get("password", [""])[0]
        async with self._guesses:
            right = hmac.compare_digest(said.encode(), self.access.password.encode())
            if not right:
                await asyncio.sleep(WAIT_S)
        if not right:
            return _login_page(there, wrong=True)
        response = RedirectResponse(quote(there, safe="/?&=%+,:;@-._~!$'()*"), 303)
        secure = request.url.scheme == "https" or request.headers.get("x-forwarded-proto") == "https"
        response.set_cookie(COOKIE, self._cookie(), max_age=VALID_S, httponly=True, samesite="lax", secure=secure)
        return response

    def _cookie(self) -> str:
        until = str(int(time.time()) + VALID_S)
        return f"{until}.{self._signed(until)}"

    def _is_valid(self, cookie: str) -> bool:
        until, _, signature = cookie.partition(".")
        signed = hmac.compare_digest(self._signed(until).encode(), signature.encode("utf-8", "replace"))
        return signed and until.isdigit() and int(until) > time.time()

    def _signed(self, until: str) -> str:
        return hmac.new(self._key, until.encode("utf-8", "replace"), "sha256").hexdigest()


def _login_page(there: str, *, wrong: bool = False) -> Response:
    page = _PAGE.read_text(encoding="utf-8")
    said = "That is not the password." if wrong else ""
    page = page.replace("{said}", said).replace("{login}", LOGIN).replace("{next}", escape(there, quote=True))
    return HTMLResponse(page, 401, {"cache-control": "no-store"})
