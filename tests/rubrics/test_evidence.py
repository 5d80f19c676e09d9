"""How evidence is told to a judge: documents under lines of our own, and an account in which nothing is lost."""

import re

import pytest

from rubrics.judging.evidence import (
    NO_NONCE,
    SUMMARY_TOKENS,
    Account,
    EvidenceView,
    ShownDocument,
    Stretch,
    UnshownDocument,
    price_of_account,
    render,
)
from rubrics.judging.text import estimate_tokens

NONCE = "abcdef012345"
SHOWN = ShownDocument(2, "page https://a.example/ (call 1)", 100, (Stretch(10, 20, "x" * 10), Stretch(50, 100, "y")))
UNSHOWN = (
    UnshownDocument(1, "hit https://b.example/", 30, "budget"),
    UnshownDocument(3, "hit https://c.example/", 30, "budget"),
    UnshownDocument(4, "hit https://d.example/", 30, "budget"),
    UnshownDocument(5, "page https://a.example/", 100, "duplicate", of=2),
    UnshownDocument(6, "page https://e.example/", 12, "failed"),
)


def test_gaps_of_a_document_are_marked_with_their_size() -> None:
    text = render(EvidenceView((SHOWN,), (), "lines"), NONCE)
    assert text.splitlines()[1:] == [
        f"<<<DOCUMENT 2 {NONCE}: page https://a.example/ (call 1)>>>",
        f"<<<LEFT OUT {NONCE}: 10 characters>>>",
        "x" * 10,
        f"<<<LEFT OUT {NONCE}: 30 characters>>>",
        "y",
    ]


def test_the_account_counts_every_document_once() -> None:
    view = EvidenceView((SHOWN,), UNSHOWN)
    assert view.counts == {"whole": 0, "shortened": 1, "budget": 3, "duplicate": 1, "failed": 1, "blank": 0}
    assert sum(view.counts.values()) == len(view.documents) == 6
    assert view.chars == (60, 302)
    summary = render(view, NONCE).splitlines()[0]
    assert summary == (
        f"<<<ACCOUNT {NONCE}: 6 documents; whole: 0; in part: 1; no room: 3; the same text as another document: 1; "
        "the call failed: 1; 60 of 302 characters are shown>>>"
    )


@pytest.mark.parametrize(
    ("account", "expected"),
    [
        (
            "lines",
            [
                "1 hit https://b.example/: no room",
                "3 hit https://c.example/: no room",
                "4 hit https://d.example/: no room",
                "5 page https://a.example/: the same text as 2",
                "6 page https://e.example/: the call failed",
            ],
        ),
        ("numbers", ["no room: 1, 3-4", "the same text as another document: 5", "the call failed: 6"]),
        ("counts", []),
    ],
)
def test_what_is_not_shown_is_told_as_shortly_as_the_room_asks(account: Account, expected: list[str]) -> None:
    text = render(EvidenceView((SHOWN,), UNSHOWN, account), NONCE)
    assert re.findall(rf"<<<NOT SHOWN {NONCE}: (.*)>>>", text) == expected
    spent = estimate_tokens("\n".join(line for line in text.splitlines() if line.startswith("<<<NOT SHOWN")))
    assert spent <= price_of_account(UNSHOWN, account) + 1


def test_a_summary_of_a_huge_run_stays_in_its_price() -> None:
    many = tuple(UnshownDocument(n, "", 10**6, "budget") for n in range(100_000))
    assert estimate_tokens(render(EvidenceView((), many), NO_NONCE)) <= SUMMARY_TOKENS


def test_only_what_lacked_room_makes_evidence_incomplete() -> None:
    whole = ShownDocument(1, "page", 3, (Stretch(0, 3, "abc"),))
    assert EvidenceView((whole,), UNSHOWN[3:]).complete
    assert not EvidenceView((whole,), UNSHOWN).complete
    assert not EvidenceView((SHOWN,), ()).complete
