"""The action grammar: nothing malformed can be written, and every action can."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.grammar import (
    MAX_CLAIMS,
    MAX_QUERY_WORDS,
    Action,
    ActionReader,
    Grammar,
    Open,
    Report,
    Search,
    action_tokens,
)
from training.tokenizer import Tokenizer

TOKENIZER = Tokenizer(("length", "bridge", "2025", "@www.a.example"))
GRAMMAR = Grammar(TOKENIZER, own_report=True)


def reader(*, names: int = 2, addresses: int = 3, notes: int = 4, pages: int = 2, more: bool = True) -> ActionReader:
    return ActionReader(TOKENIZER, True, names, addresses, notes, pages, more)


def allowed(open_reader: ActionReader) -> list[str]:
    row = GRAMMAR.table()[GRAMMAR.row(open_reader.place)] if GRAMMAR.row(open_reader.place) >= 0 else None
    assert row is not None
    return [TOKENIZER.vocabulary[i] for i in np.flatnonzero(row.numpy())]


def walk(rng: np.random.Generator, open_reader: ActionReader) -> tuple[Action, int]:
    """An action written by drawing evenly from what is allowed."""
    for length in range(1, 200):
        token = str(rng.choice(allowed(open_reader)))
        action = open_reader.take(TOKENIZER.ids[token])
        if action is not None:
            return action, length
    raise AssertionError("the action never ended")


@settings(deadline=None)
@given(
    seed=st.integers(0, 10_000),
    names=st.integers(0, 4),
    addresses=st.integers(0, 5),
    pages=st.integers(0, 3),
    more=st.booleans(),
)
def test_whatever_is_drawn_ends_in_an_action_that_points_at_what_exists(
    seed: int, names: int, addresses: int, pages: int, more: bool
) -> None:
    notes = 3 if pages else 0
    start = reader(names=names, addresses=addresses, notes=notes, pages=pages, more=more)
    action, length = walk(np.random.default_rng(seed), start)
    if isinstance(action, Search):
        assert more and 1 <= len(action.words) <= MAX_QUERY_WORDS
        assert not any(word.startswith("@") for word in action.words)
        assert all(int(word[2:-1]) <= names for word in action.words if word.startswith("<e"))
    elif isinstance(action, Open):
        assert more and 1 <= action.result <= addresses
    else:
        assert len(action.claims) <= MAX_CLAIMS
        assert all(1 <= note <= notes and 1 <= page <= pages for note, page in action.claims)
        assert length == 2 + 2 * len(action.claims)


def test_spent_budget_leaves_only_the_report() -> None:
    assert allowed(reader(more=False)) == ["<report>"]


def test_nothing_can_be_opened_before_a_search_showed_it() -> None:
    assert allowed(reader(addresses=0)) == ["<search>", "<report>"]


@pytest.mark.parametrize(
    "action",
    [
        Search(("<e1>", "length", "2025")),
        Open(3),
        Report(()),
        Report(((1, 1), (4, 2))),
    ],
)
def test_reading_undoes_writing(action: Action) -> None:
    open_reader = reader()
    tokens = action_tokens(TOKENIZER, action, own_report=True)
    for token in tokens[:-1]:
        assert token in [TOKENIZER.ids[name] for name in allowed(open_reader)]
        assert open_reader.take(token) is None
    assert open_reader.take(tokens[-1]) == action


def test_frozen_writer_needs_no_word_of_the_report() -> None:
    frozen = ActionReader(TOKENIZER, False, 1, 1, 1, 1, True)
    assert frozen.take(TOKENIZER.mark("report")) == Report()
