"""From the word after --grader to a grader of citations."""

from collections.abc import Callable
from typing import TypeAlias

from graders.citation_check.grader import SupportGrader
from graders.citation_check.judged import JudgedChecker
from graders.citation_check.lexical import LexicalChecker
from graders.gateway import Gateway
from graders.rubric_judge import JudgeOptions
from workbench.reward.core.quality import CITATION_SUPPORT
from workbench.schema.grade import GraderKind

CITATION_CHECKS = (CITATION_SUPPORT,)
# How a model is asked, over what, and what kind of model it is.
Wire: TypeAlias = tuple[JudgeOptions, Gateway, GraderKind]


def load_citation_check(wire: Callable[[], Wire] | None) -> SupportGrader:
    """By words, or judged where `wire` leads to a model."""
    if wire is None:
        return SupportGrader(LexicalChecker(), name=CITATION_SUPPORT)
    options, gateway, kind = wire()
    return SupportGrader(JudgedChecker(options, gateway, kind=kind))
