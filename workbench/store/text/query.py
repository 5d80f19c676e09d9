"""The language of searches: words (all must be there), "phrases", -exclusion, field:word, begin*."""

import re
from dataclasses import dataclass

from workbench.errors import BadInputError
from workbench.store.text.tokens import phrase_tokens

FIELDS = ("question", "report", "query", "result")
LIGHT_FIELDS = ("run", "model")
LONGEST_PHRASE = 32  # tokens; parts of a long text overlap by one less
MOST_TERMS = 32
_TERM = re.compile(
    r"(?P<no>-?)(?:(?P<field>[A-Za-z]+):(?!//))?(?:\"(?P<phrase>[^\"]*)(?P<close>\"?)|(?P<word>[^\s\"]+))(?P<star>\*?)"
)


@dataclass(frozen=True, slots=True)
class Term:
    """One condition. `tokens` in a row in `field` (None: in any), the last one possibly only begun; for the fields
    `run` and `model` the whole `value`, or its beginning."""

    tokens: tuple[str, ...]
    prefix: bool
    field: str | None = None
    excluded: bool = False
    value: str = ""


def parse(text: str) -> tuple[Term, ...]:
    """The terms of a search, of which each must hold. Raises BadInputError with a sentence on what cannot be read."""
    terms: list[Term] = []
    for found in _TERM.finditer(text):
        term = _term(found)
        if term is not None:
            terms.append(term)
    if not terms:
        raise BadInputError(f"there is nothing to look for in {text[:80]!r}; give a text with a letter or a digit")
    if len(terms) > MOST_TERMS:
        raise BadInputError(f"the search has {len(terms)} terms; at most {MOST_TERMS} are looked for at once")
    return tuple(terms)


def _term(found: re.Match[str]) -> Term | None:
    field, phrase, word = found["field"], found["phrase"], found["word"]
    if phrase is not None and not found["close"]:
        raise BadInputError(f'the phrase that begins with "{phrase[:40]} has no closing quotation mark')
    if field is not None and field.lower() not in FIELDS + LIGHT_FIELDS:
        if phrase is not None or word is None:
            raise BadInputError(f"there is no field {field!r}; expected one of {', '.join(FIELDS + LIGHT_FIELDS)}")
        field, word = None, f"{field}:{word}"  # a colon inside a word, as in 10:30
    if field is None and word is not None and word[-1:] == ":" and word[:-1].lower() in FIELDS + LIGHT_FIELDS:
        field, word = word[:-1], ""
    field = field.lower() if field else None
    body = phrase if phrase is not None else (word or "")
    prefix = bool(found["star"])
    if phrase is None and body.endswith("*"):
        body, prefix = body.rstrip("*"), True
    excluded = bool(found["no"])
    if field in LIGHT_FIELDS:
        if not body:
            raise BadInputError(f'{field}: names nothing; expected {field}:name or {field}:"a name"')
        return Term((), prefix, field, excluded, body)
    words, prefix = phrase_tokens(body, prefix=prefix)
    if not words:
        if field is not None or excluded:
            raise BadInputError(f"{found.group()[:80]!r} holds no word to look for")
        return None  # punctuation between words
    if len(words) > LONGEST_PHRASE:
        raise BadInputError(f"the phrase {body[:40]!r} has {len(words)} words; at most {LONGEST_PHRASE} are looked for")
    return Term(words, prefix, field, excluded)
