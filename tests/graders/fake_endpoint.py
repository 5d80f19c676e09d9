"""An OpenAI-compatible server on loopback whose replies, and only those, are scripted."""

import json
import os
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Answer:
    """One HTTP answer. `hang_s` waits before anything is sent; `cut` sends half the body and closes; `reset` breaks the
    connection before anything is sent, `reset_after` after that many bytes of the body (TCP RST in both).

    `length` is what the header claims, None for the truth. `trickle_s` waits after each byte. `blow_up_to` sends that
    many bytes, chunk by chunk, without a length.
    """

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    hang_s: float = 0.0
    cut: bool = False
    reset: bool = False
    reset_after: int | None = None
    length: int | None = None
    trickle_s: float = 0.0
    blow_up_to: int = 0


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
                # Whoever asked may have left: that is what some of these answers are for.
                with suppress(ConnectionError):
                    if not answer.reset:
                        self._write(answer)
            if answer.reset or answer.reset_after is not None:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                os.close(self.connection.detach())
            if answer.reset or answer.cut or answer.length is not None or answer.reset_after is not None:
                self.close_connection = True

        def _write(self, answer: Answer) -> None:
            self.send_response(answer.status)
            self.send_header("content-type", "application/json")
            if answer.blow_up_to:
                self.send_header("transfer-encoding", "chunked")
            else:
                length = len(answer.body) if answer.length is None else answer.length
                self.send_header("content-length", str(length))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            body = answer.body[: len(answer.body) // 2] if answer.cut else answer.body
            body = body[: answer.reset_after]
            if answer.blow_up_to:
                self._blow_up(answer.blow_up_to)
            elif answer.trickle_s:
                for byte in body:
                    self.wfile.write(bytes([byte]))
                    time.sleep(answer.trickle_s)
            else:
                self.wfile.write(body)
            self.wfile.flush()

        def _blow_up(self, size: int) -> None:
            chunk = b" " * 2**16
            for _ in range(size // len(chunk)):
                self.wfile.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
            self.wfile.write(b"0\r\n\r\n")

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # 128 that connect at once are more than the five that wait by default.
    request_queue_size = 512


@contextmanager
def fake_endpoint() -> Iterator[FakeEndpoint]:
    endpoint = FakeEndpoint()
    server = _Server(("127.0.0.1", 0), _handler(endpoint))
    endpoint.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
