"""What judgments of pairs say: who wins, how far order and length decide, each with an interval over questions."""

from collections.abc import Sequence
from dataclasses import asdict

from graders.pair_runner import Pair
from workbench.schema.canonical import JsonValue
from workbench.schema.grade import PairGrade
from workbench.stats.bootstrap import mean_interval
from workbench.stats.estimate import Estimate, Measured, NotMeasured
from workbench.stats.proportion import proportion_interval
from workbench.stats.verdicts import order_agreement

Judged = Sequence[tuple[Pair, PairGrade]]


def summarise(judged: Judged, *, seed: int = 0) -> dict[str, JsonValue]:
    """Keys of the answer. A figure is `{value, low, high, n, n_clusters, method}` or `{value: null, reason, n}`.

    `runs`: a list, one a pair of runs: `first second win_share wins ties losses failed abstained dimensions`, of which
    `win_share` is the mean of win = 1, tie = 0.5 and loss = 0 of `first`, and `dimensions` name -> the same per
    dimension. `order_consistency`: share of pairs with one verdict in both orders (`order_kappa`: Cohen's kappa of
    them). `first_shown_wins`: of verdicts that named a winner, the share that named the report shown first: 0.5
    without a position bias; `position_bias` says `first`, `second` or `not shown` by its interval. `longer_wins`: of
    pairs with a winner and unequal lengths, the share where the longer report won.
    """
    names = list(dict.fromkeys(pair.runs for pair, _ in judged))
    position = _first_shown(judged)
    agreement = _orders(judged)
    tables: list[JsonValue] = [
        _of_runs(one, two, [j for j in judged if j[0].runs == (one, two)], seed) for one, two in names
    ]
    return {
        "runs": tables,
        "order_consistency": _json(agreement[0]),
        "order_kappa": _json(agreement[1]),
        "first_shown_wins": _json(position),
        "position_bias": _bias(position),
        "longer_wins": _json(_longer(judged)),
    }


def _of_runs(first: str, second: str, judged: Judged, seed: int) -> dict[str, JsonValue]:
    shares = [
        (_share(pair, grade.preference), pair.question_id) for pair, grade in judged if grade.preference is not None
    ]
    values = [value for value, _ in shares]
    dimensions = sorted({name for _, grade in judged for name in grade.dimensions})
    outcomes = [grade.outcome for _, grade in judged]
    by_dimension: dict[str, JsonValue] = {
        name: _json(
            _mean(
                [
                    (_share(pair, grade.dimensions[name]), pair.question_id)
                    for pair, grade in judged
                    if name in grade.dimensions
                ],
                seed,
            )
        )
        for name in dimensions
    }
    return {
        "first": first,
        "second": second,
        "win_share": _json(_mean(shares, seed)),
        "wins": sum(value > 0.5 for value in values),
        "ties": sum(value == 0.5 for value in values),
        "losses": sum(value < 0.5 for value in values),
        "failed": sum(outcome in ("judge_failed", "infra_failed") for outcome in outcomes),
        "abstained": outcomes.count("abstained"),
        "dimensions": by_dimension,
    }


def _share(pair: Pair, left_share: float) -> float:
    """The first run's share."""
    return 1.0 - left_share if pair.swapped else left_share


def _mean(shares: Sequence[tuple[float, str]], seed: int) -> Measured:
    if not shares:
        return NotMeasured("no pair was judged")
    values = [value for value, _ in shares]
    clusters = [question for _, question in shares]
    if set(values) <= {0.0, 1.0}:
        # A rate: where all came out the same, resampling would see no spread at all.
        return proportion_interval([value == 1.0 for value in values], clusters)
    if len(set(values)) == 1:
        return Estimate(values[0], None, None, len(values), "all pairs came out the same", None, len(set(clusters)))
    return mean_interval(values, clusters, seed=seed)


def _orders(judged: Judged) -> tuple[Measured, Measured]:
    shown: list[str | None] = []
    swapped: list[str | None] = []
    clusters: list[str] = []
    for pair, grade in judged:
        by_first = {order.first: _direction(_overall(grade, order.first)) for order in grade.orders}
        if len(by_first) == 2:
            shown.append(by_first["left"])
            swapped.append(by_first["right"])
            clusters.append(pair.question_id)
    if not shown:
        nothing = NotMeasured("the grader was not asked in both orders")
        return nothing, nothing
    found = order_agreement(shown, swapped, clusters)
    return found.equal, found.kappa


def _overall(grade: PairGrade, first: str) -> float | None:
    for order in grade.orders:
        if order.first == first and order.outcome == "scored":
            return next((v.value for v in order.verdicts if v.criterion_id == "overall"), None)
    return None


def _direction(value: float | None) -> str | None:
    return None if value is None else "tie" if value == 0.5 else "left" if value > 0.5 else "right"


def _first_shown(judged: Judged) -> Measured:
    """A grader that was asked in one order saw the left report first."""
    hits: list[bool] = []
    clusters: list[str] = []
    for pair, grade in judged:
        seen = [(o.first, _overall(grade, o.first)) for o in grade.orders] or [("left", grade.preference)]
        for first, value in seen:
            if value is not None and value != 0.5:
                hits.append((value > 0.5) == (first == "left"))
                clusters.append(pair.question_id)
    return proportion_interval(hits, clusters) if hits else NotMeasured("no verdict named a winner")


def _bias(position: Measured) -> str:
    if isinstance(position, NotMeasured):
        return "not shown"
    return "first" if position.above(0.5) else "second" if position.below(0.5) else "not shown"


def _longer(judged: Judged) -> Measured:
    kept = [
        ((grade.preference > 0.5) == (pair.chars[0] > pair.chars[1]), pair.question_id)
        for pair, grade in judged
        if grade.preference is not None and grade.preference != 0.5 and pair.chars[0] != pair.chars[1]
    ]
    if not kept:
        return NotMeasured("no pair of unequal lengths has a winner")
    return proportion_interval([hit for hit, _ in kept], [question for _, question in kept])


def _json(found: Measured) -> dict[str, JsonValue]:
    if isinstance(found, NotMeasured):
        return {"value": None, "reason": found.reason, "n": found.n}
    return {name: value for name, value in asdict(found).items() if name not in ("seed", "level")}
