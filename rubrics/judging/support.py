"""A claim of a report, the text that its source showed to the agent, and whether the one supports the other."""

from dataclasses import dataclass

from workbench.schema.analysis import Support


@dataclass(frozen=True, slots=True)
class CitedClaim:
    """`claim` is the sentence (of the part that the marker serves); `document` all text that the run retrieved of the
    cited source, its stretches joined by an empty line. Both are untrusted."""

    claim: str
    document: str


@dataclass(frozen=True, slots=True)
class SupportVerdict:
    """`not_checked` is no verdict: nothing could be read, and `reason` says why. `score` in [0, 1] is the checker's own
    degree of support, None where it has none. `quote` is the place of the document that the verdict rests on."""

    support: Support
    score: float | None = None
    quote: str = ""
    reason: str = ""
