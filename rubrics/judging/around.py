"""What stands around a verdict document: text after it may take it back, text before it may call it a draft.

A reply is asked for with nothing beside the document, so a judge that says more is read on the safe side: what follows
must be recognisable as harmless, else there is no verdict. Words of change are known in a few languages; a sentence in
another one cannot be told from a retraction and counts as one.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rubrics.judging.records import Criterion, labels_of
from rubrics.judging.text import fold, holds, label_key, seen

_MARKUP = re.compile(r"<[^<>]{0,40}>|```\w*|~~~\w*")
_ENDS = re.compile(r"[.!?;。！？；\n]+")
_LETTER = re.compile(r"[^\W_]")
_CLOSING = re.compile(
    r"(?:(?:thanks?|thank you|please|feel free|let me know|i hope|hope (?:this|it|that)|end|done|best|regards|cheers|"
    r"danke|merci|gracias|grazie|obrigado)\b|谢谢|感谢|以上|希望|ありがと|感謝|감사|спасибо|شكر)"
)
_CHANGE = re.compile(
    r"\b(?:actually|correct\w*|wait|sorry|apolog\w+|mistak\w+|wrong\w*|errors?|errone\w+|(?:on|upon) \w*\s?reflection|"
    r"re-?consider\w*|re-?read\w*|re-?think\w*|second thoughts?|revis\w+|retract\w*|withdr\w+|chang\w+|instead|rather|"
    r"should|must|scratch|ignore|disregard|undo|however|but|although|revers\w+|opposite|swap\w*|mix\w* up|mis\w+|"
    r"overlook\w*|missed|invalid|void|unsure|uncertain|draft|placeholder|sample|template|updat\w+|final\w*|cannot|"
    r"can't|unable|never|oops|hmm+|make (?:that|it)|verdicts?|scor\w+|ratings?|grad\w+|labels?|judg\w+|answers?|"
    r"conclu\w+|true|false|none|korrektur|perd[oó]n|pardon|desol\w+|désol\w+)\b|n['’]t\b|"
    r"更正|修正|纠正|错|不|应为|改为|重新|撤回|判定|评分|得分"
)
# A sentence of a language whose words of change are not known is no harmless one. English shows in small words.
_ENGLISH = re.compile(
    r"\b(?:the|a|an|i|you|it|this|that|these|is|are|was|were|of|to|for|in|on|and|as|with|my|your|if|all|any|by|from)\b"
)
_FOREIGN = re.compile(r"[^\W\d_a-zA-Z]")
_MENTION = re.compile(
    r"\b(?:examples?|e\.g|drafts?|templates?|placeholders?|hypothe\w+|dummy|wrong\w*|reject\w*|instead of|rather than|"
    r"not|would (?:be|have been)|beispiel\w*|entwurf|ejemplo|borrador|exemple|brouillon|пример|черновик)\b"
    r"|例如|示例|草稿|模板|比如"
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How verdicts are said where a reply is about more than statements on one report.

    `also`: further spelling of a label, as `label_key` gives it -> label. `named` finds a verdict said in passing;
    `rival` finds names beside the verdicts that would be another verdict, in folded text. `named` reads case.
    """

    also: Mapping[str, str] = field(default_factory=dict)
    named: "re.Pattern[str] | None" = None
    rival: "re.Pattern[str] | None" = None


PLAIN = Dialect()


def taken_back(after: str, criteria: Sequence[Criterion], dialect: Dialect = PLAIN) -> str:
    """The sentence after the document that may change its verdicts, empty if all that follows is harmless."""
    for sentence in _ENDS.split(_MARKUP.sub(" ", after)):
        folded = fold(sentence).strip(" -*_#>|~=:,")
        if dialect.named and dialect.named.search(seen(sentence)):
            return " ".join(sentence.split())
        if _LETTER.search(folded) and not _harmless(folded, criteria):
            return " ".join(sentence.split())
    return ""


def _harmless(folded: str, criteria: Sequence[Criterion]) -> bool:
    if _CHANGE.search(folded) or any(_names(folded, criterion) for criterion in criteria):
        return False
    return bool(_CLOSING.match(folded)) or (bool(_ENGLISH.search(folded)) and not _FOREIGN.search(folded))


def _names(folded: str, criterion: Criterion) -> bool:
    """True if the sentence says the criterion's id, or a verdict of its scale."""
    if criterion.scale == "score10" and re.search(r"\d", folded):
        return True
    words = [fold(criterion.id), *(label_key(label) for label in labels_of(criterion))]
    words += ["partially", "partial"] if criterion.scale == "ternary" else []
    return any(holds(folded, word) for word in words)


def only_mentioned(before: str) -> str:
    """The clause that leads to the document where it calls it an example or a draft, empty where it does not."""
    lines = [line for line in _MARKUP.sub(" ", before).splitlines() if _LETTER.search(line)]
    clauses = [clause for clause in _ENDS.split(lines[-1]) if _LETTER.search(clause)] if lines else []
    ended = bool(lines) and lines[-1].rstrip().endswith((".", "!", "?", "。", "！", "？"))
    if not clauses or ended or not _MENTION.search(fold(clauses[-1])):
        return ""
    return " ".join(clauses[-1].split())
