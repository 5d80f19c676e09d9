"""How strict each rater is: what their scores are below those that others gave the same reports."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from workbench.schema.ballot import Vote
from workbench.stats.bootstrap import codes_of
from workbench.stats.estimate import Estimate, FloatVector, IntVector, Measured, NotMeasured

_Z_95 = 1.959964
FEWEST_SHARED = 3


def severities(votes: Sequence[Vote]) -> dict[str, Measured]:
    """By rater, in points of the 1..5 scale: above 0 is stricter than the raters of the same reports.

    Least squares of a report's mean score on report and rater, raters centred within those who share reports, with
    errors that hold when scores of one report or rater differ in spread (HC1). Not measured for a rater without
    dimension scores, or who shares fewer than 3 reports with anybody.
    """
    rows = [
        (f"{vote.question_id}\x00{model}", vote.rater, float(np.mean([pair[side] for pair in vote.scores.values()])))
        for vote in votes
        if vote.rater and vote.question_id and vote.scores
        for side, model in enumerate((vote.model_a, vote.model_b))
    ]
    names = sorted({vote.rater for vote in votes if vote.rater})
    if not rows:
        return {name: NotMeasured("no dimension scores") for name in names}
    reports, raters = codes_of([row[0] for row in rows]), codes_of([row[1] for row in rows])
    scored = sorted({row[1] for row in rows})
    scores = np.array([row[2] for row in rows])
    shared = _shared(reports, raters)
    found: dict[str, Measured] = {}
    for name in names:
        if name not in scored:
            found[name] = NotMeasured("no dimension scores")
            continue
        code = int(raters[[row[1] for row in rows].index(name)])
        n_shared = int((shared & (raters == code)).sum())
        if n_shared < FEWEST_SHARED:
            found[name] = NotMeasured("shares fewer than 3 scored reports with another rater", n_shared)
        else:
            found[name] = _against_others(reports[shared], raters[shared], scores[shared], code, n_shared)
    return found


def _shared(reports: IntVector, raters: IntVector) -> npt.NDArray[np.bool_]:
    """Scores of reports that two or more raters scored."""
    pairs = np.unique(np.column_stack([reports, raters]), axis=0)
    return np.isin(reports, np.flatnonzero(np.bincount(pairs[:, 0]) > 1))


def _against_others(
    reports: IntVector,
    raters: IntVector,
    scores: FloatVector,
    code: int,
    n: int,
) -> Measured:
    """Minus the coefficient of this rater against all others, report by report."""
    within = np.zeros((scores.size, 2))
    within[:, 0], within[:, 1] = scores, raters == code
    counts = np.bincount(reports).astype(np.float64)
    for column in range(2):
        means = np.bincount(reports, weights=within[:, column]) / np.maximum(counts, 1)
        within[:, column] -= means[reports]
    y, x = within.T
    spread = float(x @ x)
    slope = float(x @ y) / spread
    n_reports = int((counts > 0).sum())
    freedom = scores.size - n_reports - 1
    if freedom < 1:
        return NotMeasured("too few shared scores for an error", n)
    error = float(np.sqrt(((x * (y - slope * x)) ** 2).sum() * scores.size / freedom)) / spread
    reach = _Z_95 * error
    return Estimate(-slope, -slope - reach, -slope + reach, n, "within reports, HC1")
