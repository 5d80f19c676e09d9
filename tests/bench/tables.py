"""Tables and totals of 100,000 trajectories in a real browser: `python -m tests.bench tables [N [STORE]]`.

What is timed is what a person waits for: from the last click or key to the new list with its count. A store of 1,000 is
asked the same in turns: what both take is the machine's and the front end's, what the large one takes more is ours.
"""

import itertools
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, expect

from tests.bench.tables_store import fill
from tests.support.browser import chromium
from tests.support.servers import app
from workbench.store import FIGURES, Store, TrajectoryFilter, Within, open_store

SEED, FULL_SIZE, SMALL, REPEATS, PAINTS = 20261130, 100_000, 1000, 3, 10
GRADER = "report-quality"
_DONE = '[data-testid="stApp"][data-test-script-state="notRunning"]'
_LIMIT_MS = 120_000


@dataclass(frozen=True, slots=True)
class Step:
    """Something done to the table: all but the last click or key, that one, and what the page then says."""

    prepare: Callable[[Page], Any]
    press: Callable[[Page, Any], None]
    says: str


def measure(n: int = FULL_SIZE, kept: Path | None = None) -> dict[str, object]:
    """Seconds and megabytes, and beside them those of a store of 1,000 in turns on the same machine.

    `kept`: a file for the store, which stays there; one that was cut off is filled on.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = {n: kept or Path(folder) / "tables.db", SMALL: Path(folder) / "small.db"}
        start = time.perf_counter()
        steps = {size: _filled(path, size) for size, path in paths.items()}
        filled_s = time.perf_counter() - start
        load = [os.getloadavg()[0]]
        with ExitStack() as running:
            urls = {size: running.enter_context(app(f"sqlite:///{path}", Path(folder))) for size, path in paths.items()}
            browser = running.enter_context(chromium())
            process = _process(urlsplit(urls[n]).port or 0)
            memory = {"idle": _megabytes(process, "VmRSS")}
            page = _page(browser)
            paints: dict[int, list[float]] = {size: [] for size in paths}
            for _, size in itertools.product(range(PAINTS), paths):
                paints[size].append(_paint(browser, urls[size], size))
            filters: dict[int, dict[str, list[float]]] = {size: {name: [] for name in steps[size]} for size in paths}
            for name in steps[n]:
                for place, size in itertools.product(range(len(steps[n][name])), paths):
                    filters[size][name].append(_timed(page, urls[size], steps[size][name][place]))
                print(name, {size: filters[size][name] for size in paths}, flush=True)
            memory["peak_of_tables"] = _megabytes(process, "VmHWM")
            totals = {
                f"{name or 'overview'}_of_{size}": [_totals(browser, f"{urls[size]}/{name}") for _ in range(REPEATS)]
                for name, size in itertools.product(("", "phases"), paths)
            }
            memory["peak_with_totals"] = _megabytes(process, "VmHWM")
            load.append(os.getloadavg()[0])
        size_on_disk = paths[n].stat().st_size
    return {
        "n": n, "filled_s": round(filled_s, 1), "store_bytes": size_on_disk,
        "load_average_before_and_after": [round(one, 1) for one in load], "app_mb": memory,
        "first_paint_s": {f"of_{size}": _spread(some) for size, some in paints.items()},
        "filters_s": {f"of_{size}": _spread([one for own in some.values() for one in own])
                      for size, some in filters.items()},
        "filter_worst_s": {name: {f"of_{size}": max(filters[size][name]) for size in paths} for name in steps[n]},
        "ratio_to_small": round(statistics.median(
            large / small for name in steps[n]
            for large, small in zip(filters[n][name], filters[SMALL][name], strict=True)
        ), 2),
        "totals_s": {name: {"first": some[0], "again": _median(some[1:])} for name, some in totals.items()},
    }  # fmt: skip


def _filled(path: Path, n: int) -> "dict[str, list[Step]]":
    with open_store(f"sqlite:///{path}") as store:
        fill(store, n, SEED)
        return _steps(store, n)


def _spread(times: Sequence[float]) -> dict[str, float]:
    return {"n": len(times), "p50": _median(times), "p95": _p95(times), "worst": max(times)}


def _median(times: Sequence[float]) -> float:
    return round(statistics.median(times), 3)


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * 0.95))]


def _steps(store: Store, n: int) -> dict[str, list[Step]]:
    def total(**wanted: Any) -> str:
        return f"{store.trajectories.page(TrajectoryFilter(grader=GRADER, **wanted), limit=0).total:,} of {n:,}"

    runs = [f"run-{k}" for k in range(3)]
    models = [f"model-{k % 4}" for k in range(3)]
    words = ["w0", "w7 w40", '"w0 w1"', "report:w300 -w5", "海港"]
    bounds = ["distinct queries", "tokens of research", "citations"]
    names = ["distinct_queries", "research_tokens", "citations"]
    assert set(names) <= set(FIGURES)
    sorts = {"score": "score", "tool calls": "tool calls", "question": "question", "report length": "report length"}
    return {
        "run": [Step(_option("Run", run), _press, total(run=run)) for run in runs],
        "model": [Step(_option("Model", model), _press, total(model=model)) for model in models],
        "outcome": [Step(_option("Outcome", one), _press, total(outcome=one)) for one in ("completed", "truncated")],
        "report": [Step(_option("Has a report", "no"), _press, total(has_report=False))],
        "tool errors": [
            Step(_option("Failed calls", said), _press, total(has_tool_error=said == "yes")) for said in ("yes", "no")
        ],
        "citation class": [
            Step(_option("Has a citation", said), _press, total(retrieval=name))
            for said, name in (("opened", "opened"), ("not retrieved", "not_retrieved"), ("seen, not opened", "seen"))
        ],
        "notes": [Step(_option("Noted", kind), _press, total(noted=kind)) for kind in ("mistake", "hack", "insight")],
        "grade": [Step(_thumb(side), _nudge, total(**bound)) for side, bound in (
            (0, {"min_score": 0.01}), (1, {"max_score": 0.99}))],
        "grader": [Step(_option("Score by", "strict-check"), _press, f"{n:,} of {n:,}")],
        "phase figures": [
            Step(_more("Bound a figure", said), _press, total(figures=(Within(name, 0.0),)))
            for said, name in zip(bounds, names, strict=True)
        ],
        "free text": [Step(_field("Search", said), _enter, total(text=said)) for said in words],
        "question": [Step(_question(f"question {k}"), _press, f"question What is known of w{k}") for k in (11, 24, 99)],
        "sorting": [Step(_option("Sort by", said), _press, f"by {words}") for said, words in sorts.items()],
        "direction": [Step(lambda page: page.get_by_text("Descending", exact=True), _press, "descending")],
        "paging": [
            Step(_number(k), _press, f"showing {50 * k - 49:,} to {50 * k:,}") for k in (2, 3, n // 50)
        ],
    }  # fmt: skip


def _option(label: str, option: str) -> Callable[[Page], Any]:
    def open_list(page: Page) -> Any:
        box = page.get_by_label(label, exact=True).last
        box.click()
        box.fill(option)
        found = page.get_by_role("option", name=option, exact=True).first
        expect(found).to_be_visible()
        return found

    return open_list


def _more(label: str, option: str) -> Callable[[Page], Any]:
    def open_list(page: Page) -> Any:
        page.get_by_role("button", name="More").click()
        return _option(label, option)(page)

    return open_list


def _question(words: str) -> Callable[[Page], Any]:
    def find(page: Page) -> Any:
        page.get_by_role("button", name="More").click()
        field = page.get_by_label("Find a question")
        field.fill(words)
        field.press("Enter")
        link = page.get_by_role("link", name=f"({words})").first
        expect(link).to_be_visible()
        return link

    return find


def _field(label: str, text: str) -> Callable[[Page], Any]:
    def write(page: Page) -> Any:
        field = page.get_by_role("textbox", name=label, exact=True)
        field.fill(text)
        return field

    return write


def _thumb(side: int) -> Callable[[Page], Any]:
    def focus(page: Page) -> Any:
        thumb = page.get_by_role("slider").nth(side)
        thumb.focus()
        return thumb, "ArrowRight" if side == 0 else "ArrowLeft"

    return focus


def _number(number: int) -> Callable[[Page], Any]:
    return lambda page: page.get_by_role("button", name=f"{number}", exact=True).last


def _press(_page: Page, found: Any) -> None:
    found.click()


def _enter(_page: Page, found: Any) -> None:
    found.press("Enter")


def _nudge(_page: Page, found: Any) -> None:
    thumb, key = found
    thumb.press(key)


def _page(browser: Browser) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 1000}).new_page()
    page.set_default_timeout(_LIMIT_MS)
    return page


def _timed(page: Page, url: str, step: Step) -> float:
    page.goto(f"{url}/trajectories")
    _table(page)
    found = step.prepare(page)
    start = time.perf_counter()
    step.press(page, found)
    expect(page.locator('[data-testid="stMarkdown"]', has_text=step.says).first).to_be_visible(timeout=_LIMIT_MS)
    page.wait_for_selector(_DONE)
    return round(time.perf_counter() - start, 3)


def _table(page: Page) -> None:
    page.wait_for_selector('[data-testid="stDataFrame"] canvas')
    page.wait_for_selector(_DONE)


def _paint(browser: Browser, url: str, n: int) -> float:
    """From asking for the address to a drawn table; after the first, the app's scripts are in the browser's cache."""
    page = browser.contexts[0].new_page()
    page.set_default_timeout(_LIMIT_MS)
    start = time.perf_counter()
    page.goto(f"{url}/trajectories", wait_until="commit")
    page.wait_for_selector('[data-testid="stDataFrame"] canvas')
    expect(page.get_by_text(f"{n:,} of {n:,}").first).to_be_visible(timeout=_LIMIT_MS)
    seconds = time.perf_counter() - start
    page.close()
    return round(seconds, 3)


def _totals(browser: Browser, address: str) -> float:
    """From asking for the address to the end of the script: every figure of the page stands."""
    page = browser.contexts[0].new_page()
    page.set_default_timeout(_LIMIT_MS)
    start = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector(".js-plotly-plot")
    page.wait_for_selector(_DONE)
    seconds = time.perf_counter() - start
    page.close()
    return round(seconds, 3)


def _process(port: int) -> int:
    """The app's process, by the port on its command line."""
    wanted = f"--server.port\0{port}\0".encode()
    return next(number for number, line in _command_lines() if wanted in line)


def _command_lines() -> Iterator[tuple[int, bytes]]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                yield int(folder.name), (folder / "cmdline").read_bytes()
            except OSError:  # ended meanwhile
                continue


def _megabytes(process: int, name: str) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) // 1024
