"""Question sheets for the deterministic `checklist` grader: the facts to look for, in the forms they are written in.

The form is that of `rubrics.judging.checklist`. A sheet knows values and names, not how sentences work: it is the kind
of proxy whose holes gold makes visible.
"""

from benchmarks.simulated_web.least import as_of
from benchmarks.simulated_web.ontology import Relation
from benchmarks.simulated_web.questions import Question, RequiredFact
from benchmarks.simulated_web.units import CONVERTED, UNITS, grouped, to_base
from benchmarks.simulated_web.wording import converted, money
from benchmarks.simulated_web.world import World
from workbench.schema.canonical import JsonObject, JsonValue

CHECKLIST = "checklist"


def question_sheet(world: World, question: Question) -> JsonObject:
    """`{"facts": [{"id", "any_of", "subject_any_of", "forbid_any_of", "part"}]}`, a fact for each required one.

    Forbidden are the wrong values that pages of this world give for the fact.
    """
    return {"facts": [_entry(world, fact) for fact in question.required]}


def _entry(world: World, required: RequiredFact) -> dict[str, JsonValue]:
    if required.kind == "value":
        return _value_entry(world, required)
    if required.kind == "comparison":
        return _comparison_entry(world, required)
    return _form(required, _quantity_forms(required.unit, required.number), [], [])


def _value_entry(world: World, required: RequiredFact) -> dict[str, JsonValue]:
    fact = world.graph.fact[required.fact_id]
    subject = world.graph.entity[fact.entity]
    held = as_of(fact, required.year).value
    right = _forms(world, fact.relation, held)
    told = [s.value for page in world.pages for s in page.statements if s.fact_id == fact.id and not s.denied]
    wrong = [form for value in dict.fromkeys(told) if value != held for form in _forms(world, fact.relation, value)]
    return _form(required, right, [subject.name, subject.root], [form for form in wrong if form not in right])


def _comparison_entry(world: World, required: RequiredFact) -> dict[str, JsonValue]:
    relation = world.graph.of(required.winner, required.relation_key).relation
    more, less = (world.graph.entity[entity].phrase for entity in (required.winner, required.loser))

    def said(winner: str, loser: str) -> list[str]:
        forms = [f"{winner} is {relation.more}", f"{loser} is {relation.less}", f"{relation.more} than {loser}"]
        forms += [
            f"{relation.less} than {winner}",
            f"of the two is {winner}",
            f"revenue of {winner} is {relation.more}",
        ]
        return forms

    return _form(required, said(more, less), [], said(less, more))


def _form(required: RequiredFact, right: list[str], subjects: list[str], wrong: list[str]) -> dict[str, JsonValue]:
    return {
        "id": required.id,
        "part": required.part,
        "any_of": list(dict.fromkeys(right)),
        "subject_any_of": list(dict.fromkeys(subjects)),
        "forbid_any_of": list(dict.fromkeys(wrong)),
    }


def _forms(world: World, relation: Relation, value: int | str) -> list[str]:
    """The value as reports write it: names without "the", numbers in metric and converted units."""
    if isinstance(value, str):
        return [world.graph.entity[value].name if relation.kind == "entity" else value.removeprefix("the ")]
    if relation.kind == "year":
        return [str(value)]
    return _quantity_forms(relation.unit, value)


def _quantity_forms(unit: str, number: float) -> list[str]:
    if unit == "crowns":
        return [money(number), f"{grouped(number / 1e6)} million", grouped(number), _plain(number)]
    if UNITS[unit].dimension in ("people", "staff", "students", "visits", "objects", "seats"):
        return [grouped(number), _plain(number)]
    forms = [f"{text} {word}" for text in (grouped(number), _plain(number)) for word in UNITS[unit].words]
    if unit == "percent":
        forms += [f"{grouped(number)}%"]
    if unit == "m" and number >= 1000:
        forms += [f"{grouped(number / 1000)} {word}" for word in UNITS["km"].words]
    if unit in CONVERTED:
        other = converted(to_base(number, unit), CONVERTED[unit])
        forms += [f"{grouped(other)} {word}" for word in UNITS[CONVERTED[unit]].words]
    return forms


def _plain(number: float) -> str:
    return grouped(number).replace(",", "")
