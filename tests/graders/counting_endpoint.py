"""An endpoint on loopback that passes every request on to the local model's server and writes down that it came."""

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from graders.endpoint import Endpoint
from graders.local import LocalServer
from workbench.schema.protocols import ModelRequest


@dataclass(frozen=True)
class CountingEndpoint:
    """One line a request in `log`, so that the count outlives the process: what was asked before a stop stays asked."""

    server: LocalServer
    base_url: str
    log: Path

    @property
    def calls(self) -> int:
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0

    async def resolve(self, request: ModelRequest) -> Endpoint:
        return replace(await self.server.resolve(request), base_url=self.base_url)


@contextmanager
def counting_endpoint(server: LocalServer, log: Path) -> Iterator[CountingEndpoint]:
    """Runs until the block ends, and the model's server with it."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            with lock, log.open("a") as file:
                file.write(self.path + "\n")
            behind = urlsplit(server.start())
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            connection = http.client.HTTPConnection(behind.hostname or "", behind.port, timeout=600)
            try:
                headers = {
                    name: self.headers[name] for name in ("Authorization", "Content-Type") if name in self.headers
                }
                connection.request("POST", self.path, body, headers)
                reply = connection.getresponse()
                content = reply.read()
            finally:
                connection.close()
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.headers.get("Content-Type", "application/json"))
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=proxy.serve_forever, daemon=True)
    thread.start()
    try:
        yield CountingEndpoint(server, f"http://127.0.0.1:{proxy.server_port}/v1", log)
    finally:
        proxy.shutdown()
        proxy.server_close()
        thread.join()
        server.stop()
