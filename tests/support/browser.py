"""A real browser on a page of ours: the system's Chromium, since the driver's own download fails in closed networks."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE_MS = 60_000


@contextmanager
def chromium() -> "Iterator[Browser]":
    """Chromium with a fresh profile; skips the test, with a reason, where it is not installed."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("chromium is not installed")
    from playwright.sync_api import expect, sync_playwright

    # A loaded machine is slow, not wrong.
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def elsewhere(address: str, url: str) -> bool:
    """Whether an address leads to another host than the app's at `url`."""
    parts = urlsplit(address)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != urlsplit(url).netloc


@contextmanager
def opened(browser: "Browser", url: str, **context: Any) -> "Iterator[Page]":
    """A page in a profile of its own. At its end no script of it has failed and nothing was asked of another host."""
    profile = browser.new_context(**({"viewport": {"width": 1440, "height": 1000}} | context))
    page = profile.new_page()
    page.set_default_timeout(PATIENCE_MS)
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("request", lambda request: failures.append(request.url) if elsewhere(request.url, url) else None)
    try:
        yield page
    finally:
        profile.close()
    assert failures == []


def visit(page: "Page", address: str) -> None:
    """Opens an address of the app and waits until it is drawn."""
    page.goto(address)
    settled(page)


def settled(page: "Page") -> None:
    """Waits until Streamlit has run the script to its end; no page may have failed."""

    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    failed = page.locator('[data-testid="stException"], .wb-failed').all_text_contents()
    assert failed == [], failed
