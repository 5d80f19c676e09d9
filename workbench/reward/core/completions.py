"""A trainer's completion as a trajectory, by the same readers that import files, and back to chat messages."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from workbench.ingest.messages import content_text
from workbench.ingest.tagged import read_completion
from workbench.schema.canonical import question_key
from workbench.schema.trajectory import Step, Trajectory

Messages: TypeAlias = Sequence[Mapping[str, Any]]
Completion: TypeAlias = str | Messages


def trajectory_of(
    completion: Completion,
    *,
    question: str,
    question_id: str = "",
    observations_in_text: bool = False,
) -> Trajectory:
    """One rollout: chat messages (TRL's, with `tool_calls` and tool messages, or with tags) or tagged text.

    Only the completion is read, so that examples of calls in a prompt count for nothing. `observations_in_text` is True
    where an environment wrote tool results into a *text*; otherwise the policy wrote every word of it, and a
    `<tool_response>` in it is an invention that opens no page. Raises ValueError for something that is no completion.
    """
    transcript = read_completion(completion, observations_in_text=observations_in_text)
    return Trajectory(
        question=question,
        question_id=question_id or question_key(question),
        run="rollout",
        model="policy",
        steps=transcript.steps,
        report=transcript.report,
        outcome="completed" if transcript.finished else "truncated",
    )


def question_of(prompt: str | Messages) -> str:
    """The question of a prompt: its last user message, or the whole of a text prompt. Empty if there is none."""
    if isinstance(prompt, str):
        return prompt.strip()
    for message in reversed(prompt):
        if message.get("role") == "user":
            return content_text(message.get("content"))[0].strip()
    return ""


def messages_of(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Steps as chat messages in the form that `trajectory_of` reads, one message a tool result."""
    out: list[dict[str, Any]] = []
    for step in steps:
        if step.role == "tool" or step.tool_results:
            out.extend(
                {"role": "tool", "tool_call_id": r.call_id, "content": r.text, "is_error": r.is_error}
                for r in step.tool_results
            )
            continue
        message: dict[str, Any] = {"role": step.role, "content": step.text}
        if step.reasoning:
            message["reasoning_content"] = step.reasoning
        if step.tool_calls:
            message["tool_calls"] = [
                {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": dict(c.arguments)}}
                for c in step.tool_calls
            ]
        out.append(message)
    return out
