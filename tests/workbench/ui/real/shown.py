"""A trajectory as the browser shows it against the same as the store holds it, step by step."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

from tests.support.browser import visit
from workbench.schema.analysis import Citation
from workbench.schema.trajectory import Step
from workbench.store import Store
from workbench.ui.components.viewer.report_html import citation_label
from workbench.ui.components.visible import visible, visible_json

STEP: Final = Path(__file__).with_name("shown.js").read_text(encoding="utf-8")


@dataclass
class Compared:
    """What was compared of one trajectory, and where the two differ."""

    steps: int = 0
    chars: int = 0
    shown: Any = field(default_factory=hashlib.sha256)
    stored: Any = field(default_factory=hashlib.sha256)
    differing: list[int] = field(default_factory=list)
    words_lost: dict[str, int] = field(default_factory=dict)

    @property
    def equal(self) -> bool:
        return self.shown.digest() == self.stored.digest() and not self.differing and not self.words_lost


def compare(page: Page, url: str, store: Store, trajectory_id: str) -> Compared:
    """Opens the trajectory and every step of it, unfolded, as a reader does with `j`."""
    found = Compared()
    visit(page, f"{url}/trajectory?id={trajectory_id}")
    page.wait_for_selector(".report")
    report = store.trajectories.report(trajectory_id)
    found.words_lost = lost(report, store.trajectories.citations(trajectory_id), page.locator(".report").inner_text())
    steps = store.trajectories.steps(trajectory_id)
    if steps:  # the keys work once the map of steps is there
        page.locator(".rows .step:not(.empty)").first.wait_for()
    for n, step in enumerate(steps):
        page.keyboard.press("j")
        said: dict[str, list[str]] = page.evaluate(STEP, [n, step.role])
        want, got = list(_stored(step)), list(_shown(said))
        for one in want:
            found.stored.update(one.encode() + b"\0")
        for one in got:
            found.shown.update(one.encode() + b"\0")
        found.steps, found.chars = found.steps + 1, found.chars + sum(map(len, want))
        if want != got:
            found.differing.append(n)
    return found


def _stored(step: Step) -> Iterator[str]:
    for text in (step.reasoning, step.text):
        if text:
            yield visible(text)
    for result in step.tool_results:
        yield visible(result.text)
    for call in step.tool_calls:
        yield f"calls {visible(call.name)}"
        yield _canonical(visible_json(call.arguments))


def _shown(said: dict[str, list[str]]) -> Iterator[str]:
    yield from said["texts"]
    for name, arguments in zip(said["names"], said["calls"], strict=True):
        yield name
        yield _canonical(json.loads(arguments))


def _canonical(value: Any) -> str:
    # A browser's numbers are doubles: 1.0 is shown as 1, and whole numbers beyond 2**53 lose their last digits.
    return json.dumps(_doubles(value), sort_keys=True, ensure_ascii=False)


def _doubles(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, dict):
        return {name: _doubles(item) for name, item in value.items()}
    return [_doubles(item) for item in value]


_WORD: Final = re.compile(r"\w+")
# What Markdown does not set as words: where links lead, the language of a block, marks of lists, HTML entities.
_ADDRESS: Final = re.compile(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)")
_NUMBERED: Final = re.compile(r"^[\s>]*(?:[-*+]\s+)*\d{1,9}[.)](?=\s)", re.MULTILINE)
_FENCE: Final = re.compile(r"^[\s>]*(?:```|~~~).*$", re.MULTILINE)
_ENTITY: Final = re.compile(r"&#?\w+;")


def lost(report: str, citations: Sequence[Citation], shown: str) -> dict[str, int]:
    """Words of a report that stand less often on the page than in the store; citations stand as their labels."""
    pieces, place = [], 0
    for citation in sorted(citations, key=lambda one: (one.start, one.end)):
        if citation.start < place or citation.start == citation.end:
            continue
        pieces += [report[place : citation.start], " ", citation_label(citation), " "]
        place = citation.end
    text = visible("".join([*pieces, report[place:]]))
    for pattern in (_ADDRESS, _NUMBERED, _FENCE, _ENTITY):
        text = pattern.sub(" ", text)
    short = Counter(_WORD.findall(text.replace("_", " "))) - Counter(_WORD.findall(shown.replace("_", " ")))
    return dict(short)
