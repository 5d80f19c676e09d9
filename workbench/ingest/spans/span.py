"""One span, whoever exported it, and what the conventions say it is: GenAI, OpenInference, Monocle, OpenLLMetry."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from workbench.ingest.spans.values import decoded, unflattened

Kind = Literal["llm", "tool", "agent", "other"]
_OPENINFERENCE: Mapping[str, Kind] = {"LLM": "llm", "TOOL": "tool", "AGENT": "agent", "RETRIEVER": "tool"}
_LANGSMITH: Mapping[str, Kind] = {"llm": "llm", "tool": "tool", "retriever": "tool"}
_MONOCLE: Mapping[str, Kind] = {
    "inference": "llm",
    "inference.framework": "llm",
    "inference.modelapi": "llm",
    "agentic.tool.invocation": "tool",
    "agentic.invocation": "agent",
}
_OPERATIONS: Mapping[str, Kind] = {
    "chat": "llm",
    "text_completion": "llm",
    "generate_content": "llm",
    "execute_tool": "tool",
    "invoke_agent": "agent",
}
_TOOL_NAME = re.compile(r"^(?:tool\.|execute_tool |running tool: )?(.*?)(?:\.(?:start|success|finish|error)-\d+)?$")
_MODELS = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "entity.2.name")
_LLM_IN = ("gen_ai.input.messages", "events", "input.value", "gen_ai.prompt")
_LLM_OUT = ("gen_ai.output.messages", "output.value", "gen_ai.completion")
_TOOL_IN = (
    "gen_ai.tool.call.arguments",
    "tool_arguments",
    "gcp.vertex.agent.tool_call_args",
    "tool.parameters",
    "input.value",
    "traceloop.entity.input",
    "gen_ai.prompt",
)
_TOOL_OUT = (
    "gen_ai.tool.call.result",
    "tool_response",
    "gcp.vertex.agent.tool_response",
    "output.value",
    "traceloop.entity.output",
    "gen_ai.completion",
)


@dataclass(slots=True)
class Span:
    """`start` and `end` in seconds since 1970, 0 where not said. `input` and `output` as they stand, maybe encoded."""

    id: str
    parent: str
    name: str
    kind: Kind
    start: float = 0.0
    end: float = 0.0
    input: Any = None
    output: Any = None
    model: str = ""
    tool: str = ""
    call_id: str = ""
    agent: str = ""
    failed: bool = False
    children: list["Span"] = field(default_factory=list)


def kind_of(attributes: Mapping[str, Any]) -> Kind:
    """What the attributes say the span is. OpenInference and Monocle say it outright; else by the operation."""
    if found := _OPENINFERENCE.get(_text(attributes, "openinference.span.kind").upper()):
        return found
    if found := _MONOCLE.get(_text(attributes, "span.type")):
        return found
    if found := _LANGSMITH.get(_text(attributes, "langsmith.span.kind").lower()):
        return found
    if found := _OPERATIONS.get(_text(attributes, "gen_ai.operation.name")):
        return found
    if traceloop := _text(attributes, "traceloop.span.kind"):
        return "tool" if traceloop == "tool" else "agent" if traceloop == "agent" else "other"
    if "gen_ai.tool.name" in attributes or "tool.name" in attributes:
        return "tool"
    shown = ("gen_ai.input.messages", "gen_ai.prompt.0.role", "llm.input_messages.0.message.role")
    return "llm" if any(name in attributes for name in shown) else "other"


def model_from(attributes: Mapping[str, Any]) -> str:
    return next((found for name in _MODELS if (found := _text(attributes, name))), "")


def tool_from(attributes: Mapping[str, Any], name: str) -> str:
    """The tool's own name, out of the span's where no attribute says it (`execute_tool x`, `tool.x.success-12`)."""
    own = next(
        (t for k in ("gen_ai.tool.name", "tool.name", "traceloop.entity.name") if (t := _text(attributes, k))), ""
    )
    if not own and _text(attributes, "span.type"):
        own = _text(attributes, "entity.1.name")
    found = _TOOL_NAME.match(name)
    return own or (found[1] if found else name)


def messages_from(attributes: Mapping[str, Any]) -> list[Any]:
    """Input messages that stand in attributes of their own, which are cleaner than any `input.value` beside them."""
    for prefix in ("llm.input_messages", "gen_ai.prompt"):
        if found := [item.get("message", item) for item in unflattened(attributes, prefix) if isinstance(item, dict)]:
            return found
    return []


def input_from(attributes: Mapping[str, Any], kind: Kind) -> Any:
    if kind == "llm":
        if messages := messages_from(attributes):
            return messages
        found = _first(attributes, _LLM_IN)
        return _with_instructions(found, attributes.get("gen_ai.system_instructions"))
    return _first(attributes, _TOOL_IN if kind == "tool" else ("gen_ai.input.messages", "input.value", "gen_ai.prompt"))


def output_from(attributes: Mapping[str, Any], kind: Kind) -> Any:
    if kind == "llm":
        for prefix in ("llm.output_messages", "gen_ai.completion"):
            if found := [
                item.get("message", item) for item in unflattened(attributes, prefix) if isinstance(item, dict)
            ]:
                return found
        return _first(attributes, _LLM_OUT)
    if kind == "tool":
        found = _first(attributes, _TOOL_OUT)
        return found if found is not None else _documents(attributes)
    return _first(attributes, ("gen_ai.output.messages", "output.value", "gen_ai.completion"))


def _documents(attributes: Mapping[str, Any]) -> str | None:
    """What a retriever found, as text: one paragraph a document."""
    found = [item.get("document", item) for item in unflattened(attributes, "retrieval.documents") if item]
    texts = [item.get("content") for item in found if isinstance(item, Mapping)]
    return "\n\n".join(text for text in texts if isinstance(text, str)) or None


def _with_instructions(messages: Any, instructions: Any) -> Any:
    """Instructions are a text, or a list of parts."""
    return messages if not instructions else [{"role": "system", "parts": _parts(instructions)}, messages]


def _parts(instructions: Any) -> list[Any]:
    found = decoded(instructions)
    return found if isinstance(found, list) else [{"type": "text", "content": found}]


def _first(attributes: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((attributes[name] for name in names if attributes.get(name) not in (None, "")), None)


def seconds(value: object) -> float:
    """A time: ISO text, or nanoseconds since 1970 as a number or its digits. 0 for what is none."""
    if isinstance(value, str) and not value.isdigit():
        try:
            return datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp()
        except (ValueError, OverflowError):
            return 0.0
    if isinstance(value, str):
        value = int(value[:20])
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value / 1e9 if value > 1e14 else float(value)
    return 0.0


def _text(attributes: Mapping[str, Any], name: str) -> str:
    value = attributes.get(name)
    return value if isinstance(value, str) else ""
