"""The tokenizer of the small policy: words of the simulated web, pointers, and the marks of its action grammar.

Names are shown as pointers, in the order in which an episode meets them: a small policy learns in seconds to write
`<e2>` where it would need minutes to learn to copy names, and it knows no name by heart. Numbers are shown as one of a
few buckets: enough to see whether two sources agree, not enough to fill the vocabulary. What a report says is never
decoded from them: it is put together from what pages said (see `report`).
"""

import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from workbench.errors import BadInputError
from workbench.schema.canonical import content_hash

MARKS: tuple[str, ...] = (
    "<pad>", "<unk>", "<question>", "<search>", "<open>", "<report>", "<end>",
    "<results>", "<page>", "<opened>", "<nothing>", "<error>",
)  # fmt: skip
N_RESULTS, N_NOTES, N_PAGES, N_NAMES, N_NUMBERS = 64, 48, 24, 32, 32
RESULT, NOTE, PAGE, NAME, NUMBER, SITE = "r", "n", "p", "e", "#", "@"

_WORD = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*|\d[\d.,]*\d|\d")
_YEAR = re.compile(r"(19|20)\d\d")
# Words that carry the grammar of English and nothing of a question.
STOP_WORDS: frozenset[str] = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be been but by did do does for from had has have he her his how i if in into is it its me "
        "my no not of on or our out s so than that the their them then there these they this those to up was we were "
        "what when where which who whose why will with would you your",
    )
)


def words_of(text: str) -> list[str]:
    """Lower-case words; years stay words, other numbers become a bucket."""
    return [_shown(match.group().removesuffix("'s")) for match in _WORD.finditer(text.lower())]


def content_words_of(text: str) -> list[str]:
    """`words_of` without stop words."""
    return [word for word in words_of(text) if word not in STOP_WORDS]


def _shown(word: str) -> str:
    if not word[0].isdigit() or _YEAR.fullmatch(word):
        return word
    return f"{NUMBER}{zlib.crc32(word.replace(',', '').encode()) % N_NUMBERS}"


@dataclass(frozen=True)
class Tokenizer:
    """Fixed marks and pointers first, then `words`, most frequent first. Ids are places in `vocabulary`."""

    words: tuple[str, ...]

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        pointers = [
            f"{kind}{i}"
            for kind, count in ((RESULT, N_RESULTS), (NOTE, N_NOTES), (PAGE, N_PAGES), (NAME, N_NAMES))
            for i in range(1, count + 1)
        ]
        numbers = [f"{NUMBER}{i}" for i in range(N_NUMBERS)]
        # Pointers are bracketed so that no word of a page ("r1") can be taken for one.
        return (*MARKS, *(f"<{pointer}>" for pointer in pointers), *numbers, *self.words)

    @cached_property
    def ids(self) -> dict[str, int]:
        return {token: i for i, token in enumerate(self.vocabulary)}

    @cached_property
    def query_words(self) -> frozenset[str]:
        """Words that a query may hold: all but the names of sites."""
        return frozenset(word for word in self.words if not word.startswith(SITE))

    @property
    def pad(self) -> int:
        return 0

    @cached_property
    def version(self) -> str:
        """16 hexadecimal digits over the vocabulary."""
        return content_hash(list(self.vocabulary))[:16]

    def mark(self, name: str) -> int:
        """Id of `<name>`, a mark or pointer; raises KeyError."""
        return self.ids[f"<{name}>"]

    def pointer(self, kind: str, number: int) -> int:
        """Id of the `number`-th (from 1) result, note, page or name; raises KeyError beyond the last."""
        return self.ids[f"<{kind}{number}>"]

    def encode(self, words: Iterable[str]) -> list[int]:
        """Ids of words; unknown ones become `<unk>`."""
        unknown = self.ids["<unk>"]
        return [self.ids.get(word, unknown) for word in words]

    def decode(self, ids: Sequence[int]) -> str:
        """The tokens in sight, for people and tests."""
        return " ".join(self.vocabulary[i] for i in ids)

    def to_json(self) -> str:
        return json.dumps({"kind": "policy-tokenizer", "version": self.version, "words": list(self.words)}, indent=0)


def build_tokenizer(
    texts: Iterable[str],
    *,
    always: Iterable[str] = (),
    never: frozenset[str] = frozenset(),
    sites: Iterable[str] = (),
    least: int = 2,
) -> Tokenizer:
    """Words met at least `least` times and every word of `always`, none of `never` (names), and a word a site."""
    counts = Counter(word for text in texts for word in words_of(text) if not word.startswith(NUMBER))
    kept = {word for text in always for word in words_of(text) if not word.startswith(NUMBER)}
    kept |= {word for word, count in counts.items() if count >= least}
    ordered = sorted(kept - never, key=lambda word: (-counts[word], word))
    return Tokenizer((*ordered, *sorted(f"{SITE}{site}" for site in sites)))


def read_tokenizer(text: str, *, source: str) -> Tokenizer:
    """Inverse of `to_json`. Raises BadInputError where the file is another thing or was altered."""
    try:
        raw = json.loads(text)
        tokenizer = Tokenizer(tuple(str(word) for word in raw["words"]))
        claimed = raw["version"]
    except (ValueError, KeyError, TypeError) as error:
        raise BadInputError(f"{source} is not a policy tokenizer ({error!r}); remove it to build it again") from error
    if claimed != tokenizer.version:
        raise BadInputError(f"{source} says version {claimed!r}, its words make {tokenizer.version!r}; remove it")
    return tokenizer
