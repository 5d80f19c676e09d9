"""Several graders as one: the mean, the worst of them, or the mean less their disagreement.

A policy trained against one judge learns what that judge overlooks; of several judges it must fool all at once.
Source: Coste, Anwar, Kirk, Krueger 2023, "Reward Model Ensembles Help Mitigate Overoptimization" (arXiv 2310.02743).
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, pvariance
from typing import Any, Literal, TypeAlias

from graders.faults import GradingStoppedError
from graders.redact import redact
from graders.spending import Purse
from graders.usage import add_usage
from workbench.errors import BadInputError
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.grade import Grade, GradeOutcome, GraderKind, GradingCase
from workbench.schema.protocols import Grader, RepeatableGrader

Combine: TypeAlias = Literal["mean", "worst", "mean_minus_variance"]
# A failure that a later run can heal is told before one that it cannot: the case is then tried again.
_MOST_TELLING: tuple[GradeOutcome, ...] = ("infra_failed", "judge_failed", "abstained")
_KINDS: tuple[GraderKind, ...] = ("llm", "local_model", "learned", "callable", "gold", "deterministic")
_FREE: frozenset[GraderKind] = frozenset({"deterministic", "learned", "gold"})


@dataclass(frozen=True, slots=True)
class Rule:
    """How members' scores become one. `coefficient` >= 0 weighs the variance and is read by mean_minus_variance alone.

    `min_members`: how many must have scored, None for all of them.
    """

    combine: Combine = "mean"
    coefficient: float = 1.0
    min_members: int | None = None

    def raw(self, scores: Sequence[float]) -> float:
        """The combined value of scores in [0, 1]; mean_minus_variance may be below 0.

        The variance is over the members there are (divided by their number), as in UWO of arXiv 2310.02743.
        """
        if self.combine == "worst":
            return min(scores)
        mean = fmean(scores)
        return mean if self.combine == "mean" else mean - self.coefficient * pvariance(scores, mean)

    def to_json(self) -> dict[str, JsonValue]:
        """What of the rule decides a score."""
        weighed = self.combine == "mean_minus_variance"
        return {
            "combine": self.combine,
            "coefficient": float(self.coefficient) if weighed else None,
            "min_members": self.min_members,
        }


@dataclass(slots=True)
class SharedPurse:
    """Stands where a runner looks for a grader's gateway: one purse for all members."""

    purse: Purse


class Ensemble:
    """A Grader, and a RepeatableGrader: each draw asks every member that can be repeated for its own draw.

    A member without a score leaves the case without one, with its reason, unless the rule's `min_members` scored.
    Raises BadInputError for fewer than two members, for one that stands twice, and for a rule that cannot be met.
    """

    def __init__(self, label: str, members: Sequence[Grader], rule: Rule, *, repeat: int = 0) -> None:
        _check(label, members, rule)
        self.label = label
        self.members = tuple(members)
        self.rule = rule
        self.repeat = repeat
        self.kind: GraderKind = min((member.kind for member in members), key=_KINDS.index)
        self.name = _name(label, members)
        parts = sorted((member.name, member.version) for member in members)
        self.version = content_hash({"ensemble": rule.to_json(), "members": [list(part) for part in parts]})
        self.gateway = _share_purse(members)

    @property
    def definition(self) -> dict[str, JsonValue]:
        """The rule, and what made each member."""
        members: list[JsonValue] = [
            {
                "name": member.name,
                "version": member.version,
                "kind": member.kind,
                "definition": dict(getattr(member, "definition", {})),
            }
            for member in self.members
        ]
        return {"kind": "ensemble", **self.rule.to_json(), "members": members}

    def repeated(self, repeat: int) -> "Ensemble":
        drawn = [m.repeated(repeat) if isinstance(m, RepeatableGrader) else m for m in self.members]
        return Ensemble(self.label, drawn, self.rule, repeat=repeat)

    async def grade(self, case: GradingCase) -> Grade:
        """Raises GradingStoppedError (spend limit, key), after every member has ended; other failures are outcomes."""
        grades = await self._ask(case)
        known = [grade.score for grade in grades if grade.score is not None]
        needed = len(grades) if self.rule.min_members is None else self.rule.min_members
        usage = add_usage([grade.usage for grade in grades])
        detail: dict[str, JsonValue] = {"members": [_told(grade) for grade in grades]}
        if len(known) < needed:
            first = min((g for g in grades if g.score is None), key=lambda g: _MOST_TELLING.index(g.outcome))
            reason = (
                f"{len(grades) - len(known)} of {len(grades)} members gave no score: {first.grader}: {first.reason}"
            )
            return Grade(self.name, self.version, case.case_hash, first.outcome, reason=reason, usage=usage,
                         repeat=self.repeat, detail=detail)  # fmt: skip
        raw = self.rule.raw(known)
        detail["spread"] = max(known) - min(known)
        if len(known) < len(grades) and self.rule.combine != "mean_minus_variance":
            lost = len(grades) - len(known)
            detail["bounds"] = [self.rule.raw([*known, *([end] * lost)]) for end in (0.0, 1.0)]
        return Grade(
            grader=self.name,
            grader_version=self.version,
            case_hash=case.case_hash,
            outcome="scored",
            score=min(1.0, max(0.0, raw)),
            raw=raw,
            scheme=self._scheme(len(known)),
            usage=usage,
            repeat=self.repeat,
            detail=detail,
        )

    async def _ask(self, case: GradingCase) -> list[Grade]:
        asked = [_grade_by(member, case) for member in self.members]
        results = await asyncio.gather(*asked, return_exceptions=True)
        errors = [result for result in results if isinstance(result, BaseException)]
        for kind in (GradingStoppedError, BaseException):
            for error in errors:
                if isinstance(error, kind):
                    raise error
        return [result for result in results if isinstance(result, Grade)]

    def _scheme(self, n: int) -> str:
        rule = self.rule
        named = f"{rule.combine}_{rule.coefficient:g}" if rule.combine == "mean_minus_variance" else rule.combine
        whole = len(self.members)
        return f"ensemble/{named}/{whole}_members" if n == whole else f"ensemble/{named}/{n}_of_{whole}_members"


async def _grade_by(member: Grader, case: GradingCase) -> Grade:
    try:
        return await member.grade(case)
    except GradingStoppedError:
        raise
    except Exception as error:
        # A grader of the user's own may break the rule that grading does not raise.
        reason = f"it raised {type(error).__name__}: {redact(str(error))[:500]}"
        return Grade(member.name, member.version, case.case_hash, "judge_failed", reason=reason)


def _told(grade: Grade) -> dict[str, JsonValue]:
    verdicts: list[JsonValue] = [
        {"criterion_id": verdict.criterion_id, "label": verdict.label, "value": verdict.value}
        for verdict in grade.verdicts
    ]
    return {
        "grader": grade.grader,
        "version": grade.grader_version,
        "outcome": grade.outcome,
        "score": grade.score,
        "raw": grade.raw,
        "scheme": grade.scheme,
        "reason": grade.reason,
        "verdicts": verdicts,
        "detail": dict(grade.detail) if "members" in grade.detail else {},
    }


def _check(label: str, members: Sequence[Grader], rule: Rule) -> None:
    if len(members) < 2:
        raise BadInputError(f"ensemble {label!r} has {len(members)} members; expected at least two")
    seen: set[str] = set()
    for member in members:
        if member.version in seen:
            raise BadInputError(
                f"ensemble {label!r}: {member.name} stands twice; the same grader twice is one opinion counted twice. "
                "Give another rubric or another model, or grade with --repeats for its noise"
            )
        seen.add(member.version)
    if rule.min_members is not None and not 1 <= rule.min_members <= len(members):
        raise BadInputError(
            f"ensemble {label!r}: min_members is {rule.min_members}; expected 1 to {len(members)}, its members"
        )
    if not 0.0 <= rule.coefficient < 1e6:
        raise BadInputError(f"ensemble {label!r}: coefficient is {rule.coefficient}; expected a number >= 0")


def _name(label: str, members: Sequence[Grader]) -> str:
    """The label and the models that judge: the same file read by other models is another grader."""
    models = list(dict.fromkeys(member.name.partition("/")[2] for member in members if "/" in member.name))
    return f"{label}/{'+'.join(models)}"[:160] if models else label


def gateways_of(grader: Any) -> Iterator[Any]:
    """Every gateway that a grader, or a grader within it, sends requests through."""
    for member in getattr(grader, "members", ()):
        yield from gateways_of(member)
    if (inner := getattr(grader, "inner", None)) is not None:
        yield from gateways_of(inner)
    if getattr(getattr(grader, "gateway", None), "purse", None) is not None:
        yield grader.gateway


def _share_purse(members: Sequence[Grader]) -> SharedPurse | None:
    """One spend limit for all: a limit of each member's own would be held once a member.

    None, so that the grades' own costs are summed, where a member costs something that no gateway counts.
    """
    found = [gateway for member in members for gateway in gateways_of(member)]
    if not found:
        return None
    purse = found[0].purse
    for gateway in found:
        gateway.purse = purse
    uncounted = [m for m in members if m.kind not in _FREE and next(gateways_of(m), None) is None]
    return None if uncounted else SharedPurse(purse)
