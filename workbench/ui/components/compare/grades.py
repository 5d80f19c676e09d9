"""Grades by criterion side by side, those that tell the attempts apart first."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

import streamlit as st

from workbench.schema.grade import CriterionVerdict, Grade
from workbench.ui.components import figures
from workbench.ui.components.compare.attempts import Attempt, heads
from workbench.ui.components.text import escaped
from workbench.ui.session import store


@dataclass(frozen=True, slots=True)
class Line:
    """A criterion: for each attempt the verdicts of all repeats, () where it was not judged on it."""

    criterion: str
    verdicts: tuple[tuple[CriterionVerdict, ...], ...]

    @property
    def values(self) -> tuple[float | None, ...]:
        """The mean of each attempt's readable verdicts, None where it has none."""
        return tuple(_mean([v.value for v in own if v.value is not None]) for own in self.verdicts)

    @property
    def gap(self) -> float:
        """Between the highest and the lowest of the attempts that have a value; 0 where fewer than two have."""
        known = [value for value in self.values if value is not None]
        return max(known) - min(known) if len(known) > 1 else 0.0


def grades(attempts: Sequence[Attempt]) -> None:
    given = [store().grades.for_trajectory(attempt.row.id) for attempt in attempts]
    versions = sorted({(grade.grader, grade.grader_version) for own in given for grade in own})
    if not versions:
        figures.nothing_here(
            "None of these was graded.", remedy="Grade their runs on the Graders page, or with `workbench grade`."
        )
        return
    blocks = []
    for name, version in versions:
        own = [[g for g in all_ if (g.grader, g.grader_version) == (name, version)] for all_ in given]
        blocks.append(_block(f"{name} @{version[:8]}", own, attempts))
    st.html("".join(blocks))


def lines_of(given: Sequence[Sequence[Grade]]) -> tuple[Line, ...]:
    """The criteria of one grader's grades (one list an attempt), the widest gap first, then as the grader has them."""
    names = dict.fromkeys(v.criterion_id for own in given for grade in own for v in grade.verdicts)
    lines = [
        Line(
            name,
            tuple(tuple(v for grade in own for v in grade.verdicts if v.criterion_id == name) for own in given),
        )
        for name in names
    ]
    return tuple(sorted(lines, key=lambda line: -line.gap))


def _block(title: str, given: Sequence[Sequence[Grade]], attempts: Sequence[Attempt]) -> str:
    lines = lines_of(given)
    scores = "".join(_score_cell(own) for own in given)
    head = f'<tr class="wbc-sum"><td>{escaped(title)}</td>{scores}</tr>'
    body = "".join(_line(line) for line in lines)
    columns = heads(attempts, "grader, then its criteria")
    return f'<table class="wbc-t wbc-grades">{columns}<tbody>{head}{body}</tbody></table>'


def _score_cell(own: Sequence[Grade]) -> str:
    if not own:
        return '<td class="n wbc-mute">not graded</td>'
    mean = _mean([grade.score for grade in own if grade.score is not None])
    if mean is None:
        words = own[0].outcome.replace("_", " ")
        return f'<td class="n wbc-bad" title="{escaped(own[0].reason)}">{escaped(words)}</td>'
    many = f' <span class="wbc-mute">n={len(own)}</span>' if len(own) > 1 else ""
    return f'<td class="n"><b>{mean:.2f}</b>{many}{_bar(mean)}</td>'


def _line(line: Line) -> str:
    cells = "".join(_verdict_cell(own, value) for own, value in zip(line.verdicts, line.values, strict=True))
    gap = f' <span class="wbc-gap">differs by {line.gap:.2g}</span>' if line.gap else ""
    return f"<tr><td>{escaped(line.criterion)}{gap}</td>{cells}</tr>"


def _verdict_cell(own: Sequence[CriterionVerdict], value: float | None) -> str:
    if not own:
        return '<td class="n wbc-mute">·</td>'
    label = "" if not own[0].label or len(own) > 1 else f" {escaped(own[0].label)}"
    shown = (
        f"<b>{value:.2g}</b>{label}{_bar(value)}" if value is not None else '<span class="wbc-bad">no verdict</span>'
    )
    said = "".join(_said(verdict) for verdict in own if verdict.reason or verdict.quote)
    why = f'<details class="wbc-more"><summary>why</summary>{said}</details>' if said else ""
    return f'<td class="n">{shown}{why}</td>'


def _said(verdict: CriterionVerdict) -> str:
    quote = f"<q>{escaped(verdict.quote)}</q>" if verdict.quote else ""
    return f"<p>{escaped(verdict.reason)}{quote}</p>"


def _bar(value: float) -> str:
    return f'<i style="width:{100 * max(0.0, min(value, 1.0)):.0f}%"></i>'


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None
