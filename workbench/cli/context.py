"""What every verb shares: the store, the answer, the progress bar, the job row, the exit codes.

Exit codes: 0 all done; 2 bad input, nothing written; 3 finished, some items failed and are listed; 1 a defect of ours.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import orjson
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from workbench.cli._terminal import inert
from workbench.errors import WorkbenchError
from workbench.schema.job import duration_words
from workbench.settings import load_settings
from workbench.store import Store, open_store
from workbench.store.jobs import JobHandle

SOME_FAILED = 3
BAR_EVERY_S = 0.1
_JSON_OPTIONS = orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY


class InertConsole(Console):
    """Prints what verbs print. They quote traces, graders, ballots and names given from outside: nothing of that
    steers the terminal or is read as markup, whichever verb prints it."""

    def __init__(self) -> None:
        super().__init__(highlight=False, markup=False, emoji=False)

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(inert(text), **options)


@dataclass(slots=True)
class GlobalOptions:
    """Options taken out of the command line before the verb reads it, so that they may stand on either side of it."""

    store_url: str | None = None
    json: bool = False
    job: str | None = None
    argv: tuple[str, ...] = ()


OPTIONS = GlobalOptions()


def store_url() -> str:
    return load_settings(OPTIONS.store_url).store_url


@contextmanager
def store(*, create: bool = True) -> Iterator[Store]:
    """The store that --store or WORKBENCH_STORE names. `create=False` refuses to make a new one, for reading verbs."""
    opened = open_store(store_url(), create=create)
    try:
        yield opened
    finally:
        opened.close()


def emit(answer: Mapping[str, object], human: Callable[[Console], None]) -> None:
    """With --json exactly one JSON document on stdout, else what `human` prints."""
    if OPTIONS.json:
        sys.stdout.write(_json(answer) + "\n")
    else:
        human(InertConsole())


def _json(answer: Mapping[str, object]) -> str:
    try:
        return orjson.dumps(answer, option=_JSON_OPTIONS).decode()
    except TypeError:
        # A lone surrogate out of a trace, which orjson refuses; JSON itself can write it as an escape.
        return json.dumps(
            answer, indent=2, default=lambda value: orjson.loads(orjson.dumps(value, option=_JSON_OPTIONS))
        )


def note(text: str) -> None:
    """A line for the person, on stderr. It may quote a trace: nothing of that steers the terminal.

    A terminal breaks long lines itself; broken here, a path in a job's log could be neither searched nor copied.
    """
    Console(stderr=True, highlight=False).print(inert(text), markup=False, soft_wrap=True)


def document(text: str) -> None:
    """A document for a file or another program, on stdout exactly as it is: a console would break its long lines.

    On a terminal, where it is for a person, it is inert like all else.
    """
    sys.stdout.write(inert(text) if sys.stdout.isatty() else text)


def conclude_job(error: str) -> None:
    """Says on the row that --job names how the verb ended, if the verb itself has not: it may have failed before it
    attached, or be one that never does."""
    if OPTIONS.job is None:
        return
    try:
        with store(create=False) as opened:
            opened.jobs.conclude(OPTIONS.job, error=error)
    except WorkbenchError as unwritten:
        note(f"job {OPTIONS.job} could not be told how it ended: {unwritten}")


def finish(*, failed: int) -> None:
    """Ends a verb whose items may have failed: exit code 3 if any did."""
    if failed:
        raise typer.Exit(SOME_FAILED)


def bar_words(figures: Mapping[str, Any]) -> str:
    """Rate, failures, cost and time left, of what is known of them."""
    words = []
    if figures["rate_per_s"]:
        words.append(f"{figures['rate_per_s']:,.1f} a second")
    if figures["failed_items"]:
        words.append(f"{figures['failed_items']:,} failed")
    if figures["cost_usd"] is not None:
        words.append(f"{figures['cost_usd']:.4f} USD")
    if figures["left_s"] is not None:
        words.append(f"{duration_words(figures['left_s'])} left")
    return ", ".join(words)


@contextmanager
def job(opened: Store, kind: str) -> Iterator[JobHandle]:
    """The verb as a job: a row that the browser shows too, a progress bar on stderr.

    Joins the row that --job names (a job started elsewhere), else makes one. `finish` is the caller's; leaving by an
    exception marks the row stopped or failed.
    """
    row_id = OPTIONS.job or opened.jobs.create(kind, OPTIONS.argv).id
    handle = opened.jobs.attach(row_id)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[words]}"),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    )
    with bar:
        task = bar.add_task(kind, total=None, words="")
        drawn_s = 0.0

        def draw(done: int, total: int | None) -> None:
            nonlocal drawn_s
            now_s = time.monotonic()
            if done == total or now_s - drawn_s >= BAR_EVERY_S:
                drawn_s = now_s
                bar.update(task, completed=done, total=total, words=bar_words(handle.figures()))

        if not bar.disable:
            handle.on_progress = draw
        with handle:
            yield handle
