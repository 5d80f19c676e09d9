"""One trajectory of the store's native JSON as a log of Inspect's: `python reading_inspect.py RECORD.json LOG.eval`.

Runs in an environment that has inspect-ai and nothing of ours, so it imports neither. Every step becomes a message, and
every step an event of the transcript: the model's answer, the tool's.
"""

import json
import sys
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

MODEL = "mockllm/model"


def main(record: Path, log: Path) -> None:
    event, log_module, model = (import_module(f"inspect_ai.{name}") for name in ("event", "log", "model"))
    tool = import_module("inspect_ai.tool")
    trajectory = json.loads(record.read_text(encoding="utf-8"))
    began = datetime(2026, 1, 1, tzinfo=UTC)
    calls: dict[str, Any] = {}
    messages: list[Any] = []
    events: list[Any] = []
    for number, step in enumerate(trajectory["steps"]):
        at = began + timedelta(seconds=number)
        if step["role"] == "user":
            messages.append(model.ChatMessageUser(content=step["text"]))
            events.append(event.InfoEvent(source="user", data=step["text"], timestamp=at))
        elif step["role"] == "assistant":
            made = [
                tool.ToolCall(id=call["id"], function=call["name"], arguments=call["arguments"])
                for call in step.get("tool_calls", ())
            ]
            calls |= {call.id: call for call in made}
            content = [
                *([model.ContentReasoning(reasoning=step["reasoning"])] if step.get("reasoning") else []),
                model.ContentText(text=step.get("text", "")),
            ]
            said = model.ChatMessageAssistant(content=content, tool_calls=made or None, model=MODEL)
            messages.append(said)
            output = model.ModelOutput(model=MODEL, choices=[model.ChatCompletionChoice(message=said)])
            # Without its input: every answer would hold all messages before it, 35,000 times over.
            events.append(
                event.ModelEvent(
                    model=MODEL, input=[], tools=[], tool_choice="auto", config=model.GenerateConfig(), output=output,
                    timestamp=at,
                )
            )  # fmt: skip
        else:
            for result in step["tool_results"]:
                call = calls[result["call_id"]]
                messages.append(
                    model.ChatMessageTool(content=result["text"], tool_call_id=call.id, function=call.function)
                )
                events.append(
                    event.ToolEvent(
                        id=call.id, function=call.function, arguments=call.arguments, result=result["text"],
                        timestamp=at,
                    )
                )  # fmt: skip
    sample = log_module.EvalSample(
        id="1", epoch=1, input=trajectory["question"], target="", messages=messages, events=events,
        output=model.ModelOutput.from_content(MODEL, trajectory["report"]), scores={},
    )  # fmt: skip
    spec = log_module.EvalSpec(
        task="reading", model=MODEL, created=began.isoformat(), config=log_module.EvalConfig(),
        dataset=log_module.EvalDataset(name="reading", samples=1),
    )  # fmt: skip
    made_log = log_module.EvalLog(status="success", eval=spec, samples=[sample])
    log_module.write_eval_log(made_log, str(log), format="eval")
    print(json.dumps({"messages": len(messages), "events": len(events), "bytes": log.stat().st_size}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
