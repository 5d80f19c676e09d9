"""Texts in the arguments of a tool call, whatever shape a model gave them."""

from collections.abc import Mapping

from workbench.schema.canonical import JsonValue

# Deeper nesting than this is no argument that a tool would take.
MAX_DEPTH = 6


def strings_at(arguments: JsonValue, keys: tuple[str, ...], depth: int = 0) -> list[str]:
    """All strings under the first of `keys` that holds any, lists and nested objects opened; blank ones left out."""
    if depth > MAX_DEPTH or not isinstance(arguments, Mapping):
        return []
    lowered = {str(key).lower(): value for key, value in arguments.items()}
    for key in keys:
        if key in lowered and (found := _strings(lowered[key], keys, depth)):
            return found
    return []


def _strings(value: JsonValue, keys: tuple[str, ...], depth: int) -> list[str]:
    if isinstance(value, str):
        return [value] if value.strip() else []
    if depth > MAX_DEPTH:
        return []
    if isinstance(value, list | tuple):
        return [text for item in value for text in _strings(item, keys, depth + 1)]
    return strings_at(value, keys, depth + 1)


def argument_text(arguments: JsonValue) -> str:
    """All keys and values of a call's arguments as one text: what the agent wrote in the call."""
    out: list[str] = []
    stack: list[JsonValue] = [arguments]
    while stack:
        value = stack.pop()
        if isinstance(value, Mapping):
            for key, inner in value.items():
                stack.extend((inner, str(key)))
        elif isinstance(value, list | tuple):
            stack.extend(value)
        else:
            out.append(str(value))
    return " ".join(out)
