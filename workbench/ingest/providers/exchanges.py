"""Requests and replies of providers, joined to conversations.

A conversation is a list of exchanges `{"request"?: body, "response": body}`. An exchange goes on with an earlier one
where its request repeats what that one asked, and holds more of the model's words; or where it names it
(`previous_response_id`).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from workbench.errors import BadInputError
from workbench.ingest.loose import mapping
from workbench.ingest.providers import anthropic, chat, cohere, google, google_interactions, openai, xai
from workbench.ingest.providers.reading import Dialect, Entry

DIALECTS: tuple[Dialect, ...] = (
    anthropic.DIALECT,
    openai.DIALECT,
    google.DIALECT,
    google_interactions.DIALECT,
    xai.DIALECT,
    cohere.DIALECT,
    chat.DIALECT,
)


def dialect_of(body: Mapping[str, Any]) -> Dialect | None:
    """The provider whose reply this is, None for anything else."""
    return next((dialect for dialect in DIALECTS if dialect.is_reply(body)), None)


def joined(events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The body of a reply that came as a stream, None where these are no events of a provider's."""
    return next((body for dialect in DIALECTS if (body := dialect.join(events)) is not None), None)


def dialect_of_exchange(exchange: Mapping[str, Any]) -> Dialect | None:
    """As `dialect_of`; a plain completion counts, since a request stands beside it."""
    body = mapping(exchange.get("response"))
    return dialect_of(body) or (chat.DIALECT if chat.is_completion(body) else None)


def conversations(exchanges: Iterable[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Exchanges in order, those that go on with an earlier one behind it. Others than those of providers are left."""
    found: list[list[Mapping[str, Any]]] = []
    for exchange in exchanges:
        if (dialect := dialect_of_exchange(exchange)) is None:
            continue
        before = next((each for each in reversed(found) if _goes_on(each[-1], exchange, dialect)), None)
        if before is None:
            found.append([exchange])
        else:
            before.append(exchange)
    return found


def entries_of(exchanges: Sequence[Mapping[str, Any]]) -> tuple[Dialect, list[Entry]]:
    """(provider, parts of the conversation): each reply where the request after it repeats it, what was asked between.

    Raises BadInputError where there is no reply of a known provider.
    """
    dialects = [dialect_of_exchange(exchange) for exchange in exchanges]
    dialect = next((each for each in dialects if each is not None), None)
    if dialect is None or any(each is not dialect for each in dialects):
        raise BadInputError("no reply of a known provider; expected exchanges of one")
    entries: list[Entry] = []
    said: list[Any] = []
    for number, exchange in enumerate(exchanges):
        given = dialect.messages(mapping(exchange.get("request")))
        asked = [message for message in given if not dialect.is_answer(message)]
        if number == 0:
            entries += [Entry(message) for message in given]
            said = asked
        else:
            repeated = len(said) if asked[: len(said)] == said else 0
            entries += [Entry(message) for message in asked[repeated:]]
            said = asked if repeated else [*said, *asked]
        entries.append(Entry(mapping(exchange.get("response")), reply=True))
    return dialect, entries


def _goes_on(earlier: Mapping[str, Any], later: Mapping[str, Any], dialect: Dialect) -> bool:
    if dialect_of_exchange(earlier) is not dialect:
        return False
    first, second = mapping(earlier.get("request")), mapping(later.get("request"))
    named = second.get("previous_response_id")
    if named is not None:
        return bool(named) and named == mapping(earlier.get("response")).get("id")
    before, after = dialect.messages(first), dialect.messages(second)
    asked = [message for message in before if not dialect.is_answer(message)]
    if not asked or [message for message in after if not dialect.is_answer(message)][: len(asked)] != asked:
        return False
    return _size(before, dialect) < _size(after, dialect)


def _size(messages: Sequence[Any], dialect: Dialect) -> int:
    """How much of the model's own words a request repeats, in bytes."""
    return sum(
        len(orjson.dumps(message, default=str, option=orjson.OPT_NON_STR_KEYS))
        for message in messages
        if dialect.is_answer(message)
    )
