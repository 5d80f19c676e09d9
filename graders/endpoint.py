"""Where a request goes and with which key. Keys are read here, at the last moment, for nothing but the wire."""

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias
from urllib.parse import urlsplit

from graders.spending import Price
from workbench.errors import BadInputError
from workbench.schema.protocols import ModelRequest

# The key for an endpoint given by its address. A provider's own key is never sent to an address a user typed.
ENDPOINT_KEY_NAME = "WORKBENCH_ENDPOINT_KEY"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`api_key` None lets the client library find the provider's own key in the environment."""

    model: str
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    price: Price | None = None


Resolver: TypeAlias = Callable[[ModelRequest], Awaitable[Endpoint]]


async def resolve(request: ModelRequest) -> Endpoint:
    """By name for a provider that litellm knows, by address for any OpenAI-compatible server."""
    if request.base_url is None:
        return Endpoint(request.model)
    # Servers of one's own ask for no key, but the client library insists on one.
    key = os.environ.get(ENDPOINT_KEY_NAME) or "none"
    model = request.model if request.model.startswith("openai/") else f"openai/{request.model}"
    return Endpoint(model, request.base_url, key)


def check_base_url(base_url: str) -> str:
    """The address without a slash at its end. Raises BadInputError unless it is plain http(s), without a key in it:
    an address is stored with every grade."""
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInputError(
            "--base-url is not the address of a server; expected http(s)://host:port/v1 "
            f"and found scheme {parts.scheme!r}, host {parts.hostname!r}"
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise BadInputError(
            "--base-url carries a user, a password or a query; an address is stored with the grades, so put the key "
            f"into the environment variable {ENDPOINT_KEY_NAME} and give the bare address"
        )
    return base_url.rstrip("/")
