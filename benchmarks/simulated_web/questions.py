"""Questions about a world: what they require, where it stands, and the least research that suffices."""

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar
from weakref import WeakKeyDictionary

from benchmarks.simulated_web import arithmetic
from benchmarks.simulated_web.asked import Question, QuestionKind, Recipe, RequiredFact
from benchmarks.simulated_web.graph import Entity, Fact
from benchmarks.simulated_web.least import LeastResearch, Wanted, least_research
from benchmarks.simulated_web.ontology import NOW, Relation, entity_types
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.walks import draw_walk
from benchmarks.simulated_web.world import World
from workbench.errors import BadInputError
from workbench.schema.canonical import JsonObject

__all__ = ["NO_SEARCH_EVERY", "Question", "QuestionKind", "Recipe", "RequiredFact", "make_questions", "remake_question"]

# One question in ten needs no search, as in the reference distribution of the seed article.
NO_SEARCH_EVERY = 10
# Goes with its world.
_REMADE: WeakKeyDictionary[World, dict[tuple[int, int, int, Recipe], Question | None]] = WeakKeyDictionary()


def make_questions(
    world: World, n: int, seed: int, *, exclude: frozenset[str] = frozenset(), recipe: Recipe = "plain"
) -> tuple[Question, ...]:
    """`n` different questions. The first k of n are those of n = k; `exclude` are ids not to ask again.

    Held-out questions come from another seed with the training questions excluded. Raises BadInputError where the
    world is too small for so many.
    """
    taken, questions = set(exclude), list[Question]()
    for index in range(n):
        for draw in range(200):
            question = draw_question(world, seed, index, draw, recipe)
            if question is not None and question.id not in taken:
                break
        else:
            raise BadInputError(
                f"the simulated web of seed {world.seed} holds no {n} different questions; ask for fewer"
            )
        taken.add(question.id)
        questions.append(question)
    return tuple(questions)


def remake_question(world: World, meta: JsonObject) -> Question:
    """The question that `Question.meta` described. Raises BadInputError where there is none."""
    try:
        seed, index, draw = (int(str(meta[key])) for key in ("seed", "index", "draw"))
    except (KeyError, ValueError) as error:
        raise BadInputError(f"this is no description of a simulated question ({error}): {dict(meta)!r:.200}") from error
    recipe: Recipe = "graph" if meta.get("recipe") == "graph" else "plain"
    # Gold asks for the same few questions over and over, and their least research takes longer than reading a report.
    kept, key = _REMADE.setdefault(world, {}), (seed, index, draw, recipe)
    if key not in kept:
        kept[key] = draw_question(world, seed, index, draw, recipe)
    question = kept[key]
    if question is None:
        raise BadInputError(f"seed {seed}, index {index}, draw {draw} give no question in the web of seed {world.seed}")
    return question


def draw_question(world: World, seed: int, index: int, draw: int, recipe: Recipe = "plain") -> Question | None:
    """One draw for the place `index`; None where it gave no question that can be answered."""
    rng = Rng("question", world.seed, seed, index, draw)
    if index % NO_SEARCH_EVERY == seed % NO_SEARCH_EVERY:
        text, results = arithmetic.draw(rng)
        required = tuple(
            RequiredFact(
                f"computed-{i + 1}", "computed", r.part, number=r.number, unit=r.unit, answer=r.answer, cues=r.cues
            )
            for i, r in enumerate(results)
        )
        return Question(text, "no_search", required, None, seed, index, draw, recipe)
    if recipe == "graph":
        walked = draw_walk(world, Rng("walk", world.seed, seed, index, draw))
        if walked is None:
            return None
        least = _least(world, walked.required)
        text = f"{walked.text} {rng.choice(CLOSINGS)}"
        question = Question(text, "walk", walked.required, least, seed, index, draw, recipe, walked.clues)
        return None if least is None else question
    kinds: tuple[tuple[QuestionKind, _Maker], ...] = (
        ("profile", _profile),
        ("profile", _profile),
        ("linked", _linked),
        ("linked", _linked),
        ("comparison", _comparison),
        ("comparison", _comparison),
        ("survey", _survey),
    )
    kind, make = rng.choice(kinds)
    drawn = make(world, rng)
    if drawn is None:
        return None
    text, required = drawn
    least = _least(world, required)
    return None if least is None else Question(text, kind, required, least, seed, index, draw)


def _least(world: World, required: Sequence[RequiredFact]) -> LeastResearch | None:
    return least_research(world, [Wanted(fact.fact_id, fact.year) for fact in required if fact.fact_id])


_Drawn: TypeAlias = tuple[str, tuple[RequiredFact, ...]]
_Maker: TypeAlias = Callable[[World, Rng], _Drawn | None]

CLOSINGS = (
    "Please cite your sources.",
    "Name the sources you used.",
    "Where sources disagree, say which figure you trust and why.",
    "Write it as a short report with references.",
)


def _profile(world: World, rng: Rng) -> _Drawn:
    """Three to five facts of one entity."""
    entity = rng.choice(world.graph.entities)
    facts = _some(rng, world.graph.facts_of[entity.id], rng.between(3, 5))
    asks = [_ask(fact.relation, entity.phrase if i == 0 else "it") for i, fact in enumerate(facts)]
    nouns = [_noun(fact.relation) for fact in facts]
    text = rng.choice(
        (
            f"{_capital(_joined(asks))}?",
            f"Write a short report on {entity.phrase} that covers the following points: {_joined(nouns)}.",
            f"I am preparing a talk about {entity.phrase}. I need {_joined(['its ' + noun for noun in nouns])}.",
            f"For a fact sheet on {entity.phrase}, find {_joined(['the ' + noun for noun in nouns])}.",
        )
    )
    return f"{text} {rng.choice(CLOSINGS)}", tuple(_value(world, fact) for fact in facts)


def _linked(world: World, rng: Rng) -> _Drawn | None:
    """A fact that names another entity, facts of that one (not named in the question), and facts of the first."""
    links = [fact for fact in world.graph.facts if fact.relation.kind == "entity"]
    link = rng.choice(links)
    first, second = world.graph.entity[link.entity], world.graph.entity[str(link.value)]
    own = _some(rng, [f for f in world.graph.facts_of[first.id] if f.relation.kind != "entity"], rng.between(0, 2))
    others = _some(rng, [f for f in world.graph.facts_of[second.id] if f.relation.kind != "entity"], rng.between(1, 2))
    nouns = _joined([f"the {_noun(fact.relation)}" for fact in others])
    short = second.type.short
    text = rng.choice(
        (
            f"{_capital(_ask(link.relation, first.phrase))}? Report {nouns} of that {short} as well.",
            f"Identify the {link.relation.noun} of {first.phrase}, then give {nouns} of that {short}.",
        )
    )
    if own:
        text += f" Also state {_joined(['the ' + _noun(fact.relation) for fact in own])} of {first.phrase}."
    facts = [link, *others, *own]
    return f"{text} {rng.choice(CLOSINGS)}", tuple(_value(world, fact) for fact in facts)


def _comparison(world: World, rng: Rng) -> _Drawn | None:
    """Two entities of one type: a value of each, which is greater, and perhaps another fact of each."""
    kind = rng.choice(list(entity_types().values()))
    relation = rng.choice([r for r in kind.relations if r.more])
    left, right = rng.sample([e for e in world.graph.entities if e.type_key == kind.key], 2)
    a, b = world.graph.of(left.id, relation.key), world.graph.of(right.id, relation.key)
    if abs(a.number - b.number) < (3 if relation.kind == "year" else max(a.number, b.number) // 10):
        return None
    winner, loser = (a, b) if a.number > b.number else (b, a)
    extra = rng.choice([r for r in kind.relations if r.key != relation.key]) if rng.chance(0.5) else None
    text = rng.choice(
        (
            f"Compare {left.phrase} and {right.phrase}: which of the two is {relation.more}? Give the "
            f"{_noun(relation)} of each.",
            f"Which is {relation.more}, {left.phrase} or {right.phrase}? State the {_noun(relation)} of both.",
        )
        if relation.key != "company.revenue"
        else (
            f"Compare the revenue of {left.phrase} and {right.phrase} in {NOW}: whose was {relation.more}? Give both "
            "figures.",
        )
    )
    facts = [a, b]
    if extra is not None:
        text += f" Add the {_noun(extra)} of each."
        facts += [world.graph.of(left.id, extra.key), world.graph.of(right.id, extra.key)]
    part = f"which is {relation.more}, {left.phrase} or {right.phrase}"
    compared = RequiredFact(
        f"more.{relation.key}.{winner.entity}.{loser.entity}",
        "comparison",
        part,
        winner=winner.entity,
        loser=loser.entity,
        relation_key=relation.key,
    )
    return f"{text} {rng.choice(CLOSINGS)}", (*(_value(world, fact) for fact in facts), compared)


def _survey(world: World, rng: Rng) -> _Drawn:
    """One or two facts of each of two or three entities of one type."""
    kind = rng.choice(list(entity_types().values()))
    entities = rng.sample([e for e in world.graph.entities if e.type_key == kind.key], rng.between(2, 3))
    relations = _some(rng, kind.relations, rng.between(1, 2))
    names = _joined([entity.phrase for entity in entities])
    nouns = _joined([f"the {_noun(relation)}" for relation in relations])
    text = rng.choice((f"For each of {names}, find {nouns}.", f"I need an overview of {names}: {nouns} of each."))
    facts = [world.graph.of(entity.id, relation.key) for entity in entities for relation in relations]
    return f"{text} {rng.choice(CLOSINGS)}", tuple(_value(world, fact) for fact in facts)


def _value(world: World, fact: Fact) -> RequiredFact:
    entity: Entity = world.graph.entity[fact.entity]
    return RequiredFact(fact.id, "value", f"{_noun(fact.relation)} of {entity.phrase}", fact_id=fact.id)


_Item = TypeVar("_Item")


def _some(rng: Rng, items: Sequence[_Item], n: int) -> list[_Item]:
    """`n` of the items in their own order."""
    chosen = rng.sample(range(len(items)), n)
    return [item for place, item in enumerate(items) if place in chosen]


def _noun(relation: Relation) -> str:
    return f"{relation.noun} in {NOW}" if relation.dated else relation.noun


def _ask(relation: Relation, subject: str) -> str:
    return relation.ask.replace("{S}", subject)


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
