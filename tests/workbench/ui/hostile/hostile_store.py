"""A store that holds hostile inputs wherever text enters it, beside the sample, so that no page is empty."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import orjson

from tests.workbench.ui.hostile.corpus import Hostile
from workbench.errors import BadInputError
from workbench.human.rounds.invitations import new_token, token_hash
from workbench.ingest.json_values import without_surrogates
from workbench.phases import analyse
from workbench.reward.core.errors import SpecError
from workbench.reward.core.spec import parse_spec
from workbench.schema.ballot import Assignment, Ballot, Round, Vote
from workbench.schema.canonical import question_key
from workbench.schema.grade import CriterionVerdict, Grade, OrderVerdict, PairGrade
from workbench.schema.note import Note
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory
from workbench.store import NewTrajectory, Store

# Digits that no input has, so that ids of rows can be told from their texts.
JUDGE_VERSION: Final = "5e" * 32
PAIRS_VERSION: Final = "6f" * 32
NOW: Final = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
PAGE: Final = "https://register.example/dam"


def trajectory_of(text: str, *, attempt: int = 0) -> Trajectory:
    """A run of research in which everything that can be a text is this one."""
    calls = (
        ToolCall("s", "search", "search", {"query": text}),
        ToolCall("o", text, "other", {text: text, "__proto__": {"polluted": text}, "url": text}),
    )
    steps = (
        Step("system", text=text),
        Step("user", text=text),
        Step("assistant", text=text, reasoning=text, tool_calls=calls, agent=text),
        Step("tool", tool_results=(ToolResult("s", f"1. {text} {PAGE}"), ToolResult("o", text, is_error=True))),
        Step("assistant", tool_calls=(ToolCall("v", "visit", "visit", {"url": PAGE, "goal": text}),)),
        Step("tool", tool_results=(ToolResult("v", f"The dam of 1962 is 99 m high. {text}"),)),
        Step("assistant", text=text),
    )
    report = f"The dam of 1962 is 99 m high ([{text}]({PAGE})).\n\n{text}\n\nIt was never seen [7]. {text}"
    name = without_surrogates(text)  # as the import makes names
    return Trajectory(
        question=name,
        question_id=question_key(name),
        run=name,
        model=name,
        steps=steps,
        report=report,
        attempt=attempt,
        group=name,
        outcome="completed",
        meta={text: text},
    )


def fill(store: Store, folder: Path, inputs: Sequence[Hostile]) -> tuple[str, ...]:
    """Adds every input everywhere; gives the ids of their trajectories, two an input."""
    texts = [one.text for one in inputs]
    made = [trajectory_of(text, attempt=attempt) for text in texts for attempt in (0, 1)]
    # Even attempts end otherwise, so that two reports differ somewhere.
    made = [t if t.attempt == 0 else replace(t, report=f"{t.report}\n\nIn 1964 {t.question}") for t in made]
    items = [NewTrajectory(t, analyse(t), orjson.dumps({"k": t.id}), t.run) for t in made]
    for start in range(0, len(items), 20):
        store.trajectories.add_batch(items[start : start + 20])
    ids = tuple(t.id for t in made)
    _grades(store, made, texts)
    _notes(store, ids, texts)
    _jobs(store, folder, texts)
    _people(store, made, texts)
    _rewards(store, texts)
    _training(store, texts)
    _labs(store, texts)
    return ids


def _grades(store: Store, made: Sequence[Trajectory], texts: Sequence[str]) -> None:
    name = texts[0]
    store.grades.register(name, JUDGE_VERSION, "callable", {"rubric": {"criteria": _criteria(texts)}})
    rows = []
    for place, trajectory in enumerate(made):
        text = texts[place // 2]
        verdicts = tuple(
            CriterionVerdict(f"{criterion} {text}", text, (place % 3) / 2, reason=text, quote=text)
            for criterion in ("c", text)
        )
        detail: dict[str, Any] = {text: text, "quotes_not_found": [text], "__proto__": {"polluted": text}}
        scored = Grade(
            name, JUDGE_VERSION, f"case-{place}", "scored", score=(place % 5) / 4, raw=1.0, scheme=text,
            reason=text, verdicts=verdicts, detail=detail,
        )  # fmt: skip
        failed = Grade(name, JUDGE_VERSION, f"case-{place}", "judge_failed", reason=text or "none", repeat=1)
        rows += [(trajectory.id, scored), (trajectory.id, failed)]
    store.grades.add_many(rows)
    for n, text in enumerate(texts[:12]):
        grade = Grade(text, f"{n:064x}", "case", "scored", score=0.5, raw=0.5, reason=text)
        store.grades.add(made[0].id, grade)
    judged = []
    for place in range(0, len(made), 2):
        text = texts[place // 2]
        order = OrderVerdict("left", "scored", (CriterionVerdict(text, text, 0.5, text, text),), text)
        pair = PairGrade(name, PAIRS_VERSION, "scored", 0.9, text, dimensions={text: 0.8}, consistent=False,
                          orders=(order,))  # fmt: skip
        judged.append((made[place].id, made[place + 1].id, pair))
    store.grades.register(name, PAIRS_VERSION, "callable", {"pairs": texts[0]})
    store.pairs.add_many(judged)


def _criteria(texts: Sequence[str]) -> list[Any]:
    return [{"id": f"c {text}", "text": text, "polarity": "negative"} for text in texts]


def _notes(store: Store, ids: Sequence[str], texts: Sequence[str]) -> None:
    for place, identifier in enumerate(ids):
        text = texts[place // 2].strip()[:19_000] or "blank"
        store.notes.add(Note(identifier, "mistake", text, text, NOW, anchor="step", position=2))
        store.notes.add(Note(identifier, "tag", text[:200], text[:200], NOW))
    for text in texts:
        store.notes.save_filter(text.strip()[:150] or "blank", f"text={text[:50]}&run={text[:50]}")


def _jobs(store: Store, folder: Path, texts: Sequence[str]) -> None:
    records = [{"source": text, "record": n, "reason": text, "raw": text} for n, text in enumerate(texts)]
    for start in range(0, len(records), 20):
        quarantine = folder / f"quarantine-{start}.jsonl"
        lines = [orjson.dumps(_utf8(record)) for record in records[start : start + 20]]
        quarantine.write_bytes(b"\n".join(lines))
        job = store.jobs.create("import", ["import", texts[start][:80]])
        with store.jobs.attach(job.id) as handle:
            for text in texts[start : start + 20]:
                handle.log(text)
            handle.finish({"quarantine_path": str(quarantine), texts[start]: [texts[start]]})
    for text in texts:
        try:
            job = store.jobs.create("import", ["import", text])
        except BadInputError:  # what holds a secret is refused at this door
            continue
        with store.jobs.attach(job.id) as handle:
            handle.log(text)
            handle.fail(text)


def _utf8(record: dict[str, Any]) -> dict[str, Any]:
    """As a quarantine file holds them: a record that is no UTF-8 never gets that far."""
    return {
        name: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for name, value in record.items()
    }


def _people(store: Store, made: Sequence[Trajectory], texts: Sequence[str]) -> None:
    for number, state in enumerate(("closed", "open")):
        round_ = Round(f"r-hostile-{number}", texts[number], (made[0].run, made[2].run), {texts[0]: texts[1]},
                       False, "open", 1, False, NOW)  # fmt: skip
        raters = [text[:60] for text in texts]
        seats = [
            Assignment(f"a-{number}-{place}", round_.id, rater, made[0].question_id, made[0].id, made[2].id, 0)
            for place, rater in enumerate(raters)
        ]
        store.human.create_round(round_, seats)
        for place, rater in enumerate(raters):
            store.human.add_rater(round_.id, rater, token_hash(new_token()), NOW + timedelta(days=9999))
            ballot = Ballot(f"a-{number}-{place}", round_.id, rater, "left", {}, texts[place], 3.0, NOW)
            store.human.cast(ballot, idempotency_key=f"{number}-{place}")
        store.human.set_aside(seats[0].id, texts[0])
        if state == "closed":
            store.human.close_round(round_.id, NOW)
    votes = [
        Vote(text, texts[n - 1], "model_a" if n % 2 else "tie", text, text, texts[0], n, text)
        for n, text in enumerate(texts)
        if text != texts[n - 1]
    ]
    store.human.add_votes([vote for vote in votes if "\x00" not in vote.model_a + vote.model_b])


def _rewards(store: Store, texts: Sequence[str]) -> None:
    (saved, *_) = store.rewards.specs()
    spec = dict(store.rewards.spec(saved.version))
    for n, text in enumerate(texts):
        try:
            parse_spec({**spec, "name": text})
        except SpecError:  # the door of the app and of the command line
            continue
        store.rewards.save_spec({**spec, "name": text}, f"{n:064x}", name=text)
    for text in texts:
        store.rewards.record_export(f"exports/{text}", saved.version, text, {"gates": {text: {"state": text}}})


def _training(store: Store, texts: Sequence[str]) -> None:
    for text in texts:
        store.training.create(text, spec_version=text, export_folder=f"exports/{text}", config={text: text})
        for step in range(2):
            store.training.log(text, step, {"reward": 0.5, text[:60]: 0.1 * step})


def _labs(store: Store, texts: Sequence[str]) -> None:
    """Reports of the two labs with the sample's figures and hostile names, reasons and verdicts in words."""
    (diagnosis, *_) = store.diagnoses.list()
    (stress, *_) = store.stress.reports()
    for n, text in enumerate(texts):
        store.diagnoses.save(f"d-hostile-{n}", "fixed_evidence", f"{n:064x}", poisoned(diagnosis.report, text))
        store.stress.save_report(f"{n:064x}", text, poisoned(stress.report, text))


# What these names hold is a choice among a few words, or a number's name: no stranger's text gets there.
_CHOSEN: Final = frozenset(
    [
        "kind",
        "version",
        "verdict",
        "method",
        "family",
        "grader_version",
        "unit",
        "outcome",
        "trajectory_id",
        "expected_verdict",
    ]
)


def poisoned(value: Any, text: str, name: str = "") -> Any:
    """The JSON with every text of a stranger replaced."""
    if isinstance(value, dict):
        return {key: poisoned(item, text, key) for key, item in value.items()}
    if isinstance(value, list):
        return [poisoned(item, text, name) for item in value]
    return text if isinstance(value, str) and value and name not in _CHOSEN else value
