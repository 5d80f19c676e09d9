"""Chinese pages: plain, in other words, and among distractions."""

from collections.abc import Sequence
from dataclasses import replace

from benchmarks.simulated_web.chinese import filler
from benchmarks.simulated_web.chinese.sentences import CATEGORIES, NOUNS, SENTENCES, UNDATED
from benchmarks.simulated_web.chinese_sayings import chinese_year, in_chinese_words, say_in_chinese
from benchmarks.simulated_web.graph import Entity, Graph, wrong_value
from benchmarks.simulated_web.manner import Level
from benchmarks.simulated_web.ontology import NOW
from benchmarks.simulated_web.pages import Rounding, Statement
from benchmarks.simulated_web.rendering import Claim, Draft, PageWriter
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.sayings import ANNIVERSARIES
from benchmarks.simulated_web.sites import Site
from benchmarks.simulated_web.variety import Variety, counterpart


def chinese_name(entity: Entity) -> str:
    """The Latin root with a Chinese word for the kind of thing; search finds it by the root."""
    tail = entity.name.replace(entity.root, "").strip()
    return entity.root + (filler.TAILS[tail] if tail else filler.CITY)


class ChineseWriter(PageWriter):
    """Pages of a site in Chinese, at one level of prose."""

    def __init__(self, rng: Rng, graph: Graph, site: Site, level: Level, *, now: int = NOW) -> None:
        super().__init__(rng, graph, site)
        self.now = now
        self.level: Level = level
        self.variety = Variety(rng)

    # Pages

    def profile(self, entity: Entity, claims: Sequence[Claim]) -> Draft:
        if self.level == "plain" and self.site.kind in ("registry", "listing"):
            return self._entries(entity, claims)
        name, about = chinese_name(entity), self.rng.sample(filler.ABOUT[entity.type_key], 4)
        # The English name once, as Chinese prose gives it where a name is foreign.
        first = name if entity.type_key == "city" else f"{name}（{entity.name}）"
        opening = self.rng.choice(filler.OPENINGS.get(self.site.kind, ("",))).replace("{S}", name)
        lead = self.rng.choice(filler.LEADS[entity.type_key]).replace("{S}", first)
        body, told = [self._post(opening + lead)], list[Statement]()
        for number, claim in enumerate(claims):
            sentences, statements = self._paragraph(claim, first=number == 0)
            body.append(self._post("".join([*sentences, *about[number : number + 1]][: len(sentences) + 1])))
            told += statements
        rest = about[len(claims) :]
        body += ["".join(rest)] if rest else []
        title = filler.TITLES.get(self.site.kind, "{S}").replace("{S}", name)
        return Draft(title, "\n\n".join([*body, self._foot()]), tuple(told))

    def table(self, entities: Sequence[Entity], claims: Sequence[Claim]) -> Draft:
        columns = list(dict.fromkeys(claim.fact.relation.key for claim in claims))
        cells = {(claim.fact.entity, claim.fact.relation.key): claim for claim in claims}
        lines = [
            "| " + " | ".join(["名称", *(NOUNS[key] for key in columns)]) + " |",
            "|" + " --- |" * (len(columns) + 1),
        ]
        told: list[Statement] = []
        for entity in entities:
            row = [chinese_name(entity)]
            for key in columns:
                claim = cells.get((entity.id, key))
                text, rounding = ("", None) if claim is None else self._entry(claim)
                row.append(text)
                if claim is not None:
                    told.append(self._statement(claim, f"{row[0]}，{NOUNS[key]}：{text}", rounding))
            lines.append("| " + " | ".join(row) + " |")
        title = f"{filler.PLURAL[entities[0].type_key]}对照表：{'、'.join(NOUNS[key] for key in columns)}"
        body = [self.rng.choice(filler.LIST_OPENINGS), "\n".join(lines), self._foot()]
        return Draft(title, "\n\n".join(body), tuple(told))

    def ranking(self, entities: Sequence[Entity], claims: Sequence[Claim]) -> Draft:
        items, told = [], list[Statement]()
        colours = self.rng.shuffled(filler.ABOUT[entities[0].type_key])
        for number, entity in enumerate(entities, 1):
            said = [self.tell(c, "pronoun") for c in claims if c.fact.entity == entity.id]
            told += said
            items.append(
                f"{number}. {chinese_name(entity)}。{''.join(s.sentence for s in said)}{colours[number % len(colours)]}"
            )
        title = f"值得一看的{filler.PLURAL[entities[0].type_key]}"
        body = [self.rng.choice(filler.LIST_OPENINGS), *items, self._foot()]
        return Draft(title, "\n\n".join(body), tuple(told))

    def other(self) -> Draft:
        title, sentences = self.rng.choice(filler.OTHER_PAGES)
        kept = self.rng.sample(range(len(sentences)), self.rng.between(4, len(sentences)))
        return Draft(title, "\n\n".join(["".join(sentences[k] for k in sorted(kept)), self._foot()]), ())

    def _entries(self, entity: Entity, claims: Sequence[Claim]) -> Draft:
        """Lines of a noun and a value."""
        told = []
        for claim in claims:
            text, rounding = self._entry(claim)
            told.append(self._statement(claim, f"{NOUNS[claim.fact.relation.key]}：{text}", rounding))
        name = chinese_name(entity)
        body = [f"{name}（{entity.name}）", "\n".join(s.sentence for s in told)]
        body += [self.rng.choice(filler.ABOUT[entity.type_key]), self._foot()]
        return Draft(filler.TITLES[self.site.kind].replace("{S}", name), "\n\n".join(body), tuple(told))

    # Sentences

    def tell(self, claim: Claim, form: str, *, subject: str = "", plain: bool = False) -> Statement:
        """The claim in one sentence; under `subject` if that is given, which then opens the sentence."""
        relation, value = claim.fact.relation, claim.value
        pool = UNDATED[relation.key] if relation.dated and claim.year is None else SENTENCES[relation.key]
        pool = pool[:1] if plain or self.level == "plain" else pool[1:]
        kept = next(((n, value + n) for n, _ in ANNIVERSARIES if isinstance(value, int) and value + n < self.now), None)
        pool = tuple(t for t in pool if "{K}" not in t or (kept and not subject))
        if subject and any(t.startswith("{S}") for t in pool):
            pool = tuple(t for t in pool if t.startswith("{S}"))
        short = self.rng.choice(filler.SHORT[relation.type_key])
        entity = self.graph.entity[claim.fact.entity]
        name = subject or {"full": chinese_name(entity), "short": short, "pronoun": "它"}[form]
        template = self.rng.choice(pool)
        number, written, rounding = self._value(claim, plain=plain)
        text = template.replace("{S}", name).replace("{V}", written)
        text = text.replace("{N}人", written.replace("个", "人")).replace("{N}", number)
        if kept:
            text = text.replace("{K}", f"{in_chinese_words(kept[0])}周年").replace("{B}", str(kept[1]))
        return self._statement(claim, text.replace("{Y}", str(claim.year)), rounding)

    def _value(self, claim: Claim, *, plain: bool = False) -> tuple[str, str, Rounding | None]:
        relation, value = claim.fact.relation, claim.value
        level: Level = "plain" if plain else self.level
        if isinstance(value, str):
            name = chinese_name(self.graph.entity[value]) if relation.kind == "entity" else CATEGORIES[value]
            return name, name, None
        if relation.kind == "year":
            text = chinese_year(self.rng, value, level)
            return text, text, None
        said = say_in_chinese(self.rng, relation, value, level)
        return said.number, said.full, said.rounding

    def _entry(self, claim: Claim) -> tuple[str, Rounding | None]:
        _, text, rounding = self._value(claim, plain=True)
        return (f"{text}（{claim.year}年）" if claim.year is not None else text), rounding

    def _statement(self, claim: Claim, sentence: str, rounding: Rounding | None = None) -> Statement:
        return Statement(
            claim.fact.id, claim.value, sentence, claim.year, rounding=rounding, level=self.level, language="zh"
        )

    # Paragraphs

    def _paragraph(self, claim: Claim, *, first: bool) -> tuple[list[str], list[Statement]]:
        if self.level != "distracting":
            told = self.tell(claim, "full" if first else self.rng.choice(("full", "short", "pronoun")))
            return [told.sentence], [told]
        other = counterpart(self.rng, self.graph, claim)
        statements = self._earlier(claim)
        sentences = [s.sentence for s in statements]
        pair = self._pair(claim, other) if self.rng.chance(0.35) else None
        if pair is None:
            main = self.tell(claim, self.rng.choice(("full", "pronoun" if first else "short")))
            sentences, statements = [*sentences, main.sentence], [*statements, main]
        else:
            sentences, statements = [*sentences, *pair[0]], [*statements, *pair[1]]
        if self.rng.chance(0.55):
            denied = self._denial_of(claim)
            sentences, statements = [*sentences, *(s.sentence for s in denied)], [*statements, *denied]
        else:
            sentences += self._same_value(claim)
        if pair is None and self.rng.chance(0.7):
            plain = self.tell(other, "full", plain=True)
            text = self.variety.pick(filler.COMPARISONS).replace("{T}", plain.sentence)
            sentences, statements = [*sentences, text], [*statements, replace(plain, sentence=text)]
        return sentences, statements

    def _pair(self, claim: Claim, other: Claim) -> tuple[list[str], list[Statement]] | None:
        one, two = self.tell(claim, "full", subject="前者"), self.tell(other, "full", subject="后者")
        if not one.sentence.startswith("前者") or not two.sentence.startswith("后者"):
            return None
        text = f"{one.sentence.rstrip('。')}，{two.sentence}"
        names = [chinese_name(self.graph.entity[c.fact.entity]) for c in (claim, other)]
        pair = self.variety.pick(filler.PAIRS).replace("{A}", names[0]).replace("{B}", names[1])
        return [pair, text], [replace(one, sentence=text), replace(two, sentence=text)]

    def _denial_of(self, claim: Claim) -> list[Statement]:
        wrong = Claim(claim.fact, wrong_value(self.rng, self.graph, claim.fact), claim.year)
        frame, said = self.variety.pick(filler.DENIALS), self.tell(wrong, "full", plain=True)
        if wrong.value == claim.value:
            return []
        return [replace(said, sentence=frame.replace("{T}", said.sentence.rstrip("。")), denied=True)]

    def _earlier(self, claim: Claim) -> list[Statement]:
        if claim.year != NOW or not claim.fact.older:
            return []
        year, value = self.rng.choice(claim.fact.older)
        said = self.tell(Claim(claim.fact, value, year), "full", plain=True)
        return [replace(said, sentence=self.variety.pick(filler.EARLIER).replace("{T}", said.sentence))]

    def _same_value(self, claim: Claim) -> list[str]:
        relation, value = claim.fact.relation, claim.value
        if not isinstance(value, int) or relation.unit == "crowns":
            return []
        frame = self.variety.pick(filler.SAME_YEAR if relation.kind == "year" else filler.SAME_NUMBER)
        return [frame.replace("{N}", str(value))]

    def _post(self, text: str) -> str:
        return f"用户{self.rng.between(100, 999)}：{text}" if self.site.kind == "forum" else text

    def _foot(self) -> str:
        return self.rng.choice(filler.FOOTERS[self.site.kind])
