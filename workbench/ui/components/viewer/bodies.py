"""What the viewer asks for while one reads: steps in full or folded, and the passage of a citation in its place."""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from workbench.schema.analysis import Citation
from workbench.schema.trajectory import Step
from workbench.ui.components.visible import visible, visible_json

AROUND: Final = 320
# So many characters of a body are sent at first, of words and of a result; the rest comes when it is unfolded. A line
# of 10 MB would hold a step up for seconds.
FOLD_IN_COLUMN: Final = (6000, 700)
FOLD_IN_STEP: Final = (20_000, 20_000)

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

    With a mark it comes in three parts: before, marked, after; folded, those next to the mark.
    """
    known = {"chars": len(text)}
    if mark is not None:
        start, end = mark.start, mark.end
        first, last = (0, len(text)) if fold is None else (max(0, start - fold // 2), end + fold // 2)
        parts = [visible(text[first:start]), visible(text[start:end]), visible(text[end:last])]
        return known | {"parts": parts} | ({"folded": True} if first or last < len(text) else {})
    if fold is not None and len(text) > fold:
        return known | {"text": visible(text[:fold]), "folded": True}
    return known | {"text": visible(text)}


def step_data(
    position: int, step: Step, *, fold: tuple[int, int] | None = None, mark: Mark | None = None
) -> dict[str, Any]:
    """A step: uncut, or with bodies over `fold` (of words, of a result) folded."""
    words, result = fold or (None, None)

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
            {"error": found.is_error} | text_data(found.text, result, marked("result", nth))
            for nth, found in enumerate(step.tool_results)
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
