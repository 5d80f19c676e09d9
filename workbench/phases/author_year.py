"""Citations by author and year: `(Smith, 2023; Lee et al., 2021)`, `Smith and Lee (2023)`, `（王伟等，2021）`.

Prose is full of names beside years, so a mark counts only where the reference list has an entry by that author of that
year, or where it cannot mean anything else (several authors in brackets).
"""

from collections.abc import Iterator
from re import Match

from workbench.phases.lazy import Pattern

_NAME = r"[A-ZÀ-ÖØ-Þ][\w'’\-]{1,40}"
_YEAR = r"(?:1[89]|20)\d\d[a-z]?"
_MORE = rf"(?:,?[ \t](?:et[ \t]al\.?|(?:and|&)[ \t]{_NAME}|(?:and|&)[ \t]others))"
_PAGES = r"(?:,[ \t]?(?:pp?\.[ \t]?)?[\d\-–]{1,9})?"
_ONE = rf"{_NAME}(?:,[ \t]{_NAME}){{0,3}}{_MORE}?(?:,|,?[ \t])[ \t]?(?:{_YEAR}){_PAGES}"
_LEAD = r"(?:see(?: also)?,?[ \t]|e\.g\.,?[ \t]|cf\.?[ \t]|as in[ \t])?"
_PARENTHESES = Pattern(rf"[(\[]{_LEAD}(?P<all>{_ONE}(?:;[ \t]{{0,2}}{_ONE}){{0,9}})[)\]]")
_NARRATIVE = Pattern(rf"\b(?P<name>{_NAME}){_MORE}?(?:['’]s)?[ \t][(\[](?P<year>{_YEAR})[)\]]")
_CHINESE = Pattern(
    r"[（(](?P<name>[\u4e00-\u9fff]{2,4}?)(?:等人?|和[\u4e00-\u9fff]{2,4})?[，,][ \t]?(?P<year>(?:19|20)\d\d)[)）]"
)
_PIECE = Pattern(rf"(?P<name>{_NAME})(?P<rest>[^;]{{0,120}}?)(?P<year>{_YEAR})")
_SEVERAL = Pattern(r"\bet[ \t]al\b|[ \t](?:and|&)[ \t]")
_ENTRY_AUTHOR = Pattern(rf"[\W\d_]{{0,12}}(?P<name>{_NAME}|[\u4e00-\u9fff]{{2,4}})(?P<rest>[^\n]{{0,400}})")
_ENTRY_YEAR = Pattern(rf"(?<![\d/.\-])(?P<year>{_YEAR})(?![\d/\-])")
_AUTHOR = rf"(?:{_NAME},[ \t]|[\u4e00-\u9fff]{{2,4}}[，,、（(])"
_AUTHORED = Pattern(rf"^[ \t]{{0,8}}(?:[-*+•][ \t]{{1,4}})?{_AUTHOR}[^\n]{{0,200}}?[(（]?{_YEAR}[)）]?")


def key_of(name: str, year: str) -> str:
    """What an author and a year are looked up by: `smith 2023`."""
    return f"{name.casefold()} {year.lower()}"


def entry_keys(text: str) -> tuple[str, ...]:
    """Keys of an entry of a reference list: its first author with its year, with and without the letter behind it."""
    found = _ENTRY_AUTHOR().match(text)
    year = _ENTRY_YEAR().search(found["rest"]) if found else None
    if found is None or year is None:
        return ()
    whole = key_of(found["name"], year["year"])
    return (whole, whole[:-1]) if whole[-1].isalpha() else (whole,)


def is_authored(line: str) -> bool:
    """Whether a line reads like an entry by author and year: `Smith, J. (2023). Title.`"""
    return _AUTHORED().match(line) is not None


def author_year_marks(text: str, keys: frozenset[str]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """(start, end, keys that it names) of each mark, in order. `keys` are those of the reference list."""
    found: list[tuple[int, int, tuple[str, ...]]] = []
    for match in _PARENTHESES().finditer(text):
        named = tuple(dict.fromkeys(key_of(piece["name"], piece["year"]) for piece in _PIECE().finditer(match["all"])))
        if named and (any(key in keys for key in named) or _SEVERAL().search(match["all"])):
            found.append((match.start(), match.end(), named))
    for pattern in (_NARRATIVE, _CHINESE):
        found.extend(
            (match.start(), match.end(), (key,)) for match in pattern().finditer(text) if (key := _key(match)) in keys
        )
    yield from sorted(found)


def _key(match: Match[str]) -> str:
    return key_of(match["name"], match["year"])
