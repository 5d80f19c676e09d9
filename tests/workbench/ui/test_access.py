"""The app answers this machine alone unless a password or OIDC is set; with a password nothing answers without it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from tests.support.servers import CHECKOUT, free_port
from workbench.errors import BadInputError
from workbench.ui import access
from workbench.ui.access import COOKIE, LOGIN, Access, Gate, access_from_environment, check_binding

PASSWORD = "a long word & more"
HTML = {"accept": "text/html"}


def gated(known: Access) -> Starlette:
    async def page(_request: Request) -> PlainTextResponse:
        return PlainTextResponse("inside")

    async def socket(connection: WebSocket) -> None:
        await connection.accept()
        await connection.close()

    routes = [Route("/", page), Route("/trajectory", page), WebSocketRoute("/_stcore/stream", socket)]
    return Starlette(routes=routes, middleware=[Middleware(Gate, access=known)])


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(access, "WAIT_S", 0.0)
    with TestClient(gated(Access("password", PASSWORD)), follow_redirects=False) as found:
        yield found


@pytest.mark.parametrize("address", [None, "", "0.0.0.0", "::", "192.0.2.7", "example.org", "127.0.0.1.example"])
def test_an_open_app_is_not_bound_to_a_network(address: str | None) -> None:
    with pytest.raises(BadInputError, match="WORKBENCH_PASSWORD"):
        check_binding(address, Access("open"))
    check_binding(address, Access("password", PASSWORD))
    check_binding(address, Access("oidc"))


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.0.1", "::1", "localhost"])
def test_an_open_app_is_bound_to_this_machine(address: str) -> None:
    check_binding(address, Access("open"))


def test_started_open_to_a_network_it_ends_with_a_sentence(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "streamlit", "run", str(CHECKOUT / "app.py"), "--server.address", "0.0.0.0"]
    unset = {name: value for name, value in os.environ.items() if name != "WORKBENCH_PASSWORD"}
    done = subprocess.run(
        [*run, "--server.port", str(free_port())], cwd=tmp_path, env=unset, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert "open to everyone on the network at '0.0.0.0'" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("server", "host", "status"),
    [
        ("http://127.0.0.1:8501", "127.0.0.1:8501", 200),
        ("http://localhost:8501", "localhost:8501", 200),
        ("http://192.0.2.7:8501", "192.0.2.7:8501", 403),
        ("http://127.0.0.1:8501", "rebound.example:8501", 403),
    ],
)
def test_an_open_app_answers_at_this_machines_address_and_name_alone(server: str, host: str, status: int) -> None:
    with TestClient(gated(Access("open")), base_url=server) as found:
        assert found.get("/", headers={"host": host}).status_code == status


@pytest.mark.parametrize("path", ["/", "/trajectory?id=t-1", "/viewer/x/t-1/step", "/_stcore/upload_file"])
def test_without_the_password_nothing_answers(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 401
    asked = client.get(path, headers=HTML)
    assert asked.status_code == 401 and "inside" not in asked.text and 'type="password"' in asked.text
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/_stcore/stream"):
        pass


def test_the_password_opens_the_page_that_was_asked_for(client: TestClient) -> None:
    asked = client.get("/trajectory?id=t-1&run=a%2Cb", headers=HTML)
    assert 'value="/trajectory?id=t-1&amp;run=a%2Cb"' in asked.text
    given = client.post(LOGIN, data={"password": PASSWORD, "next": "/trajectory?id=t-1&run=a%2Cb"})
    assert (given.status_code, given.headers["location"]) == (303, "/trajectory?id=t-1&run=a%2Cb")
    assert "httponly" in given.headers["set-cookie"].lower() and "samesite=lax" in given.headers["set-cookie"].lower()
    assert client.get("/trajectory?id=t-1").text == "inside"
    with client.websocket_connect("/_stcore/stream"):
        pass


@pytest.mark.parametrize("said", ["", "wrong", PASSWORD + " ", PASSWORD.upper(), "ü\x00"])
def test_another_password_opens_nothing(client: TestClient, said: str) -> None:
    answer = client.post(LOGIN, data={"password": said, "next": "/"})
    assert answer.status_code == 401 and "not the password" in answer.text and COOKIE not in client.cookies
    assert client.get("/").status_code == 401


@pytest.mark.parametrize("there", ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:1", ""])
def test_a_log_in_leads_nowhere_else(client: TestClient, there: str) -> None:
    given = client.post(LOGIN, data={"password": PASSWORD, "next": there})
    assert given.headers["location"] == "/"


def test_a_cookie_that_was_forged_or_is_old_opens_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    client.post(LOGIN, data={"password": PASSWORD, "next": "/"})
    good = client.cookies[COOKIE]
    until, _, signature = good.partition(".")
    for forged in (f"{int(until) + 1}.{signature}", f"{until}.", until, f"{until}.{signature[:-1]}0x", "é.é"):
        client.cookies.clear()
        assert client.get("/", headers={b"cookie": f"{COOKIE}={forged}".encode()}).status_code == 401
    monkeypatch.setattr("workbench.ui.access.time.time", lambda: float(until) + 1)
    assert client.get("/", headers={"cookie": f"{COOKIE}={good}"}).status_code == 401


def test_the_page_of_the_log_in_runs_nothing_of_an_address(client: TestClient) -> None:
    asked = client.get('/?x="><script>alert(1)</script>', headers=HTML)
    assert "<script" not in asked.text


def test_a_password_that_is_too_short_is_refused_and_a_good_one_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_PASSWORD", "short")
    with pytest.raises(BadInputError, match="has 5 characters; expected at least 8"):
        access_from_environment()
    monkeypatch.setenv("WORKBENCH_PASSWORD", PASSWORD)
    assert access_from_environment().kind == "password" and PASSWORD not in repr(access_from_environment())
