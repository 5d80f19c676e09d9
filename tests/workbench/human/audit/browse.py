"""A rater's browser recorded: every byte it gets, and for each pair everything about it but the two texts."""

import json
import re
import time
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Page, Response, expect

# Answers in which a pair arrives.
PAIR = re.compile(r"/api/(?:desk|ballots|undo)$")
BODY = ("left", "right", "passages", "traces", "question")
OUTSIDE = """() => {
  const page = document.documentElement.cloneNode(true);
  for (const body of page.querySelectorAll('.text, .passage, #question')) body.remove();
  return { html: page.outerHTML, title: document.title, elements: page.querySelectorAll('*').length };
}"""


@dataclass(slots=True)
class Recorded:
    """One pair: which assignment, and numbers about all that came with it, outside the texts."""

    assignment: str
    outside: dict[str, float]
    body_chars: tuple[int, int]


@dataclass(slots=True)
class Browsing:
    """Everything received, as text, and the pairs in order."""

    received: list[str] = field(default_factory=list)
    pairs: list[Recorded] = field(default_factory=list)
    hosts_asked: set[str] = field(default_factory=set)


def browse(browser: Browser, link: str, pairs: int) -> Browsing:
    """Rates `pairs` pairs by keyboard, opening a passage of each side on the way."""
    found = Browsing()
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    arrived: list[Response] = []
    answers: list[Response] = []

    def keep(answer: Response) -> None:
        found.received.append(f"{answer.url} {answer.status} {json.dumps(answer.all_headers())}")
        if answer.status != 204:
            found.received.append(answer.body().decode("utf-8", "replace"))
        if PAIR.search(answer.url):
            arrived.append(answer)

    page.on("request", lambda asked: found.hosts_asked.add(asked.url.split("/")[2]))
    page.on("response", lambda answer: answers.append(answer))
    began = time.perf_counter()
    page.goto(link)
    expect(page.locator("#progress")).to_have_text(re.compile("^pair 1 of "), timeout=60_000)
    # The page behind the link moves on at once, and takes along what it loaded: asked for once more, it is the same.
    for answer in [one for one in answers if "/api/" not in one.url]:
        again = context.request.get(answer.url)
        found.received.append(f"{answer.url} {json.dumps(again.headers)} {again.text()}")
    answers.clear()
    page.reload()
    for number in range(1, pairs + 1):
        expect(page.locator("#progress")).to_have_text(re.compile(rf"^pair {number} of "), timeout=60_000)
        ready_ms = (time.perf_counter() - began) * 1e3
        # Bodies are read here, not in the event: a handler that asks the browser would wait for itself.
        while answers:
            keep(answers.pop(0))
        found.pairs.append(_about(page, arrived[number - 1], number, ready_ms))
        page.keyboard.press("c")
        page.keyboard.press("v")
        found.received.append(page.content())
        page.keyboard.press("Escape")
        page.keyboard.type("1" + "3" * 8 + "Because.")
        began = time.perf_counter()
        page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_be_visible(timeout=60_000)
    while answers:
        keep(answers.pop(0))
    found.received.append(page.content())
    context.close()
    return found


def _about(page: Page, answer: Response, number: int, ready_ms: float) -> Recorded:
    message = answer.json()
    desk = message["desk"]
    texts = {name: desk[name] for name in BODY}
    envelope: dict[str, Any] = {**message, "desk": {name: value for name, value in desk.items() if name not in BODY}}
    headers = {name: value for name, value in answer.all_headers().items() if name not in ("content-length", "date")}
    timing = answer.request.timing
    outside = page.evaluate(OUTSIDE)
    sizes = answer.request.sizes()
    # The id is the one thing of the pair's own: letter by letter.
    letters = {f"id_{i}": float(ord(char)) for i, char in enumerate(desk["assignment"][2:12])}
    features = {
        "envelope_chars": len(json.dumps(envelope)),
        "size_beyond_texts": sizes["responseBodySize"] - len(json.dumps(texts, ensure_ascii=False).encode()),
        "keys_in_order": float(hash_of(list(desk))),
        "header_bytes": sizes["responseHeadersSize"] - len(str(sizes["responseBodySize"])),
        "header_hash": float(hash_of(sorted(headers.items()))),
        "wait_ms": timing["responseStart"] - timing["requestStart"],
        "receive_ms": timing["responseEnd"] - timing["responseStart"],
        "ready_ms": ready_ms,
        "dom_elements": outside["elements"],
        "dom_attribute_chars": len(outside["html"]) - len(outside["title"]),
        "position": number,
        **letters,
    }
    chars = (len(desk["left"]), len(desk["right"]))
    return Recorded(desk["assignment"], {name: float(value) for name, value in features.items()}, chars)


def hash_of(value: object) -> int:
    """A small number that is the same for the same value."""
    return sum(i * ord(char) for i, char in enumerate(json.dumps(value), 1)) % 9973
