"""Texts that fail alike are found by what several questions share, and named by it."""

import numpy as np

from workbench.reading.failure_modes import FEWEST_TEXTS, MOST_CHARS, failure_modes, terms_of

WAYS = (
    "The cited page was never opened and the address does not resolve.",
    "No figure is given for the second year, so the comparison is missing.",
    "结论没有引用任何来源，数字也无法核对。",
)
SUBJECTS = (
    "dam",
    "railcar",
    "museum",
    "river",
    "bridge",
    "harbour",
    "company",
    "lake",
    "town",
    "tunnel",
    "mine",
    "port",
)


def planted(n: int = 10) -> tuple[list[str], list[str], list[int]]:
    """Texts of three ways to fail, each full of its question's own words; questions; the way of each."""
    texts, questions, ways = [], [], []
    for question, subject in enumerate(SUBJECTS):
        for attempt in range(n):
            way = (question + attempt) % len(WAYS)
            texts.append(f"{subject} {subject}ton {subject}gate {subject} report: {WAYS[way]} {attempt} {subject}ville")
            questions.append(subject)
            ways.append(way)
    return texts, questions, ways


def test_planted_ways_to_fail_are_found_whatever_the_question() -> None:
    texts, questions, ways = planted()
    found = failure_modes(texts, questions, seed=0)
    assert len(found.modes) == len(WAYS) and found.unused == 0
    for mode in found.modes:
        assert len({ways[n] for n in mode.members}) == 1
        assert mode.typical in mode.members
        assert not set(SUBJECTS) & {word for term in mode.terms for word in term.split()}
    assert sorted(n for mode in found.modes for n in mode.members) == list(range(len(texts)))
    named = {ways[mode.typical]: " ".join(mode.terms) for mode in found.modes}
    assert "never opened" in named[0] and "figure given" in named[1] and "何来" in named[2]


def test_same_texts_give_the_same_groups() -> None:
    texts, questions, _ = planted()
    assert failure_modes(texts, questions, seed=3) == failure_modes(texts, questions, seed=3)


def test_texts_that_differ_by_their_question_alone_are_no_modes() -> None:
    texts = [f"{subject} {subject}ton {subject}gate {subject}ville" for subject in SUBJECTS for _ in range(6)]
    found = failure_modes(texts, [s for s in SUBJECTS for _ in range(6)], seed=0)
    assert found.modes == () and found.reason == "texts of different questions share too few words"


def test_noise_has_no_groups_or_hardly_any() -> None:
    rng = np.random.default_rng(4)
    lexicon = [f"w{chr(97 + a)}{chr(97 + b)}" for a in range(12) for b in range(12)]
    texts = [" ".join(rng.choice(lexicon, 60)) for _ in range(200)]
    found = failure_modes(texts, [str(n % 40) for n in range(200)], seed=0)
    assert found.modes == () and "one cloud" in found.reason


def test_few_texts_empty_texts_and_endless_texts_are_met() -> None:
    assert "from 20 on" in failure_modes(["a"] * (FEWEST_TEXTS - 1), ["q"] * (FEWEST_TEXTS - 1), seed=0).reason
    assert failure_modes([""] * 30, [str(n) for n in range(30)], seed=0).modes == ()
    texts, questions, _ = planted(4)
    texts[0] += " padding" * MOST_CHARS
    found = failure_modes(texts, questions, seed=0)
    assert found.cut == 1 and len(found.modes) >= 2


def test_texts_that_all_say_the_same_are_said_to() -> None:
    found = failure_modes(["absent: no sentence states it"] * 40, [str(n) for n in range(40)], seed=0)
    assert found.reason == "nearly all of the texts say the same"


def test_terms_keep_negations_and_drop_numbers_and_stop_words() -> None:
    assert terms_of("It was not cited in 2024, and the page is.") == ["not", "cited", "page", "not cited", "cited page"]
