"""A grader and writers whose answers are known from the text alone."""

import re
from dataclasses import dataclass, field

from workbench.schema.grade import Grade, GraderKind, GradingCase, Usage
from workbench.schema.writing import WritingCase, WrittenReport

SCORE = re.compile(r"worth (\d\.\d+)")


@dataclass
class WorthGrader:
    """The number that the report says it is worth, plus `noise` on odd draws. Reports that say `hard` fail."""

    name: str = "worth"
    version: str = "worth-1"
    kind: GraderKind = "callable"
    noise: float = 0.0
    repeat: int = 0
    calls: list[str] = field(default_factory=list)

    def repeated(self, repeat: int) -> "WorthGrader":
        return WorthGrader(noise=self.noise, repeat=repeat, calls=self.calls)

    async def grade(self, case: GradingCase) -> Grade:
        self.calls.append(case.report)
        found = SCORE.search(case.report)
        if found is None or "hard" in case.report:
            return Grade(
                self.name, self.version, case.case_hash, "judge_failed", reason="no verdict", repeat=self.repeat
            )
        score = float(found[1]) + self.noise * (self.repeat % 2)
        usage = Usage(cost_usd=0.01)
        return Grade(self.name, self.version, case.case_hash, "scored", score, score, usage=usage, repeat=self.repeat)


@dataclass
class SkillWriter:
    """Adds `skill` to what the evidence is worth. Without evidence it fails; it may raise on `stop_on`."""

    skill: float
    name: str = "skill"
    kind: GraderKind = "callable"
    evidence_chars: int = 5000
    calls: list[str] = field(default_factory=list)
    stop_on: str = "never"
    version: str = ""

    def __post_init__(self) -> None:
        self.version = f"{self.name}-{self.skill}"

    async def write(self, case: WritingCase) -> WrittenReport:
        self.calls.append(case.evidence)
        if self.stop_on in case.evidence:
            raise RuntimeError("broken")
        found = SCORE.search(case.evidence)
        if found is None:
            return WrittenReport(self.name, self.version, case.case_hash, "writer_failed", reason="nothing to write")
        report = f"worth {min(1.0, float(found[1]) + self.skill):.3f}"
        return WrittenReport(
            self.name, self.version, case.case_hash, "written", report, usage=Usage(cost_usd=0.1), detail=case.account
        )
