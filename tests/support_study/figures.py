"""Precision and recall of the verdict `supported`, and of its opposite, with clustered intervals."""

from collections.abc import Sequence
from typing import Any

from tests.support_study.pairs import StudyPair
from workbench.schema.analysis import Support
from workbench.stats.proportion import proportion_interval
from workbench.stats.ranking import auc

CLASSES: tuple[Support, ...] = ("supported", "partly", "contradicted", "unrelated", "not_checked")


def binary(
    truths: Sequence[str], said: Sequence[str], clusters: Sequence[str], scores: Sequence[float | None]
) -> dict[str, Any]:
    """Supported against all else. `not_checked` is left out of the shares and counted."""
    rows = [row for row in zip(truths, said, clusters, scores, strict=True) if row[1] != "not_checked"]

    def share(hits: list[tuple[bool, str]]) -> dict[str, Any]:
        if not hits:
            return {"value": None, "n": 0}
        found = proportion_interval([hit for hit, _ in hits], [cluster for _, cluster in hits])
        return {
            "value": round(found.value, 4),
            "low": None if found.low is None else round(found.low, 4),
            "high": None if found.high is None else round(found.high, 4),
            "n": found.n,
        }

    yes, no = "supported", "not supported"
    out: dict[str, Any] = {
        "n": len(rows),
        "not_checked": len(truths) - len(rows),
        "clusters": len({r[2] for r in rows}),
    }
    for name, wanted in ((yes, True), (no, False)):
        out[name] = {
            "precision": share([((t == yes) == wanted, c) for t, s, c, _ in rows if (s == yes) == wanted]),
            "recall": share([((s == yes) == wanted, c) for t, s, c, _ in rows if (t == yes) == wanted]),
        }
    out["accuracy"] = share([((t == yes) == (s == yes), c) for t, s, c, _ in rows])
    scored = [(t == yes, score) for t, _, _, score in rows if score is not None]
    area = auc([t for t, _ in scored], [s for _, s in scored]) if scored else None
    out["auc"] = None if area is None else round(area, 4)
    return out


def table(truths: Sequence[str], said: Sequence[str]) -> dict[str, dict[str, int]]:
    """Rows are the truth, columns what was said."""
    return {
        truth: {
            verdict: sum(t == truth and s == verdict for t, s in zip(truths, said, strict=True)) for verdict in CLASSES
        }
        for truth in CLASSES
        if truth in truths
    }


def by(pairs: Sequence[StudyPair], said: Sequence[str], scores: Sequence[float | None], key: str) -> dict[str, Any]:
    """`binary` of each level or source."""
    out = {}
    for value in dict.fromkeys(getattr(pair, key) for pair in pairs):
        rows = [row for row in zip(pairs, said, scores, strict=True) if getattr(row[0], key) == value]
        out[value] = binary(
            [p.truth for p, _, _ in rows],
            [s for _, s, _ in rows],
            [p.cluster for p, _, _ in rows],
            [score for _, _, score in rows],
        )
    return dict(sorted(out.items()))
