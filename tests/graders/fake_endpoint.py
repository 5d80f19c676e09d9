"""An OpenAI-compatible server on loopback whose replies, and only those, are scripted."""

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Answer:
    """One HTTP answer. `hang_s` waits before anything is sent; `cut` sends half the body and closes."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    hang_s: float = 0.0
    cut: bool = False
    reset: bool = False


Responder: TypeAlias = Callable[[dict[str, Any]], Answer]


def completion(text: str | None, *, finish: str = "stop", tokens: tuple[int, int] = (100, 20)) -> Answer:
    body = {
        "id": "c-1",
        "object": "chat.completion",
        "created": 1,
        "model": "fake",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)},
    }
    return Answer(body=json.dumps(body).encode())


def failure(status: int, message: str = "no", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, json.dumps({"error": {"message": message, "code": status}}).encode(), named)


class FakeEndpoint:
    """`script` answers come first, in order; then `responder` answers each request."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.script: deque[Answer] = deque()
        self.responder: Responder = lambda _: completion("ok")
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        self.base_url = ""

    @property
    def calls(self) -> int:
        return len(self.requests)

    def answer(self, request: dict[str, Any], headers: dict[str, str]) -> Answer:
        with self._lock:
            self.requests.append(request)
            self.headers.append(headers)
            scripted = self.script.popleft() if self.script else None
        return scripted if scripted is not None else self.responder(request)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        with self._lock:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            yield
        finally:
            with self._lock:
                self._at_once -= 1


def _handler(endpoint: FakeEndpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with endpoint.at_once():
                answer = endpoint.answer(request, dict(self.headers))
                time.sleep(answer.hang_s)
                if not answer.reset:
                    self._write(answer)
            if answer.reset or answer.cut:
                self.close_connection = True

        def _write(self, answer: Answer) -> None:
            self.send_response(answer.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answer.body)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body[: len(answer.body) // 2] if answer.cut else answer.body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler


@contextmanager
def fake_endpoint() -> Iterator[FakeEndpoint]:
    endpoint = FakeEndpoint()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(endpoint))
    server.daemon_threads = True
    endpoint.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
