"""Ratings with and without what else sways a vote: style of the reports, side, raters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.errors import BadInputError
from workbench.human.ratings.comparisons import Clustering, Comparisons, compare
from workbench.human.ratings.graph import unbeaten_groups
from workbench.human.ratings.joint import (
    LEAST_OWN,
    Errors,
    JointFit,
    chance_of_left,
    fit_jointly,
    model_columns,
    own_shares,
)
from workbench.human.ratings.severity import severities
from workbench.human.ratings.strengths import ELO_MEAN, ELO_PER_LOGIT
from workbench.human.ratings.style import STYLE_FEATURES, StyleCounts, style_differences
from workbench.schema.ballot import Vote
from workbench.schema.canonical import JsonValue
from workbench.stats.bootstrap import codes_of
from workbench.stats.estimate import Estimate, FloatMatrix, Measured, NotMeasured, measured_to_json

# A report with twice the count of the other: (2 - 1) / (2 + 1).
TWICE = 1 / 3


@dataclass(frozen=True, slots=True)
class AdjustedRating:
    """One model on the Elo scale: rated by the votes alone, and with the adjustments."""

    name: str
    plain: Estimate
    adjusted: Estimate


@dataclass(frozen=True, slots=True)
class RaterEffect:
    """`left_share`: how often this rater takes the left of two equals. `reliability`: 0 votes by lot, 1 as the average.

    `severity`: points of the 1..5 scale below the others' scores of the same reports.
    """

    rater: str
    n: int
    left_share: Estimate
    reliability: Estimate
    severity: Measured


@dataclass(frozen=True, slots=True)
class AdjustedTable:
    """`style`: Elo points that twice as much of a feature is worth, others equal; empty without style. A feature in
    which no two reports differ is absent; one that differs only as the models do is in `untold`, and not held equal.

    `left_share`: how often the left of two equals wins, over all raters. `n` votes counted, `n_without_report` not,
    for want of the reports behind them.
    """

    ratings: tuple[AdjustedRating, ...]
    style: Mapping[str, Estimate]
    left_share: Estimate
    raters: tuple[RaterEffect, ...]
    untold: tuple[str, ...]
    n: int
    n_without_report: int
    interval: str

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "ratings": [
                {
                    "name": row.name,
                    "plain": measured_to_json(row.plain),
                    "adjusted": measured_to_json(row.adjusted),
                }
                for row in self.ratings
            ],
            "style": {name: measured_to_json(found) for name, found in self.style.items()},
            "left_share": measured_to_json(self.left_share),
            "raters": [
                {
                    "rater": one.rater,
                    "n": one.n,
                    "left_share": measured_to_json(one.left_share),
                    "reliability": measured_to_json(one.reliability),
                    "severity": measured_to_json(one.severity),
                }
                for one in self.raters
            ],
            "untold": list(self.untold),
            "n": self.n,
            "n_without_report": self.n_without_report,
            "interval": self.interval,
        }


def adjusted_ratings(
    votes: Sequence[Vote],
    styles: Sequence[tuple[StyleCounts, StyleCounts] | None] | None,
    *,
    with_raters: bool,
    cluster: Clustering = "auto",
    level: float = 0.95,
) -> AdjustedTable | NotMeasured:
    """Ratings of the same votes twice: alone, and with side, style (unless `styles` is None) and raters.

    `styles` goes with `votes`: of model_a's and model_b's report, None for a vote whose reports are not known, which
    then counts in neither column. The first model of a vote is taken to have stood on the left, as it did in rounds.
    NotMeasured where the votes left put no common, finite scale on the models. Raises BadInputError as `fit_jointly`.
    """
    chosen = [i for i, vote in enumerate(votes) if vote.model_a != vote.model_b and (styles is None or styles[i])]
    n_without = len(votes) - len(chosen)
    data = compare([votes[i] for i in chosen])
    if data.n == 0:
        return NotMeasured("no vote between two models has its reports in the store", 0)
    if len(unbeaten_groups(data.wins() + data.ties(), data.names)) > 1:
        return NotMeasured(
            "some models won (or lost) everything against the rest: adjustments need votes both ways", data.n
        )
    style: FloatMatrix | None = None
    features: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    if styles is not None:
        known = [pair for i in chosen if (pair := styles[i]) is not None]
        style = style_differences([pair[0] for pair in known], [pair[1] for pair in known])
        style, features, untold = _told(data, style)
        if not features:
            raise BadInputError(
                "style cannot be told from the models: every report of a model has the same style. "
                "Reports on more questions are needed"
            )
    plain = fit_jointly(data, None, cluster=cluster, level=level, with_side=False)
    whole = fit_jointly(data, style, with_raters=with_raters, cluster=cluster, level=level)
    return AdjustedTable(
        ratings=_ratings(data, plain, whole, level),
        style=_style(whole, features, data.n, level),
        left_share=_left_share(whole.side, 0, data.n, whole.interval, level),
        raters=_raters(whole, [votes[i] for i in chosen], level) if with_raters else (),
        untold=untold,
        n=data.n,
        n_without_report=n_without,
        interval=whole.interval,
    )


def _told(data: Comparisons, style_NK: FloatMatrix) -> tuple[FloatMatrix, tuple[str, ...], tuple[str, ...]]:
    """The features that differ beyond what the models say, and the names of those that differ only with them."""
    kept: list[int] = []
    untold: list[str] = []
    models = model_columns(data)
    for k, name in enumerate(STYLE_FEATURES):
        # What no report has, or all have alike, sways nothing.
        if not style_NK[:, k].any():
            continue
        if own_shares(models, style_NK[:, [*kept, k]])[-1] < LEAST_OWN:
            untold.append(name)
        else:
            kept.append(k)
    return style_NK[:, kept], tuple(STYLE_FEATURES[k] for k in kept), tuple(untold)


def _ratings(data: Comparisons, plain: JointFit, whole: JointFit, level: float) -> tuple[AdjustedRating, ...]:
    met = np.bincount(np.concatenate([data.first, data.second]), minlength=len(data.names))
    rows = [
        AdjustedRating(
            name,
            _elo(plain.strengths, i, int(met[i]), plain, level),
            _elo(whole.strengths, i, int(met[i]), whole, level),
        )
        for i, name in enumerate(data.names)
    ]
    return tuple(sorted(rows, key=lambda row: (-row.adjusted.value, row.name)))


def _elo(found: Errors, i: int, n: int, fit: JointFit, level: float) -> Estimate:
    value, low, high = (float(ELO_MEAN + ELO_PER_LOGIT * x[i]) for x in (found.value, found.low, found.high))
    return Estimate(value, low, high, n, fit.interval, n_clusters=fit.n_clusters, level=level)


def _style(fit: JointFit, features: Sequence[str], n: int, level: float) -> dict[str, Estimate]:
    def of(i: int) -> Estimate:
        value, low, high = (
            float(ELO_PER_LOGIT * TWICE * x[i]) for x in (fit.style.value, fit.style.low, fit.style.high)
        )
        return Estimate(value, low, high, n, fit.interval, n_clusters=fit.n_clusters, level=level)

    return {name: of(i) for i, name in enumerate(features)}


def _left_share(side: Errors, i: int, n: int, how: str, level: float) -> Estimate:
    value, low, high = (chance_of_left(float(x[i])) for x in (side.value, side.low, side.high))
    return Estimate(value, low, high, n, how, level=level)


def _raters(fit: JointFit, votes: Sequence[Vote], level: float) -> tuple[RaterEffect, ...]:
    side, reliability = fit.rater_side, fit.log_reliability
    if side is None or reliability is None:
        return ()
    labels = [vote.rater or str(row) for row, vote in enumerate(votes)]
    names = dict(zip(codes_of(labels).tolist(), labels, strict=True))
    counts = np.bincount(codes_of(labels))
    strict, how = severities(votes), "curvature under the prior"
    return tuple(
        RaterEffect(
            rater=names[code],
            n=int(counts[code]),
            left_share=_left_share(side, code, int(counts[code]), how, level),
            reliability=_exponentiated(reliability, code, int(counts[code]), how, level),
            severity=strict.get(names[code], NotMeasured("unknown rater")),
        )
        for code in sorted(names, key=lambda code: names[code])
    )


def _exponentiated(found: Errors, i: int, n: int, how: str, level: float) -> Estimate:
    bounds: list[float] = [float(np.exp(x[i])) for x in (found.value, found.low, found.high)]
    return Estimate(bounds[0], bounds[1], bounds[2], n, how, level=level)
