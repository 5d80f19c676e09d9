"""Runs the rater server until it is stopped."""

import socket

from workbench.errors import BadInputError
from workbench.human.web.app import build_app
from workbench.store import open_store


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one. BadInputError where the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except OSError as error:
        found.close()
        raise BadInputError(f"{host}:{port} cannot be listened on ({error.strerror}); choose another --port") from None
    return found


def serve(store_url: str, listener: socket.socket) -> None:
    """Blocks until interrupted. Access is not logged: an address may hold a token."""
    import uvicorn

    with open_store(store_url, create=False) as store:
        config = uvicorn.Config(
            build_app(store), access_log=False, log_level="warning", server_header=False, date_header=False
        )
        uvicorn.Server(config).run(sockets=[listener])
