"""Which criteria of a rubric came from which round of human evaluation: said in its description, for people to read.

The form is `[round r-0123: criterion, criterion]`, anywhere in the text.
"""

import re

_ORIGIN = re.compile(r"\[round (?P<round>[^:\]\s]+): (?P<criteria>[^\]]+)\]")


def origins(description: str) -> dict[str, tuple[str, ...]]:
    """Round id -> the criteria that came from it."""
    return {
        match["round"]: tuple(name.strip() for name in match["criteria"].split(","))
        for match in _ORIGIN.finditer(description)
    }


def with_origin(description: str, round_id: str, criterion: str) -> str:
    """The description with one more criterion of this round, all such marks at its end."""
    found = origins(description)
    found[round_id] = (*found.get(round_id, ()), criterion)
    rest = " ".join(_ORIGIN.sub("", description).split())
    marks = " ".join(f"[round {key}: {', '.join(names)}]" for key, names in found.items())
    return f"{rest} {marks}".strip()
