"""The rating page's own share of a ballot: `python -m tests.bench rating-page`.

From the key that submits to the next pair readable (laid out and painted), from a key to what it shows, and how many
keys or clicks a complete ballot takes beside the words of its reason. Real server process, real browser, long reports.
"""

import re
import statistics
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, expect

from tests.support.browser import chromium
from tests.workbench.human.load.proof import sync_floor_ms
from tests.workbench.human.load.rounds import REPORT_CHARS, long_round
from tests.workbench.human.load.server import ServerProcess
from workbench.human.rounds import link_of
from workbench.store import open_store

SEED, PAIRS, RATED = 7, 60, 50
SCORES = "34453423"
REASON = "Left names what holds each harbour back."
# Two frames after the change: laid out in the first, painted by the second.
WATCH = """() => {
  window.waits = { submit: [], key: [] };
  let pressed = 0, submitted = 0;
  const painted = (done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
  addEventListener("keydown", (event) => {
    pressed = performance.now();
    if (event.key === "Enter") submitted = pressed;
    else if ("12345".includes(event.key)) { const at = pressed; painted((now) => waits.key.push(now - at)); }
  }, true);
  new MutationObserver(() => {
    if (!submitted) return;
    const at = submitted;
    submitted = 0;
    painted((now) => waits.submit.push(now - at));
  }).observe(document.getElementById("progress"), { childList: true, characterData: true, subtree: true });
}"""


def measure() -> dict[str, object]:
    """Milliseconds (median, p95, longest) and counts."""
    with tempfile.TemporaryDirectory(prefix="wb-page-") as name, chromium() as browser:
        folder = Path(name)
        url = f"sqlite:///{folder / 'store.db'}"
        with open_store(url) as store:
            _, (invitation,) = long_round(store, raters=1, pairs=PAIRS)
            server = ServerProcess(url, folder)
            server.start()
            try:
                page = browser.new_page(viewport={"width": 1440, "height": 980})
                page.goto(link_of(invitation, server.url))
                _on(page, 1)
                page.evaluate(WATCH)
                keys = [_by_keys(page, number) for number in range(1, RATED + 1)]
                waits = page.evaluate("window.waits")
                clicks = _by_mouse(page, RATED + 1)
            finally:
                server.stop()
        return {
            "report_chars": REPORT_CHARS,
            "dimensions": len(SCORES) // 2,
            "sync_floor_ms": sync_floor_ms(folder),
            "submit_to_next_pair_readable_ms": _summary(waits["submit"]),
            "key_to_shown_ms": _summary(waits["key"]),
            "keys_per_ballot_beside_the_reason": statistics.mean(keys),
            "answers_per_ballot": 1 + len(SCORES),
            "clicks_per_ballot_beside_the_reason": clicks,
        }


def _on(page: Page, number: int) -> None:
    expect(page.locator("#progress")).to_have_text(re.compile(rf"^pair {number} of {PAIRS}\b"), timeout=60_000)


def _by_keys(page: Page, number: int) -> int:
    """Rates the pair before the rater and gives the number of keys, without those of the reason's words."""
    page.keyboard.press("1")
    for score in SCORES:
        page.keyboard.press(score)
    page.keyboard.insert_text(REASON)
    page.wait_for_timeout(700)  # a rater reads; what is kept meanwhile and the pair after next are out of the way
    page.keyboard.press("Enter")
    _on(page, number + 1)
    return 1 + len(SCORES) + 1


def _by_mouse(page: Page, number: int) -> int:
    page.locator('#verdict input[value="left"]').click()
    clicks = 1
    for cell in page.locator(".cell").all():
        cell.locator("input").nth(3).click()
        clicks += 1
    page.locator("#reason").click()
    page.keyboard.insert_text(REASON)
    page.get_by_role("button", name="Submit and next").click()
    _on(page, number + 1)
    return clicks + 2


def _summary(waits: list[float]) -> dict[str, Any]:
    found = np.percentile(np.asarray(waits), [50, 95, 100])
    return {
        "n": len(waits),
        **dict(zip(("median", "p95", "max"), (round(float(one), 1) for one in found), strict=True)),
    }
