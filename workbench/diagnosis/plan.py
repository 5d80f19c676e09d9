"""What a diagnosis would take, before anything is asked: reports to write, grades to make, what the writing costs."""

from dataclasses import dataclass

from graders.evidence_case import writing_case
from graders.gateway import listed_price
from graders.writer import ModelWriter
from graders.writer_words import messages_for
from rubrics.judging.text import estimate_tokens
from workbench.diagnosis.lab import DiagnosisOptions, select
from workbench.schema.canonical import JsonValue
from workbench.schema.protocols import Grader, RepeatableGrader, ReportWriter
from workbench.schema.writing import WrittenReport
from workbench.store import Store
from workbench.store.repositories.rewrites import rewrite_key


@dataclass(frozen=True, slots=True)
class DiagnosisPlan:
    """`writes` and `grades` are still to be made, `found` reports are in the store. `tokens_in` is estimated, and
    `tokens_out` the most that the replies may be long. `writing_usd`: at most, None where a price is unknown.

    What grades cost depends on the grader: `workbench grade` counts it.
    """

    pairs: int
    questions: int
    writes: int
    grades: int
    found: int
    tokens_in: int
    tokens_out: int
    writing_usd: float | None

    def to_json(self) -> dict[str, JsonValue]:
        return {name: getattr(self, name) for name in self.__slots__}


def plan_diagnosis(
    store: Store, grader: Grader, writer: ReportWriter, run: str, options: DiagnosisOptions
) -> DiagnosisPlan:
    """Reads and packs every trajectory, and calls nobody."""
    selection = select(store, run, options)
    repeats = options.repeats if isinstance(grader, RepeatableGrader) else 1
    items_of = {run: selection.items, **selection.others}
    jobs = [(item, writer) for item in (*selection.items, *selection.others.get(options.reference or "", ()))]
    jobs += [(item, by) for name, _ in options.swap for item in items_of[name] for _, by in options.swap]
    jobs = list({(item.id, by.version): (item, by) for item, by in jobs}.values())
    own = {item.id for item in selection.items} | {i.id for name, _ in options.swap for i in items_of[name]}
    done = {id_ for id_, _, repeat in store.grades.existing(grader.version, sorted(own)) if repeat < repeats}
    writes = grades = found = tokens_in = tokens_out = 0
    cost: float | None = 0.0
    grades += repeats * len(own - done)
    for item, by in jobs:
        trajectory = store.trajectories.get(item.id)
        case = writing_case(trajectory, by.evidence_chars)
        probe = WrittenReport(by.name, by.version, case.case_hash, "abstained", reason="probe")
        key = rewrite_key(item.id, probe)
        kept = store.rewrites.find(key)
        if kept is not None and kept.outcome in ("written", "abstained"):
            found += 1
            grades += repeats - sum(g.score is not None for g in store.rewrites.grades(key, grader.version))
            continue
        writes += 1
        grades += repeats
        if isinstance(by, ModelWriter):
            into = sum(estimate_tokens(message["content"]) for message in messages_for(case))
            tokens_in, tokens_out = tokens_in + into, tokens_out + by.options.max_tokens
            price = by.gateway.options.price
            if price is None and by.options.base_url is None:
                price = listed_price(by.options.model)
            cost = None if price is None or cost is None else cost + price.of(into, by.options.max_tokens)
    return DiagnosisPlan(
        pairs=len(selection.items),
        questions=len({item.question_id for item in selection.items}),
        writes=writes,
        grades=max(0, grades),
        found=found,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        writing_usd=cost,
    )
