"""Numbers in words as digits, so that one reader of numbers does for both."""

import re

_UNITS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    word: 10 * place
    for place, word in enumerate(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2)
}
_PARTS = {
    "half a": "0.5",
    "half": "0.5",
    "a quarter of a": "0.25",
    "three quarters of a": "0.75",
    "three-quarters of a": "0.75",
    "one and a half": "1.5",
    "two and a half": "2.5",
}
# The longest first: of "nineteen" no "nine" is to be taken.
_UNDER_20, _TEN = "|".join(sorted(_UNITS, key=len, reverse=True)), "|".join(_TENS)
_TWO_DIGITS = rf"(?:(?:{_TEN})(?:[- ](?:{'|'.join(list(_UNITS)[:9])}))?|{_UNDER_20})"
_HUNDREDS = rf"(?:(?:a|one|two|three|four|five|six|seven|eight|nine) hundred(?:(?: and)? {_TWO_DIGITS})?)"
_SCALE = r"thousand|million|billion"
_SPELT = re.compile(
    rf"(?<![\w-])(?:(?P<part>{'|'.join(sorted(_PARTS, key=len, reverse=True))})(?=[ -](?:{_SCALE})\b)|"
    rf"(?P<year>(?:{'|'.join(list(_UNITS)[10:])}|twenty) (?:{_TEN})(?:-(?:{'|'.join(list(_UNITS)[:9])}))?)(?!-)|"
    rf"(?P<thousands>(?>{_HUNDREDS}|{_TWO_DIGITS})) thousand,? (?P<rest>{_HUNDREDS}|and {_TWO_DIGITS})|"
    # Atomic: where the whole is not wanted, no part of it is.
    rf"(?P<whole>(?>{_HUNDREDS}|{_TWO_DIGITS})))\b(?![- ]hundred\b)(?!\s+(?:years?|months?|days?|times)\b)",
    re.IGNORECASE,
)
_SMALLEST = 11
_SCALE_FOLLOWS = re.compile(rf"[ -](?:{_SCALE})\b", re.IGNORECASE)


def in_digits(text: str) -> str:
    """`forty-nine million` -> `49 million`, `two hundred and thirty-nine` -> `239`, `half a million` -> `0.5 million`.

    The scale stays a word, which says how far the number is rounded. Numbers up to ten without a scale stay as they
    are: "one page", "two bridges". A year is read where it stands in two parts: `nineteen fifty-nine`; `five thousand
    six hundred` becomes `5,600`, with the comma that no year has.
    """
    return _SPELT.sub(lambda found: _digits(text, found), text)


def _digits(text: str, found: re.Match[str]) -> str:
    if found["part"]:
        return _PARTS[found["part"].lower()]
    if found["year"]:
        century, _, rest = found["year"].lower().partition(" ")
        return str(100 * _value(century) + _value(rest))
    if found["thousands"]:
        return f"{1000 * _value(found['thousands'].lower()) + _value(found['rest'].lower()):,}"
    value = _value(found["whole"].lower())
    scaled = _SCALE_FOLLOWS.match(text, found.end()) is not None
    return str(value) if value >= _SMALLEST or scaled else found[0]


def _value(words: str) -> int:
    total = 0
    for word in re.split(r"[- ]", words):
        if word == "hundred":
            total *= 100
        elif word == "a":
            total += 1
        elif word != "and":
            total += _UNITS.get(word, 0) or _TENS[word]
    return total
