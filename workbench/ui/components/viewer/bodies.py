"""What the viewer asks for while one reads: steps in full or folded, and the passage of a citation in its place."""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from workbench.schema.analysis import Citation
from workbench.schema.trajectory import Step
from workbench.ui.components.visible import visible, visible_json

AROUND: Final = 320
# In the scrolling column a body shows so many characters; the rest unfolds on a click.
FOLDED_WORDS: Final = 6000
FOLDED_RESULT: Final = 700

Place: TypeAlias = Literal["text", "reasoning", "result"]


class Mark(NamedTuple):
    """Words of a step: in which of its texts, which result of it (0 for the others), and the characters from `start` to
    before `end`."""

    place: Place
    nth: int
    start: int
    end: int


def text_data(text: str, fold: int | None = None, mark: Mark | None = None) -> dict[str, Any]:
    """A text with what is hidden in it spelt out. `chars`: its length as stored; `folded` where it goes on.

    With a mark it comes in three parts: before, marked, after.
    """
    if mark is not None:
        start, end = mark.start, mark.end
        return {"chars": len(text), "parts": [visible(text[:start]), visible(text[start:end]), visible(text[end:])]}
    if fold is not None and len(text) > fold:
        return {"chars": len(text), "text": visible(text[:fold]), "folded": True}
    return {"chars": len(text), "text": visible(text)}


def step_data(position: int, step: Step, *, folded: bool = False, mark: Mark | None = None) -> dict[str, Any]:
    """A step: uncut, or with its long bodies folded as the column shows them."""
    words, result = (FOLDED_WORDS, FOLDED_RESULT) if folded else (None, None)

    def marked(place: Place, nth: int = 0) -> Mark | None:
        return mark if mark is not None and (mark.place, mark.nth) == (place, nth) else None

    return {
        "n": position,
        "role": step.role,
        "agent": visible(step.agent),
        "reasoning": text_data(step.reasoning, words, marked("reasoning")),
        "text": text_data(step.text, words, marked("text")),
        "calls": [
            {"name": visible(call.name), "kind": call.kind, "arguments": visible_json(call.arguments)}
            for call in step.tool_calls
        ],
        "results": [
            {"error": found.is_error} | text_data(found.text, result, marked("result", index))
            for index, found in enumerate(step.tool_results)
        ],
    }


def mark_of(citation: Citation) -> Mark | None:
    """Where the passage of a citation stands in its step."""
    passage = citation.passage
    return None if passage is None else Mark("result", passage.result, passage.start, passage.end)


def passage_data(citation: Citation, step: Step) -> Mapping[str, str] | None:
    """The passage that a citation rests on with its surroundings, verbatim: before, match, after."""
    passage = citation.passage
    if passage is None or passage.result >= len(step.tool_results):
        return None
    text = step.tool_results[passage.result].text
    start, end = passage.start, passage.end
    before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    return {
        "before": ("…" if start > AROUND else "") + visible(before),
        "match": visible(text[start:end]),
        "after": visible(after) + ("…" if end + AROUND < len(text) else ""),
    }
