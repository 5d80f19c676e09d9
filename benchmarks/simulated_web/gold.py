"""Gold: how good a report is, known from the truth of the world, read from its text.

The matcher in `reading` finds what the report says; this module knows what it should have said and which opened pages
say so. The matcher's own error is measured on sentences labelled by hand (docs/decisions/0010-simulated-web.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from benchmarks.simulated_web.graph import Graph
from benchmarks.simulated_web.least import as_of, saying_so
from benchmarks.simulated_web.pages import Page
from benchmarks.simulated_web.questions import Question, Recipe, RequiredFact, make_questions, remake_question
from benchmarks.simulated_web.reading.claims import Claim, read_claims
from benchmarks.simulated_web.reading.comparisons import said_to_be_more
from benchmarks.simulated_web.reading.computed import computed_sayings
from benchmarks.simulated_web.reading.lexicon import lexicon_of
from benchmarks.simulated_web.reading.text import URL, ReportText, Sentence, read_text
from benchmarks.simulated_web.reading.verdicts import FactClaims, by_fact, saying
from benchmarks.simulated_web.world import World, world_from_meta
from workbench.errors import BadInputError
from workbench.schema.canonical import JsonObject, JsonValue, content_hash
from workbench.schema.grade import CriterionVerdict, Grade, GraderKind, GradingCase, Usage
from workbench.schema.trajectory import Trajectory

FactState: TypeAlias = Literal["cited", "supported", "unsupported", "contradicted", "wrong", "missing"]

# `cited`: stated rightly beside a citation of an opened page that says so. `supported`: an opened page says so, the
# citation is missing or another. `unsupported`: right, but no opened page says so. `contradicted`: right and wrong.
CREDIT: Mapping[FactState, float] = {
    "cited": 1.0,
    "supported": 0.8,
    "unsupported": 0.4,
    "contradicted": 0.2,
    "wrong": 0.0,
    "missing": 0.0,
}
WRONG_WEIGHT = 0.5  # taken off for each share of required facts stated wrongly: a false figure is worse than none
FALSE_ASIDE = 0.1  # taken off for each false statement about something that was not asked, at most MOST_ASIDES
MOST_ASIDES = 3
FREE_ASIDE_SHARE = 0.25  # of the report's characters may be beside the point; of the rest, FOCUS_WEIGHT is taken off
FOCUS_WEIGHT = 0.2
SCHEME = "clip(mean_credit - 0.5*wrong_share - 0.1*min(false_asides, 3) - 0.2*max(0, aside_share - 0.25), 0, 1)"
# Raised whenever a rule changes what any report is given.
RULES = 3


@dataclass(frozen=True, slots=True)
class Gold:
    """`states` by required fact, in the question's order; `aside_share` of the report's characters is about other
    things; `false_asides` are false statements about facts that were not asked."""

    score: float
    states: Mapping[str, FactState]
    quotes: Mapping[str, str]
    false_asides: tuple[str, ...]
    aside_share: float


def judge_report(world: World, question: Question, report: str, opened: Sequence[Page]) -> Gold:
    """Gold of a report whose agent opened these pages. A report without text misses every fact."""
    text = read_text(report)
    claims = read_claims(world.graph, text, topics=question.entities)
    told = by_fact(world.graph, claims)
    states: dict[str, FactState] = {}
    quotes: dict[str, str] = {}
    for fact in question.required:
        if fact.kind == "value":
            said = told.get(fact.fact_id) if fact.year is None else said_of_year(world.graph, claims, fact)
            states[fact.id], quotes[fact.id] = _value_state(world, fact, said, opened)
        elif fact.kind == "comparison":
            states[fact.id], quotes[fact.id] = _comparison_state(world, fact, text, opened)
        else:
            states[fact.id], quotes[fact.id] = _computed_state(question, fact, text)
    asked = {fact.fact_id for fact in question.required}
    asides = tuple(
        claim.wrong[0].sentence.text for fact_id, claim in told.items() if fact_id not in asked and claim.wrong
    )
    aside_share = _aside_share(world, question, text, claims)
    n = len(question.required)
    score = (
        sum(CREDIT[state] for state in states.values()) / n
        - WRONG_WEIGHT * sum(state == "wrong" for state in states.values()) / n
        - FALSE_ASIDE * min(len(asides), MOST_ASIDES)
        - FOCUS_WEIGHT * max(0.0, aside_share - FREE_ASIDE_SHARE)
    )
    return Gold(min(1.0, max(0.0, score)), states, quotes, asides, aside_share)


def _value_state(
    world: World, fact: RequiredFact, told: FactClaims | None, opened: Sequence[Page]
) -> tuple[FactState, str]:
    if told is None:
        return "missing", ""
    if told.wrong:
        return ("contradicted" if told.right else "wrong"), told.wrong[0].sentence.text
    supporting = {page.url for page in saying_so(world, fact.fact_id, fact.year)}
    says_so = {page.url for page in opened if page.url in supporting}
    return _support([claim.sentence for claim in told.right], says_so)


def said_of_year(graph: Graph, claims: Sequence[Claim], fact: RequiredFact) -> FactClaims | None:
    """What a report says of the fact as it was in the year asked for. What it says of other years answers nothing."""
    held = as_of(graph.fact[fact.fact_id], fact.year)
    of_year = [
        replace(claim, year=None)
        for claim in claims
        if (claim.entity, claim.relation_key, claim.year) == (held.entity, held.relation_key, fact.year)
    ]
    said = [(saying(held, claim), claim) for claim in of_year]
    right, wrong = (tuple(claim for verdict, claim in said if verdict == sought) for sought in ("right", "wrong"))
    return FactClaims(right, wrong) if right or wrong else None


def _comparison_state(
    world: World, fact: RequiredFact, text: ReportText, opened: Sequence[Page]
) -> tuple[FactState, str]:
    sayings = said_to_be_more(world.graph, text, fact.relation_key, (fact.winner, fact.loser))
    if not sayings:
        return "missing", ""
    wrong = [sentence for entity, sentence in sayings if entity != fact.winner]
    if wrong:
        return ("wrong" if len(wrong) == len(sayings) else "contradicted"), wrong[0].text
    # A comparison rests on both values: it is supported where opened pages say both, and needs no citation of its own.
    both = [world.graph.of(entity, fact.relation_key).id for entity in (fact.winner, fact.loser)]
    known = all(any(page in world.supporters[fact_id] for page in opened) for fact_id in both)
    return ("cited" if known else "unsupported"), sayings[0][1].text


def _computed_state(question: Question, fact: RequiredFact, text: ReportText) -> tuple[FactState, str]:
    right, wrong = computed_sayings(question, fact, text)
    if wrong:
        return ("contradicted" if right else "wrong"), wrong[0].text
    return ("cited", right[0].text) if right else ("missing", "")


def _support(sentences: Sequence[Sentence], says_so: set[str]) -> tuple[FactState, str]:
    for sentence in sentences:
        if says_so & set(sentence.cited):
            return "cited", sentence.text
    return ("supported" if says_so else "unsupported"), sentences[0].text


def _aside_share(world: World, question: Question, text: ReportText, claims: Sequence[Claim]) -> float:
    """Share of characters in blocks that neither name what the question is about nor say anything of it.

    Blocks under a heading that names a topic count as being about it. Questions without topics have no asides.
    """
    topics = set(question.entities)
    total = sum(len(sentence.text) for sentence in text.sentences)
    if not topics or not total:
        return 0.0
    lexicon = lexicon_of(world.graph)
    to_the_point = {claim.sentence.block for claim in claims if claim.entity in topics}
    for sentence in text.sentences:
        if sentence.block not in to_the_point and any(
            mention.entity in topics
            for mention in (*lexicon.mentions(sentence.text), *lexicon.mentions(sentence.heading))
        ):
            to_the_point.add(sentence.block)
    return sum(len(s.text) for s in text.sentences if s.block not in to_the_point) / total


def opened_pages(world: World, trajectory: Trajectory) -> tuple[Page, ...]:
    """The pages that calls of the trajectory opened without error, by the addresses in their arguments."""
    failed = {
        result.call_id
        for step in trajectory.steps
        for result in step.tool_results
        if result.is_error or not result.text
    }
    answered = {result.call_id for step in trajectory.steps for result in step.tool_results}
    pages: dict[str, Page] = {}
    for step in trajectory.steps:
        for call in step.tool_calls:
            if call.kind == "visit" and call.id in answered - failed:
                for url in URL.findall(" ".join(str(value) for value in call.arguments.values())):
                    if url in world.page:
                        pages[url] = world.page[url]
    return tuple(pages.values())


def gold_grade(world: World, question: Question, trajectory: Trajectory, *, report: str | None = None) -> Grade:
    """The gold grade of a trajectory, or of another `report` from its evidence (attacked or rewritten)."""
    text = trajectory.report if report is None else report
    gold = judge_report(world, question, text, opened_pages(world, trajectory))
    parts = {fact.id: fact.part for fact in question.required}
    case = GradingCase(question.text, text, replace(trajectory, report=text) if report is not None else trajectory)
    return Grade(
        grader=GoldGrader.name,
        grader_version=GoldGrader.version,
        case_hash=case.case_hash,
        outcome="scored",
        score=gold.score,
        raw=gold.score,
        scheme=SCHEME,
        verdicts=tuple(
            CriterionVerdict(fact_id, state, CREDIT[state], parts[fact_id], gold.quotes[fact_id])
            for fact_id, state in gold.states.items()
        ),
        usage=Usage(cost_usd=0.0),
        detail={
            "required": len(gold.states),
            "states": {state: sum(s == state for s in gold.states.values()) for state in CREDIT},
            "false_asides": list(gold.false_asides),
            "aside_share": round(gold.aside_share, 4),
        },
    )


_DEFINITION: Mapping[str, JsonValue] = {
    "rules": RULES,
    "scheme": SCHEME,
    "credit": {str(state): credit for state, credit in CREDIT.items()},
}


class GoldGrader:
    """Gold as a grader: makes the world again from what the trajectory's meta (or its run's) says of it.

    `run_meta`: run name -> meta of the run, for trajectories that do not carry the world themselves. A trajectory of
    any other origin is abstained from.
    """

    name = "gold"
    version = content_hash(_DEFINITION)
    kind: GraderKind = "gold"
    definition = _DEFINITION

    def __init__(self, run_meta: Mapping[str, JsonObject] | None = None) -> None:
        self._run_meta = run_meta or {}

    async def grade(self, case: GradingCase) -> Grade:
        return self.grade_now(case)

    def grade_now(self, case: GradingCase) -> Grade:
        if case.trajectory is None:
            return self._abstained(case, "the report has no trajectory, so nothing says which world it is about")
        try:
            world, question = find_question(case.trajectory, self._run_meta.get(case.trajectory.run, {}))
        except BadInputError as error:
            return self._abstained(case, str(error))
        return replace(gold_grade(world, question, case.trajectory, report=case.report), case_hash=case.case_hash)

    def _abstained(self, case: GradingCase, reason: str) -> Grade:
        return Grade(self.name, self.version, case.case_hash, "abstained", reason=reason, usage=Usage(cost_usd=0.0))


def find_question(trajectory: Trajectory, run_meta: JsonObject) -> tuple[World, Question]:
    """The world and question of a simulated trajectory. Raises BadInputError where meta does not lead to them.

    The trajectory's meta may hold `world` and `question`; else the run's holds `world` and `questions`, a list of
    `{"seed", "n"}`.
    """
    described = trajectory.meta.get("world", run_meta.get("world"))
    if not isinstance(described, Mapping):
        raise BadInputError(
            f"run {trajectory.run!r} is not of the simulated web: neither it nor the trajectory names a world"
        )
    world = world_from_meta(described)
    own = trajectory.meta.get("question")
    if isinstance(own, Mapping):
        question = remake_question(world, own)
        if question.id == trajectory.question_id:
            return world, question
    sets = run_meta.get("questions", ())
    for drawn in sets if isinstance(sets, Sequence) and not isinstance(sets, str) else ():
        if isinstance(drawn, Mapping) and not drawn.get("gated"):
            recipe: Recipe = "graph" if drawn.get("recipe") == "graph" else "plain"
            asked = make_questions(world, int(str(drawn["n"])), int(str(drawn["seed"])), recipe=recipe)
            for question in asked:
                if question.id == trajectory.question_id:
                    return world, question
    raise BadInputError(f"question {trajectory.question_id} is none of the simulated web of seed {world.seed}")
