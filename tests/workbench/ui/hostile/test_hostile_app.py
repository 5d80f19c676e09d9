"""Hostile content on every page in a real browser: nothing runs, nothing is fetched, nothing is hidden."""

import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser

from tests.support.browser import chromium
from tests.support.evidence import write_evidence
from tests.support.servers import app
from tests.workbench.ui.hostile.corpus import CORPUS, Hostile, deep_json, long_line
from tests.workbench.ui.hostile.hostile_store import JUDGE_VERSION, PAIRS_VERSION, fill, trajectory_of
from tests.workbench.ui.hostile.witness import Witness, watched
from workbench.schema.trajectory import Step, ToolCall
from workbench.store import NewTrajectory, Store, open_store
from workbench.ui.components.visible import visible
from workbench.ui.session import join_names

# One of each kind and the worst of some: enough for every test run.
FEW = (
    "script", "image_error", "attribute_break", "javascript_link", "remote_image", "bare_address", "meta_refresh",
    "style_tag", "broken", "colours", "icons", "formula", "plotly_markup", "bidi", "entities", "combining",
    "lone_surrogates", "ansi", "nul", "sheet_command", "prototype", "query_break",
)  # fmt: skip

TYPED = (
    ("jobs", "job"), ("rate", "round"), ("training", "run"), ("stress", "report"), ("reward", "spec"),
    ("diagnosis", "diagnosis"), ("graders", "grader"), ("graders", "view"),
)  # fmt: skip


def sample_of(names: Sequence[str]) -> tuple[Hostile, ...]:
    return tuple(one for one in CORPUS if one.name in names)


@dataclass(frozen=True)
class Place:
    """The app on a store full of hostile inputs; `ids`: two trajectories an input, in their order."""

    url: str
    store_url: str
    inputs: tuple[Hostile, ...]
    ids: tuple[str, ...]
    jobs: tuple[str, ...]

    def address(self, page: str, /, **parameters: str) -> str:
        kept = {name: value.encode("utf-8", "replace") for name, value in parameters.items()}
        return f"{self.url}/{page}?{urlencode(kept)}"


def pages(place: Place, n: int) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Every page where what it shows of one thing is chosen by its address: the n-th input on each."""
    text, (one, two) = place.inputs[n].text, place.ids[2 * n : 2 * n + 2]
    yield "trajectory", {"id": one, "step": "2"}
    yield "compare", {"ids": f"{one},{two}"}
    yield "grade", {"id": one, "grader": f"{place.inputs[0].text}@{JUDGE_VERSION}"}
    yield "training", {"run": join_names([text])}
    yield "diagnosis", {"diagnosis": f"d-hostile-{n}"}
    yield "stress", {"report": f"{text}@{n:064x}"[: len(text) + 9] + f" on {text}"}


def lists(place: Place) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Every page that shows many things at once, and every panel of them."""
    yield "", {}
    yield "trajectories", {}
    yield "phases", {}
    yield "phases", {"words": "reports", "low": "1"}
    judge = f"{place.inputs[0].text}@{JUDGE_VERSION}"
    for view in ("scores", "criteria", "agreement", "rerun noise", "disagreements", "failures"):
        yield "graders", {"grader": judge, "view": view}
    yield "graders", {"grader": f"{place.inputs[0].text}@{PAIRS_VERSION}"}
    yield "compare", {}
    for name in ("r-hostile-0", "r-hostile-1", f"source:{place.inputs[0].text}"):
        yield "rate", {"round": name}
    yield "reward", {}
    for job in place.jobs:
        yield "jobs", {"job": job}


def typed(text: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Addresses that a stranger sends: every parameter that a page reads."""
    run = join_names([text])
    yield "trajectories", dict.fromkeys(("text", "question", "group", "grader", "noted", "ids", "sort", "page"), text)
    yield "trajectories", {"run": run, "min": text, "max": text}
    yield "trajectory", {"id": text, "grader": text, "at": text}
    yield "compare", {"question": text, "words": text}
    yield "compare", {"ids": text}
    yield "grade", {"id": text, "grader": text}
    yield "phases", {"run": run, "figure": text, "words": text, "low": text}
    for page, name in TYPED:
        yield page, {name: text}


def flat(text: str) -> str:
    return " ".join(text.split())


def look(witness: Witness, place: Place, page: str, parameters: Mapping[str, str]) -> str:
    witness.page.goto(place.address(page, **parameters))
    return flat(witness.look())


def missing(shown: str, texts: Sequence[str]) -> list[str]:
    """Those of the texts that do not stand in what is shown, with what is hidden in them spelt out."""
    return [text[:80] for text in texts if flat(visible(text)) not in shown]


def copy_of(sample_file: Path, folder: Path) -> str:
    shutil.copy(sample_file, folder / "hostile.db")
    return f"sqlite:///{folder / 'hostile.db'}"


def filled(store: Store, folder: Path, inputs: Sequence[Hostile]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    ids = fill(store, folder, inputs)
    return ids, tuple(job.id for job in store.jobs.list(limit=1000) if job.result)


@pytest.fixture(scope="module")
def sample_url(sample_file: Path, folder: Path) -> str:
    return copy_of(sample_file, folder)


@pytest.fixture(scope="module")
def place(sample_url: str, url: str, folder: Path) -> Place:
    inputs = sample_of(FEW)
    with open_store(sample_url) as store:
        return Place(url, sample_url, inputs, *filled(store, folder, inputs))


def test_no_page_lets_a_stranger_act_or_hide(browser: Browser, place: Place) -> None:
    texts = [one.text for one in place.inputs]
    with watched(browser, place.url) as witness:
        shown = [look(witness, place, page, parameters) for page, parameters in lists(place)]
        assert missing(" ".join(shown), texts) == []
        for page, parameters in pages(place, place.inputs.index(sample_of(["remote_image"])[0])):
            look(witness, place, page, parameters)


def test_a_reader_sees_all_that_a_hostile_trajectory_holds(browser: Browser, place: Place) -> None:
    n = place.inputs.index(sample_of(["bidi"])[0])
    with watched(browser, place.url) as witness:
        for page, parameters in list(pages(place, n))[:3]:
            assert missing(look(witness, place, page, parameters), [place.inputs[n].text]) == []


def test_an_address_that_a_stranger_made_shows_words_and_no_failure(browser: Browser, place: Place) -> None:
    text = "<img src=x onerror=alert(1)>\u202e__proto__ [x](javascript:alert(1)) :red[x] %00'\"{{1}}"
    with watched(browser, place.url) as witness:
        for page, parameters in typed(text):
            look(witness, place, page, parameters)


@pytest.mark.slow
def test_the_whole_corpus_on_every_page(sample_file: Path, tmp_path: Path) -> None:
    began = time.monotonic()
    store_url = copy_of(sample_file, tmp_path)
    with open_store(store_url) as store:
        ids, jobs = filled(store, tmp_path, CORPUS)
        long_id = _add_long(store)
    visits, unseen = 0, {}
    with chromium() as browser, app(store_url, tmp_path) as url, watched(browser, url, patience_ms=300_000) as witness:
        place = Place(url, store_url, CORPUS, ids, jobs)
        for page, parameters in lists(place):
            look(witness, place, page, parameters)
            visits += 1
        for n, one in enumerate(CORPUS):
            # What stands on the other pages goes through the same few helpers: every fourth input is enough for them.
            for page, parameters in list(pages(place, n))[: None if n % 4 == 0 else 1]:
                shown = look(witness, place, page, parameters)
                visits += 1
                if page in ("trajectory", "grade") and missing(shown, [one.text]):
                    unseen[f"{one.name} on {page}"] = flat(visible(one.text))[:80]
        for one in CORPUS[::36]:
            for page, parameters in typed(one.text):
                look(witness, place, page, parameters)
                visits += 1
        for step in ("1", "2"):
            look(witness, place, "trajectory", {"id": long_id, "step": step})
            visits += 1
    assert unseen == {}
    write_evidence(
        "hostile-app",
        {
            "inputs": len(CORPUS),
            "kinds": {kind: sum(one.kind == kind for one in CORPUS) for kind in dict.fromkeys(o.kind for o in CORPUS)},
            "pages_visited": visits,
            "scripts_run": 0, "requests_to_other_hosts": 0, "dialogs": 0, "navigations": 0, "windows": 0,
            "stopped_by_the_policy": 0, "hidden_characters_left": 0, "inputs_not_shown_whole": 0,
            "how": "a page with any of these fails the proof, so that each is a count of none over all visits",
        },
        seed=0, n=visits, seconds=time.monotonic() - began, code=("workbench/ui", "tests/workbench/ui/hostile"),
    )  # fmt: skip


def _add_long(store: Store) -> str:
    """A line of 10 MB in a message and in the report, and arguments 200 deep."""
    from dataclasses import replace

    from workbench.phases import analyse

    base = trajectory_of("a line of ten megabytes")
    text = long_line(10)
    deep = ToolCall("d", "deep", "other", deep_json(200))  # type: ignore[arg-type]
    steps = (base.steps[0], Step("assistant", text=text), Step("assistant", tool_calls=(deep,)), *base.steps[1:])
    made = replace(base, steps=steps, report=long_line(1))
    store.trajectories.add_batch([NewTrajectory(made, analyse(made), b"{}", "long")])
    return made.id
