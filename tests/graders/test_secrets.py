"""A planted key reaches the wire and nothing else: not the store, not a log, not an error."""

import asyncio
import logging
import traceback
from pathlib import Path

import pytest

from graders.endpoint import ENDPOINT_KEY_NAME, check_base_url
from graders.gateway import Gateway
from graders.redact import redact
from tests.graders.fake_endpoint import Answer, FakeEndpoint, completion, failure
from tests.graders.helpers import ask, gateway_to, patient
from workbench.errors import BadInputError
from workbench.schema.protocols import ModelRequest
from workbench.store import Store, open_store

PLANTED = "plantedkey-91f3a7d2c4"


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(ENDPOINT_KEY_NAME, PLANTED)
    monkeypatch.setenv("SOME_VENDOR_TOKEN", "vendor-secret-555")
    return PLANTED


def all_text(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 200])
def test_a_server_that_quotes_the_key_back_does_not_plant_it(
    status: int,
    planted: str,
    sqlite_store: Store,
    sqlite_url: str,
    endpoint: FakeEndpoint,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    quoted = f"header was Authorization: Bearer {planted} and also vendor-secret-555"
    endpoint.responder = lambda _: completion(quoted) if status == 200 else failure(status, quoted)
    seen = ""
    try:
        seen = asyncio.run(gateway_to(sqlite_store).send(ask(endpoint))).text
    except Exception as error:
        seen = all_text(error)
    assert endpoint.headers[0]["authorization"] == f"Bearer {planted}"
    assert seen
    for secret in (planted, "vendor-secret-555"):
        assert secret not in seen
        assert secret not in "".join(capfd.readouterr())
        # The client library's own debug log writes headers; it masks this one.
        assert not [record for record in caplog.records if secret in record.getMessage()]
    sqlite_store.close()
    with open_store(sqlite_url) as again:
        reply = again.replies.get(_only_key(sqlite_url), 0) if status == 200 else None
        assert reply is None or planted not in str(reply.body)
    folder = Path(sqlite_url.removeprefix("sqlite:///")).parent
    assert all(planted.encode() not in file.read_bytes() for file in folder.iterdir() if file.is_file())


def _only_key(url: str) -> str:
    import sqlite3

    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        ((key,),) = connection.execute("SELECT key FROM replies").fetchall()
    return str(key)


def test_a_providers_key_is_never_sent_to_an_address_a_user_typed(
    monkeypatch: pytest.MonkeyPatch, endpoint: FakeEndpoint
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-provider-secret-12345678")
    asyncio.run(Gateway(None, options=patient()).send(ask(endpoint)))
    assert "provider-secret" not in str(endpoint.headers[0])


def test_a_refused_connection_quotes_nothing(planted: str) -> None:
    request = ModelRequest("judge", ({"role": "user", "content": "x"},), base_url="http://127.0.0.1:9/v1")
    with pytest.raises(Exception, match="gave up") as caught:
        asyncio.run(gateway_to(None).send(request))
    assert planted not in all_text(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer abcdef1234567890",
        "https://host/v1?key=abcdef1234567890",
        '{"api_key": "abcdef1234567890"}',
        "https://user:abcdef1234567890@host/",
        "sk-proj-abcdef1234567890",
    ],
)
def test_what_looks_like_a_key_is_taken_out(text: str) -> None:
    assert "abcdef1234567890" not in redact(text)


def test_ordinary_text_is_left_alone() -> None:
    text = "HTTP 400: max_tokens must be below 4096; see https://host/docs"
    assert redact(text) == text


@pytest.mark.parametrize(
    "address", ["https://key:pass@host/v1", "https://host/v1?api_key=x", "host:8000", "ftp://host", "http://"]
)
def test_an_address_that_carries_a_key_or_is_none_is_refused(address: str) -> None:
    with pytest.raises(BadInputError):
        check_base_url(address)


def test_a_plain_address_is_taken() -> None:
    assert check_base_url("http://127.0.0.1:8000/v1/") == "http://127.0.0.1:8000/v1"
    assert Answer().status == 200
