"""Reads a judge's reply strictly: a verdict that was clearly given, or a typed failure, never a guess."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from rubrics.judging.around import PLAIN, Dialect, only_mentioned, taken_back
from rubrics.judging.records import Criterion, labels_of
from rubrics.judging.text import fold, label_key
from workbench.schema.grade import CriterionVerdict

Unreadable: TypeAlias = Literal[
    "empty", "truncated", "no_json", "wrong_key", "two_documents", "wrong_shape", "taken_back"
]

# Spellings of a label that mean nothing else. Anything beyond them is no verdict.
_SPELLINGS = {
    "binary": {"yes": "yes", "no": "no", "true": "yes", "false": "no"},
    "ternary": {"fully": "fully", "partly": "partly", "partially": "partly", "partial": "partly", "not": "not"},
}
_THINKING = re.compile(r"^\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,2}(?:\.\d+)?")
_VERDICT_NAME = re.compile(r"verdict|score|rating|grade|label|判定|评分|得分")
_MAX_CHARS = 200_000
_MAX_TRIES = 400


class UnreadableReplyError(ValueError):
    """No verdict can be read from the reply at all. `kind` says why."""

    def __init__(self, kind: Unreadable, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class _Object:
    """A JSON object of the text at [start, end); `enclosed` in a brace that is no JSON."""

    value: dict[str, Any]
    start: int
    end: int
    enclosed: bool


class _AmbiguousJsonError(ValueError):
    """JSON that two readers may read in two ways: a key given twice, or a number that JSON does not have."""


def parse_reply(
    text: str, criteria: Sequence[Criterion], *, key: str, finish: str = "stop", dialect: Dialect = PLAIN
) -> tuple[CriterionVerdict, ...]:
    """One verdict per criterion in the order asked; label and value None, with the reason, where none can be read.

    The verdicts are those of the one JSON object that carries `key`. The material under judgment cannot know it, so
    JSON quoted from a report is passed over, and so is the reply to another request. Criteria that were not asked
    are ignored. Text around the document must not take it back (`rubrics.judging.around`).
    An empty `key` means that a bare verdict on one criterion was asked for: `{"verdict": ...}` and not a
    word more. Raises UnreadableReplyError where there is no such object, two that differ, or the reply is cut off.
    """
    if not text.strip():
        raise UnreadableReplyError("empty", "the reply is empty")
    if finish in ("length", "max_tokens"):
        raise UnreadableReplyError(
            "truncated", f"the reply was cut off at its length limit after {len(text)} characters"
        )
    if not key and len(criteria) == 1 and (bare := _bare_verdict(text)) is not None:
        return (_read(criteria[0], bare, dialect),)
    document = _keyed_document(_THINKING.sub("", text, count=1), criteria, key, dialect)
    return tuple(_verdict(criterion, _entries(document, criteria), dialect) for criterion in criteria)


def _bare_verdict(text: str) -> dict[str, Any] | None:
    """The reply as an object with a verdict and nothing else, None if it is anything else."""
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and set(value) == {"verdict"} else None


def _keyed_document(text: str, criteria: Sequence[Criterion], key: str, dialect: Dialect) -> dict[str, Any]:
    if len(text) > _MAX_CHARS:
        raise UnreadableReplyError("wrong_shape", f"the reply has {len(text)} characters; expected under {_MAX_CHARS}")
    documents, cut_off = _objects(text)
    found = [document for document in documents if document.value.get("key") == key]
    keyed = [document.value for document in found]
    if any(document.enclosed for document in found):
        raise UnreadableReplyError("wrong_shape", "the verdict document stands inside something that is no JSON")
    if not keyed:
        if cut_off:
            raise UnreadableReplyError("truncated", "the reply ends inside a JSON object")
        if documents:
            raise UnreadableReplyError(
                "wrong_key", f"none of the {len(documents)} JSON objects in the reply carries the key of this request"
            )
        raise UnreadableReplyError("no_json", f"the reply holds no JSON object: {_head(text)}")
    if any(other != keyed[0] for other in keyed[1:]):
        raise UnreadableReplyError("two_documents", f"the reply holds {len(keyed)} verdict documents that differ")
    if nested := [name for name, value in keyed[0].items() if name != "verdicts" and isinstance(value, dict | list)]:
        # A draft beside the verdicts, or a revision of them: which one is meant cannot be told.
        raise UnreadableReplyError("wrong_shape", f"the document holds more than its verdicts: {_head(str(nested))}")
    if dialect.rival and (rivals := [n for n in keyed[0] if n != "verdicts" and dialect.rival.search(fold(n))]):
        raise UnreadableReplyError(
            "wrong_shape", f"the document holds a verdict beside its verdicts: {_head(str(rivals))}"
        )
    _check_around(text, found[-1], documents, criteria, key, dialect)
    return keyed[0]


def _check_around(
    text: str,
    document: _Object,
    documents: Sequence[_Object],
    criteria: Sequence[Criterion],
    key: str,
    dialect: Dialect,
) -> None:
    """Raises where the last verdict document is called a draft, or taken back after it."""
    before = _prose(text[: document.start], [other for other in documents if other.end <= document.start])
    after = _prose(text, [other for other in documents if other.start >= document.start], since=document.start)
    if key and key in text[document.end :]:
        raise UnreadableReplyError("taken_back", "the key of the request stands again after the verdict document")
    if sentence := taken_back(after, criteria, dialect):
        raise UnreadableReplyError(
            "taken_back", f"text after the verdict document may change it, and none was asked for: {_head(sentence)}"
        )
    if clause := only_mentioned(before):
        raise UnreadableReplyError("taken_back", f"the verdict document is only mentioned: {_head(clause)}")


def _prose(text: str, documents: Sequence[_Object], since: int = 0) -> str:
    """The text from `since` on without the objects in it."""
    ends = [since, *(document.end for document in documents)]
    starts = [*(document.start for document in documents), len(text)]
    return " ".join(text[end:start] for end, start in zip(ends, starts, strict=True))


def _objects(text: str) -> tuple[list[_Object], bool]:
    """Every outermost JSON object of the text, and whether one begins that never ends."""
    decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, strict=False)
    found: list[_Object] = []
    cut_off = False
    open_braces = end = 0
    at = text.find("{")
    for _ in range(_MAX_TRIES):
        if at == -1:
            return found, cut_off
        open_braces = max(0, open_braces - text.count("}", end, at))
        try:
            value, end = decoder.raw_decode(text, at)
        except _AmbiguousJsonError as error:
            raise UnreadableReplyError("wrong_shape", str(error)) from None
        except (json.JSONDecodeError, RecursionError) as error:
            # A document that breaks off at the very end was cut; one that breaks before is prose with a brace.
            cut_off = cut_off or (isinstance(error, json.JSONDecodeError) and _broke_at_end(error, text))
            open_braces += 1
            end = at + 1
            at = text.find("{", end)
            continue
        except ValueError as error:  # an integer of thousands of digits is JSON and no number to Python
            raise UnreadableReplyError("wrong_shape", _head(str(error))) from None
        found.append(_Object(value, at, end, open_braces > 0))
        at = text.find("{", end)
    raise UnreadableReplyError("wrong_shape", f"more than {_MAX_TRIES} braces and no end of it")


def _broke_at_end(error: json.JSONDecodeError, text: str) -> bool:
    return error.pos >= len(text.rstrip()) - 1 or error.msg.startswith("Unterminated string")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in pairs:
        if name in out and out[name] != value:
            raise _AmbiguousJsonError(f"the reply gives {name!r} twice with different values")
        out[name] = value
    return out


def _no_constant(name: str) -> float:
    raise _AmbiguousJsonError(f"the reply holds {name}, which is no JSON number")


def _entries(document: dict[str, Any], criteria: Sequence[Criterion]) -> dict[str, list[Any]]:
    """Criterion id -> the entries given for it. Verdicts come as an object by id, or as a list of objects with `id`."""
    verdicts = document.get("verdicts")
    out: dict[str, list[Any]] = {criterion.id: [] for criterion in criteria}
    if isinstance(verdicts, dict):
        pairs: Iterable[tuple[Any, Any]] = verdicts.items()
    elif isinstance(verdicts, list) and all(isinstance(item, dict) for item in verdicts):
        pairs = ((item.get("id"), item) for item in verdicts)
    else:
        raise UnreadableReplyError(
            "wrong_shape", f"'verdicts' is {_kind(verdicts)}; expected an object by criterion id"
        )
    spelt = _by_spelling(criteria)
    for name, entry in pairs:
        if isinstance(name, str) and (meant := name if name in out else spelt.get(fold(name))) is not None:
            out[meant].append(entry)
    return out


def _by_spelling(criteria: Sequence[Criterion]) -> dict[str, str]:
    """Folded id -> id, for ids that no other criterion spells alike."""
    folded = [fold(criterion.id) for criterion in criteria]
    return {fold(c.id): c.id for c in criteria if folded.count(fold(c.id)) == 1}


def _verdict(criterion: Criterion, entries: dict[str, list[Any]], dialect: Dialect) -> CriterionVerdict:
    given = entries[criterion.id]
    if not given:
        return CriterionVerdict(criterion.id, None, None, "the reply has no verdict on it")
    read = [_read(criterion, entry, dialect) for entry in given]
    labels = {verdict.label for verdict in read}
    if len(labels) > 1:
        named = ", ".join(sorted(str(label) for label in labels))
        return CriterionVerdict(criterion.id, None, None, f"the reply gives {len(given)} verdicts that differ: {named}")
    return read[0]


def _read(criterion: Criterion, entry: Any, dialect: Dialect) -> CriterionVerdict:
    if not isinstance(entry, dict):
        return CriterionVerdict(criterion.id, None, None, f"its entry is {_kind(entry)}; expected an object")
    if any(isinstance(value, dict | list) for value in entry.values()):
        # Two entries run into one where a bracket was lost: which verdict is whose cannot be told.
        return CriterionVerdict(criterion.id, None, None, "its entry holds another object; expected texts only")
    rivals = [name for name in entry if name != "verdict" and _is_verdict_name(fold(name), dialect)]
    if any(entry[name] != entry.get("verdict") for name in rivals):
        return CriterionVerdict(criterion.id, None, None, f"its entry gives a verdict twice: {_head(str(rivals))}")
    reason, quote = _text(entry.get("reason")), _text(entry.get("quote"))
    label, value = _label(criterion, entry.get("verdict"), dialect)
    if label is None:
        found = _head(json.dumps(entry.get("verdict"), ensure_ascii=False))
        expected = "a number from 0 to 10" if criterion.scale == "score10" else ", ".join(labels_of(criterion))
        return CriterionVerdict(criterion.id, None, None, f"verdict is {found}; expected {expected}", quote)
    return CriterionVerdict(criterion.id, label, value, reason, quote)


def _is_verdict_name(folded: str, dialect: Dialect) -> bool:
    return bool(_VERDICT_NAME.search(folded) or (dialect.rival and dialect.rival.search(folded)))


def _label(criterion: Criterion, given: Any, dialect: Dialect) -> tuple[str | None, float | None]:
    if criterion.scale == "score10":
        if isinstance(given, str) and _NUMBER.fullmatch(given.strip()):
            given = float(given)
        if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 10:
            return None, None
        if 0 < given < 1:
            return None, None  # a share of one, given where a number to ten was asked for: 0.8 is hardly 0.08
        return f"{given + 0:g}", abs(given) / 10
    if isinstance(given, bool) and criterion.scale == "binary":
        given = "yes" if given else "no"
    if not isinstance(given, str):
        return None, None
    spelt = label_key(given)
    label = _spellings(criterion).get(spelt) or dialect.also.get(spelt)
    return (None, None) if label is None else (label, labels_of(criterion)[label])


def _spellings(criterion: Criterion) -> Mapping[str, str]:
    if criterion.scale == "labels":
        return {label_key(label): label for label in criterion.labels}
    return _SPELLINGS[criterion.scale]


def _text(value: Any) -> str:
    """A text as it can be stored: lone surrogates and NUL are legal in JSON and in no database."""
    return value.encode("utf-8", "replace").decode().replace("\0", "\ufffd") if isinstance(value, str) else ""


def _kind(value: Any) -> str:
    return {dict: "an object", list: "a list", str: "a text", type(None): "missing"}.get(type(value), repr(value)[:40])


def _head(text: str) -> str:
    text = " ".join(_text(text).split())
    return text if len(text) <= 120 else f"{text[:120]}… ({len(text)} characters)"
