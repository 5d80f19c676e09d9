"""Fits the soft part of the embedding checker on the development worlds: python -m tests.support_study.fit"""

import json
from collections.abc import Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from graders.citation_check.embedding import EmbeddingChecker, Soft, hard
from rubrics.judging.support import CitedClaim
from tests.support_study.study import SEEDS, pairs_of

# Embedding takes 15 to 50 ms a window on one core: a share of each world.
QUESTIONS, PAGES = 2, 20

# Weak: a few coefficients on over a thousand pairs, kept from growing without end where words separate the classes.
REGULARISATION = 1.0
# Both classes weigh the same: how many pairs are true is the planter's choice and no fact about reports.


def fit(seeds: Sequence[int]) -> tuple[Soft, dict[str, float]]:
    """The model, and how many pairs it was fitted on with their share of `supported`."""
    pairs = [pair for seed in seeds for pair in pairs_of(seed, questions=QUESTIONS, pages=PAGES)]
    # Two threads of the matrix library take ten times the time of one where cores are shared.
    with threadpool_limits(1):
        found = EmbeddingChecker().measured([CitedClaim(pair.claim, pair.document) for pair in pairs])
    rows, truths = [], []
    for pair, one in zip(pairs, found, strict=True):
        if not isinstance(one, str) and not hard(one[0]):
            rows.append([one[0].cover, one[1], float(one[0].figures > 0), float(one[0].names > 0)])
            truths.append(pair.truth == "supported")
    model = LogisticRegression(C=REGULARISATION, class_weight="balanced").fit(np.array(rows), np.array(truths))
    cover, cosine, figures, names = (round(float(value), 3) for value in model.coef_[0])
    soft = Soft(round(float(model.intercept_[0]), 3), cover, cosine, figures, names)
    return soft, {"pairs": len(pairs), "fitted_on": len(rows), "supported": round(float(np.mean(truths)), 3)}


if __name__ == "__main__":
    fitted, about = fit(SEEDS["development"])
    print(fitted)
    print(json.dumps(about))
