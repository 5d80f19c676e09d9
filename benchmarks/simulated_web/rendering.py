"""Writing a page: each kind of site tells facts in its own way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.simulated_web.english import filler
from benchmarks.simulated_web.graph import Entity, Fact, Graph, wrong_value
from benchmarks.simulated_web.pages import Statement
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.sites import Site
from benchmarks.simulated_web.wording import fill, subject_forms, write_value


@dataclass(frozen=True, slots=True)
class Draft:
    """A page before it has an address: title, text and the statements in it."""

    title: str
    text: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """What a page is going to say of a fact. `year` is named in the text if set."""

    fact: Fact
    value: int | str
    year: int | None = None


class PageWriter:
    """Writes pages of one site about entities of one graph."""

    def __init__(self, rng: Rng, graph: Graph, site: Site) -> None:
        self.rng, self.graph, self.site = rng, graph, site

    def profile(self, entity: Entity, claims: Sequence[Claim]) -> Draft:
        """A page about one entity."""
        writers: dict[str, Callable[[Entity, Sequence[Claim]], Draft]] = {
            "registry": self._registry,
            "encyclopedia": self._encyclopedia,
            "newspaper": self._news,
            "official": self._official,
            "archive": self._archive,
            "travel": self._travel,
            "forum": self._forum,
            "listing": self._fact_box,
        }
        return writers[self.site.kind](entity, claims)

    def table(self, entities: Sequence[Entity], claims: Sequence[Claim]) -> Draft:
        """Several entities of one type, a row each, a column a relation; a claim that is missing is an empty cell."""
        kind = entities[0].type
        columns = list(dict.fromkeys(claim.fact.relation.key for claim in claims))
        cells = {(claim.fact.entity, claim.fact.relation.key): claim for claim in claims}
        relations = {claim.fact.relation.key: claim.fact.relation for claim in claims}
        lines = [
            "| " + " | ".join(["Name", *(relations[key].noun.capitalize() for key in columns)]) + " |",
            "|" + " --- |" * (len(columns) + 1),
        ]
        statements: list[Statement] = []
        for entity in entities:
            row = [entity.name]
            for key in columns:
                claim = cells.get((entity.id, key))
                text = "" if claim is None else self._written(claim, long_units=False)
                row.append(text)
                if claim is not None:
                    sentence = f"{entity.name}, {claim.fact.relation.noun}: {text}"
                    statements.append(Statement(claim.fact.id, claim.value, sentence, claim.year))
            lines.append("| " + " | ".join(row) + " |")
        title = f"{kind.plural.capitalize()} compared: " + ", ".join(relations[key].noun for key in columns)
        openings = filler.TABLE_OPENINGS if self.site.kind == "encyclopedia" else filler.LIST_OPENINGS
        body = [self.rng.choice(openings), "\n".join(lines), self._footer()]
        return Draft(title, "\n\n".join(body), tuple(statements))

    def ranking(self, entities: Sequence[Entity], claims: Sequence[Claim]) -> Draft:
        """A numbered list with a sentence or two on each entity."""
        kind = entities[0].type
        statements: list[Statement] = []
        items: list[str] = []
        colours = self.rng.shuffled(filler.ABOUT[kind.key])
        for number, entity in enumerate(entities, 1):
            told = [self._sentence(claim, "full") for claim in claims if claim.fact.entity == entity.id]
            statements += told
            items.append(f"{number}. {' '.join([*(s.sentence for s in told), colours[number % len(colours)]])}")
        count = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight")[len(entities) - 1]
        title = f"{count} {kind.plural} worth knowing"
        return Draft(
            title, "\n\n".join([self.rng.choice(filler.LIST_OPENINGS), *items, self._footer()]), tuple(statements)
        )

    def other(self) -> Draft:
        """A page that tells nothing about the graph, now and then naming one of its cities."""
        title, sentences = self.rng.choice(filler.OTHER_PAGES)
        city = self.rng.choice([e for e in self.graph.entities if e.type_key == "city"])
        chosen = self.rng.sample(sentences, self.rng.between(4, len(sentences)))
        chosen = [s for s in sentences if s in chosen]
        if self.rng.chance(0.5):
            title = f"{title} ({city.name} edition)"
            chosen.append(f"A version of this text first appeared in a newsletter from {city.name}.")
        half = len(chosen) // 2
        return Draft(title, "\n\n".join([" ".join(chosen[:half]), " ".join(chosen[half:]), self._footer()]), ())

    # Sentences

    def _written(self, claim: Claim, *, long_units: bool | None = None) -> str:
        relation = claim.fact.relation
        written = write_value(
            self.rng, self.graph, relation, claim.value, imperial=self.site.imperial, long_units=long_units
        )
        # "Number of seats: 287" says it; "287 seats" would say it twice.
        text = written.number if relation.noun.startswith("number of") else written.full
        return f"{text} ({claim.year})" if claim.year is not None else text

    def _sentence(self, claim: Claim, form: str, *, chatty: bool = False) -> Statement:
        relation = claim.fact.relation
        templates = relation.chatty if chatty and claim.year is None else relation.templates
        if claim.year is None:
            templates = tuple(t for t in templates if "{Y}" not in t) or relation.chatty
        template = self.rng.choice(templates)
        if form == "pronoun" and not template.startswith(("{S}", "{P}")):
            form = "short"
        if form == "pronoun" and "{S}," in template:
            form = "short"
        subject, owner = subject_forms(self.graph.entity[claim.fact.entity], form)
        written = write_value(self.rng, self.graph, relation, claim.value, imperial=self.site.imperial)
        sentence = fill(template, subject=subject, owner=owner, written=written, year=claim.year)
        return Statement(claim.fact.id, claim.value, sentence, claim.year)

    def _told(
        self, claims: Sequence[Claim], *, chatty: bool = False, breaks: frozenset[int] = frozenset()
    ) -> list[Statement]:
        """A sentence a claim: the name first, then mostly short forms; at `breaks`, where other text stands between,
        no pronoun."""
        forms = ["full"] + [
            self.rng.choice(("full", "short") if place in breaks else ("full", "short", "short", "pronoun"))
            for place in range(1, len(claims))
        ]
        return [self._sentence(claim, form, chatty=chatty) for claim, form in zip(claims, forms, strict=True)]

    def _denial(self, claims: Sequence[Claim]) -> Statement | None:
        """Now and then a careful page denies a wrong number that is going round."""
        quantities = [c for c in claims if c.fact.relation.kind == "quantity" and c.value == c.fact.value]
        if not quantities or not self.rng.chance(0.15):
            return None
        claim = self.rng.choice(quantities)
        wrong = wrong_value(self.rng, self.graph, claim.fact)
        written = write_value(self.rng, self.graph, claim.fact.relation, wrong, imperial=self.site.imperial)
        part = f"{claim.fact.relation.noun} of {self.graph.entity[claim.fact.entity].phrase}"
        sentence = f"The figure of {written.full} that is sometimes quoted for the {part} is wrong."
        return Statement(claim.fact.id, wrong, sentence, None, denied=True)

    def _lead(self, entity: Entity) -> str:
        phrase = entity.phrase
        lead = self.rng.choice(filler.LEADS[entity.type_key])
        return lead.replace("{S}", phrase).replace("{C}", phrase[:1].upper() + phrase[1:])

    def _about(self, entity: Entity, n: int) -> list[str]:
        return self.rng.sample(filler.ABOUT[entity.type_key], n)

    def _footer(self) -> str:
        return self.rng.choice(filler.BOILERPLATE[self.site.kind])

    # Kinds of pages

    def _registry(self, entity: Entity, claims: Sequence[Claim]) -> Draft:
        told = [
            Statement(c.fact.id, c.value, f"{c.fact.relation.noun.capitalize()}: {self._written(c)}", c.year)
            for c in claims
        ]
        body = [
            f"Entry for {entity.phrase}.",
            "\n".join(statement.sentence for statement in told),
            " ".join(self._about(entity, 1)),
            self._footer(),
        ]
        return Draft(f"{entity.name}: register entry", "\n\n".join(body), tuple(told))

    def _encyclopedia(self, entity: Entity, claims: Sequence[Claim]) -> Draft:
        half = (len(claims) + 1) // 2
        told = self._told(claims, breaks=frozenset({half}))
        about = self._about(entity, 4)
        denial = self._denial(claims)
        later = [s.sentence for s in told[half:]] + ([denial.sentence] if denial else [])
        body = [
            " ".join([self._lead(entity), *(s.sentence for s in told[:half])]),
            " ".join([about[0], *later, about[1]]),
            " ".join(about[2:]),
            self._footer(),
        ]
        return Draft(entity.name, "\n\n".join(body), (*told, *([denial] if denial else [])))

    def _news(self, entity: Entity, claims: Sequence[Claim]) -> Draft:
        told = self._told(claims, breaks=frozenset({1}))
        opening = self.rng.choice(filler.NEWS_OPENINGS)
        body = [
            opening.replace("{S}", entity.phrase),
            " ".join([told[0].sentence, *self._about(entity, 1)]),
            " ".join([self.rng.choice(filler.NEWS_QUOTES), *(s.sentence for s in told[1:])]),
            " ".join(self._about(entity, 2)),
            self._footer(),
        ]
        title = self.rng.choice(("In the news: {S}", "{S} back on the agenda", "What next for {S}?"))
        return Draft(title.replace("{S}", entity.name), "\n\n".join(body), tuple(told))

    def _official(self, entity: Entity, claims: Sequence[Claim]) -> Draft:
        told = self._told(claims)
        body = [
            f"Welcome. On this page you find the most requested facts about {entity.phrase}.",
            " ".join(s.sentence for s in told),
            " ".join(self._about(entity, 2)),
            self._footer(),
        ]
        return Draft(f"About {entity.name}", "\n\n".join(body), tuple(told))

    def _archive(self, entity: Entity, claims: Sequence[Claim]) -> Draft:
        told = self._told(claims)
        body = [
            self._lead(entity),
            " ".join(s.sentence for s in told),
            " ".join(self._about(entity, 2)),
            self._footer(),
        ]
        return Draft(f"{entity.name} (from an earlier edition)", "\n\n".join(body), tuple(told))

    def _travel(self, entity: Entity, claims: Sequence[Claim]) -> Draft:
        told = self._told(claims, chatty=True, breaks=frozenset({1}))
        about = self._about(entity, 4)
        body = [
            " ".join([self.rng.choice(filler.TRAVEL_OPENINGS), self._lead(entity)]),
            " ".join([about[0], told[0].sentence, about[1]]),
            " ".join([*(s.sentence for s in told[1:]), about[2], about[3]]),
            self._footer(),
        ]
        return Draft(f"A day out: {entity.name}", "\n\n".join(body), tuple(told))

    def _forum(self, entity: Entity, claims: Sequence[Claim]) -> Draft:
        told = self._told(claims, chatty=True, breaks=frozenset(range(len(claims))))
        posts = [
            f"user{self.rng.between(100, 999)} wrote: {self.rng.choice(filler.FORUM_OPENINGS)}".replace(
                "{S}", entity.phrase
            )
        ]
        for statement in told:
            posts.append(
                f"user{self.rng.between(100, 999)} wrote: {self.rng.choice(filler.FORUM_REPLIES)} {statement.sentence}"
            )
        posts.append(f"user{self.rng.between(100, 999)} wrote: {self._about(entity, 1)[0]}")
        return Draft(f"Question about {entity.phrase}", "\n\n".join([*posts, self._footer()]), tuple(told))

    def _fact_box(self, entity: Entity, claims: Sequence[Claim]) -> Draft:
        told = [
            Statement(
                c.fact.id,
                c.value,
                f"- {c.fact.relation.noun.capitalize()}: {self._written(c, long_units=False)}",
                c.year,
            )
            for c in claims
        ]
        body = [
            f"Quick facts about {entity.phrase}:",
            "\n".join(s.sentence for s in told),
            " ".join(self._about(entity, 1)),
            self._footer(),
        ]
        return Draft(f"{entity.name}: quick facts", "\n\n".join(body), tuple(told))
