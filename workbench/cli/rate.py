"""`workbench rate serve`: the rater server, a process of its own."""

from contextlib import suppress
from typing import Annotated

import typer

from workbench.cli.context import note, store, store_url
from workbench.errors import MissingExtraError


def register(app: typer.Typer) -> None:
    rate = typer.Typer(help="The raters' side of rounds.", no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(rate, name="rate")
    rate.callback()(_group)
    rate.command("serve")(serve)


def _group() -> None:
    """The raters' side of rounds."""


def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 takes a free one.")] = 8600,
) -> None:
    """Serve raters their pairs until stopped. It can serve nothing else of the store."""
    try:
        from workbench.human.web.server import bind, serve
    except ImportError as error:
        raise MissingExtraError(
            f"the rater server needs {error.name}; install it with: pip install -e '.[app]'"
        ) from None

    with store(create=False) as opened:
        n_open = sum(1 for one in opened.human.rounds() if one.state == "open")
    listener = bind(host, port)
    note(f"rater server on http://{host}:{listener.getsockname()[1]}, {n_open} open rounds; Ctrl+C stops it")
    if host not in ("127.0.0.1", "localhost", "::1"):
        note("this address can be reached by others: put a proxy with HTTPS before it, or links can be read on the way")
    # Ctrl+C is how it is stopped, and no failure.
    with suppress(KeyboardInterrupt):
        serve(store_url(), listener)
