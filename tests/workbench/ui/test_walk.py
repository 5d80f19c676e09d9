"""The whole road in a real browser: from a trajectory file to a trained policy and its rollouts in the table."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.support.browser import settled, visit
from tests.support.servers import free_port, running
from tests.support.shared_data import shared

SECOND = 1000
WEBDANCER = "webdancer-trajectories/sample_traj.jsonl"


def choose(page: Page | Locator, label: str, option: str) -> None:
    """Picks an option by typing it, and again where a rerun closed the list or moved another option under the click."""
    box = page.get_by_label(label, exact=True).last
    whole = box.locator('xpath=ancestor::*[@data-testid="stSelectbox" or @data-testid="stMultiSelect"]')
    for attempt in range(3):
        box.click()
        box.fill(option)
        found = box.page.get_by_role("option", name=re.compile(rf"^{re.escape(option)}\b")).first
        try:
            found.click(timeout=(30 if attempt == 2 else 4) * SECOND)
        except PlaywrightTimeoutError:
            box.press("Escape")
            continue
        settled(box.page)
        if option == box.input_value() or option in whole.inner_text().split("\n"):
            return
    raise AssertionError(f"{label} does not take {option}")


def start(page: Page, button: str) -> None:
    """Presses a button that starts a job, and waits until it is started: leaving at once would cut the request off."""
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.get_by_text("Started:").first).to_be_visible()


def wait_for_job(page: Page, url: str, words: str, *, limit_s: float = 90) -> None:
    visit(page, f"{url}/jobs")
    row = page.locator('[data-testid="stMarkdown"]', has_text=words).first
    expect(row).to_contain_text(re.compile("done|failed"), timeout=limit_s * SECOND)
    expect(row).to_contain_text("done")


def test_the_whole_road(page: Page, browser: Browser, url: str, sample_url: str, folder: Path) -> None:
    source = shared(WEBDANCER)
    import_a_file(page, url, source)
    read_a_trajectory(page, url)
    grade_a_run(page, url)
    vote_blind(page, browser, url, sample_url, folder)
    shape_and_export(page, url)
    train_and_find_the_rollouts(page, url)


def import_a_file(page: Page, url: str, source: Path) -> None:
    visit(page, f"{url}/jobs")
    page.get_by_text("Import trajectories").first.click()
    page.get_by_label("or a path on this machine").fill(str(source))
    page.get_by_label("Run", exact=True).fill("webdancer")
    page.get_by_label("Run", exact=True).press("Enter")
    settled(page)
    start(page, "Import")
    wait_for_job(page, url, source.name)
    visit(page, f"{url}/trajectories?run=webdancer")
    expect(page.get_by_text("160 of").first).to_be_visible()


def read_a_trajectory(page: Page, url: str) -> None:
    visit(page, f"{url}/trajectories?run=webdancer&retrieval=seen")
    table = page.locator('[data-testid="stDataFrame"]')
    table.click(position={"x": 18, "y": 53})
    page.wait_for_url(re.compile("/trajectory\\?"))
    page.wait_for_selector(".report")
    timeline = page.locator(".timeline svg")
    expect(timeline).to_contain_text("research")
    expect(timeline).to_contain_text("synthesis")
    page.locator(".report .c").first.click()
    expect(page.locator(".ev mark")).to_be_visible()
    expect(page.locator(".ev").first).to_contain_text("seen, not opened")
    page.keyboard.press("j")
    # The citation led to the step of its passage; the key goes on from there.
    expect(page.locator(".card h3").nth(2)).to_contain_text(re.compile(r"step [1-9]\d* ·", re.IGNORECASE))


def grade_a_run(page: Page, url: str) -> None:
    visit(page, f"{url}/graders")
    page.get_by_text("Grade a run").first.click()
    form = page.locator('[data-testid="stExpander"]', has_text="Grade a run")
    choose(form, "Run", "webdancer")
    choose(form, "Grader", "citations")
    start(page, "Grade")
    wait_for_job(page, url, "grade --grader citations --run webdancer")


def vote_blind(page: Page, browser: Browser, url: str, sample_url: str, folder: Path) -> None:
    visit(page, f"{url}/rate")
    page.get_by_text("Plan a round").first.click()
    form = page.locator('[data-testid="stExpander"]', has_text="Plan a round")
    for run in ("sim-broad", "sim-narrow"):
        choose(form, "Runs to compare", run)
    page.keyboard.press("Escape")
    none = (("Practice pairs", "0"), ("Attention checks", "0"), ("Seen twice", "0"))
    for label, value in (*none, ("Name of the round (raters do not see it)", "walk")):
        field = form.get_by_label(label, exact=True)
        field.fill(value)
        field.press("Enter")
        settled(page)
    form.get_by_role("button", name="Create it and make the links").click()
    links = page.locator('[data-testid="stCode"]', has_text="/r/").first
    expect(links).to_be_visible()
    token_path = re.findall(r"http://127\.0\.0\.1:8600(/r/\S+)", links.inner_text())[0]
    port = free_port()
    serve = ["-m", "workbench", "--store", sample_url, "rate", "serve", "--port", str(port)]
    with running(serve, url=f"http://127.0.0.1:{port}/", folder=folder) as base:
        rater = browser.new_page(viewport={"width": 1440, "height": 980})
        rater.goto(base.rstrip("/") + token_path)
        rater.wait_for_selector("text=/1 of \\d+/")
        for hidden in ("sim-broad", "sim-narrow", "scripted"):
            assert hidden not in rater.content()
        rater.keyboard.press("1")
        rater.keyboard.press("d")
        rater.keyboard.type("42534332The left one answers every part.")
        rater.keyboard.press("Control+Enter")
        expect(rater.locator("#said")).to_have_text("Pair 1 recorded")
        rater.close()
    visit(page, f"{url}/rate")
    expect(page.get_by_text(re.compile(r"^1 of \d+$")).first).to_be_visible()


def shape_and_export(page: Page, url: str) -> None:
    visit(page, f"{url}/reward")
    verdict = page.locator(".wb-note").first
    before = verdict.inner_text()
    slider = page.get_by_role("slider").first
    slider.focus()
    for _ in range(6):
        slider.press("ArrowRight")
    expect(verdict).not_to_have_text(before)
    settled(page)
    page.get_by_role("button", name=re.compile("^Save as ")).click()
    expect(page.get_by_role("button", name=re.compile("^Saved as "))).to_be_visible()
    settled(page)
    page.get_by_role("button", name=re.compile("^Export to a TRL job")).click()
    reason = page.get_by_label("Export all the same, because")
    reason.fill("a walk through the app")
    reason.press("Enter")
    settled(page)
    start(page, "Export")
    wait_for_job(page, url, "export --spec")
    visit(page, f"{url}/reward")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").first.click()
    assert download.value.suggested_filename.endswith(".zip")


def train_and_find_the_rollouts(page: Page, url: str) -> None:
    visit(page, f"{url}/training")
    # With an export and no run yet the form stands open.
    expect(page.get_by_role("button", name="Start training")).to_be_visible()
    page.get_by_label("Run", exact=True).fill("walk-rl")
    page.get_by_label("Run", exact=True).press("Enter")
    settled(page)
    start(page, "Start training")
    wait_for_job(page, url, "--run walk-rl", limit_s=240)
    visit(page, f"{url}/training?run=walk-rl")
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    expect(page.get_by_text(re.compile("step (9|10)")).first).to_be_visible()
    visit(page, f"{url}/trajectories?run=walk-rl")
    expect(page.get_by_text(re.compile(r"^[1-9][\d,]* of ")).first).to_be_visible()
