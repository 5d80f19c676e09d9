"""Headers that keep trajectory content from loading anything."""

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from workbench.ui.security import SecurityHeaders


def policy_of(response_headers: object) -> dict[str, str]:
    text = str(response_headers["content-security-policy"])  # type: ignore[index]
    return {part.split()[0]: part for part in text.split("; ")}


def test_every_response_closes_foreign_images_scripts_and_connections() -> None:
    async def hello(_request: Request) -> PlainTextResponse:
        return PlainTextResponse("hello", headers={"content-security-policy": "default-src *"})

    app = Starlette(routes=[Route("/", hello)], middleware=[Middleware(SecurityHeaders)])
    with TestClient(app) as client:
        for path in ("/", "/missing"):
            headers = client.get(path).headers
            policy = policy_of(headers)
            for directive in ("img-src", "script-src", "connect-src", "media-src", "font-src", "frame-src"):
                assert "http" not in policy[directive] and "*" not in policy[directive]
            assert policy["frame-ancestors"] == "frame-ancestors 'none'"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["x-content-type-options"] == "nosniff"
