"""English pages in other words, and such pages among distractions."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.simulated_web.english import filler
from benchmarks.simulated_web.english.distraction import ABOUT, CLAUSES, LEADS
from benchmarks.simulated_web.english.reworded import CATEGORIES, COLUMNS, REWORDED, UNDATED
from benchmarks.simulated_web.graph import Entity, Graph
from benchmarks.simulated_web.manner import Level
from benchmarks.simulated_web.ontology import NOW, Relation
from benchmarks.simulated_web.pages import Statement
from benchmarks.simulated_web.rendering import Claim, Draft, PageWriter
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.sayings import anniversary, say_quantity, year_in_words
from benchmarks.simulated_web.sites import Site
from benchmarks.simulated_web.variety import Variety
from benchmarks.simulated_web.wording import Written, fill, subject_forms

SPELLED_YEARS = 0.25


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences of one paragraph, and what they state."""

    sentences: tuple[str, ...]
    statements: tuple[Statement, ...] = ()


def tellings(claim: Claim) -> tuple[str, ...]:
    """The reworded sentences that can tell a claim."""
    relation = claim.fact.relation
    if relation.key in CATEGORIES:
        return CATEGORIES[relation.key][str(claim.value)]
    if relation.dated and claim.year is None:
        return UNDATED[relation.key]
    return REWORDED[relation.key]


class HardWriter(PageWriter):
    """Reworded pages: every relation in words that its question does not use."""

    level: Level = "reworded"

    def __init__(self, rng: Rng, graph: Graph, site: Site, *, now: int = NOW) -> None:
        super().__init__(rng, graph, site)
        self.now = now
        self.variety = Variety(rng)

    # Pages

    def profile(self, entity: Entity, claims: Sequence[Claim]) -> Draft:
        """A page about one entity, in prose whatever the kind of its site."""
        about = self._about(entity, 4)
        opening = self._opening(entity)
        body = [" ".join(filter(None, (opening, self._lead(entity))))]
        told: list[Statement] = []
        for number, paragraph in enumerate(self._paragraphs(claims)):
            # On a forum each paragraph is somebody's post.
            poster = f"user{self.rng.between(100, 999)} wrote: " if self.site.kind == "forum" else ""
            colour = [about[number]] if number < 2 else []
            body.append(poster + " ".join((*paragraph.sentences, *colour)))
            told += paragraph.statements
        body += [" ".join(about[2:]), self._footer()]
        return Draft(self._title(entity), "\n\n".join(body), tuple(told))

    def table(self, entities: Sequence[Entity], claims: Sequence[Claim]) -> Draft:
        """As on a plain page, under heads that say in other words what a column holds, the unit among them."""
        kind = entities[0].type
        columns = list({claim.fact.relation.key: claim.fact.relation for claim in claims}.values())
        lines = [
            "| " + " | ".join([kind.short.capitalize(), *(self._head(r) for r in columns)]) + " |",
            "|" + " --- |" * (len(columns) + 1),
        ]
        cells = {(claim.fact.entity, claim.fact.relation.key): claim for claim in claims}
        statements: list[Statement] = []
        for entity in entities:
            row = [entity.name]
            for relation in columns:
                claim = cells.get((entity.id, relation.key))
                row.append("" if claim is None else self._cell(claim))
                if claim is not None:
                    sentence = f"{entity.name}, {self._head(relation)}: {row[-1]}"
                    statements.append(Statement(claim.fact.id, claim.value, sentence, claim.year, level=self.level))
            lines.append("| " + " | ".join(row) + " |")
        body = [self.rng.choice(filler.LIST_OPENINGS), "\n".join(lines), self._footer()]
        return Draft(f"{kind.plural.capitalize()} side by side", "\n\n".join(body), tuple(statements))

    def ranking(self, entities: Sequence[Entity], claims: Sequence[Claim]) -> Draft:
        """A numbered list; each item opens with its name and goes on with a pronoun."""
        kind = entities[0].type
        statements: list[Statement] = []
        items: list[str] = []
        colours = self.rng.shuffled((*filler.ABOUT[kind.key], *ABOUT[kind.key]))
        for number, entity in enumerate(entities, 1):
            told = [self.tell(claim, "pronoun") for claim in claims if claim.fact.entity == entity.id]
            statements += told
            colour = colours[number % len(colours)]
            items.append(f"{number}. {entity.name}. {' '.join([*(s.sentence for s in told), colour])}")
        title = f"{kind.plural.capitalize()} that deserve a detour"
        body = [self.rng.choice(filler.LIST_OPENINGS), *items, self._footer()]
        return Draft(title, "\n\n".join(body), tuple(statements))

    # Sentences

    def tell(self, claim: Claim, form: str, *, clause: bool = False) -> Statement:
        """The claim in other words; with `clause`, where the sentence allows it, its value far from its subject."""
        template = self._template(tellings(claim), claim)
        if form == "pronoun" and template.startswith("{V}"):
            form = "short"  # "Lake Merrow receives its water": whose?
        subject, owner = subject_forms(self.graph.entity[claim.fact.entity], form)
        if clause and template.startswith("{S} ") and form != "pronoun":
            subject = f"{subject}, {self.rng.choice(CLAUSES[claim.fact.relation.type_key])},"
        return self._stated(claim, template, subject, owner)

    def tell_as(self, claim: Claim, subject: str, *, unlike: str = "") -> Statement | None:
        """The claim in a sentence that begins with this subject ("the former"); None where no sentence can. Another
        one than that of `unlike`, where there are two."""
        begun = [t for t in tellings(claim) if t.startswith("{S} ") and "{K}" not in t]
        others = [t for t in begun if t.split()[1] not in unlike.split()]
        return self._stated(claim, self.rng.choice(others or begun), subject, "its") if begun else None

    def _template(self, templates: Sequence[str], claim: Claim) -> str:
        value = claim.value
        kept = claim.fact.relation.kind == "year" and isinstance(value, int) and anniversary(value, now=self.now)
        return self.rng.choice([t for t in templates if kept or "{K}" not in t])

    def _stated(self, claim: Claim, template: str, subject: str, owner: str) -> Statement:
        relation, value, rounding = claim.fact.relation, claim.value, None
        # Drawn in any case: a copy of a page with another value makes the same draws.
        spelled = self.rng.chance(SPELLED_YEARS)
        if relation.kind == "quantity" and isinstance(value, int):
            said = say_quantity(self.rng, relation, value)
            written, rounding = Written(said.number, said.full), said.rounding
        elif relation.kind == "year" and isinstance(value, int):
            text = year_in_words(value) if spelled else str(value)
            written = Written(text, text)
            name, kept = anniversary(value, now=self.now) or ("", 0)
            template = template.replace("{K}", name).replace("{B}", str(kept))
        else:
            name = self.graph.entity[str(value)].phrase if relation.kind == "entity" else str(value)
            written = Written(name, name)
        if template.startswith("{V}") and written.full[0].isdigit():
            template = f"Altogether, {template}"  # no sentence begins with a figure
        sentence = fill(template, subject=subject, owner=owner, written=written, year=claim.year)
        return Statement(claim.fact.id, value, sentence, claim.year, rounding=rounding, level=self.level)

    # Parts of pages

    def _paragraphs(self, claims: Sequence[Claim]) -> list[Paragraph]:
        """One or two sentences each: the name first, later often only what kind of thing it is."""
        found: list[Paragraph] = []
        left = list(claims)
        while left:
            size = 1 if self.site.kind == "forum" else self.rng.between(1, 2)
            taken, left = left[:size], left[size:]
            first = "full" if not found else self.rng.choice(("full", "short"))
            told = [
                self.tell(c, first if place == 0 else self.rng.choice(("short", "pronoun")))
                for place, c in enumerate(taken)
            ]
            found.append(Paragraph(tuple(s.sentence for s in told), tuple(told)))
        return found

    def _about(self, entity: Entity, n: int) -> list[str]:
        return self.rng.sample((*filler.ABOUT[entity.type_key], *ABOUT[entity.type_key]), n)

    def _lead(self, entity: Entity) -> str:
        phrase = entity.phrase
        lead = self.rng.choice((*filler.LEADS[entity.type_key], *LEADS[entity.type_key]))
        return lead.replace("{S}", phrase).replace("{C}", phrase[:1].upper() + phrase[1:])

    def _opening(self, entity: Entity) -> str:
        openings = {
            "newspaper": filler.NEWS_OPENINGS,
            "travel": filler.TRAVEL_OPENINGS,
            "forum": filler.FORUM_OPENINGS,
            "registry": ("Remarks on the entry for {S}.",),
            "official": ("Welcome. This page is about {S}.",),
        }.get(self.site.kind, ("",))
        text = self.rng.choice(openings).replace("{S}", entity.phrase)
        return f"user{self.rng.between(100, 999)} wrote: {text}" if self.site.kind == "forum" else text

    def _title(self, entity: Entity) -> str:
        titles = {
            "registry": "{S}: register entry",
            "newspaper": "In the news: {S}",
            "official": "About {S}",
            "archive": "{S} (from an earlier edition)",
            "travel": "A day out: {S}",
            "forum": "Question about {S}",
            "listing": "{S}: what to know",
        }
        return titles.get(self.site.kind, "{S}").replace("{S}", entity.name)

    def _head(self, relation: Relation) -> str:
        unit = {"people": "", "employees": "", "students": "", "visitors": "", "objects": "", "seats": ""}
        shown = unit.get(relation.unit, relation.unit).replace("m2", "m²").replace("m3", "m³")
        return f"{COLUMNS[relation.key]} ({shown})" if shown else COLUMNS[relation.key]

    def _cell(self, claim: Claim) -> str:
        value = claim.value
        if isinstance(value, str):
            text = self.graph.entity[value].name if claim.fact.relation.kind == "entity" else value
        else:
            text = str(value) if claim.fact.relation.kind == "year" else f"{value:,}"
        return f"{text} ({claim.year})" if claim.year is not None else text
