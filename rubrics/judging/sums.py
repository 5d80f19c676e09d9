"""The raw sums of verdicts, each as its source defines it: no map, no clipping, nothing missing.

Every function takes the criteria that count and, by criterion id, how far each statement holds (0 to 1).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from rubrics.judging.records import Aggregation, Criterion, Rubric

Parts: TypeAlias = Mapping[str, float]


def merit(criterion: Criterion, value: float) -> float:
    """How good it is that the statement holds so far: its complement where it states a fault."""
    return value if criterion.polarity == "positive" else 1.0 - value


def signed_sum(counted: Sequence[Criterion], parts: Parts) -> float:
    """Sum of signed weight x value: any range. With strict values it is the reward of Step-DeepResearch, 4.3.2."""
    return sum(c.weight * parts[c.id] for c in counted)


def points_share(counted: Sequence[Criterion], parts: Parts) -> float:
    """Sum of signed weight x value over the sum of positive weights: at most 1, may be negative.

    Sources: ResearchRubrics (arXiv 2511.07685), whose two variants ask on a ternary or on a binary scale;
    HealthBench (arXiv 2505.08775), binary, with the points of a criterion as its weight.
    Raises ValueError where no counted weight is positive: HealthBench gives no score then.
    """
    positive = sum(c.weight for c in counted if c.weight > 0)
    if positive <= 0:
        raise ValueError("a share of points needs a criterion with positive points")
    return signed_sum(counted, parts) / positive


def tiers(counted: Sequence[Criterion], parts: Parts) -> float:
    """Mean of merits, weighted by tier: essential 1, important 0.7, optional 0.3, pitfall 0.9. In [0, 1].

    Source: Rubrics as Rewards (arXiv 2507.17746), equation 1. A pitfall counts as met when its fault is avoided;
    other implementations read a met pitfall as a fault committed, which turns its sign.
    """
    return sum(abs(c.weight) * merit(c, parts[c.id]) for c in counted) / sum(abs(c.weight) for c in counted)


def tree(rubric: Rubric, counted: Sequence[Criterion], parts: Parts) -> float:
    """The root of a tree in which each node is the weighted mean of its children. In [0, 1].

    Sources: PaperBench (arXiv 2504.01848), rubrics of any depth; RACE (DeepResearch Bench, arXiv 2506.11763), two
    levels: criteria on 0 to 10 within four weighted dimensions. RACE's own numbers are ten times ours. A node under
    which nothing counts (all left out) does not count itself; ValueError where that is the root.
    """
    nodes = _nodes(rubric, {c.id: c for c in counted}, parts)
    if "" not in nodes:
        raise ValueError("no criterion that counts reaches the root of the tree")
    return nodes[""]


def group_scores(rubric: Rubric, parts: Parts) -> dict[str, float]:
    """Group -> its weighted mean, for groups under which every criterion is in `parts`."""
    unknown = {c.parent for c in rubric.criteria if c.id not in parts}
    parents = {group.id: group.parent for group in rubric.groups}
    for name in list(unknown):
        while name := parents.get(name, ""):
            unknown.add(name)
    found = _nodes(rubric, {c.id: c for c in rubric.criteria if c.id in parts}, parts)
    return {name: score for name, score in found.items() if name and name not in unknown}


def raw_sum(rubric: Rubric, counted: Sequence[Criterion], parts: Parts) -> float:
    """The sum of the rubric's aggregation. Raises ValueError where it is not defined."""
    if rubric.aggregation == "tree":
        return tree(rubric, counted, parts)
    return _FLAT[rubric.aggregation](counted, parts)


_FLAT: Mapping[Aggregation, Callable[[Sequence[Criterion], Parts], float]] = {
    "weighted_mean": signed_sum,
    "strict_signed": signed_sum,
    "points_share": points_share,
    "tiers": tiers,
}


def clipped_mean(raws: Sequence[float]) -> float:
    """Mean of unclipped example scores, cut to [0, 1]: HealthBench clips the mean and no example.

    Source: simple-evals, healthbench_eval.py. Raises ValueError without a score.
    """
    if not raws:
        raise ValueError("no example has a score: their mean is undefined")
    return min(1.0, max(0.0, sum(raws) / len(raws)))


def _nodes(rubric: Rubric, counted: Mapping[str, Criterion], parts: Parts) -> dict[str, float]:
    """Node -> weighted mean of what stands in it, leaves first; the root is the empty id. No recursion: a tree may be
    deeper than the stack."""
    depth = {"": 0}
    parents = {group.id: group.parent for group in rubric.groups}
    for name in parents:
        path = []
        while name not in depth:
            path.append(name)
            name = parents[name]
        for step, below in enumerate(reversed(path), start=1):
            depth[below] = depth[name] + step
    sums = dict.fromkeys(depth, 0.0)
    weights = dict.fromkeys(depth, 0.0)
    for criterion in counted.values():
        sums[criterion.parent] += abs(criterion.weight) * merit(criterion, parts[criterion.id])
        weights[criterion.parent] += abs(criterion.weight)
    own_weight = {group.id: group.weight for group in rubric.groups}
    scores: dict[str, float] = {}
    for name in sorted(depth, key=lambda node: -depth[node]):
        if weights[name] == 0.0:
            continue
        scores[name] = sums[name] / weights[name]
        if name:
            sums[parents[name]] += own_weight[name] * scores[name]
            weights[parents[name]] += own_weight[name]
    return scores
