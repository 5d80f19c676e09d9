"""Answers that a report works out itself: right number, right unit, or a wrong one in its place."""

import re
from collections.abc import Sequence

from benchmarks.simulated_web.questions import Question, RequiredFact
from benchmarks.simulated_web.reading.lexicon import Number, numbers
from benchmarks.simulated_web.reading.polarity import is_denied, is_uncertain
from benchmarks.simulated_web.reading.text import ReportText, Sentence
from benchmarks.simulated_web.units import UNITS, close_enough, to_base


def computed_sayings(
    question: Question, fact: RequiredFact, report: ReportText
) -> tuple[list[Sentence], list[Sentence]]:
    """Sentences that state the result, and sentences that state another number in its place.

    A number is in its place if it has the result's dimension, is neither given by the question nor another result,
    stands in a sentence with one of the fact's cues and is the last such number there (the steps of a calculation come
    before its result).
    """
    true = to_base(fact.number, fact.unit)
    dimension = UNITS[fact.unit].dimension
    given = {number.value for number in numbers(question.text, differences=True)}
    given |= {to_base(other.number, other.unit) for other in question.required if other.id != fact.id}
    right: list[Sentence] = []
    wrong: list[Sentence] = []
    for sentence in report.sentences:
        if is_uncertain(sentence.text):
            continue
        fitting = [n for n in numbers(sentence.text, differences=True) if dimension in n.dimensions or n.bare]
        hits = [n for n in fitting if close_enough(n.value, true, last_place=n.last_place, approximate=n.approximate)]
        if hits and not is_denied(sentence.text, hits[-1].start, hits[-1].end, after=0):
            right.append(sentence)
        elif any(re.search(cue, sentence.text, re.IGNORECASE) for cue in fact.cues):
            wrong += [sentence for _ in _in_its_place(fitting, given, dimension)]
    return right, wrong


def _in_its_place(fitting: Sequence[Number], given: set[float], dimension: str) -> list[Number]:
    own = [n for n in fitting if dimension in n.dimensions and n.value not in given]
    return own[-1:]
