"""Pictures of the rating page over an invented round: `python -m tests.workbench.human.pictures FOLDER`."""

import re
import sys
import tempfile
import threading
import time
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.support.browser import chromium
from tests.workbench.human.sample import RUNS, SampleRun
from workbench.human.rounds import create_round, link_of, plan_round
from workbench.human.web.app import build_app
from workbench.human.web.server import bind
from workbench.phases import analyse
from workbench.schema.canonical import question_key
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory
from workbench.store import NewTrajectory, Store, open_store

HERE = Path(__file__).parent
QUESTIONS = tuple(
    f"For a {reader}, in about {words} words: which harbours of the Marrow Coast could bunker ships with green ammonia "
    "by 2030, and what holds each of them back?"
    for words in (300, 400, 500, 600, 700, 800)
    for reader in ("shipowner", "harbour board", "fuel trader", "regulator", "newspaper")
)


def invented(store: Store) -> str:
    """A round of thirty pairs, twelve of which a rater has before them; gives the path of the rater's link."""
    for run, name in zip(RUNS, ("thin.md", "thorough.md"), strict=False):
        made = [_traced(run, question, (HERE / name).read_text()) for question in QUESTIONS]
        store.trajectories.add_batch([NewTrajectory(one, analyse(one), b"{}", "pictures.jsonl") for one in made])
    plan = plan_round(store, runs=[RUNS[0].name, RUNS[1].name], raters=1, seed=4)
    _, (invitation,) = create_round(store, plan, name="invented")
    return link_of(invitation, "")


# What the pages said that the reports cite, by number; whatever else a report cites was not found again.
PAGES = {
    1: "The pilot at Vell is permitted for large volumes of ammonia, the harbour board said.",
    4: "After the first winter the 2028 pilot at Vell covers transfers of up to 800 t a call, with a pause of six "
    "hours between two ships.",
    5: "The safety distance set after the 2025 trial takes two of the five candidate berths at Vell out of use.",
}
AROUND = "The board met in the old customs house. Pilots, crane drivers and the fire brigade were heard. "


def _traced(run: SampleRun, question: str, text: str) -> Trajectory:
    """A run that opened these pages and wrote this report."""
    pages = {number: f"https://pages.example/{number}" for number in PAGES if f"[{number}" in text}
    sources = "\n\n".join(f"[{number}] {page}" for number, page in pages.items())
    steps = [Step("user", question)]
    for number, page in pages.items():
        found = f"{page}\n{AROUND}{PAGES[number]} {AROUND}"
        steps += [
            Step("assistant", tool_calls=(ToolCall(f"c{number}", "visit", "visit", {"url": page}),)),
            Step("tool", tool_results=(ToolResult(f"c{number}", found),)),
        ]
    report = f"{text}\n\n## Sources\n\n{sources}\n"
    return Trajectory(
        question, question_key(question), run.name, run.model, (*steps, Step("assistant", report)), report
    )


def take(page: Page, base: str, path: str, folder: Path) -> None:
    page.goto(base + path)
    for number in range(1, 12):
        expect(page.locator("#progress")).to_have_text(re.compile(rf"^pair {number} of 30\b"))
        page.keyboard.type("1d44334433")
        page.keyboard.press("Control+Enter")
    expect(page.locator("#progress")).to_have_text(re.compile(r"^pair 12 of 30\b"))
    # Sides and order are random: the ballot follows the better report.
    better, other = ("left", "right") if "Short answer" in page.locator("#left").inner_text() else ("right", "left")
    page.keyboard.type("1d42514234" if better == "left" else "2d24152443")
    page.keyboard.type(
        f"{better.capitalize()} names an obstacle for every harbour and gives the figures; "
        f"{other} lists harbours without saying what holds them back."
    )
    expect(page.locator("#saved")).to_have_text("Saved")
    page.keyboard.press("Escape")
    page.keyboard.press("c" if better == "left" else "v")
    page.screenshot(path=folder / "rate.png")
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=folder / "rate-dark.png")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 834, "height": 1112})
    page.screenshot(path=folder / "rate-tablet.png")
    page.set_viewport_size({"width": 1440, "height": 980})
    page.keyboard.press("/")
    page.keyboard.type("berth")
    page.keyboard.press("Enter")
    page.screenshot(path=folder / "rate-find.png")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.screenshot(path=folder / "rate-keys.png")


def main(folder: Path) -> None:
    import uvicorn

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, open_store(f"sqlite:///{scratch}/store.db") as store:
        path, listener = invented(store), bind("127.0.0.1", 0)
        server = uvicorn.Server(uvicorn.Config(build_app(store), access_log=False, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        with chromium() as browser:
            page = browser.new_page(viewport={"width": 1440, "height": 980})
            take(page, f"http://127.0.0.1:{listener.getsockname()[1]}", path, folder)
        server.should_exit = True
        thread.join()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
