"""How far two ways to check by words fall from level to level: the lexical citation check, and overlap alone."""

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.simulated_web.manner import MANNERS
from benchmarks.simulated_web.search_index import words_of
from benchmarks.simulated_web.world import generate_world
from graders.citation_check.lexical import LexicalChecker
from rubrics.judging.support import CitedClaim
from tests.levels_study.pairs import TAKEN, LevelPair, level_pairs
from tests.support_study.figures import binary
from workbench.stats.proportion import proportion_interval

SEEDS: dict[str, list[int]] = {
    key: value
    for key, value in json.loads((Path(__file__).parent / "seeds.json").read_text(encoding="utf-8")).items()
    if isinstance(value, list)
}
PAGES = 40


def pairs_of(seeds: Sequence[int], *, pages: int = PAGES) -> list[LevelPair]:
    """The pairs of mixed worlds."""
    return [pair for seed in seeds for pair in level_pairs(generate_world(seed, manner=MANNERS["mixed"]), pages=pages)]


def overlap(claim: str, document: str) -> float:
    """The share of a claim's words that stand anywhere in the document; of Chinese, pairs of characters."""
    wanted = _terms(claim)
    return len(wanted & _terms(document)) / len(wanted) if wanted else 0.0


@cache
def _terms(text: str) -> frozenset[str]:
    runs = re.findall(r"[\u4e00-\u9fff]+", text)
    return frozenset(words_of(text)) | {run[k : k + 2] for run in runs for k in range(len(run) - 1)}


def best_threshold(pairs: Sequence[LevelPair]) -> float:
    """The share of words above which most pairs are told right, by F1 of `supported`; for development worlds."""
    scored = [(overlap(p.claim, p.document), p.truth == "supported") for p in pairs]

    def f1(limit: float) -> float:
        hits = sum(true for score, true in scored if score >= limit)
        return 2 * hits / (sum(score >= limit for score, _ in scored) + sum(true for _, true in scored))

    return max((k / 100 for k in range(30, 101)), key=f1)


def by_level(pairs: Sequence[LevelPair], said: Sequence[str], scores: Sequence[float | None]) -> dict[str, Any]:
    """Figures by page language, claim language and level: of the claims that are made at every level in the same
    shares, then of those with the ones that only some pages allow."""
    out: dict[str, Any] = {}
    for pair in pairs:
        out.setdefault(_group(pair), None)
    for group in out:
        rows = [row for row in zip(pairs, said, scores, strict=True) if _group(row[0]) == group]
        found = _binary([row for row in rows if row[0].source != TAKEN])
        found["with_taken_from_the_page"] = _binary(rows)
        true = [(s == "supported", p) for p, s, _ in rows if p.truth == "supported"]
        found["found_of_all_true"] = _share([(hit, p.cluster) for hit, p in true])
        found["found_of_true_exact"] = _share([(hit, p.cluster) for hit, p in true if not p.rounded])
        found["found_of_true_rounded"] = _share([(hit, p.cluster) for hit, p in true if p.rounded])
        for source in ("value changed", "another entity", "fact not there", TAKEN):
            false = [(s == "supported", p.cluster) for p, s, _ in rows if p.source == source and p.truth != "supported"]
            found[f"called_supported: {source}"] = _share(false)
        out[group] = found
    return dict(sorted(out.items()))


def _binary(rows: Sequence[tuple[LevelPair, str, float | None]]) -> dict[str, Any]:
    pairs = [pair for pair, _, _ in rows]
    said, scores = [verdict for _, verdict, _ in rows], [score for _, _, score in rows]
    return binary([pair.truth for pair in pairs], said, [pair.cluster for pair in pairs], scores)


def _group(pair: LevelPair) -> str:
    return f"{pair.page_language} page, {pair.claim_language} claim, {pair.level}"


def _share(hits: Sequence[tuple[bool, str]]) -> dict[str, Any]:
    if not hits:
        return {"value": None, "n": 0}
    found = proportion_interval([hit for hit, _ in hits], [cluster for _, cluster in hits])
    bounds = {k: None if b is None else round(b, 4) for k, b in (("low", found.low), ("high", found.high))}
    return {"value": round(found.value, 4), **bounds, "n": found.n}


def measured(pairs: Sequence[LevelPair], *, threshold: float) -> dict[str, Any]:
    """Both checks on the same pairs."""
    checker = LexicalChecker()
    verdicts = checker.check_now([CitedClaim(pair.claim, pair.document) for pair in pairs])
    shares = [overlap(pair.claim, pair.document) for pair in pairs]
    words = ["supported" if share >= threshold else "unrelated" for share in shares]
    return {
        "pairs": len(pairs),
        "lexical_check": {
            "version": checker.version,
            "levels": by_level(pairs, [v.support for v in verdicts], [v.score for v in verdicts]),
        },
        "overlap_alone": {"threshold": threshold, "levels": by_level(pairs, words, shares)},
    }
