"""`rate`: votes to a table, with every reason why a number should not be read as it stands."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.errors import BadInputError
from workbench.human.agreement import rater_agreement
from workbench.human.ratings.comparisons import Clustering, Comparisons, clusterings, compare
from workbench.human.ratings.elo import running_elo
from workbench.human.ratings.graph import components, unbeaten_groups
from workbench.human.ratings.intervals import sandwich
from workbench.human.ratings.resampling import percentile_bounds, resampled_strengths
from workbench.human.ratings.strengths import (
    ELO_MEAN,
    ELO_PER_LOGIT,
    Strengths,
    davidson_has_maximum,
    fit_bradley_terry,
    fit_davidson,
)
from workbench.human.ratings.table import RATING_METHODS, IntervalMethod, ModelRating, RatingMethod, RatingTable
from workbench.schema.ballot import Vote
from workbench.stats.estimate import FloatMatrix, FloatVector, IntVector

# On 30 votes of two models intervals held 97 to 98%: a figure of so few votes takes few values.
FEW_VOTES = 50
FEW_CLUSTERS = 10
# Where one side won everything, this many virtual ties with an average model make the ratings finite. They are then
# said to be an effect of it, and carry no interval.
RESCUE_PRIOR = 1.0


@dataclass(frozen=True, slots=True)
class _Scale:
    """Ratings and bounds on the Elo scale, NaN where there are none."""

    rating: FloatVector
    low: FloatVector
    high: FloatVector
    interval: str = "none"
    n_clusters: int | None = None
    nu: float | None = None
    prior: float = 0.0
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Options:
    method: RatingMethod
    seed: int
    level: float
    prior: float
    cluster: Clustering
    interval: IntervalMethod
    resamples: int


def rate(
    votes: Sequence[Vote],
    *,
    method: RatingMethod = "bradley-terry",
    seed: int = 0,
    level: float = 0.95,
    prior: float = 0.0,
    cluster: Clustering = "auto",
    interval: IntervalMethod = "sandwich",
    resamples: int = 1000,
) -> RatingTable:
    """Ratings of all models in `votes`, on the Elo scale (mean 1000; the running Elo starts everyone at 1000).

    `cluster`: which votes belong together (auto: by rater and by question, whichever the votes name). `prior`: virtual
    ties of each model with an average one. Set-aside ballots are not votes: leave them out before. The table does not
    depend on names or on the order of votes, except for the running Elo. Raises BadInputError on an unknown method or
    a negative prior; everything about the votes themselves is an answer in the table.
    """
    if method not in RATING_METHODS:
        raise BadInputError(f"rating method {method!r} is not known; expected one of {', '.join(RATING_METHODS)}")
    if not (math.isfinite(prior) and prior >= 0):
        raise BadInputError(f"prior is {prior}; expected a number >= 0 of virtual ties a model")
    options = _Options(method, seed, level, prior, cluster, interval, resamples)
    data = compare(votes)
    groups = components(data.wins() + data.ties(), data.names)
    running = running_elo(data) if len(groups) == 1 else _nothing(data)
    if len(groups) != 1:
        scale = _unrated(data)
    elif method == "elo":
        scale = _Scale(running, _nothing(data), _nothing(data))
    else:
        scale = _rated(data, options)
    return RatingTable(
        method=method,
        ratings=_rows(data, scale, running),
        n_ballots=len(votes),
        agreement=rater_agreement(votes, seed=seed, level=level),
        verdicts=data.verdicts,
        groups=groups,
        problems=(*_about_the_votes(data, groups), *scale.problems),
        interval=scale.interval,
        n_clusters=scale.n_clusters,
        level=level,
        seed=seed,
        prior=scale.prior,
        nu=scale.nu,
    )


def _about_the_votes(data: Comparisons, groups: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    found: list[str] = []
    if data.n_self:
        found.append(f"{data.n_self} votes compare a model with itself and say nothing about ratings")
    if data.n == 0:
        found.append("there is no vote between two models")
    elif len(groups) > 1:
        shown = "; ".join(", ".join(group) for group in groups)
        found.append(
            f"no common scale: nothing compares these {len(groups)} groups of models with each other ({shown}). "
            "Votes between the groups are needed"
        )
    if 0 < data.n < FEW_VOTES:
        found.append(f"only {data.n} votes: with fewer than {FEW_VOTES} an interval may be too wide or too narrow")
    return tuple(found)


def _rated(data: Comparisons, options: _Options) -> _Scale:
    wins_MM, ties_MM = data.wins(), data.ties()
    fit = fit_davidson if options.method == "davidson" else fit_bradley_terry
    if options.method == "davidson" and not wins_MM.any():
        return _unrated(data, "every vote is a tie: Davidson's tie parameter has no finite value")
    one_way = _one_way_results(data, wins_MM, ties_MM, options.method)
    prior = options.prior or (RESCUE_PRIOR if one_way else 0.0)
    strengths = fit(wins_MM, ties_MM, prior=prior)
    nu = strengths.nu if options.method == "davidson" else None
    if one_way:
        note = f"{one_way}; shown with {prior:g} virtual tie a model and without an interval"
        return _Scale(strengths.elo, _nothing(data), _nothing(data), nu=nu, prior=prior, problems=(note,))
    interval = _interval(data, strengths, options)
    return _Scale(strengths.elo, interval.low, interval.high, interval.method, interval.n, nu, prior, interval.problems)


def _one_way_results(data: Comparisons, wins_MM: FloatMatrix, ties_MM: FloatMatrix, method: RatingMethod) -> str:
    """Why no finite strengths fit these votes best; empty if they do."""
    unbeaten = unbeaten_groups(wins_MM + ties_MM, data.names)
    if len(unbeaten) > 1:
        shown = "; ".join(", ".join(group) for group in unbeaten)
        return f"all votes between these groups went one way, so the gaps between them have no upper bound ({shown})"
    if method == "davidson" and ties_MM.any() and not davidson_has_maximum(wins_MM, ties_MM):
        return "some model won or tied every vote against the rest, so Davidson's parameters have no finite maximum"
    return ""


@dataclass(frozen=True, slots=True)
class _Interval:
    low: FloatVector
    high: FloatVector
    method: str = "none"
    n: int | None = None
    problems: tuple[str, ...] = ()


def _interval(data: Comparisons, strengths: Strengths, options: _Options) -> _Interval:
    groupings = clusterings(data, options.cluster)
    problems = tuple(
        f"votes come from only {k} {name}s: an interval over so few is not reliable"
        for name, codes in groupings
        if (k := int(codes.max()) + 1) < FEW_CLUSTERS
    )
    if options.interval == "bootstrap":
        return _bootstrap(data, strengths, options, groupings, problems)
    errors = sandwich(data, strengths, groupings, level=options.level)
    if errors is None:
        return _Interval(_nothing(data), _nothing(data), problems=(*problems, "too few votes for an interval"))
    # Votes that all came out the same way show no spread, which is not the same as certainty.
    still = errors.errors < 1e-7
    if still.any():
        names = ", ".join(name for name, one in zip(data.names, still, strict=True) if one)
        problems = (*problems, f"nothing but ties, so no spread to measure an interval from: {names}")
    reach = np.where(still, np.nan, errors.quantile * errors.errors)
    low, high = _elo(strengths.logits - reach), _elo(strengths.logits + reach)
    return _Interval(low, high, errors.method, errors.n_clusters, problems)


def _bootstrap(
    data: Comparisons,
    strengths: Strengths,
    options: _Options,
    groupings: tuple[tuple[str, IntVector], ...],
    problems: tuple[str, ...],
) -> _Interval:
    # One grouping is drawn at a time: the one with the fewest clusters decides how much there is to know.
    votes = ("vote", np.arange(data.n, dtype=np.int64))
    name, codes = min(groupings, key=lambda grouping: int(grouping[1].max()), default=votes)
    n_clusters = int(codes.max()) + 1
    draws, undefined = resampled_strengths(data, strengths, codes, resamples=options.resamples, seed=options.seed)
    method = f"bootstrap over {name}s, {options.resamples} resamples"
    if n_clusters < 2 or undefined > options.resamples // 10:
        note = f"{undefined} of {options.resamples} resamples have one-way results: no bootstrap interval"
        return _Interval(_nothing(data), _nothing(data), method, n_clusters, (*problems, note))
    low, high = percentile_bounds(draws, n_clusters, options.level)
    return _Interval(_elo(low), _elo(high), method, n_clusters, problems)


def _rows(data: Comparisons, scale: _Scale, running: FloatVector) -> tuple[ModelRating, ...]:
    wins_MM, ties_MM = data.wins(), data.ties()
    rows = []
    for i, name in enumerate(data.names):
        wins, ties, losses = int(wins_MM[i].sum()), int(ties_MM[i].sum()), int(wins_MM[:, i].sum())
        rows.append(
            ModelRating(
                name=name,
                rating=_number(scale.rating[i]),
                ci_low=_number(scale.low[i]),
                ci_high=_number(scale.high[i]),
                wins=wins,
                ties=ties,
                losses=losses,
                win_score=(wins + ties / 2) / (wins + ties + losses),
                running_elo=_number(running[i]),
            )
        )
    return tuple(sorted(rows, key=lambda row: (-(row.rating if row.rating is not None else row.win_score), row.name)))


def _elo(logits: FloatVector) -> FloatVector:
    return ELO_MEAN + ELO_PER_LOGIT * logits


def _nothing(data: Comparisons) -> FloatVector:
    return np.full(len(data.names), np.nan)


def _unrated(data: Comparisons, *problems: str) -> _Scale:
    return _Scale(_nothing(data), _nothing(data), _nothing(data), problems=problems)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
