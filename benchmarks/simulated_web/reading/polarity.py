"""Whether a sentence asserts a value, denies it, or only reports that others give it."""

import re

_NEGATION = re.compile(
    r"\b(not|never|nor|neither|cannot|rather than|instead of|contrary to|unlike|den(y|ies|ied)|rejects?|rejected|"
    r"wrong(ly)?|false(ly)?|incorrect(ly)?|mistaken(ly)?|erroneous(ly)?|untrue|myth|refut\w+|disprov\w+|"
    r"discard(s|ed|ing)?|dismiss(es|ed|ing)?|disregard(s|ed|ing)?|"
    r"far from|no longer)\b|n't\b",
    re.IGNORECASE,
)
_PASSED_OVER = re.compile(
    r"\bprefer(s|red)?\b[^.;]{0,120}\b(to|over) the\s*$|"
    r"\b(trust|follow|believe|take|choose|use)(s|d|ed)?\b[^.;]{0,120}\bover the\s*$",
    re.IGNORECASE,
)
_NOT_NEGATION = re.compile(
    r"\b(not only|not just|not until|not least|no doubt|wrong side|not far from|if not)\b", re.IGNORECASE
)
_AFTER = re.compile(
    r"^[^.;,\d]{0,110}?\b(is|are|was|were|being|seems?|turned out)\s+(\w+\s+){0,2}?"
    r"(wrong|false|incorrect|mistaken|a mistake|an error|a myth|untrue|not (right|correct|true|supported|the))\b|"
    r"^[^.;,]{0,30}?\b(has been|have been|can be|must be)\s+(refuted|disproved|discarded|rejected|ruled out)\b|"
    r"^[^.;\d]{0,60}?,? but (this|that|it)( \w+){0,2}? (is|was|has to be|had to be|must be|proved)( \w+){0,2}? "
    r"(wrong|false|incorrect|mistaken|a mistake|an error|a myth|untrue|corrected)\b|"
    r"^[^.;,]{0,60}?,? (as|which) [^.;,]{0,40}?\b(is|are) not\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;:]|,|\bbut\b|\bwhile\b|\bwhereas\b|\balthough\b|\band\b(?! not)", re.IGNORECASE)
_REPORTED = re.compile(
    r"\b(one|another|some|other|others|a|an|the (other|third|fourth)|older|elsewhere)\b[^.;]{0,48}?"
    r"\b(gives?|gave|says?|said|claims?|claimed|states?|stated|lists?|listed|puts?|quotes?|quoted|reports?|reported|has|have|"
    r"mentions?|mentioned|shows?|writes?|wrote)\b|"
    r"\b(often|sometimes|widely|occasionally) (claimed|said|quoted|given|stated|put|reported)\b|"
    r"\b(claims?|rumou?rs?|reports?|assertions?|idea|belief) that\b|\b(is|are|was|were) said to\b|"
    r"\bdisagree|\bdiffers?\b|\bdispute",
    re.IGNORECASE,
)
_OWN = re.compile(r";|,? \bbut\b|\bwhile\b|\bwhereas\b|\bhowever\b", re.IGNORECASE)
_UNCERTAIN = re.compile(
    r"\b(could not (find|confirm|verify|establish)|unable to (find|confirm|verify)|did not find|found no|"
    r"no (source|page|figure|information|data)\b[^.]{0,40}\b(found|available|gives?|for)|"
    r"(is|are|was|remains?) (not known|unknown|unclear|uncertain|unconfirmed)|not clear whether|unclear whether|"
    r"whether|if\b.{0,60}\b(were|had|would)|would have|might be|may be|could be|suppose|no evidence|no sign)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"\?\s*$")


_TAKEN_BACK = re.compile(
    r"^(But |However, )?(this|that|it|which|the (claim|figure|rumou?r|statement))( \w+)? (is|was) (\w+ ){0,2}?"
    r"(wrong|false|incorrect|mistaken|a mistake|an error|a myth|untrue|not (right|correct|true|so))\b[^,;]{0,40}$",
    re.IGNORECASE,
)


def takes_back(text: str) -> bool:
    """Whether a sentence says of the one before it that it is not so."""
    return _TAKEN_BACK.search(text) is not None


def is_uncertain(text: str) -> bool:
    """A sentence that asks, supposes or says that it does not know asserts nothing."""
    return _QUESTION.search(text) is not None or _UNCERTAIN.search(text) is not None


def is_denied(text: str, start: int, end: int, *, after: int) -> bool:
    """Whether the value at [start, end) is denied: by a negation before it in its clause, or a verdict behind it.

    `after` is where the value before it in the sentence stands: a negation reaches only the next value.
    """
    before = text[after:start]
    cuts = [m.end() for m in _CLAUSE.finditer(before)]
    clause = before[cuts[-1] :] if cuts else before
    clause = _NOT_NEGATION.sub(" ", clause)
    return (
        _NEGATION.search(clause) is not None
        or _AFTER.search(text[end:]) is not None
        or _PASSED_OVER.search(text[:start]) is not None
    )


def is_reported(text: str, start: int) -> bool:
    """Whether the value is what some source is said to give, in words that leave it to that source."""
    before = text[:start]
    cuts = [m.end() for m in _OWN.finditer(before)]
    return _REPORTED.search(before[cuts[-1] :] if cuts else before) is not None
