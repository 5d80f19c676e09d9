"""A client that sends exactly what it is told to, as no browser would."""

import http.client
import json
import socket
from dataclasses import dataclass, field
from typing import Any

from tests.workbench.human.conftest import Served


@dataclass(slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(slots=True)
class Client:
    """Holds a cookie if there is one, and every byte it ever received."""

    served: Served
    token: str | None = None
    received: list[bytes] = field(default_factory=list)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        connection = http.client.HTTPConnection(self.served.host, self.served.port, timeout=20)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent.setdefault("Cookie", f"rater={self.token}")
        data = None
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, path, data, sent)
        response = connection.getresponse()
        answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        connection.close()
        self.received.append(repr(answer.headers).encode() + answer.body)
        return answer

    def cast(self, assignment: str, key: str = "0123456789abcdef", **changes: Any) -> Answer:
        ballot = {
            "assignment": assignment,
            "verdict": "left",
            "scores": {"depth": [4, 2], "readability": [3, 3]},
            "reason": "Because.",
            "seconds": 12.5,
            **changes,
        }
        return self.ask("POST", "/api/ballots", ballot, Idempotency_Key=key)

    def desk(self) -> Any:
        return self.ask("GET", "/api/desk").json["desk"]


def raw_request(served: Served, text: bytes) -> bytes:
    """Bytes straight onto the wire and all bytes that come back."""
    with socket.create_connection((served.host, served.port), timeout=10) as connection:
        connection.sendall(text)
        connection.shutdown(socket.SHUT_WR)
        found = b""
        while chunk := connection.recv(65536):
            found += chunk
    return found
