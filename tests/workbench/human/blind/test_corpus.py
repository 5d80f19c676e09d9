"""Self-naming texts in many languages: masked, or doubted. Texts about others: whole, and not doubted."""

import pytest

from tests.workbench.human.blind.corpus import ABOUT, SELF
from workbench.human.blind.doubt import FIRST_PERSON, SIGNING
from workbench.human.blind.masking import Masker

ROUND = ("open-harbour_gpt-5", "claude-3-7-sonnet.raw", "Vessel-7B", "quay", "broad", "step_200")


@pytest.fixture(scope="module")
def masker() -> Masker:
    return Masker(ROUND)


def test_corpus_is_as_large_and_as_mixed_as_it_says() -> None:
    assert len(SELF) >= 60 and len({language for language, _, _ in SELF}) >= 15
    assert len(ABOUT) >= 30 and len({language for language, _ in ABOUT}) >= 10


@pytest.mark.parametrize(("language", "text", "names"), SELF)
def test_text_that_names_its_author_is_masked_or_set_aside(
    masker: Masker, language: str, text: str, names: str
) -> None:
    masked = masker.mask(text)
    standing = [name for name in names.split() if name in masked.casefold()]
    assert not standing or masker.doubts(text), (language, masked)


def test_only_two_of_the_corpus_are_left_to_doubt(masker: Masker) -> None:
    left = [text for _, text, names in SELF if any(name in masker.mask(text).casefold() for name in names.split())]
    assert len(left) == 2


@pytest.mark.parametrize(("language", "text"), ABOUT)
def test_text_about_others_stays_whole_and_is_not_doubted(masker: Masker, language: str, text: str) -> None:
    assert masker.mask(text) == text, language
    assert masker.doubts(text) == ()


LONG = "\n\n".join(f"Paragraph {n} on berths and cranes." for n in range(20))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{LONG}\n\nModel: Claude Opus 4.5", SIGNING),
        (f"© Genspark\n\n{LONG}", SIGNING),
        (f"{LONG}\n\nWe in the Kimi family of assistants are careful: my sources are listed.\n\n{LONG}", FIRST_PERSON),
        (f"{LONG}\n\nIch habe als Assistent, ganz wie Gemini es soll, drei Quellen gelesen.\n\n{LONG}", FIRST_PERSON),
    ],
)
def test_name_that_may_be_the_authors_raises_a_doubt_with_its_reason(masker: Masker, text: str, reason: str) -> None:
    assert [one.reason for one in masker.doubts(text)] == [reason]


def test_nothing_is_doubted_in_the_middle_of_a_report_nor_in_a_quotation(masker: Masker) -> None:
    assert masker.doubts(f"{LONG}\n\nModel: Claude Opus 4.5\n\n{LONG}") == ()
    assert masker.doubts(f"{LONG}\n\nA user wrote: “I asked the assistant Gemini.”\n\n{LONG}") == ()


def test_nothing_is_doubted_where_the_question_is_about_such_products() -> None:
    asked = Masker(ROUND, question="Which AI assistants do harbours use?")
    assert asked.doubts(f"{LONG}\n\nModel: Claude Opus 4.5") == ()


def test_site_of_one_system_alone_is_masked_in_running_text() -> None:
    masker = Masker(ROUND, hosts=["harbour-notes.example"])
    assert masker.mask("See www.harbour-notes.example, or Harbour-Notes.example.") == "See [site], or [site]."
    assert masker.mask("See other-harbour-notes.example and a@harbour-notes.example.org.").count("[site]") == 0
