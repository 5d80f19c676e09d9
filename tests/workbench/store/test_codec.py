"""Payloads come back as they went in, whatever is in them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.store.codec import pack_bytes, pack_json, unpack_json

_ANY_TEXT = st.text(st.characters())  # lone surrogates too
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _ANY_TEXT
_VALUES = st.recursive(_SCALARS, lambda inner: st.lists(inner) | st.dictionaries(_ANY_TEXT, inner), max_leaves=20)


@given(_VALUES)
def test_json_comes_back_as_it_went_in(value: Any) -> None:
    again = unpack_json(pack_json(value))
    assert repr(again) == repr(value)  # 1, 1.0 and True are three things, and so are 0.0 and -0.0


@pytest.mark.parametrize("value", [2**64, -(10**40), "\ud800", "a\udfffb", {"\udc00": 1}, 5e-324, -0.0])
def test_what_the_quick_reader_may_not_take_comes_back_too(value: Any) -> None:
    assert repr(unpack_json(pack_json(value))) == repr(value)


def test_nesting_beyond_the_quick_reader_comes_back() -> None:
    text = "[" * 500 + "]" * 500
    assert unpack_json(pack_bytes(text.encode())) == json.loads(text)
