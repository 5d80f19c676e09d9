"""Two trajectories that differ in length alone: 350 events with 0.5 MB, 35,000 events with 50 MB. Seeded."""

import random
from pathlib import Path
from typing import Final

import orjson

from tests.bench.synthetic import Words
from workbench.phases import analyse
from workbench.schema.canonical import question_key
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory, trajectory_to_json
from workbench.store import NewTrajectory, Store

SIZES: Final = {350: 500_000, 35_000: 50_000_000}
QUESTION: Final = "Which harbours could host green-ammonia bunkering by 2030, and what holds each back?"
CITED, FAILS_EVERY, CODE_EVERY = 60, 41, 17


def trace(events: int, chars: int, seed: int) -> Trajectory:
    """A search, two pages opened, now and then some code or a failure; a report with CITED citations of the pages."""
    rng = random.Random(seed)
    words = Words(rng)
    turns = (events - 2) // 2
    steps, pages = [Step("user", text=QUESTION)], list[tuple[str, str]]()
    for turn in range(turns):
        site = f"site{rng.randrange(max(turns // 6, 3))}.example"
        body = words.text(chars // turns)
        if turn % 3 == 0:
            call = ToolCall(f"c{turn}", "web_search", "search", {"query": words.text(40)})
            body = "\n".join(f"- https://{site}/p{turn}-{n} {words.text(60)}" for n in range(5)) + "\n" + body[:-500]
        elif turn % CODE_EVERY == 5:
            call = ToolCall(f"c{turn}", "python", "code", {"code": f"print({turn} ** 2)"})
        else:
            call = ToolCall(f"c{turn}", "open_page", "visit", {"url": f"https://{site}/p{turn}"})
            pages.append((f"https://{site}/p{turn}", body))
        failed = turn % FAILS_EVERY == 7
        said = words.text(90) if turn % 2 else ""
        steps.append(Step("assistant", text=said, reasoning=words.text(120), tool_calls=(call,)))
        answer = "Error 403: forbidden" if failed else body
        steps.append(Step("tool", tool_results=(ToolResult(call.id, answer, failed),)))
    report = _report(pages[:: max(1, len(pages) // CITED)][:CITED])
    return Trajectory(
        question=QUESTION, question_id=question_key(QUESTION), run="reading", model="synthetic", attempt=events,
        steps=(*steps, Step("assistant", text=report)), report=report, outcome="completed",
    )  # fmt: skip


def _report(cited: list[tuple[str, str]]) -> str:
    sentences = [
        f"The share rose by {n + 3} % in {1990 + n % 30}, {body[200:320].rpartition(' ')[0]} ([source]({url}))."
        for n, (url, body) in enumerate(cited)
    ]
    paragraphs = (" ".join(sentences[start : start + 3]) for start in range(0, len(sentences), 3))
    return "# Findings\n\n" + "\n\n".join(paragraphs) + "\n\nIt also rose by 40 % in 1999.\n"


def fill(store: Store, folder: Path, seed: int) -> dict[int, str]:
    """Both by the ordinary write path, and each as `FOLDER/EVENTS.json`; their ids by number of events."""
    ids = {}
    for events, chars in SIZES.items():
        made = trace(events, chars, seed)
        source = orjson.dumps(trajectory_to_json(made))
        (folder / f"{events}.json").write_bytes(source)
        store.trajectories.add_batch([NewTrajectory(made, analyse(made), source, f"{events}.json")])
        ids[events] = made.id
    return ids
