"""Words, folding and sizes of text in any script."""

import unicodedata
from collections.abc import Iterator

from workbench.phases.lazy import Pattern

CJK = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af"
_CJK_RUN = Pattern(f"[{CJK}]+")
_ADDRESS = Pattern(r"https?://[^\s()<>\[\]\"']+")
_WORD = Pattern(rf"\d+(?:[.,]\d+)*|[^\W\d_{CJK}]+|[{CJK}]+")
# Pieces about as long as byte-pair vocabularies make them: words to 11 letters, digits by threes, signs by twos.
_TOKENS = Pattern(rf"[A-Za-z]{{1,11}}|\d{{1,3}}|[^\W\dA-Za-z_{CJK}]{{1,3}}|(?:[^\w\s]|_){{1,2}}")
# Between 0.5 (DeepSeek, Qwen) and 1.0 (cl100k) tokens a character.
TOKENS_PER_CJK = 0.65


def fold(text: str) -> str:
    """A query with case, width, spacing and punctuation folded away; symbols (`c++`, `$5`) are kept.

    Empty only where the text is blank: a text of punctuation alone is folded for case and width.
    """
    plain = text
    if not unicodedata.is_normalized("NFKC", plain):
        for mark in _WIDE_MARKS:
            plain = plain.replace(mark, " ")
    bare = " ".join(_normal(plain).translate(_UNPUNCTUATED).split())
    return bare or " ".join(_normal(text).split())


def _normal(text: str) -> str:
    # To normalise what is normal already costs twenty times the check.
    return (text if unicodedata.is_normalized("NFKC", text) else unicodedata.normalize("NFKC", text)).casefold()


class _Unpunctuated(dict[int, str]):
    """For `str.translate`: filled as characters are met, since whole pages are folded line by line."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char in "'’`#%&@":
            # An apostrophe joins (what's, whats); the signs carry meaning (c#, 5%, r&d).
            found = "" if char in "'’`" else char
        else:
            found = " " if unicodedata.category(char).startswith("P") else char
        if len(self) < _MOST_KNOWN:
            self[code] = found
        return found


# Punctuation folded away in any case: most Chinese lines are in normal form but for these.
_WIDE_MARKS = "，：；！？（）"
_MOST_KNOWN = 30_000
_UNPUNCTUATED = _Unpunctuated()


def words(text: str) -> Iterator[str]:
    """Terms for lexical comparison: folded words, whole numbers (1,234.5 -> 1234.5), bigrams of CJK runs."""
    if text.isascii():
        # The same at a third of the cost: one way to fold, no bigrams, and commas in numbers only.
        return (word.replace(",", "") if "," in word else word for word in _WORD().findall(text.lower()))
    return _words_of_any_script(text)


def _words_of_any_script(text: str) -> Iterator[str]:
    for match in _WORD().finditer(text):
        word = match.group()
        first = word[0]
        if first.isdigit():
            yield word.replace(",", "")
        elif _CJK_RUN().match(first):
            if len(word) == 1:
                yield word
            for index in range(len(word) - 1):
                yield word[index : index + 2]
        else:
            yield word.casefold()


def prose_words(text: str) -> Iterator[str]:
    """As `words`, without those inside addresses: `.../access-denied-content` says nothing about access."""
    return words(_ADDRESS().sub(" ", text) if "://" in text else text)


def estimate_tokens(text: str) -> int:
    """Tokens of a text, estimated without a tokenizer.

    Measured against cl100k and DeepSeek's (docs/decisions/0011): English within 8%, Chinese 0.65 of the first and
    1.15 of the second.
    """
    if not text:
        return 0
    cjk = 0 if text.isascii() else sum(len(run) for run in _CJK_RUN().findall(text))
    return len(_TOKENS().findall(text)) + round(cjk * TOKENS_PER_CJK)
