"""The two halves of the study: worlds with known truth, and pairs that a person labelled."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from benchmarks.simulated_web.world import generate_world
from rubrics.judging.support import CitedClaim, SupportVerdict
from tests.support.support_labels import FILES, labelled_claims
from tests.support_study.agents import agent_pairs
from tests.support_study.figures import binary, by, table
from tests.support_study.pairs import StudyPair, chain
from tests.support_study.planted import planted_pairs

SEEDS: dict[str, list[int]] = {
    key: value
    for key, value in json.loads((Path(__file__).parent / "seeds.json").read_text(encoding="utf-8")).items()
    if isinstance(value, list)
}
QUESTIONS, PAGES = 8, 80


class Checks(Protocol):
    """A checker without a loop."""

    name: str
    version: str

    def check_now(self, claims: Sequence[CitedClaim]) -> tuple[SupportVerdict, ...]: ...


def pairs_of(seed: int, *, questions: int = QUESTIONS, pages: int = PAGES) -> list[StudyPair]:
    """The pairs of one world: what agents cited, and claims made for its pages."""
    world = generate_world(seed)
    return list(chain(agent_pairs(world, questions=questions), planted_pairs(world, pages=pages)))


def on_worlds(checker: Checks, pairs: Sequence[StudyPair]) -> dict[str, Any]:
    """Figures of a checker on pairs of the simulated web, by level and by source."""
    verdicts = checker.check_now([CitedClaim(pair.claim, pair.document) for pair in pairs])
    said, scores = [v.support for v in verdicts], [v.score for v in verdicts]
    truths = [pair.truth for pair in pairs]
    return {
        "version": checker.version,
        **binary(truths, said, [pair.cluster for pair in pairs], scores),
        "confusion": table(truths, said),
        "by_level": by(pairs, said, scores, "level"),
        "by_source": by(pairs, said, scores, "source"),
    }


def labelled_pairs() -> tuple[list[StudyPair], list[dict[str, Any]]]:
    """The labelled pairs as study pairs (`level` is the difficulty, `source` the origin, clusters are records), and
    what else is known of each. Skips the test where the public data is absent."""
    pairs, about = [], []
    for file in FILES:
        for one in labelled_claims(file):
            cluster = f"{file}/{one.trajectory.id}"
            pairs.append(StudyPair(one.claim, one.document, one.label, one.difficulty, one.origin, cluster))  # type: ignore[arg-type]
            about.append({"id": one.id, "clear": one.clear, "file": file})
    return pairs, about


def on_labels(checker: Checks, pairs: Sequence[StudyPair], about: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Figures of a checker on the labelled pairs, by origin and difficulty, and on those whose label is clear."""
    verdicts = checker.check_now([CitedClaim(pair.claim, pair.document) for pair in pairs])
    said, scores = [v.support for v in verdicts], [v.score for v in verdicts]
    truths, clusters = [pair.truth for pair in pairs], [pair.cluster for pair in pairs]
    clear = [index for index, one in enumerate(about) if one["clear"]]
    listed = json.dumps([[one["id"], verdict] for one, verdict in zip(about, said, strict=True)])
    return {
        "version": checker.version,
        **binary(truths, said, clusters, scores),
        "confusion": table(truths, said),
        "by_origin": by(pairs, said, scores, "source"),
        "by_difficulty": by(pairs, said, scores, "level"),
        "clear_labels": binary(
            [truths[i] for i in clear],
            [said[i] for i in clear],
            [clusters[i] for i in clear],
            [scores[i] for i in clear],
        ),
        "verdicts_sha256": hashlib.sha256(listed.encode()).hexdigest(),
    }
