"""Targets per question from reference runs: the most distinct queries and sites that any of their rollouts used."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from workbench.reward.core.spec import TARGETS_PREFIX
from workbench.reward.core.terms import count_of
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.reward import QuestionTarget, RolloutFacts, ShapingTerm, SiteCount


@dataclass(frozen=True, slots=True)
class TargetsTable:
    """Targets with what made them. `counts` says which sites they count: a term must count the same."""

    targets: tuple[QuestionTarget, ...]
    counts: SiteCount
    runs: tuple[str, ...]
    left_out: tuple[str, ...] = ()

    @property
    def version(self) -> str:
        """16 hexadecimal digits over the targets and what they count, whatever runs gave them."""
        return content_hash([self.counts, *targets_to_json(self.targets)])[:16]

    @property
    def by_question(self) -> dict[str, QuestionTarget]:
        return {target.question_id: target for target in self.targets}


@dataclass(frozen=True, slots=True)
class TargetsSummary:
    """The distribution over questions. `no_search_share`: share on which no reference rollout made a query."""

    questions: int
    query_median: float
    site_median: float
    no_search_share: float


def build_targets(
    references: Mapping[str, Iterable[RolloutFacts]],
    *,
    counts: SiteCount = "opened",
    leave_out: Sequence[str] = (),
) -> TargetsTable:
    """Targets from the rollouts of reference runs, by name of run.

    `leave_out` names runs that must not set their own targets: leave-one-run-out gives each run targets from the
    others. Source: Baseten and Genspark, 2026-11-10, "Shaping a good reward" (the most that any reference model used).
    """
    sites = ShapingTerm("distinct_sites", 1.0, counts=counts)
    best: dict[str, tuple[int, int, int]] = {}
    runs = tuple(sorted(run for run in references if run not in leave_out))
    for run in runs:
        for facts in references[run]:
            queries, most_sites, n = best.get(facts.question_id, (0, 0, 0))
            best[facts.question_id] = (
                max(queries, facts.distinct_queries),
                max(most_sites, count_of(sites, facts)),
                n + 1,
            )
    targets = tuple(QuestionTarget(question, *best[question]) for question in sorted(best))
    return TargetsTable(targets, counts, runs, tuple(sorted(leave_out)))


def summarise(table: TargetsTable) -> TargetsSummary:
    """Medians over questions. Raises ValueError for a table without a question."""
    if not table.targets:
        raise ValueError("no target: none of the reference runs holds a rollout")
    return TargetsSummary(
        questions=len(table.targets),
        query_median=float(statistics.median(target.queries for target in table.targets)),
        site_median=float(statistics.median(target.sites for target in table.targets)),
        no_search_share=sum(target.queries == 0 for target in table.targets) / len(table.targets),
    )


def targets_to_json(targets: Iterable[QuestionTarget]) -> list[dict[str, JsonValue]]:
    """One object a question, in order of question, as a job folder and a version hash hold it."""
    return [
        {"question_id": t.question_id, "queries": t.queries, "sites": t.sites, "n_references": t.n_references}
        for t in sorted(targets, key=lambda target: target.question_id)
    ]


def targets_reference(version: str) -> str:
    """How a specification names a table of targets."""
    return TARGETS_PREFIX + version
