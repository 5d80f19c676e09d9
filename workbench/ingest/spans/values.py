"""Values as span exporters write them: JSON in a string, JSON in a string in JSON, a Python repr, dotted keys."""

import ast
import json
from collections.abc import Mapping
from typing import Any

_MOST_LAYERS = 4
_DEEPEST = 12
_ROOTS = frozenset({"llm", "openinference", "input", "output", "tool", "retrieval", "gen_ai", "agent", "traceloop"})
_WHOLE = (".value", ".arguments", ".result", ".parameters", ".metadata")
_NUMBERED = (".input_messages", ".output_messages", ".documents", ".tool_calls", ".contents")
_LONGEST_REPR = 200_000  # characters; ast needs about 100 bytes for each


def decoded(value: object) -> Any:
    """The value out of its strings: JSON as often as it was encoded, a Python literal where it is no JSON.

    A text that is neither stays as it is; so does a text of a bare number or word, which was meant as text.
    """
    for _ in range(_MOST_LAYERS):
        if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "[", '"', "'", "("):
            return value
        text = value
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return _literal(text)
    return value


def _literal(text: str) -> Any:
    if len(text) > _LONGEST_REPR:
        return text
    try:
        found = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return text
    return found if _is_json(found) else text


def _is_json(value: object) -> bool:
    try:
        json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def as_text(value: object) -> str:
    """A value as the text a model would have been shown: a string as it is, all else as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def unflattened(attributes: Mapping[str, Any], prefix: str) -> list[Any]:
    """`prefix.0.a.b`, `prefix.1.a` as `[{"a": {"b": ...}}, {"a": ...}]`. Gaps in the numbers are closed."""
    root: dict[str, Any] = {}
    for name, value in attributes.items():
        if not name.startswith(prefix + "."):
            continue
        at, parts = root, name[len(prefix) + 1 :].split(".")
        for part in parts[:-1]:
            below = at.get(part)
            if not isinstance(below, dict):
                below = at[part] = {}
            at = below
        at[parts[-1]] = value
    found = _lists(root)
    return found if isinstance(found, list) else []


def flattened(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes under the dotted names that the conventions have, where an export nested them: `{"llm": {"model_name",
    "input_messages": [{"message": {...}}]}}`. Lists of messages and documents are numbered; other values stay whole."""
    out: dict[str, Any] = {}
    for name, value in attributes.items():
        if (name in _ROOTS and isinstance(value, Mapping)) or name.endswith(_NUMBERED):
            _flatten(name, value, out, 0)
        else:
            out[name] = value
    return out


def _flatten(name: str, value: Any, out: dict[str, Any], depth: int) -> None:
    numbered = name.endswith(_NUMBERED)
    found = decoded(value) if numbered else value
    if isinstance(found, Mapping) and found and depth < _DEEPEST and not name.endswith(_WHOLE):
        for key, item in found.items():
            _flatten(f"{name}.{key}", item, out, depth + 1)
    elif numbered and isinstance(found, list) and depth < _DEEPEST:
        for number, item in enumerate(found):
            _flatten(f"{name}.{number}", item, out, depth + 1)
    elif value is not None:
        out[name] = value


def _lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if value and all(key.isdigit() for key in value):
        return [_lists(value[key]) for key in sorted(value, key=int)]
    return {key: _lists(item) for key, item in value.items()}


def otlp_value(value: object) -> Any:
    """`{"stringValue": "x"}`, `{"arrayValue": {"values": [...]}}` ... of OTLP JSON as plain JSON; all else as it is."""
    if not isinstance(value, Mapping) or len(value) != 1:
        return value
    kind, inner = next(iter(value.items()))
    if kind == "intValue":
        return int(inner) if isinstance(inner, str) and inner.lstrip("-").isdigit() and len(inner) < 20 else inner
    if kind in ("stringValue", "boolValue", "doubleValue", "bytesValue"):
        return inner
    if kind == "arrayValue" and isinstance(inner, Mapping):
        found = inner.get("values")
        return [otlp_value(item) for item in found] if isinstance(found, list) else []
    if kind == "kvlistValue" and isinstance(inner, Mapping):
        return attributes_of(inner.get("values"))
    return value


def attributes_of(value: object) -> dict[str, Any]:
    """Attributes of a span or an event, as a list of key and value (OTLP) or as an object (all others)."""
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    if not isinstance(value, list):
        return {}
    pairs = [item for item in value if isinstance(item, Mapping) and isinstance(item.get("key"), str)]
    return {pair["key"]: otlp_value(pair.get("value")) for pair in pairs}
