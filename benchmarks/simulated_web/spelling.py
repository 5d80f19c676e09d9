"""Words of a query that no page holds, put right: what a search engine does with a slip of the finger."""

from collections.abc import Iterator, Mapping

LEAST_LETTERS = 4


class Speller:
    """Over the words of an index and how many documents hold each. Safe to share between threads."""

    def __init__(self, frequency: Mapping[str, int]) -> None:
        self._known = frequency
        # By the word and by the word without one of its letters: two words within one edit of each other share a key,
        # so that a look-up is a few dictionary reads and no walk over the vocabulary.
        near: dict[str, list[str]] = {}
        for word in frequency:
            if _may_be_put_right(word):
                for key in {word, *_shorter(word)}:
                    near.setdefault(key, []).append(word)
        self._near = near

    def put_right(self, word: str) -> str:
        """The commonest known word one edit away (a letter more, less, other, or two neighbours exchanged), the first
        by alphabet among equals; the word itself where it is known, has fewer than LEAST_LETTERS letters or a digit
        (another year is no slip), or nothing is near."""
        if word in self._known or not _may_be_put_right(word):
            return word
        candidates = {other for key in (word, *_shorter(word)) for other in self._near.get(key, ())}
        close = [other for other in candidates if within_one_edit(word, other)]
        return min(close, key=lambda other: (-self._known[other], other), default=word)


def within_one_edit(one: str, other: str) -> bool:
    """Whether a letter added, taken away or changed, or two neighbours exchanged, makes one of the other."""
    if abs(len(one) - len(other)) > 1:
        return False
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    a, b = one[start:], other[start:]
    if len(a) != len(b):
        return a[1:] == b if len(a) > len(b) else a == b[1:]
    return a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])


def _may_be_put_right(word: str) -> bool:
    return len(word) >= LEAST_LETTERS and word.isalpha()


def _shorter(word: str) -> Iterator[str]:
    for i in range(len(word)):
        yield word[:i] + word[i + 1 :]
