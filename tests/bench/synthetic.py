"""A synthetic store of any size: median 20 events and 6 KB of text, one in a hundred with 500 events. Seeded."""

import itertools
import random
from collections.abc import Iterator

from workbench.schema.analysis import Activity, Analysis
from workbench.schema.canonical import question_key
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory
from workbench.store import NewTrajectory, Store

LONG_EVERY, LONG_EVENTS, MEDIAN_EVENTS, MEDIAN_CHARS = 100, 500, 20, 6000
_WORDS = 50_000
_CHINESE = "灯塔海港城市研究报告数据模型分析结果方法问题时间国家经济社会发展技术系统信息人类历史文化教育科学"
_BATCH = 500


class Words:
    """Words by Zipf's law, so some are common, some rare: `w0` stands in nearly every text, `w40000` in few."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._weights = list(itertools.accumulate(1 / (rank + 2) for rank in range(_WORDS)))
        self._words = [f"w{rank}" for rank in range(_WORDS)]

    def text(self, chars: int) -> str:
        return " ".join(self._rng.choices(self._words, cum_weights=self._weights, k=max(2, chars // 5)))

    def chinese(self, chars: int) -> str:
        return "".join(self._rng.choices(_CHINESE, k=chars))


def trajectories(n: int, seed: int) -> Iterator[Trajectory]:
    rng = random.Random(seed)
    words = Words(rng)
    for number in range(n):
        long = number % LONG_EVERY == LONG_EVERY - 1
        events = LONG_EVENTS if long else max(4, round(rng.lognormvariate(0, 0.4) * MEDIAN_EVENTS))
        chars = (LONG_EVENTS * 300) if long else max(600, round(rng.lognormvariate(0, 0.5) * MEDIAN_CHARS))
        yield _one(number, events, chars, words, rng)


def _one(number: int, events: int, chars: int, words: Words, rng: random.Random) -> Trajectory:
    question = f"{words.text(60)} question {number // 4}?"
    report = words.text(chars // 3) + (words.chinese(60) if number % 10 == 0 else "")
    steps = [Step("user", text=question)]
    turns = max(1, (events - 2) // 2)
    for turn in range(turns):
        call = ToolCall(f"c{turn}", "search", "search", {"query": words.text(30)})
        steps.append(Step("assistant", reasoning=words.text(40), tool_calls=(call,)))
        steps.append(Step("tool", tool_results=(ToolResult(f"c{turn}", words.text(max(40, chars // 2 // turns))),)))
    steps.append(Step("assistant", text=report))
    return Trajectory(
        question=question, question_id=question_key(question), run=f"run-{number % 8}", model=f"model-{number % 4}",
        steps=tuple(steps), report=report, attempt=number % 4, group=None, policy_step=None,
        outcome=rng.choice(("completed", "completed", "truncated")), meta={},
    )  # fmt: skip


def fill(store: Store, n: int, seed: int) -> None:
    """Through the ordinary write path, in batches, with an analysis of counts alone (no phases, no citations)."""
    made = trajectories(n, seed)
    while batch := list(itertools.islice(made, _BATCH)):
        store.trajectories.add_batch([NewTrajectory(one, _analysis(one), b"{}", "synthetic") for one in batch])


def _analysis(one: Trajectory) -> Analysis:
    calls = sum(len(step.tool_calls) for step in one.steps)
    activity = Activity(calls, calls, calls, 0, calls, calls, 0, 1000, False, 1000)
    return Analysis(version="bench", phases=(), totals={}, activity=activity, citations=())
