"""Compressed payloads: the whole truth of a step, a report, a document or a grade, as bytes."""

import hashlib
import json
import threading
from typing import Any

import orjson
import zstandard
from pydantic_core import from_json

from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Step, step_from_json, step_to_json
from workbench.store.types import dump_json

# On the public traces level 6 saves 2 to 5 percent more for three times the time.
_LEVEL = 3
_local = threading.local()  # zstandard's objects must not be shared by threads


def pack_bytes(data: bytes) -> bytes:
    compressor = getattr(_local, "compressor", None)
    if compressor is None:
        compressor = _local.compressor = zstandard.ZstdCompressor(level=_LEVEL)
    packed: bytes = compressor.compress(data)
    return packed


def unpack_bytes(data: bytes) -> bytes:
    decompressor = getattr(_local, "decompressor", None)
    if decompressor is None:
        decompressor = _local.decompressor = zstandard.ZstdDecompressor()
    unpacked: bytes = decompressor.decompress(data)
    return unpacked


def text_bytes(text: str) -> bytes:
    """UTF-8 that also carries lone surrogates, one to one."""
    return text.encode("utf-8", "surrogatepass")


def pack_text(text: str) -> bytes:
    return pack_bytes(text_bytes(text))


def unpack_text(data: bytes) -> str:
    return unpack_bytes(data).decode("utf-8", "surrogatepass")


def pack_json(value: JsonValue) -> bytes:
    try:
        return pack_bytes(orjson.dumps(value))
    except TypeError:  # lone surrogates and whole numbers beyond 64 bits, which only the slow way takes
        return pack_text(dump_json(value))


def unpack_json(data: bytes) -> Any:
    raw = unpack_bytes(data)
    try:
        return from_json(raw)  # a third of the time of json.loads, and whole numbers of any size stay whole
    except ValueError:  # lone surrogates, and nesting beyond 200
        return json.loads(raw.decode("utf-8", "surrogatepass"))


def document_key(text: str) -> str:
    """SHA-256 of a document. Equal to `text_hash` but for lone surrogates, where that one can meet a collision."""
    return hashlib.sha256(text_bytes(text)).hexdigest()


def split_step(step: Step) -> tuple[bytes, dict[str, str]]:
    """The step's payload with each tool-result text replaced by its document's key, and those documents by key."""
    value = step_to_json(step)
    documents: dict[str, str] = {}
    if step.tool_results:
        results: list[JsonValue] = []
        for result in step.tool_results:
            key = document_key(result.text)
            documents[key] = result.text
            results.append({"call_id": result.call_id, "doc": key, "is_error": result.is_error})
        value["tool_results"] = results
    return pack_json(value), documents


def document_keys(payload: Any) -> list[str]:
    """Keys of the documents that an unpacked payload of `split_step` points to."""
    return [result["doc"] for result in payload.get("tool_results", ())]


def join_step(payload: Any, documents: dict[str, str]) -> Step:
    """Inverse of `split_step` on the unpacked payload."""
    for result in payload.get("tool_results", ()):
        result["text"] = documents[result["doc"]]
    return step_from_json(payload)
