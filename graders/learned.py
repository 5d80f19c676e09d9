"""A judge learned from gold: ridge regression on sentence embeddings. Real, with holes that nobody planted."""

import asyncio
from collections.abc import Mapping
from typing import Any

import numpy as np

from graders.embeddings import find_embedder
from graders.learned_features import FeatureReader
from workbench.errors import BadInputError, NotFoundError
from workbench.schema.canonical import JsonObject, JsonValue, content_hash, question_key
from workbench.schema.grade import Grade, GraderKind, GradingCase, Usage
from workbench.store import Store

LEARNED = "learned"
SCHEME = "ridge/clip"
# Figures on held-out questions say how good a version is; they do not decide a score.
HELD_OUT = "held_out"

_FREE = Usage(cost_usd=0.0)


def version_of(definition: JsonObject) -> str:
    """Hash of the fitted weights and of everything that makes the features they are applied to."""
    return content_hash({name: value for name, value in definition.items() if name != HELD_OUT})


class LearnedJudge:
    """Score = clip(intercept + coefficients . features, 0, 1).

    `definition` is what `graders.learned_fit` writes. A case whose question the weights were fitted on is marked
    `in_sample` in the grade's detail. Abstains from a blank report.
    """

    kind: GraderKind = "learned"

    def __init__(self, name: str, definition: JsonObject, reader: FeatureReader) -> None:
        self.name = name
        self.definition = definition
        self.version = version_of(definition)
        self.reader = reader
        fitted: Mapping[str, Any] = definition
        self._coefficients = np.array(fitted["coefficients"], dtype=np.float64)
        self._intercept = float(fitted["intercept"])
        self._seen = frozenset(fitted["questions"])

    async def grade(self, case: GradingCase) -> Grade:
        return await asyncio.to_thread(self.grade_now, case)

    def grade_now(self, case: GradingCase) -> Grade:
        if not case.report.strip():
            return Grade(
                self.name, self.version, case.case_hash, "abstained", reason="the case has no report", usage=_FREE
            )
        features, detail = self.reader.features(case.question, case.report)
        raw = float(self._intercept + self._coefficients @ features)
        return Grade(
            grader=self.name,
            grader_version=self.version,
            case_hash=case.case_hash,
            outcome="scored",
            score=min(1.0, max(0.0, raw)),
            raw=raw,
            scheme=SCHEME,
            usage=_FREE,
            detail={**detail, "in_sample": self.in_sample(case)},
        )

    def in_sample(self, case: GradingCase) -> bool:
        """Whether the weights were fitted on reports to this question: agreement there says nothing of quality."""
        known = case.trajectory.question_id if case.trajectory is not None else ""
        return known in self._seen or question_key(case.question) in self._seen


def is_learned(spec: str) -> bool:
    """Whether a word after --grader names a learned judge: `learned`, `learned-NAME`, or one of them `@version`."""
    name = spec.partition("@")[0]
    return name == LEARNED or name.startswith(f"{LEARNED}-")


def load_learned(spec: str, store: Store) -> LearnedJudge:
    """The judge fitted last under this name, or the one whose version begins so.

    Raises NotFoundError where there is none, BadInputError where the beginning fits several or the embeddings that it
    was fitted on are not those installed here, MissingExtraError where there are none.
    """
    name, _, prefix = spec.partition("@")
    versions = [version for version in store.grades.versions(name) if version.startswith(prefix)]
    if not versions:
        raise NotFoundError(
            f"no learned judge {spec!r} in this store; fit one on gold with `workbench learn --from gold`"
        )
    if prefix and len(versions) > 1:
        raise BadInputError(f"{spec} fits {len(versions)} learned judges; give more digits of the version")
    definition = store.grades.definition(versions[0])
    if definition is None or "coefficients" not in definition:
        raise NotFoundError(f"{name}@{versions[0][:8]} in this store is no learned judge: it has no fitted weights")
    reader = FeatureReader(find_embedder())
    check_features(name, definition, reader.definition)
    return LearnedJudge(name, definition, reader)


def check_features(name: str, definition: JsonObject, here: Mapping[str, JsonValue]) -> None:
    """Weights mean nothing on other features than they were fitted on."""
    fitted = definition["features"]
    if fitted != here:
        assert isinstance(fitted, Mapping)
        differing = [key for key in here if fitted.get(key) != here[key]]
        raise BadInputError(
            f"{name} was fitted on other features than this installation computes "
            f"({', '.join(f'{key} {fitted.get(key)!r}, here {here[key]!r}' for key in differing)}): fit it again with "
            "`workbench learn`"
        )
