"""Support by words, figures and names: what the document says, what it says otherwise, and what it leaves open."""

import time

import pytest

from rubrics.judging.entailment import entails
from rubrics.judging.entailment_words import plain_claim
from workbench.schema.analysis import Support

PAGE = """# The Larkmere Bridge

The Larkmere Bridge is 12,000 m long. It was opened to traffic in 1950. The contractor for the bridge was Orvane Works.
It cost 1.2 million crowns, and 45% of that was paid by the city. Ridership did not rise in 2020.
In 2021 ridership fell by a third.
The figure of 300 seats that is sometimes quoted for the ferry is wrong. Tolls were abolished on 5 March 1987.

| Bridge | Height | Opened |
| --- | --- | --- |
| Larkmere Bridge | 58 m | 1950 |
| Tesholt Bridge | 71 m | 1962 |
"""
CHINESE = "根据年报，2021年公司收入增长15%，达到120万元。董事会没有批准合并计划。员工人数为3,400人。"


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The Larkmere Bridge is 12 km long [1].", "supported"),
        ("The Larkmere Bridge has a length of 12,000 metres【1†source】.", "supported"),
        ("**Orvane Works** built the Larkmere Bridge (Smith et al., 2020).", "supported"),
        ("The Larkmere Bridge cost 1,200,000 crowns.", "supported"),
        ("The city paid 45 percent of the cost.", "supported"),
        ("The city paid more than 40% of the cost.", "supported"),
        ("Tolls on the Larkmere Bridge were abolished on March 5, 1987.", "supported"),
        ("The Tesholt Bridge is 71 m high.", "supported"),
        ("The Larkmere Bridge is 12 km long \\[[A. Writer' 2021-07-01](http://a.example/1)\\].", "supported"),
        (
            "The Larkmere Bridge is 12 km long ([Daily Post 2019](http://a.example/1), [B 3](http://b.example)).",
            "supported",
        ),
        ("The Larkmere Bridge is 13 km long.", "contradicted"),
        ("The city paid 54% of the cost.", "contradicted"),
        ("Ridership rose in 2020.", "contradicted"),
        ("Ridership increased in 2021 by a third.", "contradicted"),
        ("The ferry has 300 seats.", "contradicted"),
        ("The Larkmere Bridge was opened in 1950, and it carries two tramway lines and a cycle path.", "partly"),
        ("Cats sleep fifteen hours a day on average.", "unrelated"),
    ],
)
def test_what_the_page_says_of_a_claim(claim: str, expected: Support) -> None:
    assert entails(claim, PAGE).support == expected


@pytest.mark.parametrize(
    "claim",
    [
        "Baltrum Works built the Larkmere Bridge.",
        "The Tesholt Bridge is 58 m high.",
        "The Tesholt Bridge is 12 km long.",
        "The Larkmere Bridge was opened in 1962.",
    ],
)
def test_what_is_said_of_another_does_not_support(claim: str) -> None:
    assert entails(claim, PAGE).support != "supported"


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("公司收入在2021年增长了15%。", "supported"),
        ("公司收入达到1,200,000元。", "supported"),
        ("公司收入在2021年下降了15%。", "contradicted"),
        ("公司收入在2021年增长了25%。", "contradicted"),
        ("董事会批准合并计划。", "contradicted"),
        ("该城市明年将举办一场国际音乐节。", "unrelated"),
    ],
)
def test_chinese_claims_are_read(claim: str, expected: Support) -> None:
    assert entails(claim, CHINESE).support == expected


@pytest.mark.parametrize(
    ("claim", "document", "reason"),
    [
        ("The bridge is long.", "", "the document is empty"),
        ("The bridge is long.", " \n\n ", "the document is empty"),
        ("[1] ...", PAGE, "the claim has no words"),
        ("The bridge is long.", CHINESE, "different scripts"),
        ("公司收入增长。", PAGE, "different scripts"),
    ],
)
def test_what_cannot_be_compared_is_not_checked(claim: str, document: str, reason: str) -> None:
    verdict = entails(claim, document)
    assert verdict.support == "not_checked"
    assert reason in verdict.reason
    assert verdict.score is None


def test_the_text_of_a_link_in_the_sentence_is_part_of_the_claim() -> None:
    assert plain_claim("The [Larkmere Bridge](http://a.example) is long [[3](http://b.example)].").startswith(
        "The  Larkmere"
    )


def test_the_quote_is_the_place_that_the_verdict_rests_on() -> None:
    assert "45%" in entails("The city paid 45 percent of the cost.", PAGE).quote


def test_an_acronym_is_what_it_stands_for() -> None:
    page = "Retrieval augmented generation reduces invented facts. It needs an index of documents."
    assert entails("RAG reduces invented facts.", page).support == "supported"


def test_a_name_in_the_title_is_whom_the_page_is_about() -> None:
    page = "# Velmora Dam: register entry\n\nHeight: 94 m\n\nThe office is open on weekdays."
    assert entails("The Velmora Dam is 94 metres high.", page).support == "supported"
    assert entails("The Koresh Dam is 94 metres high.", page).support != "supported"


@pytest.mark.parametrize(
    "document",
    [
        "word " * 200_000,
        "12," * 300_000,
        "1 km " * 200_000,
        "(" * 1_000_000,
        "[1" * 500_000,
        "增长" * 400_000,
        "a. " * 300_000,
    ],
    ids=["word", "digits", "lengths", "brackets", "markers", "chinese", "stops"],
)
def test_hostile_text_of_a_megabyte_is_read_in_bounded_time(document: str) -> None:
    claim = "The word Larkmere Bridge rises 12 km in 2020, and " * 200
    began = time.process_time()
    verdict = entails(claim, document)
    assert verdict.support in ("unrelated", "partly", "not_checked")
    # About 1 to 5 s of one idle core; a square of the length would take hours.
    assert time.process_time() - began < 40


def test_verdicts_do_not_depend_on_the_order_of_hashes() -> None:
    first = [entails(claim, PAGE) for claim in ("Orvane Works built the bridge.", "The bridge is 12 km long.")]
    second = [entails(claim, PAGE) for claim in ("Orvane Works built the bridge.", "The bridge is 12 km long.")]
    assert first == second
