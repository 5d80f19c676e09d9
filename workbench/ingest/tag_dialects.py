"""Other models' tags for calls and results, rewritten as `<tool_call>` and `<tool_response>`. Standard library only.

DeepSeek (`<|tool_calls_begin|>`, with full-width bars or none), WebThinker (`<|begin_search_query|>`), Search-R1
(`<search>`, `<information>` or `<result>`).
"""

import json
import re
from collections.abc import Callable

_BAR = "[|\uff5c]?"  # the tokenizer's own bar is full-width
_JOINT = "[_\u2581]"


def _mark(name: str) -> str:
    return f"<{_BAR}{name.replace('_', _JOINT)}{_BAR}>"


_CALLS = re.compile(f"{_mark('tool_calls_begin')}(.*?)(?:{_mark('tool_calls_end')}|\\Z)", re.DOTALL)
_CALL = re.compile(f"{_mark('tool_call_begin')}(.*?)(?:{_mark('tool_call_end')}|\\Z)", re.DOTALL)
_SEPARATOR = re.compile(_mark("tool_sep"))
_OUTPUTS = re.compile(_mark("tool_outputs_begin") + "|" + _mark("tool_outputs_end"))
_OUTPUT = re.compile(f"{_mark('tool_output_begin')}(.*?)(?:{_mark('tool_output_end')}|\\Z)", re.DOTALL)
_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n?(.*?)\n?```\s*\Z", re.DOTALL)
_ASKED = re.compile(r"<\|begin_(search_query|click_link)\|>(.{0,4000}?)<\|end_\1\|>", re.DOTALL)
_FOUND = re.compile(r"<\|begin_(search_result|click_result)\|>(.*?)(?:<\|end_\1\|>|\Z)", re.DOTALL)
_SEARCH = re.compile(r"<search>([^<]{1,2000})</search>")
_INFORMATION = re.compile(r"<(information|result)>(.*?)(?:</\1>|\Z)", re.DOTALL)
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_MARKS = re.compile(rf"<search>|<\|begin_(?:search_query|click_link)\|>|{_mark('tool_calls_begin')}")


def has_dialect_call(text: str) -> bool:
    """Whether a text calls a tool by one of these tags."""
    return _MARKS.search(text) is not None and canonical_calls(text) != text


def canonical_calls(text: str) -> str:
    """The text with calls as `<tool_call>{"name", "arguments"}</tool_call>`.

    `<search>` inside a closed thought is a thought. WebThinker's marks count there, since it searches while thinking.
    """
    if _MARKS.search(text) is None:
        return text
    text = _CALLS.sub(lambda found: _listed(found[1]), text)
    inside = "<think>" in text

    def asked(found: re.Match[str]) -> str:
        key, name = ("query", "search") if found[1] == "search_query" else ("url", "visit")
        return ("</think>" if inside else "") + _call(name, {key: found[2].strip()})

    text = _ASKED.sub(asked, text)
    return _outside_thoughts(text, lambda part: _SEARCH.sub(lambda m: _call("search", {"query": m[1].strip()}), part))


def canonical_results(text: str) -> str:
    """The text with results as `<tool_response>`. `<information>` and `<result>` count where the text begins with one
    or where it also searches by tags, since they are words of markup too."""
    text = _OUTPUTS.sub("", text) if _OUTPUT.search(text) else text
    text = _OUTPUT.sub(_response, text)
    text = _FOUND.sub(lambda found: f"<tool_response>{found[2].strip()}</tool_response>", text)
    if "<search>" in text or _INFORMATION.match(text.lstrip()):
        text = _outside_thoughts(
            text, lambda part: _INFORMATION.sub(lambda m: f"<tool_response>{m[2].strip()}</tool_response>", part)
        )
    return text


def boxed(text: str) -> str:
    """What the last `\\boxed{...}` holds, empty if there is none that is closed."""
    start = text.rfind("\\boxed{")
    if start < 0:
        return ""
    depth = 0
    for position in range(start + 6, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return text[start + 7 : position].strip()
    return ""


def _outside_thoughts(text: str, change: Callable[[str], str]) -> str:
    pieces, position = [], 0
    for thought in _THOUGHT.finditer(text):
        pieces += [change(text[position : thought.start()]), thought[0]]
        position = thought.end()
    return "".join([*pieces, change(text[position:])])


def _response(found: re.Match[str]) -> str:
    return f"<tool_response>{found[1].strip()}</tool_response>"


def _listed(body: str) -> str:
    calls = _CALL.findall(body)
    if calls:
        return "".join(_separated(call) for call in calls)
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return f"<tool_call>{body.strip()}</tool_call>"
    items = value if isinstance(value, list) else [value]
    return "".join(f"<tool_call>{_json(item)}</tool_call>" for item in items)


def _separated(call: str) -> str:
    """`function<sep>name` and fenced JSON, or `name<sep>JSON`."""
    head, *rest = _SEPARATOR.split(call, maxsplit=1)
    if not rest:
        return f"<tool_call>{call.strip()}</tool_call>"
    name, body = head.strip(), rest[0]
    if name == "function":
        name, _, body = body.strip().partition("\n")
    fenced = _FENCE.match(body)
    raw = (fenced[1] if fenced else body).strip()
    try:
        arguments: object = json.loads(raw, strict=False)
    except (ValueError, RecursionError):
        arguments = raw
    return _call(name.strip(), arguments)


def _call(name: str, arguments: object) -> str:
    return f"<tool_call>{_json({'name': name, 'arguments': arguments})}</tool_call>"


def _json(value: object) -> str:
    # So that no tag in an argument ends the call.
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
