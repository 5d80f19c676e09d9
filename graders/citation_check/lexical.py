"""The support checker that reads words, figures and names: deterministic, free, and run by exported jobs too."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict

from rubrics.judging.entailment import REVISION, THRESHOLDS
from rubrics.judging.support import CitedClaim, SupportVerdict
from workbench.reward.core.citation_support import verdicts_by_words
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.grade import GraderKind, Usage


class LexicalChecker:
    """`rubrics.judging.entailment` over the claims of one report; each document is read once.

    How often it errs: docs/decisions/0016-citation-support.md.
    """

    name = "lexical"
    kind: GraderKind = "deterministic"

    def __init__(self) -> None:
        self.version = content_hash(self.definition)

    @property
    def definition(self) -> dict[str, JsonValue]:
        """What decides a verdict: the rules by their revision, and the thresholds."""
        return {"checker": self.name, "rules": REVISION, "thresholds": dict(asdict(THRESHOLDS))}

    async def check(self, question: str, claims: Sequence[CitedClaim]) -> tuple[tuple[SupportVerdict, ...], Usage]:
        """One verdict for each claim, in order. The question decides nothing here."""
        del question
        return await asyncio.to_thread(self.check_now, claims), Usage(cost_usd=0.0)

    def check_now(self, claims: Sequence[CitedClaim]) -> tuple[SupportVerdict, ...]:
        """As `check`, without a loop."""
        return verdicts_by_words(claims)
