"""Compare and Phases in a real browser: the main path of each, and that nothing is asked of another host."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.support.browser import settled, visit
from workbench.store import TrajectoryFilter, open_store


def test_from_a_trajectory_to_its_siblings_and_to_a_step_of_one(page: Page, url: str, sample_url: str) -> None:
    with open_store(sample_url) as store:
        first = store.trajectories.ids(TrajectoryFilter(run="sim-fabricating", grader="gold"), sort="score")[0]
    visit(page, f"{url}/trajectory?id={first}")
    page.get_by_role("link", name="Compare with the best and the worst").click()
    page.wait_for_url(re.compile(r"/compare\?"))
    settled(page)
    ids = parse_qs(urlsplit(page.url).query)["ids"][0].split(",")
    assert ids[0] == first and 2 <= len(ids) <= 4
    expect(page.get_by_text("sentences alike").first).to_be_visible()
    for title in ("Phases", "Queries", "Sites", "Grades", "Citations", "Reports"):
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
    if len(ids) == 3:
        page.get_by_text("A and C", exact=True).click()
        page.wait_for_url(re.compile("pair=AC"))
        settled(page)
    page.get_by_text("whole reports", exact=True).click()
    page.wait_for_url(re.compile("reports=whole"))
    expect(page.locator(".wbc-report")).to_have_count(len(ids))
    mark = page.locator('[data-testid="stPlotlyChart"] .scatterlayer .trace .point').first
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url(re.compile(r"/trajectory\?.*step=\d+"))
    expect(page.locator(".step.on")).to_be_visible()


def test_from_a_way_to_fail_to_its_rows(page: Page, url: str) -> None:
    visit(page, f"{url}/phases?grader=gold&low=0.5")
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    page.get_by_text("tool calls", exact=True).last.scroll_into_view_if_needed()
    expect(page.get_by_text("on the same question", exact=True)).to_be_visible()
    link = page.get_by_role("link", name=re.compile(r"^Open these \d+ in the table")).first
    n = re.findall(r"\d+", link.inner_text())[0]
    link.click()
    page.wait_for_url(re.compile(r"/trajectories\?.*ids="))
    settled(page)
    expect(page.get_by_text(f"{n} that a link names")).to_be_visible()
    visit(page, page.url)  # the address alone brings the same rows
    expect(page.get_by_text(f"{n} of 60")).to_be_visible()


def test_a_question_is_chosen_and_its_attempts_are_compared(page: Page, url: str) -> None:
    visit(page, f"{url}/compare")
    page.locator('[data-testid="stDataFrame"]').click(position={"x": 18, "y": 53})
    page.wait_for_url(re.compile("question="))
    settled(page)
    page.get_by_role("button", name="Compare these 2").click()
    page.wait_for_url(re.compile(r"/compare\?.*ids="))
    expect(page.get_by_role("heading", name="Reports", exact=True)).to_be_visible()
