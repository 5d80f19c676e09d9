"""Reading a trajectory in a real browser: modes, what follows the scroll, links to a step, notes, quotes, keys."""

import re
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.bench.reading_traces import trace
from tests.support.browser import settled, visit
from workbench.phases import analyse
from workbench.schema.grade import CriterionVerdict, Grade
from workbench.schema.note import Note
from workbench.schema.trajectory import Trajectory
from workbench.store import NewTrajectory, open_store

EVENTS, SEED = 350, 5
MADE = trace(EVENTS, 300_000, SEED)
QUOTED = MADE.report.split(", ")[1].rpartition(" (")[0][:60]


@pytest.fixture(scope="module")
def sample_url(folder: Path) -> str:
    """Two attempts of 350 steps, a note on step 201 of the first, a grade of it that quotes its report."""
    url = f"sqlite:///{folder / 'store.db'}"
    with open_store(url) as store:
        both: list[Trajectory] = [MADE, MADE.numbered(EVENTS + 1)]
        store.trajectories.add_batch([NewTrajectory(one, analyse(one), b"{}", "made") for one in both])
        store.notes.add(
            Note(MADE.id, "insight", "asks for the year", "rater-1", datetime.now(UTC), anchor="step", position=201)
        )
        verdict = CriterionVerdict("accuracy", "partly", 0.5, "one figure is off", QUOTED)
        store.grades.add(MADE.id, Grade("judge", "v1", "case", "scored", 0.5, 0.5, "mean", verdicts=(verdict,)))
    return url


def parameter(page: Page, name: str) -> str | None:
    return parse_qs(urlsplit(page.url).query).get(name, [None])[0]


def read(page: Page, url: str, **given: str) -> None:
    more = "".join(f"&{name}={value}" for name, value in given.items())
    visit(page, f"{url}/trajectory?id={MADE.id}&at=0{more}")
    expect(page.locator(".rows .step:not(.empty)").first).to_be_visible()


def test_reader_mode_shows_the_agents_words_and_calls_alone(page: Page, url: str) -> None:
    read(page, url)
    page.keyboard.press("w")
    expect(page.locator(".entry .call").first).to_contain_text("web_search")
    assert page.locator(".entry.tool").count() == 0
    expect(page.locator(".evidence")).to_be_hidden()
    page.wait_for_url(re.compile("view=words"))
    page.reload()
    expect(page.locator(".entry .call").first).to_be_visible()
    page.locator(".entry .call").first.click()
    expect(page.locator(".evidence h3")).to_contain_text("Step 2 · tool", ignore_case=True)
    page.keyboard.press("Escape")
    expect(page.locator(".evidence")).to_be_hidden()
    page.keyboard.press("w")
    expect(page.locator(".report")).to_be_visible()


def test_outline_minimap_and_address_follow_the_scroll(page: Page, url: str) -> None:
    read(page, url, view="words")
    expect(page.locator(".entry").first).to_be_visible()
    page.locator(".column").hover()
    page.mouse.wheel(0, 9000)
    page.wait_for_url(re.compile(r"step=[1-9]\d"))
    step = int(parameter(page, "step") or 0)
    assert 20 < step < EVENTS
    expect(page.locator(".rows .step.on i")).to_have_text(str(step))
    expect(page.locator(".rows .step.on")).to_be_in_viewport()
    shown = page.locator(".timeline .shown")
    expect(shown).to_have_attribute("visibility", "visible")
    x, width = float(shown.get_attribute("x") or 0), float(page.locator(".timeline svg").get_attribute("width") or 1)
    assert abs(x / width - step / EVENTS) < 0.1
    page.locator(".timeline svg").click(position={"x": width * 0.9, "y": 50})
    expect(page.locator(".entry.on .n")).to_have_text(re.compile("^3[01][0-9]$"))
    page.locator(".rows").evaluate("node => { node.scrollTop = 0; }")
    page.locator(".rows .step", has_text="open_page").or_(page.locator(".rows .step:has(i:text-is('1'))")).first.click()
    expect(page.locator(".entry.on .n")).to_have_text("1")


def test_link_to_a_step_and_to_cited_words_survives(page: Page, url: str) -> None:
    read(page, url)
    page.keyboard.press("c")
    expect(page.locator(".ev mark.flash")).to_be_visible()
    page.wait_for_url(re.compile("cite=0"))
    passage = page.locator(".ev mark.flash").inner_text()
    page.reload()
    expect(page.locator(".ev mark.flash")).to_have_text(passage)
    page.get_by_text("at these words").click()
    expect(page.locator(".detail .ev mark.flash")).to_have_text(passage)
    expect(page.locator(".detail .ev mark.flash")).to_be_in_viewport()
    page.wait_for_url(re.compile(r"step=\d+"))
    step = parameter(page, "step")
    page.reload()
    expect(page.locator(".evidence h3")).to_contain_text(f"Step {step} · tool", ignore_case=True)
    expect(page.locator(".rows .step.on i")).to_have_text(step or "")


def test_keys_lead_to_the_next_call_of_the_tool_and_to_the_next_failure(page: Page, url: str) -> None:
    read(page, url, step="1")
    expect(page.locator(".evidence h3")).to_contain_text("Step 1 ·", ignore_case=True)
    page.keyboard.press("n")
    expect(page.locator(".evidence h3")).to_contain_text("Step 7 ·", ignore_case=True)
    page.keyboard.press("N")
    expect(page.locator(".evidence h3")).to_contain_text("Step 1 ·", ignore_case=True)
    page.keyboard.press("e")
    expect(page.locator(".evidence h3")).to_contain_text("Step 16 · tool", ignore_case=True)
    expect(page.locator(".detail .ev.bad")).to_contain_text("403")
    page.keyboard.press("b")
    expect(page.locator(".evidence h3")).to_contain_text("Step 201 ·", ignore_case=True)
    page.keyboard.press("g")
    page.keyboard.type("349")
    page.keyboard.press("Enter")
    expect(page.locator(".evidence h3")).to_contain_text("Step 349 ·", ignore_case=True)
    page.keyboard.press("?")
    for words in ("next call of the same tool", "reader mode", "next claim without a citation", "a note on this step"):
        expect(page.locator(".sheet")).to_contain_text(words)


def test_note_stands_in_the_margin_at_its_step_and_one_more_is_written_there(
    page: Page, url: str, sample_url: str
) -> None:
    read(page, url, view="words", step="201")
    margin = page.locator(".entry:has(.n:text-is('201')) .margin")
    expect(margin).to_contain_text("insight")
    expect(margin).to_contain_text("asks for the year")
    page.keyboard.press("j")
    expect(page.locator(".entry.on .n")).to_have_text("203")
    page.keyboard.press("m")
    page.locator(".note-form select").select_option("hack")
    page.locator(".note-form input").fill("asks the same again")
    page.locator(".note-form input").press("Enter")
    expect(page.locator(".entry:has(.n:text-is('203')) .margin.hack")).to_contain_text("asks the same again")
    with open_store(sample_url) as store:
        notes = {(note.kind, note.position) for note in store.notes.of_trajectory(MADE.id)}
    assert notes == {("insight", 201), ("hack", 203)}


def test_verdict_leads_to_the_words_that_it_rests_on(page: Page, url: str) -> None:
    read(page, url)
    page.get_by_text(re.compile("^judge")).first.click()
    page.get_by_role("button", name="show ↑").click()
    found = page.locator(".report mark.flash")
    expect(found.first).to_be_visible()
    assert re.sub(r"\W", "", "".join(found.all_inner_texts())) == re.sub(r"\W", "", QUOTED)


def test_words_are_found_in_the_steps(page: Page, url: str) -> None:
    read(page, url)
    text = MADE.steps[100].tool_results[0].text
    page.keyboard.press("/")
    page.keyboard.type(text[1000:1040].strip())
    page.keyboard.press("Enter")
    expect(page.locator(".evidence h3")).to_contain_text("Step 100 · tool", ignore_case=True)
    expect(page.locator(".detail mark.flash")).to_be_in_viewport()


def test_every_step_can_be_scrolled_to_and_unfolds_to_all_that_was_said(page: Page, url: str) -> None:
    read(page, url, view="steps", step="100")
    entry = page.locator(".entry:has(.n:text-is('100'))")
    entry.locator(".unfold").click()
    expect(entry.locator(".unfold")).to_have_count(0)
    assert entry.locator(".said").inner_text().split() == MADE.steps[100].tool_results[0].text.split()
    page.locator(".column").evaluate("node => { node.scrollTop = node.scrollHeight; }")
    last = page.locator(f".entry:has(.n:text-is('{EVENTS - 1}'))")
    last.locator(".unfold").click()
    expect(last).to_contain_text("It also rose by 40 % in 1999.")


def test_research_panel_tells_queries_sites_and_breadth(page: Page, url: str) -> None:
    read(page, url)
    page.keyboard.press("q")
    panel = page.locator(".panel")
    expect(panel).to_contain_text(re.compile(r"Queries · \d+ distinct"))
    expect(panel).to_contain_text("Only seen in search results")
    expect(panel.locator(".breadth .grown")).to_have_count(2)
    panel.locator(".query .jump").nth(1).click()
    expect(page.locator(".evidence h3")).to_contain_text("Step 7 ·", ignore_case=True)


def test_phase_said_by_a_person_is_kept_and_shown(page: Page, url: str, sample_url: str) -> None:
    read(page, url, step="3")
    page.locator(".phases button", has_text="synthesis").click()
    expect(page.locator(".phases")).to_contain_text("set by a person")
    expect(page.locator(".rows .step.synthesis i").first).to_have_text("3")
    with open_store(sample_url) as store:
        assert store.trajectories.step_columns(MADE.id).by_person == (3,)


def test_keys_lead_through_the_trajectories_of_the_filter(page: Page, url: str) -> None:
    read(page, url)
    page.keyboard.press("J")
    page.wait_for_url(re.compile(f"id={MADE.numbered(EVENTS + 1).id}"))
    settled(page)
    expect(page.locator(".rows .step:not(.empty)").first).to_be_visible()
    page.keyboard.press("J")
    expect(page.get_by_text("first or last of its list")).to_be_visible()
    page.keyboard.press("K")
    page.wait_for_url(re.compile(f"id={MADE.id}"))
