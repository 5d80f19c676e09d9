"""From the word after --grader to a grader of pairs; and the ones that need no model."""

import asyncio
from collections.abc import Mapping

from graders.callable import load_callable
from graders.gateway import GatewayOptions
from graders.pairwise_judge import PairwiseJudge
from graders.registry import GraderFactory, load_grader, wire_to
from graders.usage import add_usage
from workbench.errors import BadInputError
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.grade import GraderKind, GradingCase, PairCase, PairGrade, Usage
from workbench.schema.protocols import Grader, PairwiseGrader, RepeatableGrader
from workbench.store import Store

PAIRWISE = "pairwise"
LONGER = "longer"
MARGIN = 0.0


class LongerGrader:
    """Prefers the longer report, whatever it says: what a judge with a length bias agrees with."""

    kind: GraderKind = "deterministic"

    def __init__(self) -> None:
        self.name = LONGER
        self.definition: dict[str, JsonValue] = {"function": LONGER, "revision": 1}
        self.version = content_hash(self.definition)

    async def compare(self, pair: PairCase) -> PairGrade:
        left, right = len(pair.left), len(pair.right)
        share = 0.5 if left == right else float(left > right)
        lengths: dict[str, JsonValue] = {"left": left, "right": right}
        free = Usage(cost_usd=0.0)
        return PairGrade(self.name, self.version, "scored", share, usage=free, detail={"characters": lengths})


class PointwisePairs:
    """Any grader of single reports as one of pairs: the higher score wins, a gap of at most `margin` is a tie.

    `margin` in [0, 1] is part of the version. A report without a score makes a pair without a preference.
    """

    def __init__(self, grader: Grader, margin: float = MARGIN) -> None:
        if not 0.0 <= margin <= 1.0:
            raise BadInputError(f"a margin of {margin}; expected one from 0 to 1")
        self.grader = grader
        self.margin = margin
        self.kind: GraderKind = grader.kind
        self.name = f"{grader.name}/pairs"
        self.definition: dict[str, JsonValue] = {"grader": grader.name, "version": grader.version, "margin": margin}
        self.version = content_hash(self.definition)
        self.gateway = getattr(grader, "gateway", None)

    def repeated(self, repeat: int) -> "PointwisePairs":
        drawn = self.grader.repeated(repeat) if isinstance(self.grader, RepeatableGrader) else self.grader
        return PointwisePairs(drawn, self.margin)

    async def compare(self, pair: PairCase) -> PairGrade:
        cases = (
            GradingCase(pair.question, pair.left, pair.left_trajectory),
            GradingCase(pair.question, pair.right, pair.right_trajectory),
        )
        grades = await asyncio.gather(*(self.grader.grade(case) for case in cases))
        usage = add_usage([grade.usage for grade in grades])
        scores: dict[str, JsonValue] = {side: g.score for side, g in zip(("left", "right"), grades, strict=True)}
        for outcome in ("infra_failed", "judge_failed", "abstained"):
            reasons = [
                f"{side}: {g.reason}" for side, g in zip(("left", "right"), grades, strict=True) if g.outcome == outcome
            ]
            if reasons:
                return PairGrade(
                    self.name, self.version, outcome, reason="; ".join(reasons), usage=usage, detail=scores
                )
        # Rounded, so that a gap of exactly the margin is one whatever the last bits of two scores are.
        gap = round((grades[0].score or 0.0) - (grades[1].score or 0.0), 9)
        share = 0.5 if abs(gap) <= self.margin else float(gap > 0)
        return PairGrade(self.name, self.version, "scored", share, usage=usage, detail=scores)


def load_pairwise(
    spec: str,
    *,
    store: Store,
    model: str | None = None,
    base_url: str | None = None,
    margin: float = MARGIN,
    extra: Mapping[str, GraderFactory] | None = None,
    options: GatewayOptions | None = None,
) -> PairwiseGrader:
    """The grader of pairs that `spec` names: `pairwise` (a model compares), `longer`, `path/file.py:Object` with a
    PairwiseGrader, or any grader of single reports, whose two scores are compared.

    Raises BadInputError, NotFoundError or MissingExtraError with a sentence.
    """
    if spec == LONGER:
        return LongerGrader()
    if spec == PAIRWISE:
        return _judge(store, model, base_url, options or GatewayOptions())
    if ".py:" in spec:
        found = load_callable(spec)
        return found if isinstance(found, PairwiseGrader) else PointwisePairs(found, margin)
    grader = load_grader(spec, store=store, model=model, base_url=base_url, extra=extra, options=options)
    return PointwisePairs(grader, margin)


def _judge(store: Store, model: str | None, base_url: str | None, options: GatewayOptions) -> PairwiseJudge:
    # The same model, gateway and limits by which it reads a rubric.
    asked, gateway, kind = wire_to(store, model=model, base_url=base_url, options=options)
    return PairwiseJudge(asked, gateway, kind=kind)


_ABOUT: Mapping[GraderKind, str] = {
    "llm": "a language model compares two reports in both orders",
    "local_model": "the small local model compares: good for trying the road. Conclude nothing from it, give --model",
    "deterministic": "a rule counts, no model is asked",
    "learned": "a model trained on gold",
    "gold": "gold of the simulated web: planted truth",
    "callable": "a grader of your own",
}


def describe_pairwise(grader: PairwiseGrader) -> str:
    """One plain sentence on what made the preferences."""
    if isinstance(grader, PointwisePairs):
        return f"{grader.name}: two scores compared, a gap of at most {grader.margin:g} is a tie"
    return f"{grader.name}: {_ABOUT[grader.kind]}"
