"""From the word after --grader to a grader of citations."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from graders.citation_check.grader import SupportGrader
from graders.citation_check.judged import JudgedChecker
from graders.citation_check.lexical import LexicalChecker
from graders.gateway import Gateway
from graders.rubric_judge import JudgeOptions
from workbench.reward.core.quality import CITATION_SUPPORT
from workbench.schema.grade import GraderKind

BY_EMBEDDING = f"{CITATION_SUPPORT}-embedding"
CITATION_CHECKS = (CITATION_SUPPORT, BY_EMBEDDING)
# How a model is asked, over what, and what kind of model it is.
Wire: TypeAlias = tuple[JudgeOptions, Gateway, GraderKind]


def load_citation_check(spec: str, wire: Callable[[], Wire] | None) -> SupportGrader:
    """`citation-support`: by words, or judged where `wire` leads to a model. `citation-support-embedding`: by words and
    sentence embeddings, whatever model is given; raises MissingExtraError where their weights are not installed."""
    if spec == BY_EMBEDDING:
        from graders.citation_check.embedding import EmbeddingChecker

        return SupportGrader(EmbeddingChecker(), name=BY_EMBEDDING)
    if wire is None:
        return SupportGrader(LexicalChecker(), name=CITATION_SUPPORT)
    options, gateway, kind = wire()
    return SupportGrader(JudgedChecker(options, gateway, kind=kind))


_BY: Mapping[GraderKind, str] = {
    "deterministic": "by words, figures and names; no model is asked",
    "learned": "by words, figures and names, and by sentence embeddings; no model is asked",
    "llm": "by a language model",
    "local_model": "by the small local model: good for trying the road. Conclude nothing from it, give --model",
}


def about_check(grader: SupportGrader) -> str:
    """What made the number. How often the checks without a model err is in docs/evidence/citation-support.json."""
    return f"claims held against what the run retrieved of their sources, {_BY.get(grader.kind, grader.kind)}"
