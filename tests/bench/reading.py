"""Opening a trajectory and going about in it, in Chromium: `python -m tests.bench reading [FOLDER]`.

A trajectory of 35,000 events and 50 MB beside one of 350, and `inspect view` on logs of the same events, in turns.
FOLDER keeps the store and Inspect's environment for the next time.
"""

import json
import os
import random
import statistics
import subprocess
import tempfile
import time
import venv
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.bench.reading_traces import SIZES, fill
from tests.support.browser import chromium
from tests.support.evidence import ROOT
from tests.support.servers import app, free_port, running
from workbench.store import TrajectoryFilter, open_store

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SEED, REPEATS, JUMPS = 20261130, 5, 12
INSPECT: Final = "inspect-ai==0.3.285"
WAIT_MS: Final = 120_000
SHORT, LONG = SIZES
# What must be on the screen: the timeline drawn, the outline's rows with their words, and the report.
OPENED: Final = (".timeline .band", ".rows .step:not(.empty)", ".report p")
THEIRS: Final = "text=/^Tool: web_search$/i"


def measure(kept: Path | None = None) -> dict[str, object]:
    """Seconds by number of events: to open (ours, theirs), and to jump to a step of the long one.

    A page of the app that shows no trajectory is the floor: what the browser and Streamlit take by themselves.
    """
    began = os.getloadavg()
    with ExitStack() as stack:
        folder = kept or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        ids = _store(folder)
        python, why = _inspect(folder)
        ours = stack.enter_context(app(f"sqlite:///{folder / 'reading.db'}", folder))
        theirs = {n: stack.enter_context(_inspect_view(python, folder, n)) for n in SIZES} if python else {}
        browser = stack.enter_context(chromium())
        seconds: dict[str, list[float]] = {}
        for turn in range(REPEATS + 1):
            seconds.setdefault("a page without a trajectory" if turn else "first page", []).append(
                _open(browser, f"{ours}/trajectory?id=t-none", (".wb-note",))
            )
            for events, identifier in ids.items():
                found = {f"open {events}": _open(browser, f"{ours}/trajectory?id={identifier}", OPENED)}
                if theirs:
                    found[f"inspect view {events}"] = _open(browser, theirs[events], (THEIRS,))
                for name, value in found.items():
                    # The first opening starts the server's session and imports: told apart.
                    seconds.setdefault(name if turn else f"first {name}", []).append(value)
        address = f"{ours}/trajectory?id={ids[LONG]}"
        jumps = {mode: _jumps(browser, address, mode) for mode in ("report", "words", "steps")}
        whole = _whole(browser, address)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    return {
        "events_and_bytes": {str(n): (folder / f"{n}.json").stat().st_size for n in SIZES} if kept else dict(SIZES),
        "open_s": {name: round(value, 2) for name, value in medians.items()},
        "long_over_page_alone": round(medians[f"open {LONG}"] / medians["a page without a trajectory"], 2),
        "long_over_short": round(medians[f"open {LONG}"] / medians[f"open {SHORT}"], 2),
        "every_open_s": {name: [round(value, 2) for value in values] for name, values in seconds.items()},
        "jump_s": {mode: _spread(values) for mode, values in jumps.items()},
        "nothing_capped": whole,
        "inspect": INSPECT if python else f"not measured: {why}",
        "load_average": [[round(value, 1) for value in one] for one in (began, os.getloadavg())],
    }


def _spread(values: list[float]) -> dict[str, float]:
    every = sorted(values)
    return {"n": len(every), "p50": round(statistics.median(every), 3), "worst": round(every[-1], 3)}


def _store(folder: Path) -> dict[int, str]:
    with open_store(f"sqlite:///{folder / 'reading.db'}") as store:
        known = store.trajectories.ids(TrajectoryFilter(run="reading"))
        if len(known) == len(SIZES):
            return {store.trajectories.row(one).attempt: one for one in known}
        return fill(store, folder, SEED)


def _open(browser: "Browser", address: str, wanted: tuple[str, ...]) -> float:
    """From the address entered in a fresh profile until all that is wanted is on the screen."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    page = context.new_page()
    start = time.perf_counter()
    page.goto(address, wait_until="commit")
    for selector in wanted:
        page.locator(selector).first.wait_for(timeout=WAIT_MS)
    seconds = time.perf_counter() - start
    context.close()
    return seconds


def _jumps(browser: "Browser", address: str, mode: str) -> list[float]:
    """Seconds from Enter in the step's box until the words of that step are on the screen."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    page = context.new_page()
    page.goto(f"{address}&view={mode}")
    page.locator(".rows .step:not(.empty)").first.wait_for(timeout=WAIT_MS)
    rng, found = random.Random(SEED), []
    for _ in range(JUMPS):
        step = rng.randrange(LONG // 2) * 2 + 1  # the agent's own, which stands in every mode
        page.keyboard.press("g")
        page.keyboard.type(str(step))
        start = time.perf_counter()
        page.keyboard.press("Enter")
        _shown(page, step, mode)
        found.append(time.perf_counter() - start)
    context.close()
    return found


def _shown(page: "Page", step: int, mode: str) -> None:
    page.locator(f".rows .step.on:has(i:text-is('{step}'))").wait_for(timeout=WAIT_MS)
    if mode == "report":
        page.locator(f".evidence h3:text-matches('^Step {step} · assistant', 'i')").wait_for(timeout=WAIT_MS)
        page.locator(".detail .ev").first.wait_for(timeout=WAIT_MS)
    else:
        page.locator(f".entry.on:has(.n:text-is('{step}'))").wait_for(timeout=WAIT_MS)


def _whole(browser: "Browser", address: str) -> dict[str, int]:
    """How many steps can be gone to: the outline's number, and the last one reached by scrolling to the end."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    page = context.new_page()
    page.goto(f"{address}&view=steps")
    page.locator(".entry").first.wait_for(timeout=WAIT_MS)
    page.locator(".rows").evaluate("node => { node.scrollTop = node.scrollHeight; }")
    page.locator(f".rows .step:has(i:text-is('{LONG - 1}'))").wait_for(timeout=WAIT_MS)
    last = int(page.locator(".rows .step i").last.inner_text())
    page.locator(".column").evaluate("node => { node.scrollTop = node.scrollHeight; }")
    page.locator(f".entry:has(.n:text-is('{LONG - 1}'))").wait_for(timeout=WAIT_MS)
    read = int(page.locator(".entry .n").last.inner_text())
    context.close()
    return {"events": LONG, "last_in_outline": last, "last_in_column": read}


def _inspect(folder: Path) -> tuple[Path | None, str]:
    """Inspect's interpreter in an environment of its own; None and the reason where it cannot be built."""
    home = folder / "inspect"
    python = home / "bin" / "python"
    if not (home / "ready").exists():
        venv.create(home, with_pip=True, clear=True)
        done = subprocess.run(
            [python, "-m", "pip", "install", "-q", INSPECT], capture_output=True, text=True, check=False
        )
        if done.returncode:
            return None, done.stderr.strip().splitlines()[-1]
        (home / "ready").touch()
    for events in SIZES:
        log = folder / f"logs-{events}" / "reading.eval"
        if not log.exists():
            log.parent.mkdir(exist_ok=True)
            script = str(ROOT / "tests" / "bench" / "reading_inspect.py")
            made = subprocess.run(
                [python, script, folder / f"{events}.json", log], capture_output=True, text=True, check=False
            )
            if made.returncode:
                return None, made.stderr.strip().splitlines()[-1]
    return python, ""


def _inspect_view(python: Path, folder: Path, events: int) -> Any:
    port = free_port()
    logs = folder / f"logs-{events}"
    command = ["-m", "inspect_ai", "view", "start", "--log-dir", str(logs), "--host", "127.0.0.1", "--port", str(port)]
    return running(command, url=f"http://127.0.0.1:{port}", folder=folder, python=python)


def printed(found: dict[str, object]) -> str:
    return json.dumps({name: value for name, value in found.items() if name != "every_open_s"}, indent=1)
