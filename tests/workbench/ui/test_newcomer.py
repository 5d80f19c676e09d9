"""What a newcomer must find, in a real browser, each click counted: the citation of nothing, and the missing search."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.support.browser import settled, visit
from workbench.store import Store, open_store


class Clicks:
    """Clicks of a reader. Nothing else moves the page."""

    def __init__(self) -> None:
        self.n = 0

    def __call__(self, on: Locator, at: tuple[float, float] | None = None) -> None:
        self.n += 1
        on.click(position=None if at is None else {"x": at[0], "y": at[1]})


def card(page: Page, run: str) -> Locator:
    """The card of a run on the overview."""
    inner = page.locator('[data-testid="stVerticalBlock"]', has=page.get_by_text(run, exact=True))
    return inner.filter(has=page.get_by_role("link", name="Show them →")).last


def queries_of(store: Store, trajectory_id: str) -> set[str]:
    steps = store.trajectories.get(trajectory_id).steps
    return {str(call.arguments.get("query", "")) for step in steps for call in step.tool_calls}


def first_row(page: Page) -> Locator:
    return page.locator('[data-testid="stDataFrame"]').first


def test_from_the_overview_to_the_sentence_of_a_citation_that_was_never_retrieved(page: Page, url: str) -> None:
    click = Clicks()
    visit(page, url)
    told = page.get_by_text(re.compile(r"^\d+ of \d+ citations name an address that the run never retrieved\.$"))
    expect(told).to_be_visible()
    click(card(page, "sim-fabricating").get_by_role("link", name="Show them →"))
    page.wait_for_url(re.compile("retrieval=not_retrieved"))
    settled(page)
    click(first_row(page), at=(18, 53))
    page.wait_for_url(re.compile(r"/trajectory\?"))
    mark = page.locator(".report .c.not_retrieved").first
    expect(mark).to_be_visible()
    click(mark)
    why = page.locator(".ev.bad")
    expect(why).to_contain_text("the report cites what the agent never saw")
    expect(mark).to_have_class(re.compile(r"\bon\b"))
    sentence = mark.locator("xpath=ancestor::*[self::p or self::li or self::td][1]").inner_text()
    assert len(re.findall(r"\w{3,}", sentence)) >= 4  # the claim stands around its mark, on the screen
    expect(mark).to_be_in_viewport()
    assert click.n <= 5


def test_from_a_low_score_to_the_searches_that_were_missing(page: Page, url: str, sample_url: str) -> None:
    click = Clicks()
    visit(page, f"{url}/trajectories?run=sim-narrow&sort=score&grader=gold&max=0.6")
    click(first_row(page), at=(18, 53))
    page.wait_for_url(re.compile(r"/trajectory\?"))
    low = parse_qs(urlsplit(page.url).query)["id"][0]
    click(page.get_by_role("link", name="Compare with the best and the worst →"))
    page.wait_for_url(re.compile(r"/compare\?"))
    settled(page)
    ids = parse_qs(urlsplit(page.url).query)["ids"][0].split(",")
    assert ids[0] == low
    only = page.locator(".wbc-set", has_text="Only in B").first
    expect(only).to_be_visible()
    expect(only.locator("tbody tr").first).to_be_visible()
    missing = only.locator("tbody tr td:first-child").first.inner_text().split("\n")[0].strip()
    with open_store(sample_url) as store:
        asked = [
            {
                str(call.arguments.get("query", ""))
                for step in store.trajectories.get(one).steps
                for call in step.tool_calls
            }
            for one in ids[:2]
        ]
    assert missing in asked[1] and missing not in asked[0]
    assert click.n <= 5
