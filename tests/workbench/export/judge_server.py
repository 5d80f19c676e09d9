"""An OpenAI-compatible server on this machine whose replies a test decides: the model's words are all that is fake."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

Answer: TypeAlias = tuple[int, str]
Body: TypeAlias = dict[str, Any]


class JudgeServer(ThreadingHTTPServer):
    """`answer` gives status and text for a request's body; `asked` keeps (path, headers, body) of every request."""

    def __init__(self, answer: Callable[[Body], Answer]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.asked: list[tuple[str, dict[str, str], Body]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: JudgeServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, dict(self.headers), body))
        status, text = self.server.answer(body)
        self.send_response(status)
        if status == 302:
            self.send_header("Location", f"{self.server.url}/elsewhere")
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def serve(answer: Callable[[Body], Answer]) -> Iterator[JudgeServer]:
    with JudgeServer(answer) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield running
        finally:
            running.shutdown()
            thread.join()


def in_turn(*answers: Answer) -> Callable[[Body], Answer]:
    """The answers one after the other, the last for ever."""
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def completion(text: str, finish: str = "stop") -> Answer:
    """A reply in the provider's form."""
    return 200, json.dumps({"choices": [{"message": {"content": text}, "finish_reason": finish}]})


def verdicts(body: Body, label: str) -> Answer:
    """The same verdict on every criterion that the request asks about, with the key that it demands."""
    schema = body["response_format"]["json_schema"]["schema"]["properties"]
    asked = schema["verdicts"]["properties"]
    entries = {name: {"quote": "", "reason": "", "verdict": label} for name in asked}
    return completion(json.dumps({"key": schema["key"]["enum"][0], "verdicts": entries}))


def report_in(body: Body) -> str:
    """The report that a request puts before the judge."""
    found = re.search(r"<<<REPORT \w+>>>\n(.*)\n<<<END REPORT", body["messages"][-1]["content"], re.DOTALL)
    return found[1] if found else ""
