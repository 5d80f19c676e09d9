"""What one grader says where another says something else: the table of counts and the shares of each row."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.errors import BadInputError
from workbench.stats.bootstrap import Labels
from workbench.stats.estimate import IntMatrix, Measured, NotMeasured
from workbench.stats.proportion import proportion_interval


@dataclass(frozen=True, slots=True)
class Confusion:
    """`counts[i][j]`: items that the reference puts in category i and the grader in j. `recall[i]`: of the items in
    category i by the reference, the share the grader puts there too. `precision[j]`: the other way round."""

    categories: tuple[str, ...]
    counts: IntMatrix
    accuracy: Measured
    recall: tuple[Measured, ...]
    precision: tuple[Measured, ...]


def confusion(
    reference: Sequence[object],
    grader: Sequence[object],
    clusters: Labels | None = None,
    *,
    categories: Sequence[object] | None = None,
) -> Confusion:
    """The table of two labellings of the same items, shares with Wilson intervals (design effect of `clusters`).

    Categories in the order given, else of first appearance. Raises BadInputError on lengths or labels that do not fit.
    """
    if len(reference) != len(grader):
        raise BadInputError(f"{len(reference)} labels against {len(grader)}; expected one of each an item")
    order = list(dict.fromkeys([*reference, *grader])) if categories is None else list(categories)
    place = {category: i for i, category in enumerate(order)}
    if unknown := sorted({str(label) for label in [*reference, *grader] if label not in place}):
        raise BadInputError(f"labels {', '.join(unknown)} are not among the categories {order}")
    true = np.array([place[label] for label in reference], dtype=np.int64)
    said = np.array([place[label] for label in grader], dtype=np.int64)
    counts = np.zeros((len(order), len(order)), dtype=np.int64)
    np.add.at(counts, (true, said), 1)
    hits = true == said

    def share(rows: "np.typing.NDArray[np.bool_]", nothing: str) -> Measured:
        chosen = np.flatnonzero(rows)
        if not chosen.size:
            return NotMeasured(nothing)
        return proportion_interval(hits[chosen], None if clusters is None else [clusters[int(i)] for i in chosen])

    return Confusion(
        categories=tuple(str(category) for category in order),
        counts=counts,
        accuracy=share(np.ones(true.size, dtype=np.bool_), "no item was labelled by both"),
        recall=tuple(share(true == i, "the reference never says so") for i in range(len(order))),
        precision=tuple(share(said == i, "the grader never says so") for i in range(len(order))),
    )
