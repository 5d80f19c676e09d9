"""Where a search matched inside one trajectory."""

from collections.abc import Iterator

from workbench.schema.trajectory import Step
from workbench.store.repositories.trajectory_bodies import TrajectoryBodies
from workbench.store.text.index import searched_in
from workbench.store.text.query import parse
from workbench.store.text.snippets import Snippet, snippet

AROUND_CHARS = 60


class TrajectorySearch(TrajectoryBodies):
    """The part of `Trajectories` that shows matches. Finding them is `page` and `ids` with a filter's `text`."""

    def snippets(
        self, trajectory_id: str, searched: str, *, limit: int = 1, around: int = AROUND_CHARS
    ) -> tuple[Snippet, ...]:
        """The first match in each text that has one: the question, the report, then queries and results by step.

        Steps are read only where question and report leave room. Raises BadInputError for a search that cannot be read.
        """
        terms = parse(searched)
        found: list[Snippet] = []
        for field, position, ordinal, body in self._texts(trajectory_id):
            match = snippet(body, terms, field, around, position=position, ordinal=ordinal)
            if match is not None:
                found.append(match)
                if len(found) >= limit:
                    break
        return tuple(found)

    def _texts(self, trajectory_id: str) -> Iterator[tuple[str, int | None, int, str]]:
        yield "question", None, 0, self.question(trajectory_id)
        yield "report", None, 0, self.report(trajectory_id)
        for position, step in enumerate(self.steps(trajectory_id)):
            for ordinal, query in enumerate(_queries(step)):
                yield "query", position, ordinal, query
            for ordinal, result in enumerate(step.tool_results):
                yield "result", position, ordinal, result.text


def _queries(step: Step) -> Iterator[str]:
    for call in step.tool_calls:
        if call.kind == "search":
            yield from searched_in(call.arguments)
