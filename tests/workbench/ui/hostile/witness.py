"""What a page of the app lets hostile content do, as the browser sees it; no content may do anything."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Dialog, Page

from tests.support.browser import PATIENCE_MS, elsewhere, settled

# Before any script of a page: a request that the policy stops is a content that had come alive all the same.
LISTEN: Final = """
window.__violations = [];
document.addEventListener('securitypolicyviolation', (event) =>
  window.__violations.push(event.violatedDirective + ' ' + event.blockedURI));
"""
INSPECT: Final = Path(__file__).with_name("inspect.js").read_text(encoding="utf-8")
FOLDED: Final = '[data-testid="stExpander"] details:not([open]) > summary, main details:not([open]) > summary'


@dataclass
class Witness:
    """A watched page. `events`: what happened that no page of the app does by itself."""

    page: Page
    url: str
    events: list[str] = field(default_factory=list)

    def look(self) -> str:
        """Opens what is folded; asserts that nothing of the content is alive or hidden, and gives the page's text."""
        self.page.evaluate("(all) => document.querySelectorAll(all).forEach((one) => one.click())", FOLDED)
        settled(self.page)
        self.page.wait_for_timeout(100)
        found: dict[str, Any] = self.page.evaluate(INSPECT)
        assert found["bad"] == [], f"{self.page.url}: {found['bad'][:10]}"
        assert self.events == [], f"{self.page.url}: {self.events[:10]}"
        # Ours, put where Streamlit would make a link or an icon of a text.
        return str(found["text"]).replace("\u2060", "")


@contextmanager
def watched(browser: Browser, url: str, *, patience_ms: int = PATIENCE_MS) -> Iterator[Witness]:
    """A fresh profile in which requests, dialogs, windows, downloads, navigations and failed scripts are recorded."""
    profile = browser.new_context(viewport={"width": 1440, "height": 1000}, accept_downloads=False)
    profile.add_init_script(LISTEN)
    profile.set_default_timeout(patience_ms)
    page = profile.new_page()
    witness = Witness(page, url)
    note = witness.events.append

    def dismissed(dialog: Dialog) -> None:
        note(f"dialog {dialog.message}")
        dialog.dismiss()

    profile.on("request", lambda request: note(f"request {request.url}") if elsewhere(request.url, url) else None)
    page.on("dialog", dismissed)
    page.on("popup", lambda other: note(f"window {other.url}"))
    page.on("download", lambda file: note(f"download {file.url}"))
    page.on("pageerror", lambda error: note(f"script failed: {error}"))
    page.on("framenavigated", lambda frame: note(f"navigated {frame.url}") if elsewhere(frame.url, url) else None)
    try:
        yield witness
    finally:
        profile.close()
