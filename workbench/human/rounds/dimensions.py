"""Dimensions that each report is scored on, with their guidance."""

from collections.abc import Mapping, Sequence

from workbench.errors import BadInputError
from workbench.schema.ballot import DEFAULT_DIMENSIONS

# Beside the default four, those that Genspark's people scored (docs/decisions/0007).
KNOWN_DIMENSIONS: Mapping[str, str] = {
    **DEFAULT_DIMENSIONS,
    "coverage": "How much of what matters about the question does it cover?",
    "depth": "How far below the surface does it go, where the question asks for it?",
    "citations": "Does it say where its claims come from, claim by claim?",
    "trustworthiness": "Would you act on it without checking it again?",
}
MAX_DIMENSIONS = 8


def dimensions_of(wanted: Sequence[str]) -> dict[str, str]:
    """From `name` (of a known one) or `name=guidance`; nothing asked for gives the default four, `none` gives none."""
    if not wanted:
        return dict(DEFAULT_DIMENSIONS)
    if list(wanted) == ["none"]:
        return {}
    found: dict[str, str] = {}
    for text in wanted:
        name, _, guidance = text.partition("=")
        name = "_".join(name.split()).lower()
        if not name or not (guidance or name in KNOWN_DIMENSIONS):
            raise BadInputError(
                f"dimension {text!r}: give it a guidance (name=What to look at?), "
                f"or choose among {', '.join(KNOWN_DIMENSIONS)}"
            )
        found[name] = guidance.strip() or KNOWN_DIMENSIONS[name]
    if len(found) > MAX_DIMENSIONS:
        raise BadInputError(f"{len(found)} dimensions; a rater is asked for at most {MAX_DIMENSIONS}")
    return found
