"""Texts that are ASCII but for a few characters give the tokens that the whole would."""

import random

from workbench.store.text.tokens import _tokens_of_any_script, tokens

MIXED = (
    "ab Z09 .,_-'\n\t \u00e9\u2019\u201c\u0301\u200b\u00ad\u4e2d\u6587\uac00\u1100\u1161\u0e01\u0e31\ufb01\u00a0\u3000"
    "\u2028\u1e9e\u0130\U0001f600x y "
)


def test_reading_between_spaces_gives_the_tokens_of_the_whole() -> None:
    rng = random.Random(1)
    for _ in range(3000):
        text = "".join(rng.choices(MIXED, k=rng.randrange(50)))
        assert tokens(text) == _tokens_of_any_script(text)
