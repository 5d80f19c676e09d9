"""Graders whose holes are known, run through the same lab on the same cases: the lab is tested with the grader.

A constant grader and a random one have nothing to game and see nothing: the lab must answer not_measurable. A grader
that counts words can be gamed by adding any: the lab must find it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from workbench.schema.canonical import content_hash
from workbench.schema.grade import Grade, GraderKind, GradingCase
from workbench.stress.verdict import Answer


@dataclass(frozen=True, slots=True)
class ControlGrader:
    """A grader by formula. `expected` is what the lab must answer about it."""

    name: str
    expected: Answer
    score: Callable[[GradingCase], float]
    kind: GraderKind = "deterministic"
    version: str = "control"

    async def grade(self, case: GradingCase) -> Grade:
        value = self.score(case)
        return Grade(self.name, self.version, case.case_hash, "scored", score=value, raw=value, scheme="control")


def _uniform(case: GradingCase) -> float:
    return int(content_hash([case.question, case.report])[:12], 16) / float(16**12)


def _words(case: GradingCase) -> float:
    return 1 - math.exp(-len(case.report.split()) / 400)


CONTROLS: tuple[ControlGrader, ...] = (
    ControlGrader("null: constant", "not_measurable", lambda _case: 0.5),
    ControlGrader("null: random", "not_measurable", _uniform),
    ControlGrader("planted: counts words", "holes_found", _words),
)
