"""python -m tests.support_study [lexical]: both halves, for both checkers or that one, into the evidence.

Written to docs/evidence/citation-support.json.
"""

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from graders.citation_check.embedding import EmbeddingChecker
from graders.citation_check.lexical import LexicalChecker
from tests.support.evidence import write_evidence
from tests.support.shared_data import SHARED_DATA
from tests.support_study.study import PAGES, QUESTIONS, SEEDS, Checks, labelled_pairs, on_labels, on_worlds, pairs_of

# Embedding takes 15 to 50 ms a window: a share of each world says enough.
EARLIER = Path(__file__).parent / "earlier_readings.json"
SHARE_QUESTIONS, SHARE_PAGES = 2, 20


def run(names: Sequence[str] = ("lexical", "embedding")) -> dict[str, Any]:
    """All figures, by checker; the labelled half only where the public data lies beside the checkout."""
    every = [pair for seed in SEEDS["report"] for pair in pairs_of(seed)]
    share = [p for s in SEEDS["report"] for p in pairs_of(s, questions=SHARE_QUESTIONS, pages=SHARE_PAGES)]
    checkers: list[Checks] = [LexicalChecker()]
    if "embedding" in names:
        checkers.append(EmbeddingChecker())
    out: dict[str, Any] = {
        "seeds": SEEDS,
        "simulated_web": {"questions": QUESTIONS, "pages": PAGES, "lexical": on_worlds(checkers[0], every)},
        "simulated_web_share": {"questions": SHARE_QUESTIONS, "pages": SHARE_PAGES},
    }
    for checker in checkers:
        print(checker.name, "on worlds", file=sys.stderr, flush=True)
        out["simulated_web_share"][checker.name] = on_worlds(checker, share)
    if SHARED_DATA.is_dir():
        pairs, about = labelled_pairs()
        out["labelled"] = {"pairs": len(pairs)} | {c.name: on_labels(c, pairs, about) for c in checkers}
        out["labelled"]["earlier_readings"] = json.loads(EARLIER.read_text(encoding="utf-8"))
    return out


def main(names: Sequence[str] = ("lexical", "embedding")) -> dict[str, Any]:
    """Runs and writes the evidence."""
    began = time.monotonic()
    # Two threads of the matrix library take ten times the time of one where cores are shared.
    with threadpool_limits(1):
        result = run(names)
    write_evidence(
        "citation-support",
        result,
        seed=SEEDS["report"][0],
        n=result["simulated_web"]["lexical"]["n"] + result.get("labelled", {}).get("pairs", 0),
        seconds=time.monotonic() - began,
        code=("rubrics/judging", "graders/citation_check", "tests/support_study", "benchmarks/simulated_web"),
    )
    return result


if __name__ == "__main__":
    main(sys.argv[1:] or ("lexical", "embedding"))
