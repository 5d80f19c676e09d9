"""Response headers that keep trajectory content inert: nothing of it may load, frame or call another host."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Reports and pages that agents fetched are hostile. Streamlit escapes their HTML but would fetch their images, which
# tells a stranger who reads what and when; so every address but our own is closed to images, scripts and connections.
# Streamlit's own front end needs inline styles, eval (Vega) and blob workers.
POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "media-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' ws: wss: blob: data:",
        "worker-src 'self' blob:",
        "frame-src 'self' blob: data:",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
    )
)

HEADERS: tuple[tuple[str, str], ...] = (
    ("content-security-policy", POLICY),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
)


class SecurityHeaders:
    """ASGI middleware that adds the headers to every HTTP response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS:
                    headers[name] = value
            await send(message)

        await self.app(scope, receive, send_with_headers)
