"""English pages on which the sentence that counts stands among sentences that say the like of other things."""

from collections.abc import Sequence
from dataclasses import replace

from benchmarks.simulated_web.english import distraction as words
from benchmarks.simulated_web.graph import Entity, wrong_value
from benchmarks.simulated_web.hard_pages import HardWriter, Paragraph
from benchmarks.simulated_web.manner import Level
from benchmarks.simulated_web.ontology import NOW
from benchmarks.simulated_web.pages import Statement
from benchmarks.simulated_web.rendering import Claim
from benchmarks.simulated_web.variety import counterpart
from benchmarks.simulated_web.wording import fill, subject_forms, write_value

NOTHING = Paragraph(())
LONG = 9


class DistractingWriter(HardWriter):
    """Each claim is a paragraph of its own: the sentence that tells it, joined to or followed by distractions.

    Sentences about other things say what is true of them; what is false is denied. All of it is stated by the page.
    """

    level: Level = "distracting"

    def _paragraphs(self, claims: Sequence[Claim]) -> list[Paragraph]:
        return [self._paragraph(claim, first=place == 0) for place, claim in enumerate(claims)]

    def _paragraph(self, claim: Claim, *, first: bool) -> Paragraph:
        other = counterpart(self.rng, self.graph, claim)
        joined = self._joined(claim, other) if self.rng.chance(0.6) else None
        parts = [self._earlier(claim), joined or self._split(claim, first=first)]
        parts.append(self._denial_of(claim) if self.rng.chance(0.55) else self._same_value(claim))
        if joined is None and self.rng.chance(0.75):
            # Another thing of the kind is named last, so that "it" stays clear before.
            parts.append(self._compared(other))
        return Paragraph(
            tuple(sentence for part in parts for sentence in part.sentences),
            tuple(statement for part in parts for statement in part.statements),
        )

    # The sentence that counts

    def _split(self, claim: Claim, *, first: bool) -> Paragraph:
        """A clause between the subject and the rest; or the subject only as "it", after the lead has named it."""
        form = self.rng.choice(("pronoun", "full") if first else ("short", "full"))
        statement = self.tell(claim, form, clause=True)
        return Paragraph((statement.sentence,), (statement,))

    def _joined(self, claim: Claim, other: Claim) -> Paragraph | None:
        """One sentence about two things; None where the relation has no sentence that can be joined so."""
        shape = self.rng.choice(("whereas", "unlike", "former"))
        if shape == "former":
            return self._former(claim, other)
        if shape == "whereas":
            main = self.tell(claim, "full")
            if main.sentence.startswith("In "):
                return None  # "whereas ... in 2025, in 2025"
            plain = self._plain(other)
            text = self.variety.pick(words.WHEREAS).replace("{T}", self._inside(plain, other).rstrip("."))
            return self._both(text.replace("{M}", self._inside(main.sentence, claim)), main, other)
        begun = self.tell_as(claim, self.rng.choice(("it", f"the {self._of(claim).type.short}")))
        which = self._plain(other, subject="which")
        if begun is None or not which.startswith("Which "):
            return None
        text = self.variety.pick(words.UNLIKE).replace("{B}", self._of(other).phrase)
        text = text.replace("{Z}", which.removeprefix("Which ").rstrip("."))
        return self._both(text.replace("{M}", begun.sentence[:1].lower() + begun.sentence[1:]), begun, other)

    def _former(self, claim: Claim, other: Claim) -> Paragraph | None:
        one = self.tell_as(claim, "the former")
        two = self.tell_as(other, "the latter", unlike=one.sentence if one else "")
        if one is None or two is None or _alike(one.sentence, two.sentence):
            return None
        own, second = self._of(claim).phrase, self._of(other).phrase
        pair = self.variety.pick(words.PAIRS).replace("{A}", own).replace("{B}", second)
        pair = pair.replace("{C}", own[:1].upper() + own[1:])
        text = self.variety.pick(words.FORMER).replace("{X}", one.sentence.rstrip("."))
        text = text.replace("{Z}", two.sentence[:1].lower() + two.sentence[1:])
        return Paragraph((pair, text), (replace(one, sentence=text), replace(two, sentence=text)))

    def _both(self, text: str, main: Statement, other: Claim) -> Paragraph:
        beside = Statement(other.fact.id, other.value, text, other.year, level=self.level)
        return Paragraph((text,), (replace(main, sentence=text), beside))

    # What stands round about it

    def _compared(self, other: Claim) -> Paragraph:
        quantity = other.fact.relation.kind == "quantity"
        frame = self.variety.pick(words.COMPARISONS if quantity else words.ELSEWHERE)
        text = frame.replace("{T}", self._inside(self._plain(other), other))
        return Paragraph((text,), (Statement(other.fact.id, other.value, text, other.year, level=self.level),))

    def _denial_of(self, claim: Claim) -> Paragraph:
        """A false value in the words in which a question would ask for it, and that it is false."""
        year = NOW if claim.fact.relation.dated and claim.year is None else claim.year
        wrong = Claim(claim.fact, wrong_value(self.rng, self.graph, claim.fact), year)
        sober = self.site.kind in ("registry", "official", "encyclopedia", "archive")
        frame = self.variety.pick(words.DENIALS[: words.SOBER] if sober else words.DENIALS)
        if wrong.value == claim.value:  # the page has it wrong, and by chance in this way
            return NOTHING
        text = frame.replace("{T}", self._inside(self._plain(wrong), wrong).rstrip("."))
        return Paragraph((text,), (Statement(claim.fact.id, wrong.value, text, year, True, level=self.level),))

    def _earlier(self, claim: Claim) -> Paragraph:
        """The value of an earlier year, under the full name, before that of today."""
        if claim.year != NOW or not claim.fact.older:
            return NOTHING
        year, value = self.rng.choice(claim.fact.older)
        old = Claim(claim.fact, value, year)
        text = self.variety.pick(words.EARLIER).replace("{T}", self._inside(self._plain(old), old))
        return Paragraph((text,), (Statement(claim.fact.id, value, text, year, level=self.level),))

    def _same_value(self, claim: Claim) -> Paragraph:
        """The same number or name in another part."""
        relation, value = claim.fact.relation, claim.value
        if relation.kind == "entity":
            frame, shown = self.variety.pick(words.OTHER_ROLES[relation.target]), self.graph.entity[str(value)].phrase
        elif isinstance(value, int) and relation.unit != "crowns":
            frames = words.SAME_YEAR if relation.kind == "year" else words.SAME_NUMBER
            frame, shown = self.variety.pick(frames), str(value) if relation.kind == "year" else f"{value:,}"
        else:
            return NOTHING
        text = frame.replace("{N}", shown).replace("{A}", self._of(claim).phrase)
        return Paragraph((text[:1].upper() + text[1:],))

    def _plain(self, claim: Claim, *, subject: str = "") -> str:
        """A plain sentence under the full name, one that begins with its subject where there is one."""
        relation = claim.fact.relation
        templates = relation.templates
        # Inside another sentence the shorter ones read better.
        openings = ("{S} ",) if subject else ("{S} ", "{P} ")
        begun = [t for t in templates if t.startswith(openings) and "," not in t]
        template = self.rng.choice(begun or templates)
        name, owner = subject_forms(self._of(claim), "full")
        written = write_value(self.rng, self.graph, relation, claim.value, imperial=self.site.imperial)
        return fill(template, subject=subject or name, owner=owner, written=written, year=claim.year)

    def _of(self, claim: Claim) -> Entity:
        return self.graph.entity[claim.fact.entity]

    def _inside(self, sentence: str, claim: Claim) -> str:
        """A sentence as it stands after others: a small letter first, unless it begins with a name."""
        value = str(claim.value)
        names = (self._of(claim).name, self.graph.entity[value].name if value in self.graph.entity else value)
        return sentence if sentence.startswith(names) else sentence[:1].lower() + sentence[1:]


def _alike(one: str, two: str) -> bool:
    """Whether two long sentences say their values in the same way: side by side they would read like a form."""
    return one.split()[2] == two.split()[2] and len(two.split()) > LONG
