"""Strengths estimated together with what else sways a vote: the side, the style of the reports, the rater.

logit P(left wins) = a_r (b_i - b_j + style . beta) + s + s_r, a tie half a win for each side. b: strengths; s: the
bias to the left that all share; s_r: the rater's own; a_r: the rater's reliability (0: votes by lot, 1: as the
average). s_r and log a_r have normal priors with mean 0 (SIDE_SD, RELIABILITY_SD), since few votes of a rater say
little of either: looser ones stretch the strengths to fit chance. Nothing else is shrunk. Intervals are the clustered
sandwich's, with raters never narrower than the curvature's; those of raters come from the curvature.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from workbench.errors import BadInputError
from workbench.human.ratings.comparisons import Clustering, Comparisons, clusterings
from workbench.human.ratings.intervals import VoteScores, clustered_variances
from workbench.stats.estimate import FloatMatrix, FloatVector, IntVector

SIDE_SD = 0.5
RELIABILITY_SD = 0.3
MAX_STEPS = 100
_Z_95 = 1.959964
# Of a feature's spread the least that must be its own, so that its effect is not that of a model under another name.
LEAST_OWN = 0.05


@dataclass(frozen=True, slots=True)
class Errors:
    """A parameter vector with its standard errors. An interval is value -+ quantile x error."""

    value: FloatVector
    error: FloatVector
    quantile: FloatVector

    @property
    def low(self) -> FloatVector:
        return self.value - self.quantile * self.error

    @property
    def high(self) -> FloatVector:
        return self.value + self.quantile * self.error


@dataclass(frozen=True, slots=True)
class JointFit:
    """Strengths (mean 0), style effects (per unit of normalised difference) and the shared side bias, in log-odds.

    `rater_side` is each rater's whole bias to the left (s + s_r), `log_reliability` log a_r; None where raters were
    not modelled. `interval` says how the errors of strengths were made, `n_clusters` on how many clusters they rest.
    """

    strengths: Errors
    style: Errors
    side: Errors
    rater_side: Errors | None
    log_reliability: Errors | None
    interval: str
    n_clusters: int


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the parameters stand: strengths, style, side, each rater's side, each rater's log reliability."""

    n_models: int
    n_style: int
    n_raters: int

    @property
    def side(self) -> int:
        return self.n_models + self.n_style

    @property
    def raters(self) -> slice:
        return slice(self.side + 1, self.side + 1 + self.n_raters)

    @property
    def reliability(self) -> slice:
        return slice(self.side + 1 + self.n_raters, self.size)

    @property
    def size(self) -> int:
        return self.side + 1 + 2 * self.n_raters


def fit_jointly(
    comparisons: Comparisons,
    style_NK: FloatMatrix | None = None,
    *,
    with_raters: bool = False,
    with_side: bool = True,
    cluster: Clustering = "auto",
    level: float = 0.95,
) -> JointFit:
    """The parameters of greatest (penalised) likelihood. The first model of each vote stood on the left.

    `with_side` False leaves the bias to the left out (ratings by the votes alone). The caller knows that strengths have
    a finite maximum (`graph.unbeaten_groups`). Raises BadInputError where style cannot be told from the models, where
    raters are unknown, or where no maximum is found.
    """
    style = np.zeros((comparisons.n, 0)) if style_NK is None else style_NK
    raters = comparisons.raters if with_raters else None
    if with_raters and raters is None:
        raise BadInputError("these votes do not say who gave them: effects of raters cannot be estimated")
    layout = _Layout(len(comparisons.names), style.shape[1], 0 if raters is None else int(raters.max()) + 1)
    fixed_NF = _fixed_columns(comparisons, style)
    if not with_side:
        # The effect stays in the layout, at 0: what raters share has nothing else to hold on to.
        fixed_NF[:, -1] = 0.0
    if any(share < LEAST_OWN for share in own_shares(fixed_NF[:, : layout.n_models], style)):
        raise BadInputError(
            "style cannot be told from the models: every report of a model has the same style. "
            "Reports on more questions are needed"
        )
    problem = _Problem(comparisons, fixed_NF, layout, raters)
    theta, jacobian, chances, hessian = _maximise(problem)
    bread = _bread(layout, hessian)
    scores = VoteScores(
        np.arange(comparisons.n),
        jacobian * (comparisons.score - chances)[:, None],
        np.broadcast_to(np.arange(layout.size), jacobian.shape),
        layout.size,
    )
    found = clustered_variances(bread, scores, clusterings(comparisons, cluster), n_models=layout.n_models)
    # What shrinking hides from the clustered scores, the curvature still counts.
    curved = np.diag(bread @ hessian @ bread.T)
    variances = np.maximum(found.variances, curved) if with_raters else found.variances
    own = Errors(theta, np.sqrt(variances), found.quantile(level))
    whole, reliability = _of_raters(layout, theta, bread) if raters is not None else (None, None)
    return JointFit(
        strengths=_part(own, slice(0, layout.n_models)),
        style=_part(own, slice(layout.n_models, layout.side)),
        side=_part(own, slice(layout.side, layout.side + 1)),
        rater_side=whole,
        log_reliability=reliability,
        interval=found.method,
        n_clusters=found.n_clusters,
    )


@dataclass(frozen=True, slots=True)
class _Problem:
    comparisons: Comparisons
    fixed: FloatMatrix
    layout: _Layout
    raters: IntVector | None

    def evaluate(self, theta: FloatVector) -> tuple[float, FloatMatrix, FloatVector]:
        """The penalised log-likelihood, the slope of each vote's log-odds (n x parameters), and P(left wins)."""
        layout, n = self.layout, self.comparisons.n
        merit = self.fixed[:, : layout.side] @ theta[: layout.side]
        jacobian = np.zeros((n, layout.size))
        jacobian[:, layout.side] = self.fixed[:, -1]
        if self.raters is None:
            scale, odds = np.ones(n), merit + theta[layout.side] * self.fixed[:, -1]
        else:
            scale = np.exp(theta[layout.reliability][self.raters])
            odds = scale * merit + theta[layout.side] + theta[layout.raters][self.raters]
            rows = np.arange(n)
            jacobian[rows, layout.raters.start + self.raters] = 1.0
            jacobian[rows, layout.reliability.start + self.raters] = scale * merit
        jacobian[:, : layout.side] = scale[:, None] * self.fixed[:, : layout.side]
        score = self.comparisons.score
        value = float((score * -np.logaddexp(0, -odds) + (1 - score) * -np.logaddexp(0, odds)).sum())
        return value - float((self.penalty() * theta**2).sum()) / 2, jacobian, expit(odds)

    def penalty(self) -> FloatVector:
        found = np.zeros(self.layout.size)
        found[self.layout.raters] = 1 / SIDE_SD**2
        found[self.layout.reliability] = 1 / RELIABILITY_SD**2
        return found


def _maximise(problem: _Problem) -> tuple[FloatVector, FloatMatrix, FloatVector, FloatMatrix]:
    """Fisher scoring with halved steps."""
    layout, penalty = problem.layout, problem.penalty()
    theta = np.zeros(layout.size)
    value, jacobian, chances = problem.evaluate(theta)
    for _ in range(MAX_STEPS):
        hessian = jacobian.T @ (jacobian * (chances * (1 - chances))[:, None]) + np.diag(penalty)
        gradient = jacobian.T @ (problem.comparisons.score - chances) - penalty * theta
        step = np.linalg.solve(hessian + _gauge(layout), gradient)
        size = 1.0
        while True:
            trial = problem.evaluate(theta + size * step)
            if trial[0] >= value - 1e-10 * abs(value) or size < 1e-8:
                break
            size /= 2
        theta = theta + size * step
        value, jacobian, chances = trial
        if float(np.abs(step).max()) < 1e-8:
            hessian = jacobian.T @ (jacobian * (chances * (1 - chances))[:, None]) + np.diag(penalty)
            return theta, jacobian, chances, hessian
    raise BadInputError("no stable estimate with side, style and raters on these votes: more of them are needed")


def _gauge(layout: _Layout) -> FloatMatrix:
    """Only gaps between strengths matter; this fixes their mean at 0. Log reliabilities have mean 0 by their prior."""
    ones = np.zeros(layout.size)
    ones[: layout.n_models] = 1.0
    found: FloatMatrix = np.outer(ones, ones) / layout.n_models + 1e-12 * np.eye(layout.size)
    return found


def _bread(layout: _Layout, hessian: FloatMatrix) -> FloatMatrix:
    """The inverse curvature with strengths measured against their mean."""
    centre = np.eye(layout.size)
    centre[: layout.n_models, : layout.n_models] -= 1.0 / layout.n_models
    found: FloatMatrix = centre @ np.linalg.inv(hessian + _gauge(layout))
    return found


def own_shares(models_NM: FloatMatrix, style_NK: FloatMatrix) -> list[float]:
    """Of each feature's spread the share that neither the models nor the features before it say."""
    found = []
    for k in range(style_NK.shape[1]):
        others, column = np.column_stack([models_NM, style_NK[:, :k]]), style_NK[:, k]
        rest = column - others @ np.linalg.lstsq(others, column, rcond=None)[0]
        whole = float(column @ column)
        found.append(float(rest @ rest) / whole if whole > 0 else 0.0)
    return found


def model_columns(comparisons: Comparisons) -> FloatMatrix:
    """+1 where a model is first, -1 where it is second, n x models."""
    return _fixed_columns(comparisons, np.zeros((comparisons.n, 0)))[:, :-1]


def _fixed_columns(comparisons: Comparisons, style: FloatMatrix) -> FloatMatrix:
    """What strengths, style and the side multiply, n x (models + style + 1)."""
    rows, size = np.arange(comparisons.n), len(comparisons.names)
    found = np.zeros((comparisons.n, size + style.shape[1] + 1))
    found[rows, comparisons.first] += 1.0
    found[rows, comparisons.second] -= 1.0
    found[:, size:-1] = style
    found[:, -1] = 1.0
    return found


def _of_raters(layout: _Layout, theta: FloatVector, covariance: FloatMatrix) -> tuple[Errors, Errors]:
    """Each rater's whole side bias and log reliability, with errors from the curvature under the prior."""
    to_side = np.zeros((layout.n_raters, layout.size))
    to_side[:, layout.side] = 1.0
    to_side[:, layout.raters] = np.eye(layout.n_raters)
    whole = np.sqrt(np.maximum(np.einsum("rp,pq,rq->r", to_side, covariance, to_side), 0.0))
    own = np.sqrt(np.maximum(np.diag(covariance)[layout.reliability], 0.0))
    normal = np.full(layout.n_raters, _Z_95)
    return Errors(to_side @ theta, whole, normal), Errors(theta[layout.reliability], own, normal)


def _part(own: Errors, where: slice) -> Errors:
    return Errors(own.value[where], own.error[where], own.quantile[where])


def chance_of_left(side: float) -> float:
    """P(left wins) between two equals under a side bias in log-odds."""
    return 1 / (1 + math.exp(-side))
