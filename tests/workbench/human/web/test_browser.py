"""The rating page in a real browser, by keyboard alone."""

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.support.browser import chromium
from tests.workbench.human.conftest import Served
from tests.workbench.human.research_sample import TRACED, fill_traced
from tests.workbench.human.sample import SampleRun, add, trajectory_of
from tests.workbench.human.web.test_blindness import secrets_of
from workbench.human.rounds import close_round, create_round, link_of, plan_round
from workbench.human.rounds.checks import Checks
from workbench.human.rounds.page import PageForm


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1440, "height": 980})
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext, served: Served) -> Iterator[Page]:
    """A rater's page with the first pair on it. No error may be thrown, and nothing said but of a lost connection."""
    troubles: list[str] = []
    opened = context.new_page()
    opened.on("console", lambda message: troubles.append(message.text))
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.goto(link_of(served.opened.invitations[0], served.url))
    on_pair(opened, 1)
    yield opened
    assert [text for text in troubles if "ERR_FAILED" not in text] == []


def on_pair(page: Page, number: int) -> None:
    expect(page.locator("#progress")).to_have_text(re.compile(rf"^pair {number} of 4\b"))


def ballots(served: Served) -> Any:
    return served.opened.store.human.ballots(served.opened.round.id)


def fill(page: Page, verdict: str = "1", scores: str = "4253", reason: str = "Left names obstacles.") -> None:
    page.keyboard.press(verdict)
    page.keyboard.press("d")
    page.keyboard.type(scores + reason)  # after the last score the reason has the focus


def test_pair_is_voted_on_by_keyboard_alone(page: Page, served: Served) -> None:
    fill(page)
    page.keyboard.press("Control+Enter")
    on_pair(page, 2)
    expect(page.locator("#said")).to_have_text("Pair 1 recorded")
    (cast,) = ballots(served)
    assert (cast.verdict, cast.reason) == ("left", "Left names obstacles.")
    assert cast.scores == {"depth": (4, 2), "readability": (5, 3)}
    assert cast.seconds is not None and 0 < cast.seconds < 60
    expect(page.locator("#ballot :checked")).to_have_count(0)
    expect(page.locator("#reason")).to_have_value("")


def test_token_leaves_the_address_and_no_script_can_read_it(
    page: Page, served: Served, context: BrowserContext
) -> None:
    assert page.url == served.url + "/"
    token = served.opened.invitations[0].token
    assert token not in page.content()
    assert page.evaluate("document.cookie") == ""
    (cookie,) = context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["value"]) == (True, "Strict", token)


def test_incomplete_ballot_says_what_is_missing_and_goes_there(page: Page, served: Served) -> None:
    page.keyboard.press("Control+Enter")
    expect(page.locator("#said")).to_have_text("Choose a verdict: keys 1 to 5")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#said")).to_have_text("4 of 4 scores are missing")
    page.keyboard.type("11")
    page.keyboard.press("Backspace")  # the second was wrong
    page.keyboard.type("555")
    page.keyboard.press("Control+Enter")
    on_pair(page, 2)
    (cast,) = ballots(served)
    assert (cast.verdict, cast.scores) == ("right", {"depth": (1, 5), "readability": (5, 5)})


def test_undo_brings_the_last_ballot_back_as_it_was(page: Page, served: Served) -> None:
    fill(page, verdict="4")
    page.keyboard.press("Control+Enter")
    on_pair(page, 2)
    page.keyboard.press("u")
    on_pair(page, 1)
    expect(page.locator("#ballot :checked")).to_have_count(5)
    expect(page.locator("#reason")).to_have_value("Left names obstacles.")
    assert ballots(served) == ()
    page.keyboard.press("5")
    page.keyboard.press("Control+Enter")
    on_pair(page, 2)
    assert [one.verdict for one in ballots(served)] == ["both_bad"]


def test_draft_survives_a_reload(page: Page) -> None:
    fill(page, scores="42", reason="")
    page.keyboard.press("r")
    page.keyboard.type("half a thought")
    expect(page.locator("#saved")).to_have_text("Saved")
    page.keyboard.type(", and more")
    page.reload()  # at once: what was typed last goes along with the leaving page
    on_pair(page, 1)
    expect(page.locator("#reason")).to_have_value("half a thought, and more")
    expect(page.locator("#ballot :checked")).to_have_count(3)
    expect(page.locator("body")).to_have_attribute("data-verdict", "left")


def test_ballot_is_sent_again_after_a_lost_connection_and_counts_once(
    page: Page, served: Served, context: BrowserContext
) -> None:
    lost = 0

    def lose_the_answer(route: Any) -> None:
        nonlocal lost
        lost += 1
        if lost == 1:
            route.fetch()  # the server has it, the browser never hears
            route.abort()
        else:
            route.continue_()

    context.route("**/api/ballots", lose_the_answer)
    fill(page)
    expect(page.locator("#saved")).to_have_text("Saved")
    page.keyboard.press("Control+Enter")
    on_pair(page, 2)
    assert lost == 2
    assert len(ballots(served)) == 1
    expect(page.locator("#said")).to_have_text("Pair 1 had been recorded before")


def test_two_tabs_cannot_vote_twice_on_one_pair(page: Page, served: Served, context: BrowserContext) -> None:
    other = context.new_page()
    other.goto(served.url)
    on_pair(other, 1)
    for tab in (page, other):
        fill(tab)
        tab.keyboard.press("Control+Enter")
        on_pair(tab, 2)
    expect(other.locator("#said")).to_have_text("Pair 1 had been recorded before")
    assert len(ballots(served)) == 1


def test_find_marks_both_reports_and_keys_do_not_vote_meanwhile(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("cranes")
    expect(page.locator("#hits")).to_have_text("8 left, 8 right")
    page.keyboard.press("Enter")
    page.keyboard.type(" [1]")
    expect(page.locator("#hits")).to_have_text("1 left, 1 right")
    page.keyboard.press("Escape")
    expect(page.locator("#find")).to_be_hidden()
    expect(page.locator("#ballot :checked")).to_have_count(0)
    page.keyboard.press("1")
    expect(page.locator("#ballot :checked")).to_have_count(1)


def test_scroll_together_moves_the_other_report_by_the_same_share(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 560})
    page.keyboard.press("s")
    page.locator("#left").evaluate("pane => (pane.scrollTop = (pane.scrollHeight - pane.clientHeight) / 2)")
    share = "pane => pane.scrollTop / (pane.scrollHeight - pane.clientHeight)"
    page.wait_for_timeout(200)
    assert page.locator("#right").evaluate(share) == pytest.approx(0.5, abs=0.03)
    assert page.locator("#left").evaluate(share) == pytest.approx(0.5, abs=0.03)


def test_sheet_of_keys_opens_and_no_key_votes_behind_it(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.locator("#sheet")).to_be_visible()
    expect(page.locator("#dimensions")).to_contain_text("How deep?")
    page.keyboard.press("1")
    page.keyboard.press("?")
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator("#ballot :checked")).to_have_count(0)


def test_all_pairs_done_and_the_last_can_still_be_undone(page: Page) -> None:
    for number in range(1, 5):
        on_pair(page, number)
        fill(page)
        page.keyboard.press("Control+Enter")
    expect(page.locator("#notice")).to_contain_text("All 4 pairs are rated")
    expect(page.locator("#ballot")).to_be_hidden()
    page.keyboard.press("u")
    on_pair(page, 4)


def test_round_closed_meanwhile_says_so_and_takes_nothing(browser: Browser, served: Served) -> None:
    page = browser.new_page()
    page.goto(link_of(served.opened.invitations[0], served.url))
    on_pair(page, 1)
    close_round(served.opened.store, served.opened.round.id)
    fill(page)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#notice")).to_contain_text("this round is closed")
    assert ballots(served) == ()
    page.close()


def test_page_works_on_a_tablet_by_touch(browser: Browser, served: Served) -> None:
    context = browser.new_context(viewport={"width": 834, "height": 1112}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(link_of(served.opened.invitations[0], served.url))
    on_pair(page, 1)
    widths = [page.locator(side).bounding_box() for side in ("#left", "#right")]
    assert widths[0] and widths[1] and widths[0]["width"] == widths[1]["width"] > 380
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator('#verdict input[value="both_fair"]').tap()
    for cell in page.locator(".cell").all():
        cell.locator("input").nth(2).tap()
    submit = page.get_by_role("button", name="Submit and next")
    box = submit.bounding_box()
    assert box and box["y"] + box["height"] <= 1112
    submit.tap()
    on_pair(page, 2)
    assert [one.verdict for one in ballots(served)] == ["both_fair"]
    context.close()


def test_link_opened_from_another_site_still_reaches_the_pairs(browser: Browser, served: Served) -> None:
    """A strict cookie is not sent along a redirect that another site began: mail on the web is such a site."""
    link = link_of(served.opened.invitations[0], served.url)

    class Mail(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<a href="{link}">rate</a>'.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    mail = HTTPServer(("127.0.0.1", 0), Mail)
    threading.Thread(target=mail.serve_forever, daemon=True).start()
    page = browser.new_page()
    page.goto(f"http://localhost:{mail.server_port}/")  # another site than 127.0.0.1
    page.get_by_text("rate").click()
    on_pair(page, 1)
    page.close()
    mail.shutdown()
    mail.server_close()


def test_hostile_report_runs_nothing_and_asks_for_nothing(browser: Browser, served: Served) -> None:
    hostile = (
        "Fine text.\n\n<script>window.hit = 1; fetch('/api/undo', {method: 'POST'})</script>\n\n"
        "<img src='https://evil.example/p.png' onerror='window.hit = 1'>\n\n![x](https://evil.example/q.png)\n\n"
        "[go](javascript:window.hit=1) <svg onload='window.hit = 1'></svg> <base href='https://evil.example/'>\n"
        "<style>body{display:none}</style> <iframe src='https://evil.example'></iframe>\n"
    )
    store = served.opened.store
    runs = SampleRun("rough_run", "Rough-1"), SampleRun("smooth_run", "Smooth-1")
    add(
        store,
        *(trajectory_of(run, "Is this hostile?", text) for run, text in zip(runs, (hostile, "Calm."), strict=True)),
    )
    plan = plan_round(store, runs=[run.name for run in runs], raters=1)
    _, (invitation,) = create_round(store, plan, name="hostile")
    asked: list[str] = []
    page = browser.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(link_of(invitation, served.url))
    expect(page.locator("#question")).to_have_text("Is this hostile?")
    expect(page.locator("#reports")).to_contain_text("Fine text.")
    page.wait_for_timeout(300)
    assert page.evaluate("window.hit") is None
    assert [url for url in asked if not url.startswith(served.url + "/")] == []
    assert page.locator("#reports :is(script, img, svg, style, iframe, base, a, form, input)").count() == 0
    page.close()


def test_no_byte_that_the_browser_received_names_a_system(browser: Browser, served: Served) -> None:
    received: list[str] = []
    context = browser.new_context()
    page = context.new_page()
    page.on(
        "response",
        lambda answer: received.append(
            answer.url + str(answer.all_headers()) + answer.body().decode("utf-8", "replace")
        ),
    )
    page.goto(link_of(served.opened.invitations[0], served.url))
    for number in range(1, 5):
        on_pair(page, number)
        fill(page)
        page.keyboard.press("Control+Enter")
    expect(page.locator("#notice")).to_contain_text("All 4 pairs")
    everything = "\n".join([*received, page.content()]).casefold()
    assert "[model]" in everything
    assert [word for word in secrets_of(served) if word.casefold() in everything] == []
    context.close()


def test_practice_pair_tells_what_it_was_about_before_the_pairs_that_count(
    context: BrowserContext, served: Served
) -> None:
    store = served.opened.store
    plan = plan_round(store, runs=list(served.opened.round.runs), raters=1, seed=2)
    round_, (invitation,) = create_round(store, plan, name="practice", dimensions={}, checks=Checks(training=1))
    page = context.new_page()
    page.goto(link_of(invitation, served.url))
    expect(page.locator("#progress")).to_have_text(re.compile(r"^practice pair 1 of 5 · does not count"))
    (practice, *_) = store.human.assignments(round_.id)
    page.keyboard.press("1" if practice.expected == "left" else "2")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#feedback")).to_be_visible()
    expect(page.locator("#feedback p").first).to_contain_text(
        "As we see it too. One of the two reports answers another"
    )
    page.keyboard.press("2")  # no verdict while the dialog is open
    page.keyboard.press("Enter")
    expect(page.locator("#feedback")).to_be_hidden()
    expect(page.locator("#progress")).to_have_text(re.compile(r"^pair 2 of 5\b"))
    expect(page.locator("input[name=verdict]:checked")).to_have_count(0)


@pytest.fixture
def traced_page(context: BrowserContext, served: Served) -> Iterator[Page]:
    """Two traced runs, their research beside the reports."""
    store = served.opened.store
    runs = fill_traced(store, runs=TRACED)
    plan = plan_round(store, runs=[run.name for run in runs], raters=1, seed=3)
    _, (invitation,) = create_round(store, plan, name="traced", page=PageForm(trace=True))
    opened = context.new_page()
    opened.goto(link_of(invitation, served.url))
    expect(opened.locator("#question")).to_contain_text("How deep is berth")
    yield opened
    opened.close()


def test_citations_open_their_passage_by_key_and_by_click(traced_page: Page) -> None:
    page = traced_page
    box = page.locator("#left .passage")
    page.keyboard.press("c")
    expect(box).to_be_visible()
    expect(box.locator("mark")).to_contain_text("was deepened to 14 metres")
    page.keyboard.press("c")
    expect(box).to_contain_text("No passage")
    page.keyboard.press("Shift+C")
    expect(box.locator("mark")).to_be_visible()
    page.keyboard.press("v")
    expect(box).to_be_hidden()
    expect(page.locator("#right .passage mark")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#right .passage")).to_be_hidden()
    page.locator("#left .cite").first.click()
    expect(box.locator("mark")).to_be_visible()
    box.get_by_role("button", name="Close").click()
    expect(box).to_be_hidden()
    assert page.evaluate("window.hit") is None
    assert page.locator("#reports :is(script, img, iframe, a)").count() == 0


def test_research_behind_the_reports_is_shown_on_wish_and_goes_again(traced_page: Page) -> None:
    page = traced_page
    page.keyboard.press("t")
    expect(page.locator("#left")).to_contain_text("Searched for [model] berth")
    page.locator("#right summary").first.click()
    expect(page.locator("#right blockquote").first).to_contain_text("A page on berths, as [model] saw it.")
    page.keyboard.press("t")
    expect(page.locator("#left")).to_contain_text("The tide runs high in spring")


def test_a_ballot_takes_as_many_keys_as_it_has_answers(page: Page, served: Served) -> None:
    """Verdict, then scores, then the reason: no key in between, and Enter at the end."""
    page.keyboard.press("2")
    page.keyboard.type("3451")
    page.keyboard.type("Right is clearer.")
    page.keyboard.press("Enter")
    on_pair(page, 2)
    (cast,) = ballots(served)
    assert (cast.verdict, cast.reason) == ("right", "Right is clearer.")
    assert cast.scores == {"depth": (3, 4), "readability": (5, 1)}


def test_shift_enter_begins_a_new_line_of_the_reason(page: Page, served: Served) -> None:
    fill(page, reason="One.")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("Two.")
    page.keyboard.press("Enter")
    on_pair(page, 2)
    assert [one.reason for one in ballots(served)] == ["One.\nTwo."]


def test_clicks_land_although_each_dimension_shows_its_guidance(context: BrowserContext, served: Served) -> None:
    """Guidance of another height moved the form between a mouse's down and up, and the click was lost."""
    store = served.opened.store
    plan = plan_round(store, runs=list(served.opened.round.runs), raters=1, seed=4)
    _, (invitation,) = create_round(store, plan, name="clicked")
    page = context.new_page()
    page.goto(link_of(invitation, served.url))
    on_pair(page, 1)
    page.locator('#verdict input[value="left"]').click()
    for cell in page.locator(".cell").all():
        cell.locator("input").nth(3).click()
    expect(page.locator("#ballot :checked")).to_have_count(9)
    page.close()
