"""Raw replies of providers that search by themselves, alone or with the requests that they answer.

A bare reply does not say what was asked. It is taken in all the same, since what was searched, read and cited can be
told without: its question says so in brackets and names the reply, so that no two are taken for one question, and
`meta["question_recorded"]` is false.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.containers.sse import events
from workbench.ingest.folder import NoFolder
from workbench.ingest.format import Draft, Folder, Format, first_user_text, required_agent_step
from workbench.ingest.json_values import BrokenJsonError, parse_json
from workbench.ingest.loose import mapping, mappings, text
from workbench.ingest.providers.exchanges import (
    conversations,
    dialect_of,
    dialect_of_exchange,
    entries_of,
    joined,
)
from workbench.schema.canonical import JsonValue, content_hash

_REQUESTS = ("request", "request_body", "req")
_REPLIES = ("response", "response_body", "resp")


def detect(record: Mapping[str, Any]) -> bool:
    if isinstance(record.get("exchanges"), list):
        return any(dialect_of_exchange(each) for each in mappings(record["exchanges"]))
    if isinstance(events := record.get("events"), list):
        return joined([mapping(event.get("data")) for event in mappings(events)]) is not None
    if isinstance(interactions := record.get("interactions"), list):
        return any(_exchange(each) is not None for each in mappings(interactions))
    if "messages" in record or "input" in record:
        return False  # a log of another reader's kind with a reply's fields beside
    return dialect_of(record) is not None or dialect_of(mapping(_first(record, _REPLIES))) is not None


def expand(record: Mapping[str, Any], folder: Folder) -> Iterable[Mapping[str, Any]]:
    """One mapping `{"exchanges": [...]}` a conversation."""
    del folder
    if isinstance(record.get("exchanges"), list):
        found: list[Mapping[str, Any]] = mappings(record["exchanges"])
    elif isinstance(record.get("interactions"), list):
        found = [each for given in mappings(record["interactions"]) if (each := _exchange(given)) is not None]
    elif isinstance(record.get("events"), list):
        body = joined([mapping(event.get("data")) for event in mappings(record["events"])])
        found = [{"response": body}] if body is not None else []
    elif dialect_of(record) is not None:
        found = [{"response": record}]
    else:
        found = [{"request": _first(record, _REQUESTS), "response": _first(record, _REPLIES)}]
    return [{"exchanges": each} for each in conversations(found)]


def read(record: Mapping[str, Any]) -> Draft:
    """Raises BadInputError for a conversation without a reply that can be read."""
    if not isinstance(record.get("exchanges"), list):
        (record, *more) = list(expand(record, NoFolder(""))) or [{}]
        if more or not record:
            raise BadInputError(f"found {len(more) + 1 if record else 0} conversations; expected one")
    exchanges = mappings(record.get("exchanges"))
    dialect, entries = entries_of(exchanges)
    reading = dialect.read(entries)
    required_agent_step(reading.steps)
    last = mapping(exchanges[-1].get("response"))
    identity = text(last.get("id")) or text(last.get("responseId"))
    meta: dict[str, JsonValue] = {"provider_interface": dialect.name} | reading.meta()
    acted = any(step.tool_calls or step.tool_results for step in reading.steps)
    if not acted and (reading.citations or reading.sources or reading.unplaced):
        meta["trace"] = False  # it searched, and nothing of that is disclosed
    if identity:
        meta["response_id"] = identity
    question_id = None
    try:
        question = first_user_text(reading.steps)
    except BadInputError:
        known = identity or content_hash(dict(last))[:20]
        question, question_id = f"[question not recorded: reply {known}]", f"reply-{known}"
        meta["question_recorded"] = False
    model = next((m for key in ("model", "modelVersion") if (m := text(last.get(key)))), None)
    return Draft(
        question=question,
        steps=tuple(reading.steps),
        report=reading.report,
        outcome="completed" if reading.finished else "truncated",
        question_id=question_id,
        model=model or text(mapping(exchanges[-1].get("request")).get("model")) or None,
        meta=meta,
    )


def _exchange(interaction: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """An interaction of a recording as `{"request", "response"}`, None where its reply is no known provider's."""
    request = mapping(interaction.get("request", interaction.get("request_sample")))
    response = mapping(interaction.get("response", interaction.get("response_sample")))
    body = _body(response)
    found = {"request": _body(request), "response": body}
    return found if dialect_of_exchange(found) is not None else None


def _body(holder: Mapping[str, Any]) -> Any:
    """What was sent: parsed by the recorder, or a text of JSON or of an event stream."""
    for name in ("parsed_body", "json"):
        if isinstance(holder.get(name), Mapping | list):
            found = holder[name]
            return joined(mappings(found)) if isinstance(found, list) else found
    body = holder.get("body")
    said = body if isinstance(body, str) else mapping(body).get("string")
    if not isinstance(said, str):
        return None
    try:
        value = parse_json(said.encode())
        return joined(mappings(value)) if isinstance(value, list) else value
    except BrokenJsonError:
        return joined(_stream(said))


def _stream(said: str) -> list[Mapping[str, Any]]:
    found = []
    for _name, data in events(line.encode() for line in said.splitlines()):
        try:
            value = parse_json(data.encode())
        except BrokenJsonError:
            continue  # `[DONE]`, or where a recording was cut off
        found += mappings([value])
    return found


def _first(record: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((record[name] for name in names if isinstance(record.get(name), Mapping)), None)


FORMAT = Format(
    name="provider-response",
    looks_like='a reply of a provider that searches by itself, or {"request", "response"} with one',
    detect=detect,
    read=read,
    expand=expand,
)
