"""Inspect logs: one sample a trajectory, with what the log's header says of the evaluation."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import (
    Draft,
    Folder,
    Format,
    PartOfError,
    first_user_text,
    other_fields,
    required_agent_step,
)
from workbench.ingest.formats.inspect_events import has_model_events, read_events
from workbench.ingest.messages import Transcript, content_text, read_messages
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Outcome

_ATTACHMENT = re.compile(r"attachment://([0-9a-fA-F]{16,64})")
_RESOLVED_CHARS = 32 * 1024 * 1024
_HEADER = ("task", "model", "task_id", "run_id", "eval_id", "dataset", "scorers", "created", "status")


def detect(record: Mapping[str, Any]) -> bool:
    """A log as a whole, a sample with its header, a sample alone, or its events alone."""
    if isinstance(record.get("eval"), Mapping):
        return isinstance(record.get("sample"), Mapping) or ("version" in record and "status" in record)
    return _is_sample(record)


def _is_sample(record: Mapping[str, Any]) -> bool:
    if "epoch" in record and "input" in record and isinstance(record.get("messages"), list):
        return True
    return has_model_events(record.get("events"))


def header(log: Mapping[str, Any]) -> dict[str, JsonValue]:
    """The fields of a log's header that are kept with each of its samples."""
    found = log.get("eval")
    said = {**found, "status": log.get("status")} if isinstance(found, Mapping) else {}
    return {name: said[name] for name in _HEADER if said.get(name) is not None}


def expand(record: Mapping[str, Any], _folder: Folder) -> Iterator[Mapping[str, Any]]:
    if "sample" in record or _is_sample(record):
        yield record
        return
    samples = record.get("samples")
    if not isinstance(samples, list) or not samples:
        raise PartOfError(f"an Inspect log without samples (status {str(record.get('status'))[:40]!r})")
    for sample in samples:
        yield {"eval": header(record), "sample": sample}


def read(record: Mapping[str, Any]) -> Draft:
    """`epoch` counts from 1 and is the attempt. An image is named, its data stay in the source."""
    sample = record.get("sample", record)
    log = record.get("eval") if isinstance(record.get("eval"), Mapping) else {}
    if not isinstance(sample, Mapping):
        raise BadInputError("there is no sample in it")
    resolve = _Resolver(sample.get("attachments"))
    found, stated_model = _transcript(sample, resolve)
    required_agent_step(found.steps)
    scores = sample.get("scores")
    meta: dict[str, JsonValue] = {f"eval_{name}": value for name, value in (log or {}).items() if name != "model"}
    if isinstance(scores, Mapping) and scores:
        meta["recorded_scores"] = {
            str(name): score.get("value") if isinstance(score, Mapping) else score for name, score in scores.items()
        }
    read_fields = ("messages", "attachments", "events", "transcript", "scores", "epoch", "input", "output", "store")
    meta |= other_fields(sample, *read_fields, "events_data")
    epoch, sample_id = sample.get("epoch"), sample.get("id")
    output = sample.get("output")
    model = (log or {}).get("model") or (output.get("model") if isinstance(output, Mapping) else None) or stated_model
    task = (log or {}).get("task")
    return Draft(
        question=_question(resolve(sample.get("input")), found),
        steps=found.steps,
        report=found.report,
        outcome=_outcome(sample, found),
        model=model if isinstance(model, str) and model else None,
        attempt=epoch - 1 if isinstance(epoch, int) and not isinstance(epoch, bool) and epoch > 0 else None,
        group=f"{task if isinstance(task, str) else 'sample'}:{sample_id}" if sample_id is not None else None,
        meta=meta,
    )


def _transcript(sample: Mapping[str, Any], resolve: "_Resolver") -> tuple[Transcript, str]:
    """The sample's messages; where no agent speaks in them (they were not kept), its events. With the model's name."""
    messages, events = sample.get("messages"), sample.get("events")
    if isinstance(messages, list) and (_speaks(messages) or not has_model_events(events)):
        return read_inspect_messages([resolve(message) for message in messages]), ""
    if not isinstance(events, list):
        raise BadInputError("the sample has no list of messages")
    data = sample.get("events_data")
    pool = data.get("messages") if isinstance(data, Mapping) else None
    found = read_events(events, pool=pool, as_chat=_as_chat, resolve=resolve)
    return Transcript(found.steps, found.report, finished=bool(found.report)), found.model


def _speaks(messages: list[Any]) -> bool:
    return any(isinstance(message, Mapping) and message.get("role") == "assistant" for message in messages)


def read_inspect_messages(messages: list[Any]) -> Transcript:
    """Inspect's chat messages: a call's `function` is its name, a result may carry an `error` beside its text."""
    return read_messages([_as_chat(message) for message in messages])


def _as_chat(message: Any) -> Any:
    if not isinstance(message, Mapping):
        return message
    made = dict(message)
    calls = message.get("tool_calls")
    if isinstance(calls, list):
        made["tool_calls"] = [
            {"id": c.get("id"), "function": {"name": c.get("function"), "arguments": c.get("arguments")}}
            if isinstance(c, Mapping) and isinstance(c.get("function"), str)
            else c
            for c in calls
        ]
    if message.get("role") == "tool":
        made["name"] = message.get("function")
        error = message.get("error")
        if error:
            made["is_error"] = True
            said = error.get("message") if isinstance(error, Mapping) else error
            if not content_text(message.get("content"))[0].strip() and isinstance(said, str):
                made["content"] = said
    return made


class _Resolver:
    """Puts attachments in the place of their references, up to a size, so that references cannot multiply."""

    def __init__(self, attachments: object) -> None:
        self._texts = attachments if isinstance(attachments, Mapping) else {}
        self._left = _RESOLVED_CHARS

    def __call__(self, value: Any) -> Any:
        if isinstance(value, str):
            return _ATTACHMENT.sub(self._text, value) if "attachment://" in value else value
        if isinstance(value, list):
            return [self(item) for item in value]
        if isinstance(value, Mapping):
            return {name: self(item) for name, item in value.items() if name != "image"}
        return value

    def _text(self, found: re.Match[str]) -> str:
        text = self._texts.get(found[1])
        if not isinstance(text, str):
            return found[0]
        if text.startswith("data:"):
            return f"[{text[5:].split(';')[0][:60]}]"
        self._left -= len(text)
        if self._left < 0:
            raise BadInputError(f"its attachments, put in place, have over {_RESOLVED_CHARS:,} characters")
        return text


def _question(given: object, found: Transcript) -> str:
    if isinstance(given, str) and given.strip():
        return given.strip()
    if isinstance(given, list):
        texts = [content_text(m.get("content"))[0] for m in given if isinstance(m, Mapping) and m.get("role") == "user"]
        if any(text.strip() for text in texts):
            return "\n\n".join(text.strip() for text in texts if text.strip())
    return first_user_text(found.steps)


def _outcome(sample: Mapping[str, Any], found: Transcript) -> Outcome:
    if sample.get("error"):
        return "failed"
    return "truncated" if sample.get("limit") or not found.finished else "completed"


FORMAT = Format(
    name="inspect-log",
    looks_like='{"version", "status", "eval", "samples": [{"id", "epoch", "messages", "scores"}]}, or an .eval archive',
    detect=detect,
    read=read,
    expand=expand,
)
