"""The tokenizer: stable ids, names kept out, numbers as buckets, files that were altered refused."""

import pytest

from training.tokenizer import Tokenizer, build_tokenizer, content_words_of, read_tokenizer, words_of
from workbench.errors import BadInputError


def test_numbers_become_buckets_and_years_stay_words() -> None:
    shown = words_of("Opened in 1973, it is 1,480 m long; 1480 m.")
    assert shown[:2] == ["opened", "in"] and "1973" in shown
    buckets = [word for word in shown if word.startswith("#")]
    assert len(buckets) == 2 and buckets[0] == buckets[1]


def test_possessives_and_stop_words_go() -> None:
    assert content_words_of("What is Brana's length?") == ["brana", "length"]


def test_pointer_is_never_a_word_of_a_page() -> None:
    tokenizer = build_tokenizer(["r1 r1 <r1> <r1>"])
    assert tokenizer.encode(words_of("<r1>")) != [tokenizer.pointer("r", 1)]


def test_names_are_kept_out_and_sites_are_no_words_of_a_query() -> None:
    tokenizer = build_tokenizer(["brana bridge brana bridge"], never=frozenset({"brana"}), sites=["www.a.example"])
    assert "brana" not in tokenizer.ids
    assert "bridge" in tokenizer.query_words
    assert "@www.a.example" in tokenizer.ids and "@www.a.example" not in tokenizer.query_words
    assert tokenizer.encode(["brana"]) == [tokenizer.mark("unk")]


def test_equal_texts_in_any_order_give_equal_vocabularies() -> None:
    texts = ["long bridge long", "bridge city", "city bridge"]
    assert build_tokenizer(texts).version == build_tokenizer(reversed(texts)).version


def test_file_comes_back_and_an_altered_one_is_refused() -> None:
    tokenizer = Tokenizer(("long", "bridge"))
    assert read_tokenizer(tokenizer.to_json(), source="x") == tokenizer
    with pytest.raises(BadInputError, match="its words make"):
        read_tokenizer(tokenizer.to_json().replace("long", "short"), source="x")
    with pytest.raises(BadInputError, match="not a policy tokenizer"):
        read_tokenizer("[]", source="x")
