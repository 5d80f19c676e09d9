"""Real and generated records, damaged in the ways that files are damaged."""

import copy
import json
import random
from collections.abc import Callable
from typing import Any

from tests.support.shared_data import SHARED_DATA
from tests.workbench.ingest.format_examples import all_examples
from tests.workbench.ingest.format_examples.example import Example
from workbench.ingest.registry import detect_format

_LONGEST_SEED_BYTES = 16_000
_WRONG: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2**63,
    1e308,
    "",
    "text",
    [],
    [None],
    {},
    {"a": []},
    [[[[]]]],
    "\x00",
    "\ud800",
)


def seeds() -> list[dict[str, Any]]:
    """One record or more of every format; public ones, of moderate length, where they are laid beside the checkout.

    Each is one record that is one trajectory; `seed_groups` and `seed_files` have what stands in several.
    """
    found = [record for example in all_examples() for record in example.records() if _stands_alone(record)]
    for name in (
        "webdancer-trajectories/sample_traj.jsonl",
        "deep-research-bench/reports/open-deep-research_gpt-4.1.jsonl",
        "tau-bench-airline-gpt-4o/gpt-4o-airline.json",
    ):
        path = SHARED_DATA / name
        if path.exists():
            data = path.read_bytes()
            records = json.loads(data) if data.startswith(b"[") else [json.loads(line) for line in data.splitlines()]
            short = [record for record in records if len(json.dumps(record)) <= _LONGEST_SEED_BYTES]
            found.extend(short[:12])
    return found


def _stands_alone(record: dict[str, Any]) -> bool:
    found = detect_format(record)
    return found is not None and found.gather is None and found.expand is None


def seed_groups() -> list[list[dict[str, Any]]]:
    """Records that belong together, such as the spans of a trace, or that hold several trajectories."""
    groups = []
    for example in all_examples():
        records = example.records()
        if records and not all(_stands_alone(record) for record in records):
            groups.append(records)
    return groups


def seed_files() -> list[Example]:
    """Examples that are damaged as files: containers, and those of several files."""
    return [example for example in all_examples() if example.contained or len(example.files) > 1]


def damage_bytes(data: bytes, rng: random.Random) -> tuple[str, bytes]:
    """(what was done, the bytes of the damaged file)."""
    kind = rng.choice(("cut", "flip", "zeros", "out", "twice", "length"))
    at = rng.randrange(len(data))
    if kind == "cut":
        return "file cut", data[:at]
    if kind == "zeros":
        size = rng.choice((1, 16, 512))
        return "file zeroed", data[:at] + bytes(min(size, len(data) - at)) + data[at + size :]
    if kind == "out":
        return "file with a hole", data[:at] + data[at + rng.choice((1, 8, 300)) :]
    if kind == "twice":
        return "file written over", data[:at] + data
    changed = bytearray(data)
    if kind == "length":  # where archives and columns say how long things are
        at = rng.choice((at, max(0, len(data) - rng.randrange(1, 120))))
        changed[at : at + 4] = rng.choice((b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff", b"\x00\x00\x00\x00"))
        return "file with wrong lengths", bytes(changed)
    for _ in range(rng.choice((1, 1, 2, 20))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return "file with flipped bits", bytes(changed)


def mutate(record: dict[str, Any], rng: random.Random) -> tuple[str, bytes]:
    """(what was done, the bytes of the damaged record, without a line feed)."""
    kind = rng.choice(tuple(_MUTATIONS))
    damaged = _MUTATIONS[kind](record, rng)
    return kind, damaged.replace(b"\n", b" ").replace(b"\r", b" ") or b"{"


def _bytes(record: object) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _truncate(record: dict[str, Any], rng: random.Random) -> bytes:
    data = _bytes(record)
    return data[: rng.randrange(1, len(data))]


def _flip_bytes(record: dict[str, Any], rng: random.Random) -> bytes:
    data = bytearray(_bytes(record))
    for _ in range(rng.choice((1, 1, 1, 2, 5, 20))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def _insert_bytes(record: dict[str, Any], rng: random.Random) -> bytes:
    data = _bytes(record)
    at = rng.randrange(len(data))
    return (
        data[:at] + rng.choice((b"\x00", b"\xff\xfe", b'"', b"}", b"{", b"\\", b"]", b"\xed\xa0\x80", b",")) + data[at:]
    )


def _cut_out(record: dict[str, Any], rng: random.Random) -> bytes:
    data = _bytes(record)
    start = rng.randrange(len(data))
    return data[:start] + data[start + rng.choice((1, 3, 20, 500)) :]


def _delete_key(record: dict[str, Any], rng: random.Random) -> bytes:
    changed = copy.deepcopy(record)
    holder, key = rng.choice(places(changed))
    del holder[key]
    return _bytes(changed)


def _wrong_type(record: dict[str, Any], rng: random.Random) -> bytes:
    changed = copy.deepcopy(record)
    holder, key = rng.choice(places(changed))
    holder[key] = copy.deepcopy(rng.choice(_WRONG))
    return _bytes(changed)


def _swap(record: dict[str, Any], rng: random.Random) -> bytes:
    changed = copy.deepcopy(record)
    (holder, key), (other, other_key) = rng.choice(places(changed)), rng.choice(places(changed))
    holder[key] = copy.deepcopy(other[other_key])
    return _bytes(changed)


def _nest(record: dict[str, Any], rng: random.Random) -> bytes:
    changed = copy.deepcopy(record)
    holder, key = rng.choice(places(changed))
    holder[key] = "@"
    depth = rng.choice((5, 100, 300, 900, 2000, 10_000))
    opening, closing = rng.choice(((b"[", b"]"), (b'{"a":', b"}")))
    return _bytes(changed).replace(b'"@"', opening * depth + b"1" + closing * depth, 1)


def _tags(record: dict[str, Any], rng: random.Random) -> bytes:
    """Tags and markup of traces where they do not belong."""
    changed = copy.deepcopy(record)
    texts = [(holder, key) for holder, key in places(changed) if isinstance(holder[key], str)]
    if not texts:
        return _wrong_type(record, rng)
    holder, key = rng.choice(texts)
    text: str = holder[key]
    at = rng.randrange(len(text) + 1)
    piece = rng.choice(
        ("<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "<answer>", "</answer>", "[1](")
    )
    holder[key] = text[:at] + piece + text[at:]
    return _bytes(changed)


def _double(record: dict[str, Any], rng: random.Random) -> bytes:
    """A record written over itself: the beginning of one, then a whole one."""
    data = _bytes(record)
    return data[: rng.randrange(1, len(data))] + data


_MUTATIONS: dict[str, Callable[[dict[str, Any], random.Random], bytes]] = {
    "truncate": _truncate,
    "flip bytes": _flip_bytes,
    "insert bytes": _insert_bytes,
    "cut out": _cut_out,
    "delete key": _delete_key,
    "wrong type": _wrong_type,
    "swap values": _swap,
    "nest": _nest,
    "tags": _tags,
    "written over": _double,
}


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (holder, key or index) in a JSON value."""
    found: list[tuple[Any, Any]] = []
    stack = [value]
    while stack:
        holder = stack.pop()
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], dict | list):
                stack.append(holder[key])
    return found
