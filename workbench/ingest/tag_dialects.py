"""Other models' tags for calls and results, rewritten as `<tool_call>` and `<tool_response>`. Standard library only.

DeepSeek (`<|tool_calls_begin|>`, with full-width bars or none), WebThinker (`<|begin_search_query|>`), Search-R1
(`<search>`, `<information>` or `<result>`), Mistral (`[TOOL_CALLS]`), Llama (`<|python_tag|>`), Kimi
(`<|tool_calls_section_begin|>`), `<invoke name="...">`, and ReAct's lines (`Action:`, `Action Input:`, `Observation:`).
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
_KIMI = re.compile(
    r"<\|tool_call_begin\|>\s*(?:functions\.)?([^\s<:]{1,200})(?::\d+)?\s*"
    r"<\|tool_call_argument_begin\|>(.*?)(?:<\|tool_call_end\|>|\Z)",
    re.DOTALL,
)
_KIMI_FRAME = re.compile(r"<\|tool_calls_section_(?:begin|end)\|>")
_MISTRAL = re.compile(r"\[TOOL_CALLS\]\s*(?:([A-Za-z_][\w.-]{0,100})\s*(?:\[CALL_ID\]\w+)?\s*\[ARGS\]\s*)?(?=[\[{])")
_PYTHON_TAG = re.compile(r"<\|python_tag\|>(.*?)(?:<\|e(?:om|ot)_id\|>|\Z)", re.DOTALL)
_INVOKE = re.compile(r"<(?:antml:)?invoke name=\"([^\"\n]{1,200})\">(.*?)(?:</(?:antml:)?invoke>|\Z)", re.DOTALL)
_INVOKE_FRAME = re.compile(r"</?(?:antml:)?function_calls>")
_INVOKE_FIELD = re.compile(
    r"<(?:antml:)?parameter name=\"([^\"\n]{1,200})\"[^>\n]{0,100}>(.*?)"
    r"(?:</(?:antml:)?parameter>|(?=<(?:antml:)?parameter name=)|\Z)",
    re.DOTALL,
)
_INVOKE_RESULT = re.compile(r"<function_results>(.*?)(?:</function_results>|\Z)", re.DOTALL)
_REACT = re.compile(
    r"^Action:[ \t]*([^\n]{1,200})\nAction Input:[ \t]*(.*?)(?=\n(?:Observation|Thought):|\Z)", re.DOTALL | re.MULTILINE
)
_OBSERVED = re.compile(r"^Observation:(.*?)(?=\n(?:Thought|Action|Final Answer):|\Z)", re.DOTALL | re.MULTILINE)
_FINAL = re.compile(r"^Final Answer:[ \t]*(.*)\Z", re.DOTALL | re.MULTILINE)
_MARKS = re.compile(
    rf"<search>|<\|begin_(?:search_query|click_link)\|>|{_mark('tool_calls_begin')}|<\|tool_call_argument_begin\|>"
    r"|\[TOOL_CALLS\]|<\|python_tag\|>|<(?:antml:)?invoke name=|^Action Input:|^Final Answer:",
    re.MULTILINE,
)
# One of these stands in whatever _MARKS finds.
_MARK_WORDS = ("<search>", "begin", "[TOOL_CALLS]", "<|python_tag|>", "invoke name=", "Action Input:", "Final Answer:")
# Tokens of chat templates that stay in a text where special tokens were not skipped, with the head of the next turn.
_TEMPLATE = re.compile(
    r"(?:<\|im_end\|>\s*)?<\|im_start\|>(?:user|assistant|tool)\n?|<\|(?:im_end|endoftext|eot_id|eom_id)\|>"
    r"|<\|start_header_id\|>\w{1,20}<\|end_header_id\|>\s*|<\uff5c(?:end\u2581of\u2581sentence|User|Assistant)\uff5c>|</s>\s*\Z"
)
# The heads of turns around a result, which is all that is left where special tokens were skipped.
_BARE_HEADS = re.compile(r"\n(?:user|tool)\n(?=\s*<tool_response>)|(?<=</tool_response>)\nassistant\n")


def has_dialect_call(text: str) -> bool:
    """Whether a text calls a tool by one of these tags."""
    return _has_mark(text) and canonical_calls(text) != text


def _has_mark(text: str) -> bool:
    # The words first: most texts hold none of them, and they are found twenty times as fast as the pattern.
    return any(word in text for word in _MARK_WORDS) and _MARKS.search(text) is not None


def without_template(text: str) -> str:
    """The text without tokens and heads of a chat template between the agent's turns and their results."""
    if "<|" in text or "<\uff5c" in text or "</s>" in text:
        text = _TEMPLATE.sub("", text)
    return _BARE_HEADS.sub("\n", text) if "tool_response>" in text else text


def canonical_calls(text: str) -> str:
    """The text with calls as `<tool_call>{"name", "arguments"}</tool_call>`.

    `<search>` inside a closed thought is a thought. WebThinker's marks count there, since it searches while thinking.
    """
    if not _has_mark(text):
        return text
    text = _CALLS.sub(lambda found: _listed(found[1]), text)
    if "<|tool_call_argument_begin|>" in text:
        text = _KIMI_FRAME.sub("", _KIMI.sub(lambda found: _call(found[1], _value(found[2])), text))
    if "[TOOL_CALLS]" in text:
        text = _mistral(text)
    text = _PYTHON_TAG.sub(lambda found: _tagged_python(found[1]), text)
    if "invoke name=" in text:
        text = _INVOKE_FRAME.sub("", _INVOKE.sub(lambda found: _invoked(found[1], found[2]), text))
    text = _REACT.sub(lambda found: _call(found[1].strip(), _value(found[2])), text)
    if text.lstrip().startswith("Thought:"):  # else the words may head a part of a report
        text = _FINAL.sub(lambda found: f"<answer>{found[1].strip()}</answer>", text)
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
    if "<function_results>" in text:
        text = _INVOKE_RESULT.sub(_response, text)
    if _REACT.search(text) or text.lstrip().startswith("Observation:"):
        text = _OBSERVED.sub(_response, text.lstrip())
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


def _value(raw: str) -> object:
    """Arguments as JSON, as a text under `input` where they are none."""
    try:
        value: object = json.loads(raw, strict=False)
    except (ValueError, RecursionError):
        value = raw.strip()
    return value if isinstance(value, dict) else {"input": raw.strip()} if raw.strip() else {}


def _mistral(text: str) -> str:
    """`[TOOL_CALLS]` and a JSON list of calls, or `[TOOL_CALLS]name[ARGS]` and its JSON arguments, as often as made."""
    pieces, position, decoder = [], 0, json.JSONDecoder(strict=False)
    for found in _MISTRAL.finditer(text):
        if found.start() < position:
            continue
        try:
            value, end = decoder.raw_decode(text, found.end())
        except (ValueError, RecursionError):
            continue
        pieces.append(text[position : found.start()])
        if found[1]:
            pieces.append(_call(found[1], value))
        else:
            pieces += [
                f"<tool_call>{_json(item)}</tool_call>" for item in (value if isinstance(value, list) else [value])
            ]
        position = end
    return "".join([*pieces, text[position:]])


def _tagged_python(body: str) -> str:
    """A call as JSON, or code for the interpreter that comes with the model."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict) and isinstance(value.get("name"), str):
        return f"<tool_call>{_json(value)}</tool_call>"
    return _call("python", {"code": body.strip()})


def _invoked(name: str, body: str) -> str:
    return _call(name, {found[1]: found[2] for found in _INVOKE_FIELD.finditer(body)})


def _call(name: str, arguments: object) -> str:
    return f"<tool_call>{_json({'name': name, 'arguments': arguments})}</tool_call>"


def _json(value: object) -> str:
    # So that no tag in an argument ends the call.
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
