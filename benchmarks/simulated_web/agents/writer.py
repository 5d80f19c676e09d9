"""Writing a report from a notebook. The frozen writer of search training is `write_report` with its plain manner."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.simulated_web.agents.notebook import Finding, Need, Notebook, needs_of
from benchmarks.simulated_web.ontology import Relation
from benchmarks.simulated_web.questions import Question, RequiredFact
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.units import UNITS, grouped
from benchmarks.simulated_web.wording import Written, fill, subject_forms, write_value
from benchmarks.simulated_web.world import World


@dataclass(frozen=True, slots=True)
class Manner:
    """How someone writes. `cites` is the percent of statements with a citation, `short_names` of those that say "the
    bridge" instead of the name. `bullets`: a list of values instead of sentences."""

    summary: bool = True
    headings: bool = True
    disagreements: bool = True
    gaps: bool = True
    bullets: bool = False
    cites: int = 100
    short_names: int = 20


PLAIN = Manner()


@dataclass(slots=True)
class Material:
    """What a report is written from: readings, values made up for needs without one, and where they are said to stand.

    `asides` are sentences about other things that go in as well, with their address. `answers` replaces computed
    results by wrong ones.
    """

    notebook: Notebook
    invented: dict[str, Finding] = field(default_factory=dict)
    asides: Sequence[tuple[str, str]] = ()
    answers: Mapping[str, float] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)

    def entity_of(self, need: Need) -> str | None:
        """Whom the report takes the need to be about."""
        if need.via is None:
            return self.notebook.entity_of(need)
        linked = self.finding(need.via)
        return None if linked is None else str(linked.value)

    def finding(self, need: Need) -> Finding | None:
        made_up = self.invented.get(need.fact.id)
        if made_up is not None:
            return made_up
        entity = self.entity_of(need)
        return None if entity is None else self.notebook.finding(entity, need.relation, need.year)


def write_report(world: World, question: Question, material: Material, *, rng: Rng, manner: Manner = PLAIN) -> str:
    """A markdown report with numbered citations and a list of sources (left out where nothing is cited)."""
    return _Writer(world, question, material, rng, manner).report()


class _Writer:
    def __init__(self, world: World, question: Question, material: Material, rng: Rng, manner: Manner) -> None:
        self.world, self.graph, self.question = world, world.graph, question
        self.material, self.rng, self.manner = material, rng, manner
        self.needs = needs_of(self.graph, question)
        self.numbers: dict[str, int] = {}

    def report(self) -> str:
        if self.question.kind == "no_search":
            return self._computed()
        by_entity: dict[str, list[tuple[Need, Finding]]] = {}
        missing: list[Need] = []
        for need in self.needs:
            finding, entity = self.material.finding(need), self.material.entity_of(need)
            if finding is None or entity is None:
                missing.append(need)
            else:
                by_entity.setdefault(entity, []).append((need, finding))
        blocks = [f"# {self._title()}"]
        comparison = self._comparison()
        if self.manner.summary:
            blocks.append(self._summary(by_entity, comparison))
        elif comparison:
            blocks.append(comparison)
        for entity, found in by_entity.items():
            if self.manner.headings:
                blocks.append(f"## {self._capital(self.graph.entity[entity].phrase)}")
            blocks.append(self._bullets(entity, found) if self.manner.bullets else self._prose(entity, found))
        blocks += self._asides()
        if self.manner.disagreements:
            blocks += self._disagreements([pair for found in by_entity.values() for pair in found])
        if self.manner.gaps and missing:
            blocks += ["## What I could not find", self._gaps(missing)]
        return "\n\n".join([*(block for block in blocks if block), *self._sources()])

    # Parts

    def _title(self) -> str:
        names = [self.graph.entity[e].name for e in dict.fromkeys(need.entity for need in self.needs if need.entity)]
        kind = self.rng.choice(("Report on", "Findings on", "Research note:")) if self.manner.headings else "On"
        if not names:
            return f"{kind} what was asked"
        return f"{kind} {' and '.join(names[:2])}" + (" and others" if len(names) > 2 else "")

    def _summary(self, by_entity: Mapping[str, Sequence[tuple[Need, Finding]]], comparison: str) -> str:
        found = sum(len(pairs) for pairs in by_entity.values())
        opening = self.rng.choice(
            (
                f"**In short.** This note answers {found} of {len(self.needs)} points from {self._read()}.",
                f"**Summary.** I read {self._read()} and can answer {found} of {len(self.needs)} points.",
                f"**Overview.** The answers below rest on {self._read()}.",
            )
        )
        return f"{opening} {comparison}".strip()

    def _read(self) -> str:
        n = len(self.material.notebook.pages)
        return f"{n} page{'' if n == 1 else 's'}"

    def _prose(self, entity: str, found: Sequence[tuple[Need, Finding]]) -> str:
        sentences: list[str] = []
        for place, (need, finding) in enumerate(found):
            form = "short" if place and self.rng.below(100) < self.manner.short_names else "full"
            sentences.append(self._sentence(entity, need.relation, finding, form))
        return " ".join(sentences)

    def _sentence(self, entity: str, relation: Relation, finding: Finding, form: str) -> str:
        # Pages add colour behind a comma; a report has no source for that.
        templates = (
            tuple(t for t in relation.templates if len(t) < 60 and not t.startswith("{V}")) or relation.templates
        )
        subject, owner = subject_forms(self.graph.entity[entity], form)
        written = self._written(relation, finding.value)
        year = finding.year if finding.year is not None else 2025
        text = fill(self.rng.choice(templates), subject=subject, owner=owner, written=written, year=year)
        marks = self._marks(finding.urls)
        return f"{text[:-1]}{marks}." if text.endswith(".") else text + marks

    def _bullets(self, entity: str, found: Sequence[tuple[Need, Finding]]) -> str:
        name = self.graph.entity[entity].name
        lines = []
        for need, finding in found:
            noun = need.relation.noun if need.year is None else f"{need.relation.noun} in {need.year}"
            value = self._written(need.relation, finding.value).full
            label = self.rng.choice(
                (f"{name}, {noun}: {value}", f"{noun.capitalize()} of {self._the(entity)}: {value}")
            )
            lines.append(f"- {label}{self._marks(finding.urls)}")
        return "\n".join(lines)

    def _comparison(self) -> str:
        """Which is more, judged from the values found; nothing where one of them is missing."""
        compared = next((fact for fact in self.question.required if fact.kind == "comparison"), None)
        if compared is None:
            return ""
        values = [self._value_of(compared, entity) for entity in (compared.winner, compared.loser)]
        if values[0] is None or values[1] is None or values[0] == values[1]:
            return ""
        more, less = (compared.winner, compared.loser) if values[0] > values[1] else (compared.loser, compared.winner)
        return self._compare(compared, more, less)

    def _compare(self, fact: RequiredFact, more: str, less: str) -> str:
        relation = next(need.relation for need in self.needs if need.relation.key == fact.relation_key)
        winner, loser = self._the(more), self._the(less)
        if relation.key == "company.revenue":
            return f"The revenue of {winner} is higher than that of {loser}."
        return self.rng.choice(
            (
                f"{self._capital(winner)} is {relation.more} than {loser}.",
                f"Of the two, {winner} is {relation.more}.",
                f"{self._capital(loser)} is {relation.less} than {winner}.",
            )
        )

    def _value_of(self, fact: RequiredFact, entity: str) -> int | None:
        need = next((n for n in self.needs if n.relation.key == fact.relation_key and n.entity == entity), None)
        finding = None if need is None else self.material.finding(need)
        return None if finding is None or isinstance(finding.value, str) else finding.value

    def _disagreements(self, found: Sequence[tuple[Need, Finding]]) -> list[str]:
        lines = []
        for need, finding in found:
            entity = self.material.entity_of(need)
            if not finding.rivals or entity is None:
                continue
            rival = finding.rivals[0]
            other = self._written(need.relation, rival.value).full
            marks = self._marks((rival.url,))
            part = f"{need.relation.noun} of {self._the(entity)}"
            lines.append(f"For the {part}, another page gives {other}{marks}; I follow the majority.")
        return ["## Where sources disagree", " ".join(lines)] if lines else []

    def _gaps(self, missing: Sequence[Need]) -> str:
        said = [f"I could not find the {self._part(need)}." for need in missing]
        return " ".join(said)

    def _part(self, need: Need) -> str:
        entity = self.material.entity_of(need)
        return f"{need.relation.noun} of {self._the(entity)}" if entity else f"{need.relation.noun} that was asked for"

    def _asides(self) -> list[str]:
        if not self.material.asides:
            return []
        lines = [f"{text}{self._marks((url,))}" for text, url in self.material.asides]
        half = (len(lines) + 1) // 2
        return ["## Further background", " ".join(lines[:half]), " ".join(lines[half:])]

    def _computed(self) -> str:
        lines = []
        for fact in self.question.required:
            number = self.material.answers.get(fact.id, fact.number)
            unit = UNITS[fact.unit]
            text = f"{grouped(number)}{'' if unit.words[0] == '%' else ' '}{unit.words[0]}"
            lines.append(fact.answer.replace("{V}", text))
        opening = self.rng.choice(("# Answer", "# Worked answer", "# Calculation"))
        joined = "\n".join(f"- {line}" for line in lines) if self.manner.bullets else " ".join(lines)
        return f"{opening}\n\n{joined}"

    def _sources(self) -> list[str]:
        if not self.numbers:
            return []
        lines = [f"[{number}] {self._source(url)} {url}" for url, number in self.numbers.items()]
        return ["## Sources", "\n".join(lines)]

    # Small things

    def _marks(self, urls: Sequence[str]) -> str:
        if not urls or self.rng.below(100) >= self.manner.cites:
            return ""
        return " " + "".join(f"[{self.numbers.setdefault(url, len(self.numbers) + 1)}]" for url in urls[:3])

    def _source(self, url: str) -> str:
        page = self.world.page.get(url)
        if page is None:
            return self.material.titles.get(url, "Background article.")
        return f"{page.title}, {self.world.site[page.site].name}."

    def _written(self, relation: Relation, value: int | str) -> Written:
        return write_value(self.rng, self.graph, relation, value)

    def _the(self, entity: str) -> str:
        return self.graph.entity[entity].phrase

    @staticmethod
    def _capital(text: str) -> str:
        return text[:1].upper() + text[1:]
