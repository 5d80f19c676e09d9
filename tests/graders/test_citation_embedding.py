"""The check with embeddings: what words decide stays decided, the rest is balanced; documents are read once."""

import asyncio
from collections.abc import Sequence

import pytest

from graders.citation_check.checker import SupportChecker
from graders.citation_check.embedding import MOST_WINDOWS, EmbeddingChecker
from graders.citation_check.lexical import LexicalChecker
from graders.embeddings import Embedder, find_embedder
from rubrics.judging.support import CitedClaim
from workbench.schema.analysis import Support
from workbench.stats.estimate import FloatMatrix

PAGE = (
    "# Coral reefs\n\nWarm water makes corals expel the algae that feed them, and they turn white. "
    "In 2016, 29% of the shallow reefs died. Fishing near the reef is banned."
)


class Counting(Embedder):
    """The real embedder, which also keeps what it was asked."""

    def __init__(self) -> None:
        real = find_embedder()
        super().__init__(real.folder, real.name, real.version)
        self.asked: list[int] = []

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        self.asked.append(len(texts))
        return super().embed(texts)


@pytest.fixture(scope="module")
def checker() -> EmbeddingChecker:
    return EmbeddingChecker(Counting())


def test_both_are_support_checkers_with_versions_of_their_own(checker: EmbeddingChecker) -> None:
    lexical = LexicalChecker()
    assert isinstance(checker, SupportChecker)
    assert isinstance(lexical, SupportChecker)
    assert checker.version != lexical.version == LexicalChecker().version


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Warm water makes corals expel their algae and turn white [2].", "supported"),
        ("In 2016, 29% of the shallow reefs died.", "supported"),
        ("In 2016, 46% of the shallow reefs died.", "contradicted"),
        ("The orchestra toured Japan in spring.", "unrelated"),
        ("", "not_checked"),
    ],
)
def test_verdicts_on_a_page(checker: EmbeddingChecker, claim: str, expected: Support) -> None:
    verdicts, usage = asyncio.run(checker.check("", [CitedClaim(claim, PAGE)]))
    assert [verdict.support for verdict in verdicts] == [expected]
    assert usage.cost_usd == 0.0


def test_a_document_is_embedded_once_and_never_beyond_its_windows() -> None:
    embedder = Counting()
    long = ". ".join(f"Sentence {n} of the page says little about {n} things" for n in range(400))
    claims = [CitedClaim("The page says little about things.", long), CitedClaim("Sentences say much.", long)]
    EmbeddingChecker(embedder).check_now(claims)
    assert embedder.asked == [MOST_WINDOWS, 2]


def test_claims_keep_their_order_and_do_not_change_one_another(checker: EmbeddingChecker) -> None:
    claims = [
        CitedClaim("Fishing near the reef is banned.", PAGE),
        CitedClaim("x", ""),
        CitedClaim("Reefs died.", PAGE),
    ]
    together = checker.check_now(claims)
    assert together == tuple(checker.check_now([claim])[0] for claim in claims)
    assert together[1].support == "not_checked"
