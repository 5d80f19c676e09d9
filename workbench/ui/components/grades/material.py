"""In words, what of a case a judge was given to read."""

from collections.abc import Mapping
from typing import Any

from workbench.schema.canonical import JsonValue

_NAMES = {
    "report": "report",
    "trace": "outline of the research",
    "evidence": "retrieved text",
    "reference": "reference",
}
_LEFT_OUT = {
    "budget": "{n} without room",
    "duplicate": "{n} that repeat another",
    "failed": "{n} of failed calls",
    "blank": "{n} empty",
}


def material_words(detail: Mapping[str, JsonValue]) -> str:
    """`The judge read: report, whole; retrieved text, 900 of 12,000 characters (2 of 5 documents ...)`; empty where a
    grade does not say."""
    material: Any = detail.get("material")
    if not isinstance(material, Mapping) or not material:
        return ""
    parts = []
    for part, counts in material.items():
        shown, total = counts["shown"], counts["total"]
        words = f"{_NAMES.get(part, part)}, " + ("whole" if shown == total else f"{shown:,} of {total:,} characters")
        parts.append(words + (_documents(detail.get("documents")) if part == "evidence" else ""))
    return f"The judge read: {'; '.join(parts)}."


def _documents(documents: Any) -> str:
    if not isinstance(documents, Mapping):
        return ""
    shown = documents["whole"] + documents["shortened"]
    left_out = [words.format(n=documents[reason]) for reason, words in _LEFT_OUT.items() if documents.get(reason)]
    told = "".join(f", {words}" for words in left_out)
    return f" ({shown} of {sum(documents.values())} documents, {documents['whole']} of them whole{told})"
