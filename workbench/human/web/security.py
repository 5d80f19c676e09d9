"""What keeps the rater server closed: headers on every answer, one cookie, requests from its own pages only."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "rater"
MAX_BODY_BYTES = 256 * 1024

# Nothing may load but this server's own script, style and icon. Reports carry no markup of their own; were there a hole
# in that, no script or image of theirs could run or load.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "x-robots-tag": "noindex, nofollow",
}


class SecureHeaders:
    """Adds the headers above to every answer, errors included."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_RAW_HEADERS]
            await send(message)

        await self._app(scope, receive, send_with_headers)


_RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


def remember(response: Response, token: str, *, secure: bool) -> None:
    """The session: the token itself, unreadable to scripts and never sent along from other sites.

    Every request looks it up anew, so a revoked invitation ends at once and a restarted server knows its raters.
    """
    response.set_cookie(COOKIE, token, httponly=True, samesite="strict", secure=secure, path="/")


def from_own_page(request: Request) -> bool:
    """Whether a writing request comes from this server's page: browsers say where a request starts."""
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    json_body = request.headers.get("content-type", "").split(";")[0].strip() == "application/json"
    same_origin = origin is None or origin.partition("://")[2] == request.headers.get("host")
    return json_body and same_origin and site in (None, "same-origin")


async def read_body(request: Request) -> bytes | None:
    """The body, None where it is larger than a ballot can be."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            return None
    return body
