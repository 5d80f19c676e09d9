"""Wording that makes a rubric mean something else than its author thinks; each finding says what to do."""

import re
from collections.abc import Callable, Iterator

from rubrics.finding import Finding
from rubrics.judging.records import Criterion, Rubric
from rubrics.lint_whole import lint_whole

_NEGATION = re.compile(
    r"\b(?:no|not|never|without|avoids?|free (?:of|from)|lacks?|absence of)\b|n't\b|^(?:没有|无|不|避免|未)",
    re.IGNORECASE,
)
_AVOIDS = re.compile(r"\bavoids?\b|\bfree (?:of|from)\b|避免", re.IGNORECASE)
_FAULT = re.compile(
    r"\b(?:fabricat|invent|hallucinat|error|mistake|contradict|bias|mislead|wrong|false|unsupported|irrelevan|off.topic|"
    r"incorrect|inaccura|plagiar|speculat|padd|filler|redundan|repeat|omit|omission|unsafe|exaggerat|outdated)\w*"
    r"|虚构|编造|捏造|错误|矛盾|误导|偏见|抄袭",
    re.IGNORECASE,
)
_VIRTUE = re.compile(
    r"\b(?:accurate|correct|consistent|reliable|trustworthy|clear|concise|balanced|relevant|complete|thorough|"
    r"well[- ](?:supported|sourced|structured|written|cited)|high[- ]quality)\b",
    re.IGNORECASE,
)
_COMPOUND = re.compile(r"\b(?:and|as well as|in addition to|both)\b|[;；]|以及|并且|同时", re.IGNORECASE)
_CLAUSE_VERB = re.compile(
    r"\b(?:is|are|has|have|gives?|states?|explains?|cites?|compares?|covers?|answers?|includes?|describes?|lists?|uses?|"
    r"names?|provides?|addresses|discusses|mentions?|identifies|contains?)\b",
    re.IGNORECASE,
)
_SCORE_WORD = re.compile(
    r"\b(?:score[sd]?|(?:\d+|full|extra|minus|lose|award\w*|gain\w*) points?|weights?|weighted|marks?|grade[sd]?|"
    r"out of (?:10|100|ten)|\d+ ?/ ?10|deduct\w*|penal\w+|reward\w*|bonus)\b|得分|分数|加分|扣分|权重",
    re.IGNORECASE,
)
_IMPORTANCE = re.compile(
    r"\b(?:fatal|critical|essential|important|optional|pitfall|negative|positive|minor|major|must|required)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"^(?:the report is |it is )?(?:good|bad|great|poor|high quality|low quality|helpful|useful)\.?$", re.IGNORECASE
)
_ABSENCE = re.compile(r"^(?:the report |it )?(?:has |contains |makes )?(?:no|never|avoids?)\b", re.IGNORECASE)


def lint(rubric: Rubric) -> tuple[Finding, ...]:
    """What is suspicious about the wording, in the order of the criteria, then about the rubric as a whole.

    What only grades can show is `rubrics.lint_stored`'s matter.
    """
    found = [finding for criterion in rubric.criteria for rule in _RULES for finding in rule(criterion)]
    found.extend(lint_whole(rubric))
    return tuple(found)


def _negative_as_virtue(criterion: Criterion) -> Iterator[Finding]:
    if criterion.polarity == "negative" and _states_virtue(criterion.text):
        yield Finding(
            "negative-as-virtue",
            "error",
            criterion.id,
            "it is negative and reads as a virtue: a report that has it would be punished. State the fault "
            "('the report invents facts'), or make it positive",
        )


def _states_virtue(text: str) -> bool:
    """A fault denied ("no fabricated facts") or a merit affirmed ("claims are accurate"). A merit denied is a fault."""
    if _AVOIDS.search(text):
        return True
    if fault := _FAULT.search(text):
        return bool(_NEGATION.search(text[: fault.start()]))
    virtue = _VIRTUE.search(text)
    return virtue is not None and not _NEGATION.search(text[: virtue.start()])


def _positive_as_absence(criterion: Criterion) -> Iterator[Finding]:
    if criterion.polarity == "positive" and _ABSENCE.match(criterion.text.strip()):
        yield Finding(
            "positive-as-absence",
            "warning",
            criterion.id,
            "it is met by an empty report: an absence is easy to satisfy by saying nothing. State the fault as a "
            "negative criterion instead",
        )


def _compound(criterion: Criterion) -> Iterator[Finding]:
    text = criterion.text
    for match in _COMPOUND.finditer(text):
        if match.group() in ";；" or _CLAUSE_VERB.search(text[match.end() :]):
            yield Finding(
                "compound",
                "warning",
                criterion.id,
                f"{match.group()!r} seems to join two claims: a report that meets one of them has no right verdict. "
                "Split it",
            )
            return


def _score_words(criterion: Criterion) -> Iterator[Finding]:
    places = [("text", criterion.text)]
    places += [(f"anchor {label!r}", text) for label, text in criterion.anchors.items()]
    places += [("label", label) for label in criterion.labels]
    # Ids stand in the prompt as the keys of the reply: what they say, the judge reads.
    places += [("id", re.sub(r"[_.-]+", " ", criterion.id))]
    for place, text in places:
        if match := _SCORE_WORD.search(text):
            yield Finding(
                "score-word",
                "warning",
                criterion.id,
                f"its {place} says {match.group()!r}: a judge that knows of scores bends its verdict to them. "
                "Say what holds, and leave weights to the weight field",
            )
    if match := _IMPORTANCE.search(re.sub(r"[_.-]+", " ", criterion.id)):
        yield Finding(
            "weight-leak",
            "warning",
            criterion.id,
            f"its id says {match.group()!r}, and ids stand in the prompt: the judge learns how much depends on it. "
            "Name it after what it checks",
        )


def _vague(criterion: Criterion) -> Iterator[Finding]:
    if _VAGUE.match(criterion.text.strip()):
        message = "it names a quality and nothing to look for. Say what a reader would see"
        yield Finding("vague", "warning", criterion.id, message)


_RULES: tuple[Callable[[Criterion], Iterator[Finding]], ...] = (
    _negative_as_virtue,
    _positive_as_absence,
    _compound,
    _score_words,
    _vague,
)
