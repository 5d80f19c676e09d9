"""gpt-researcher's benchmark files: several systems on the same tasks, each with its report and what a judge said.

One trajectory for each report, named after its system and the file: `records` hold an arm a system, `systems` a list
of records a system. There is no trace. What the judge said stands in `meta["recorded_scores"]`: per dimension `win`,
`loss` or `tie` where it chose between the arms, else its grades as the file has them, with their counts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Folder, Format, field_of, fields_of, other_fields
from workbench.ingest.loose import mappings as _maps
from workbench.schema.canonical import JsonValue

_QUESTIONS = ("topic", "prompt", "question", "query")
_REPORTS = ("report", "prediction")
_SCORES = ("metrics", "citations", "internal", "web", "grade", "unique_cited_urls")
_GRADE_LISTS = ("grades", "internal_grades", "web_grades")


def detect(record: Mapping[str, Any]) -> bool:
    if "arm" in record:
        return _text_field(record, _QUESTIONS) is not None and _text_field(record, _REPORTS) is not None
    return isinstance(record.get("run_metadata"), Mapping) and any(True for _ in _arms(record))


def expand(record: Mapping[str, Any], folder: Folder) -> Iterator[Mapping[str, Any]]:
    """`{question, report, "arm", "verdicts"?, "base_model"?, "file", ...}` for each report."""
    if "arm" in record:
        yield record
        return
    metadata = record["run_metadata"]
    beside = {"file": PurePosixPath(folder.file).stem}
    beside |= {f"run_{key}": metadata[key] for key in ("model", "judge_model", "grader_model") if key in metadata}
    for arm, found in _arms(record):
        yield {**found, "arm": arm, **beside}


def read(record: Mapping[str, Any]) -> Draft:
    """An empty report is a failed attempt, and counts as one."""
    question, report = _text_field(record, _QUESTIONS), _text_field(record, _REPORTS)
    if question is None or report is None:
        raise BadInputError(f"found {fields_of(record)}; expected the question and the report of one system")
    arm = field_of(record, "arm", str) or "unknown"
    file = field_of(record, "file", str)
    scores = dict(_scores(record, arm))
    names = (question, report, "file", "verdicts", *_SCORES)
    return Draft(
        question=record[question].strip(),
        steps=(),
        report=record[report],
        outcome="completed" if record[report].strip() else "failed",
        run=f"{file} {arm}" if file else None,
        model=arm,
        meta=other_fields(record, *names) | ({"recorded_scores": scores} if scores else {}),
    )


def _arms(record: Mapping[str, Any]) -> Iterable[tuple[str, dict[str, Any]]]:
    """(system, what it said of one task and what the task was)."""
    for one in _maps(record.get("records")):
        arms = {name: value for name, value in one.items() if _is_arm(value)}
        task = {name: value for name, value in one.items() if name not in arms}
        if _text_field(task, _QUESTIONS):
            for name, value in arms.items():
                yield name, {**task, **value}
    systems = record.get("systems")
    for name, system in (systems if isinstance(systems, Mapping) else {}).items():
        for one in _maps(system.get("records")) if isinstance(system, Mapping) else ():
            if _text_field(one, _QUESTIONS) and _text_field(one, _REPORTS):
                yield name, dict(one)


def _scores(record: Mapping[str, Any], arm: str) -> Iterator[tuple[str, JsonValue]]:
    verdicts = record.get("verdicts")
    for dimension, winner in (verdicts if isinstance(verdicts, Mapping) else {}).items():
        yield str(dimension), "win" if winner == arm else "tie" if winner == "tie" else "loss"
    for name in _SCORES:
        if record.get(name) is not None:
            yield name, record[name]
    for name in _GRADE_LISTS:
        given = Counter(str(each.get("grade")).lower() for each in _maps(record.get(name)))
        if given:
            yield name, dict(given)


def _is_arm(value: object) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("report"), str)


def _text_field(record: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if isinstance(record.get(name), str)), None)


FORMAT = Format(
    name="gpt-researcher",
    looks_like='{"run_metadata", "records": [{"topic", "baseline": {"report"}, "gptr": {"report"}, "verdicts"}]}',
    detect=detect,
    read=read,
    expand=expand,
)
