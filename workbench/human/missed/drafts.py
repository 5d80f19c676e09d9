"""A candidate taken over: a rubric with one more criterion, which says in its own words which round it came from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from rubrics.judging.rubric import Criterion, Rubric, rubric_from_json, rubric_to_json
from rubrics.origins import with_origin
from workbench.errors import BadInputError
from workbench.human.missed.candidates import Candidate
from workbench.human.missed.words import FIGURES
from workbench.schema.ballot import Round
from workbench.stats.estimate import Estimate
from workbench.store import Store


@dataclass(frozen=True, slots=True)
class Draft:
    """`added`: the id of the criterion that is new or counts more than before."""

    rubric: Rubric
    added: str

    def text(self) -> str:
        """The rubric file."""
        import yaml

        content = {"kind": "rubric", **rubric_to_json(self.rubric)}
        return str(yaml.safe_dump(content, allow_unicode=True, sort_keys=False, width=110))


def rubric_of(store: Store, grader: str) -> Rubric | None:
    """The rubric that this grader's newest version judges by, None where it has none."""
    for version in store.grades.versions(grader):
        definition: Mapping[str, Any] = store.grades.definition(version) or {}
        raw = definition.get("rubric", definition)
        try:
            return rubric_from_json(raw)
        except ValueError:
            continue
    return None


def draft_rubric(store: Store, round_: Round, grader: str, candidate: Candidate, base: Rubric | None) -> Draft:
    """`base` (else a rubric of its own) with the candidate as a criterion that is worth what its others are on average.

    A criterion that `base` has already counts twice as much. Raises BadInputError for a candidate without a measured
    effect, and where people prefer the opposite of what the rubric's own criterion rewards.
    """
    if not isinstance(candidate.effect, Estimate):
        raise BadInputError(f"{candidate.name} has no measured effect: there is nothing to take over")
    known = base.criteria if base is not None else ()
    weight = fmean(abs(one.weight) for one in known) if known else 1.0
    made = _criterion(store, candidate, weight)
    mine = next((one for one in known if one.id == made.id), None)
    if mine is not None and mine.text == made.text:
        known, made = _weighed(known, mine, made), mine
    elif mine is not None:
        made = replace(made, id=f"{made.id}-2"[:64])
        known = (*known, made)
    else:
        known = (*known, made)
    name = f"{base.name if base is not None else grader.split('/')[0]}-with-{made.id}"[:64]
    before = base.description if base is not None else ""
    said = with_origin(before, round_.id, made.id)
    whole = base or Rubric(name, ())
    return Draft(replace(whole, name=name, description=said, criteria=known), made.id)


def _weighed(known: tuple[Criterion, ...], mine: Criterion, made: Criterion) -> tuple[Criterion, ...]:
    """The rubric's own criterion at twice its weight, in its place."""
    if mine.weight * made.weight < 0:
        raise BadInputError(
            f"people prefer the opposite of what criterion {mine.id} rewards: reword it, more weight would not help"
        )
    twice = replace(mine, weight=2 * (mine.weight or made.weight), tier=None)
    return tuple(twice if one.id == mine.id else one for one in known)


def _criterion(store: Store, candidate: Candidate, weight: float) -> Criterion:
    prefers_more = isinstance(candidate.effect, Estimate) and candidate.effect.value > 0
    if candidate.kind == "criterion":
        found = _of_grader(store, candidate.name)
        plain = replace(found, tier=None, parent="", fatal=False)
        if prefers_more:
            return replace(plain, polarity="positive", kind="explicit", weight=weight)
        return replace(plain, polarity="negative", kind="negative", weight=-weight)
    words = FIGURES[candidate.name]
    identity = re.sub(r"[^A-Za-z0-9_.-]+", "-", candidate.name)
    text = words.more if prefers_more else words.less
    return Criterion(id=identity, text=text, kind="implicit", polarity="positive", weight=weight, scope=words.scope)


def _of_grader(store: Store, name: str) -> Criterion:
    """The criterion of a candidate `GRADER: criterion`, as the rubric has it that it was judged by."""
    grader, _, identity = name.partition(": ")
    for summary in store.grades.graders():
        if summary.name.split("/")[0] == grader:
            rubric = rubric_of(store, summary.name)
            for one in rubric.criteria if rubric is not None else ():
                if one.id == identity:
                    return one
    raise BadInputError(
        f"the store keeps no wording of criterion {identity!r} of {grader}: add it to the rubric by hand"
    )
