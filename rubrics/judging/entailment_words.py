"""Words of a text as comparison sees them: folded to stems, with the weight that each may carry, in any script."""

import re
from functools import lru_cache
from typing import NamedTuple

from rubrics.judging.entailment_lists import CJK_WEAK, DOWN, IRREGULAR, SAME, STOP, SUFFIXES, UP, WEAK
from rubrics.judging.text import seen

_CJK = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af"
CJK_CHAR = re.compile(rf"[{_CJK}]")
LATIN_CHAR = re.compile(r"[A-Za-z]")
_TOKEN = re.compile(rf"[^\W\d_{_CJK}]+(?:[-'’][^\W_{_CJK}]+)*\d*|[{_CJK}]+|\d+(?:[.,]\d+)*[^\W\d_{_CJK}]*")
_SPLIT = re.compile(r"[-'’]")

_MARKS = re.compile(
    r"\[\[?\^?\d{1,4}(?:[ ,，、;–-]{1,3}\^?\d{1,4}){0,40}\]?\](?:\([^()\s]{0,2000}\))?"
    r"|【[^】\n]{1,80}】|<sup>[^<>\n]{0,80}</sup>|<[/a-zA-Z][^<>\n]{0,200}>|\[\^[^\]\s]{1,60}\]"
    r"|\((?:see |cf\. |e\.g\.,? )?[A-Z][^()\d]{1,120}[12]\d{3}[a-z]?(?:[;,][^()]{1,200})?\)"
    r"|\\cite[a-z]{0,8}\{[^{}\n]{1,300}\}"
)
_LINK = re.compile(r"!?\[([^\[\]\n]{0,600})\]\(\s{0,2}<?https?://[^()\s]{0,2000}[^()]{0,200}\)")
# Links in brackets of their own, or behind the last stop, name the source and claim nothing.
_SOURCE_LINKS = re.compile(
    rf"\\?[\[(（【]\s?(?:(?:{_LINK.pattern})[\s,;，；]{{0,3}}){{1,20}}\\?[\])）】]"
    rf"|(?<=[.!?。！？])\s?(?:(?:{_LINK.pattern})[\s,;，；]{{0,3}}){{1,20}}$"
)
_ADDRESS = re.compile(r"https?://[^\s()<>\[\]\"']+")
_AUTHORS = re.compile(
    r"\b[A-Z][\w'’-]{1,30}(?: (?:and|&) [A-Z][\w'’-]{1,30})?(?: et al\.?| and colleagues)"
    r"(?:'s|’s)?(?: ?\([12]\d{3}[a-z]?\))?"
)
_LEAD = re.compile(
    r"^\s*(?:[-*+•>|#\s]{1,12}|\d{1,3}[.)]\s)*"
    r"(?:according to (?:the |this )?(?:source|document|page|report|article|paper|authors?)s?,?\s*"
    r"|(?:as )?(?:the source|this page) (?:says|states|reports|notes)(?: that)?,?\s*"
    r"|(?:根据|据)[^，,。]{0,12}(?:报道|资料|显示)[，,]?\s*)?",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")

# Stems are cut here: beyond it English varies more by ending than by meaning.
_STEM_CHARS = 8
_CJK_UP = re.compile("上升|上涨|增长|增加|提高|升高|扩大|高于|多于")
_CJK_DOWN = re.compile("下降|下跌|减少|降低|缩小|下滑|低于|少于")
_NEGATION = re.compile(
    r"\b(?:not(?! only| just| merely| least)|\w{2,6}n['’]t|cannot|never|neither|nor|no longer|fail(?:s|ed)? to)\b"
    r"|不(?!仅|断|同|少|但|过|足|到|久)|没有|未(?!来)|并非",
    re.IGNORECASE,
)
_REJECTION = re.compile(
    r"\b(?:wrong|false(?! (?:positive|negative))|incorrect|untrue|mistaken|denied|denies)\b|错误|不实|谣言",
    re.IGNORECASE,
)
_WEAK_NEGATION = re.compile(
    r"\b(?:no|without|lack(?:s|ed|ing)?|hardly|rarely|unable|unlikely|absen(?:t|ce)|little|limited)\b|无|缺乏|很少",
    re.IGNORECASE,
)


def _bare(word: str) -> str:
    if not word.isascii() or not word.isalpha() or len(word) <= 3:
        return word
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= (3 if len(suffix) < 4 else 4):
            word = word[: -len(suffix)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word[:_STEM_CHARS]


_SAME_STEMS = {form: _bare(line[0]) for line in SAME for word in line for form in (word, _bare(word))}


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of a folded word; irregular forms and close synonyms share one."""
    whole = word[:40].removesuffix("'s").removesuffix("’s").replace("'", "").replace("’", "")
    whole = IRREGULAR.get(whole, whole)
    if whole in _SAME_STEMS:
        return _SAME_STEMS[whole]
    bare = _bare(whole)
    return _SAME_STEMS.get(bare, bare)


_UP_STEMS = frozenset(stem(word) for word in UP)
_DOWN_STEMS = frozenset(stem(word) for word in DOWN)
_WEAK_STEMS = frozenset(stem(word) for word in WEAK)
# Words that tell a direction although they carry no weight as terms.
_DIRECTED_STOPS = frozenset(word for word in (*UP, *DOWN) if word in STOP)


def plain(text: str) -> str:
    """A claim or page as a reader sees it: no markers, addresses, authors' marks, emphasis or hidden characters."""
    shown = _LINK.sub(r" \1 ", seen(text))
    shown = _AUTHORS.sub(" ", _MARKS.sub(" ", shown))
    return _EMPHASIS.sub("", _ADDRESS.sub(" ", shown))


def plain_claim(text: str) -> str:
    """As `plain`, without bullets, numbering and phrases that only point at the source."""
    return _LEAD.sub("", plain(_SOURCE_LINKS.sub(" ", text)), count=1).strip()


def raw_words(text: str) -> list[tuple[str, int]]:
    """Words as written and where they start; a run of Chinese, Japanese or Korean is one word."""
    return [(match.group(), match.start()) for match in _TOKEN.finditer(text)]


def terms_of(word: str) -> tuple[str, ...]:
    """What a written word is compared by: its stem, of a hyphened one each part's; bigrams of a CJK run. Numbers and
    words that say nothing give none."""
    if CJK_CHAR.match(word):
        return tuple(word[i : i + 2] for i in range(max(1, len(word) - 1)))
    folded = word.casefold()
    if folded in STOP or (folded[0].isdigit() and folded[-1].isdigit()):
        return ()
    parts = [part for part in _SPLIT.split(folded) if len(part) > 1 and part not in STOP and not part.isdigit()]
    return tuple(dict.fromkeys(stem(part) for part in parts))


def terms(text: str) -> frozenset[str]:
    """All terms of a text."""
    return frozenset(term for word, _ in raw_words(text) for term in terms_of(word))


def base_weight(term: str) -> float:
    """How much a term says by itself, in (0, 1]: little for reporting words and Chinese particles."""
    if CJK_CHAR.match(term):
        return 0.25 if any(char in CJK_WEAK for char in term) else 0.7
    return 0.3 if term in _WEAK_STEMS else 1.0


def directions(text: str) -> tuple[bool, bool]:
    """Whether a text speaks of more or rising, and of less or falling."""
    found = {form for word, _ in raw_words(text) for form in _directed(word)}
    up = bool(found & _UP_STEMS) or _CJK_UP.search(text) is not None
    return up, bool(found & _DOWN_STEMS) or _CJK_DOWN.search(text) is not None


def _directed(word: str) -> tuple[str, ...]:
    folded = word.casefold()
    return (stem(folded),) if folded in _DIRECTED_STOPS else terms_of(word)


class Negations(NamedTuple):
    """How many of each a text holds: plain (not, never), rejecting (is wrong, is untrue), weak (no, without, lack)."""

    plain: int
    rejecting: int
    weak: int


def negations(text: str) -> Negations:
    """The negations of a text by kind."""
    return Negations(*(len(pattern.findall(text)) for pattern in (_NEGATION, _REJECTION, _WEAK_NEGATION)))
