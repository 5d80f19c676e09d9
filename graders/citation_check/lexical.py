"""The support checker that reads words, figures and names: deterministic, free, and run by exported jobs too."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict

from rubrics.judging.entailment import REVISION, THRESHOLDS, entails_in
from rubrics.judging.entailment_claim import Claim
from rubrics.judging.entailment_document import Document
from rubrics.judging.support import CitedClaim, SupportVerdict
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
        read: dict[str, Document] = {}
        out = []
        for pair in claims:
            if pair.document not in read:
                read[pair.document] = Document(pair.document)
            out.append(entails_in(Claim.read(pair.claim), read[pair.document]))
        return tuple(out)
