"""A store for the tables' benchmark: searches, visits, failures, citations of every class, grades, notes, corrections.

Median 20 events and 6 KB of text, one in a hundred with 500 events, analysed by the ordinary rules and written by the
ordinary repositories. Chunk after chunk, each from a seed of its own: a filling that was cut off goes on.
"""

import random
from datetime import UTC, datetime

from tests.bench.synthetic import LONG_EVENTS, LONG_EVERY, MEDIAN_CHARS, MEDIAN_EVENTS, Words
from workbench.phases import analyse
from workbench.schema.canonical import question_key
from workbench.schema.grade import CriterionVerdict, Grade
from workbench.schema.note import NOTE_KINDS, Note
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory
from workbench.store import NewTrajectory, Store, TrajectoryFilter

CHUNK, QUESTIONS, RUNS, MODELS, SITES = 500, 2500, 8, 4, 400
GRADERS = ("report-quality", "strict-check")
_REASONS = (
    "figures of the market are out of date and no year is given",
    "claims about the policy rest on search snippets only",
    "the comparison of methods leaves one method out",
    "sources repeat each other and none is primary",
    "the answer is long, the question is met in one paragraph",
)
_NOTES_A_CHUNK, _CORRECTIONS_A_CHUNK = 5, 2
_AT = datetime(2026, 11, 1, tzinfo=UTC)


def fill(store: Store, n: int, seed: int) -> None:
    """Brings the store to `n` trajectories (a multiple of 500). What is there already is left as it is."""
    there = store.trajectories.page(TrajectoryFilter(), limit=1).total
    # The last chunk that is there may lack its grades: written again, what it has stays.
    for chunk in range(max(0, there // CHUNK - 1), n // CHUNK):
        _fill_chunk(store, chunk, seed)


def _fill_chunk(store: Store, chunk: int, seed: int) -> None:
    rng = random.Random(f"{seed}-{chunk}")
    words = Words(rng)
    made = [_one(number, words, rng) for number in range(chunk * CHUNK, (chunk + 1) * CHUNK)]
    new = [NewTrajectory(one, analyse(one), b"{}", "synthetic") for one in made]
    ids = store.trajectories.add_batch(new).ids
    grades = []
    for id_, item in zip(ids, new, strict=True):
        activity, cited = item.analysis.activity, item.analysis.citations
        faults = sum(citation.retrieval in ("not_retrieved", "dangling") for citation in cited)
        merit = 0.45 + 0.02 * min(activity.distinct_queries, 15) - 0.06 * faults
        grades += [(id_, _grade(name, id_, merit, rng)) for name in GRADERS]
    store.grades.add_many(grades)
    for place in rng.sample(range(CHUNK), _NOTES_A_CHUNK):
        kind = rng.choice(NOTE_KINDS)
        store.notes.add(Note(ids[place], kind, "reread" if kind == "tag" else words.text(60), "a rater", _AT))
    for place in rng.sample(range(CHUNK), _CORRECTIONS_A_CHUNK):
        store.trajectories.correct_phase(ids[place], 1, "plan", by="a rater")


def _one(number: int, words: Words, rng: random.Random) -> Trajectory:
    long = number % LONG_EVERY == LONG_EVERY - 1
    events = LONG_EVENTS if long else max(4, round(rng.lognormvariate(0, 0.4) * MEDIAN_EVENTS))
    chars = (LONG_EVENTS * 300) if long else max(600, round(rng.lognormvariate(0, 0.5) * MEDIAN_CHARS))
    asked = number // RUNS % QUESTIONS
    question = f"What is known of w{asked} and w{asked * 7 % 5000}, and how sure is it? (question {asked})"
    turns = max(1, (events - 2) // 2)
    steps = [Step("user", text=question)]
    seen: list[str] = []
    opened: list[str] = []
    for turn in range(turns):
        each = max(40, chars // 2 // turns)
        visits = turn > 0 and bool(seen) and rng.random() < 0.5
        url = rng.choice(seen) if visits else ""
        failed = rng.random() < 0.03
        call = (
            ToolCall(f"c{turn}", "open_page", "visit", {"url": url})
            if visits
            else ToolCall(f"c{turn}", "search", "search", {"query": words.text(30)})
        )
        if failed:
            text = "error 503: the page did not answer"
        elif visits:
            opened.append(url)
            text = words.text(each)
        else:
            found = [f"https://site{rng.randrange(SITES)}.example/page/{rng.randrange(50)}" for _ in range(2)]
            seen += found
            text = "\n".join(f"{one}\n{words.text(each // 2)}" for one in found)
        steps.append(Step("assistant", reasoning=words.text(40), tool_calls=(call,)))
        steps.append(Step("tool", tool_results=(ToolResult(f"c{turn}", text, is_error=failed),)))
    report = "" if rng.random() < 0.02 else _report(number, chars // 3, seen, opened, words, rng)
    steps.append(Step("assistant", text=report or words.text(30)))
    return Trajectory(
        question=question, question_id=question_key(question), run=f"run-{number % RUNS}",
        model=f"model-{number % MODELS}", steps=tuple(steps), report=report, attempt=number // (RUNS * QUESTIONS),
        group=None, policy_step=None, outcome=rng.choice(("completed", "completed", "truncated")), meta={},
    )  # fmt: skip


def _report(number: int, chars: int, seen: list[str], opened: list[str], words: Words, rng: random.Random) -> str:
    """Paragraphs with a cited address each: most were opened, some only seen, some never retrieved."""
    paragraphs = []
    for _ in range(rng.randrange(1, 6)):
        invented = f"https://elsewhere{rng.randrange(SITES)}.example/{rng.randrange(1000)}"
        choices = [(opened or seen or [invented]), (seen or [invented]), [invented]]
        url = rng.choice(rng.choices(choices, weights=(6, 3, 1))[0])
        paragraphs.append(f"{words.text(max(40, chars // 4))} [source]({url}).")
    return "\n\n".join(paragraphs) + (words.chinese(60) if number % 10 == 0 else "")


def _grade(name: str, id_: str, merit: float, rng: random.Random) -> Grade:
    score = round(min(1.0, max(0.0, rng.gauss(merit if name == GRADERS[0] else merit - 0.15, 0.15))), 3)
    if rng.random() < 0.01:
        return Grade(name, f"{name}-1", id_, "judge_failed", reason="no verdict in the reply")
    reason = rng.choice(_REASONS)
    verdict = CriterionVerdict("facts", "Facts", score, reason, "")
    return Grade(name, f"{name}-1", id_, "scored", score=score, raw=score, reason=reason, verdicts=(verdict,))
