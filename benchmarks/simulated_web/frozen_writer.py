"""The rule-based writer as a ReportWriter: reads exactly the pages that a trajectory opened, and writes them up."""

from collections.abc import Mapping

from benchmarks.simulated_web.agents.notebook import Notebook
from benchmarks.simulated_web.agents.writer import PLAIN, Manner, Material, write_report
from benchmarks.simulated_web.gold import find_question, opened_pages
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.world import GENERATOR
from workbench.errors import BadInputError
from workbench.schema.canonical import JsonObject, JsonValue, content_hash
from workbench.schema.grade import GraderKind, Usage
from workbench.schema.writing import WritingCase, WrittenReport

# Raised whenever a rule changes what is written.
RULES = 1


class FrozenWriter:
    """Writes up what was read, in one manner, with no knowledge of the truth and none of the agent's own report.

    World and question come from the trajectory's meta (or its run's, `run_meta` by name); it abstains from any other
    origin. The same pages give the same report.
    """

    kind: GraderKind = "deterministic"
    evidence_chars = 0

    def __init__(
        self, run_meta: Mapping[str, JsonObject] | None = None, *, manner: Manner = PLAIN, name: str = "frozen"
    ) -> None:
        self._run_meta = run_meta or {}
        self._manner = manner
        self.name = name
        self.definition: dict[str, JsonValue] = {
            "writer": "simulated web",
            "rules": RULES,
            "generator": GENERATOR,
            "manner": {key: getattr(manner, key) for key in Manner.__slots__},
        }
        self.version = content_hash(self.definition)

    async def write(self, case: WritingCase) -> WrittenReport:
        trajectory = case.trajectory
        try:
            world, question = find_question(trajectory, self._run_meta.get(trajectory.run, {}))
        except BadInputError as error:
            return self._result(case, reason=str(error))
        notebook = Notebook(world.graph)
        pages = opened_pages(world, trajectory)
        for page in pages:
            notebook.read(page)
        rng = Rng("frozen writer", question.id, *(page.url for page in pages))
        report = write_report(world, question, Material(notebook), rng=rng, manner=self._manner)
        return self._result(case, report, pages_read=len(pages))

    def _result(
        self, case: WritingCase, report: str | None = None, *, reason: str = "", **detail: JsonValue
    ) -> WrittenReport:
        return WrittenReport(
            self.name,
            self.version,
            case.case_hash,
            "abstained" if report is None else "written",
            report,
            reason,
            Usage(cost_usd=0.0),
            detail=detail,
        )
