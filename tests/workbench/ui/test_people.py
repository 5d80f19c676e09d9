"""Several people on one server: the filter of one, and the failure of one, touch nobody else; a password keeps others
out."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.support.browser import opened, settled, visit
from tests.support.servers import app
from workbench.store import TrajectoryFilter, open_store

PASSWORD = "a long word & more"


def count_shown(page: Page) -> str:
    return page.get_by_text(re.compile(r"^[\d,]+ of 60")).first.inner_text().split(" of ")[0]


def test_filter_and_failure_of_one_touch_nobody_else(browser: Browser, url: str, sample_url: str) -> None:
    with open_store(sample_url) as store:
        store.diagnoses.save("d-broken", "fixed_evidence", "0" * 64, {"kind": "fixed_evidence"})
    with opened(browser, url) as one, opened(browser, url) as other:
        visit(one, f"{url}/trajectories?run=sim-broad")
        visit(other, f"{url}/trajectories?retrieval=not_retrieved")
        assert count_shown(one) == "12" and count_shown(other) != "12"
        before = count_shown(other)
        one.goto(f"{url}/diagnosis")
        failed = one.locator(".wb-failed")
        expect(failed).to_contain_text("could not be drawn")
        expect(failed).to_contain_text("Reload, or go on with another page")
        assert "KeyError" in failed.inner_text() and "Traceback" not in one.content()
        assert count_shown(other) == before
        other.reload()
        settled(other)
        assert count_shown(other) == before
        # Nor is the one who met it any worse off on the next page.
        one.get_by_role("link", name="Trajectories", exact=True).click()
        one.wait_for_url(re.compile("/trajectories"))
        settled(one)
        assert count_shown(one) == "60"


def test_what_one_writes_down_the_other_reads(browser: Browser, url: str, sample_url: str) -> None:
    with open_store(sample_url) as store:
        identifier = store.trajectories.ids(TrajectoryFilter(run="sim-broad"))[0]
    with opened(browser, url) as one, opened(browser, url) as other:
        for page in (one, other):
            visit(page, f"{url}/trajectory?id={identifier}")
        one.get_by_label("What you saw").fill("opens the register first")
        one.get_by_role("button", name="Add", exact=True).click()
        expect(one.get_by_text("opens the register first").first).to_be_visible()
        other.reload()
        expect(other.get_by_text("opens the register first").first).to_be_visible()


def test_a_password_keeps_others_out_and_lets_its_holder_read(
    browser: Browser, sample_url: str, tmp_path: Path
) -> None:
    with open_store(sample_url) as store:
        identifier = store.trajectories.ids(TrajectoryFilter(run="sim-broad"))[0]
    with app(sample_url, tmp_path, "--server.address", "0.0.0.0", password=PASSWORD) as url:
        with opened(browser, url) as stranger:
            stranger.goto(f"{url}/trajectory?id={identifier}")
            expect(stranger.get_by_label("Password")).to_be_visible()
            stranger.get_by_label("Password").fill("a guess at it")
            stranger.get_by_role("button", name="Log in").click()
            expect(stranger.get_by_role("alert")).to_have_text("That is not the password.")
            assert "sim-" not in stranger.content()
        with opened(browser, url) as holder:
            holder.goto(f"{url}/trajectory?id={identifier}")
            holder.get_by_label("Password").fill(PASSWORD)
            holder.get_by_role("button", name="Log in").click()
            holder.wait_for_url(re.compile(identifier))
            holder.wait_for_selector(".report")
            holder.keyboard.press("j")  # the steps come by another door than the page
            expect(holder.locator(".evidence h3")).to_contain_text("Step 0", ignore_case=True)
