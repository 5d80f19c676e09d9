"""The labelled part of items that a judge has seen all of: its arrays, and what it is too small for."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from workbench.errors import BadInputError
from workbench.stats.bootstrap import Labels, codes_of
from workbench.stats.estimate import FloatVector, IntVector

# Below these the intervals of corrected means hold less, or far more, often than they say: see
# docs/evidence/judge-correction.json, by whose designs they were chosen.
LEAST_LABELS = 100
LEAST_QUESTIONS = 20
LEAST_OF_A_KIND = 15


def cautions_of(labels: FloatVector, questions: IntVector) -> tuple[str, ...]:
    """Why an interval from this labelled part may hold less often than it says; empty where none is known."""
    n_questions = n_used(questions)
    _, counts = np.unique(labels, return_counts=True)
    rare = int(labels.size - counts.max(initial=0))
    found = []
    if labels.size < LEAST_LABELS:
        found.append(f"only {labels.size} labels: with fewer than {LEAST_LABELS} intervals may be off either way")
    if n_questions < LEAST_QUESTIONS:
        found.append(f"labels from only {n_questions} questions: with fewer than {LEAST_QUESTIONS} spread is a guess")
    if rare < LEAST_OF_A_KIND:
        found.append(
            f"only {rare} labels differ from the commonest: with fewer than {LEAST_OF_A_KIND} intervals may be off "
            "either way"
        )
    return tuple(found)


def codes_of_parts(
    y: FloatVector, f: FloatVector, u: FloatVector, labelled: Labels, rest: Labels
) -> tuple[IntVector, IntVector, int]:
    """Question codes of both parts and how many questions there are. BadInputError on lengths that do not fit."""
    if not (y.size == f.size == len(labelled)) or u.size != len(rest):
        raise BadInputError(
            "each labelled item needs a label, a judge's word and a question; each other one the latter"
        )
    if isinstance(labelled, np.ndarray) and isinstance(rest, np.ndarray):
        codes = np.unique(np.concatenate([labelled, rest]), return_inverse=True)[1].astype(np.int64)
    else:
        codes = codes_of([*labelled, *rest])
    return codes[: y.size], codes[y.size :], int(codes.max(initial=-1)) + 1


def n_used(codes: IntVector) -> int:
    """How many different codes there are."""
    return int(np.count_nonzero(np.bincount(codes)))


def bits(values: Sequence[bool] | npt.NDArray[np.bool_]) -> FloatVector:
    """Values that are 0 or 1; BadInputError on others."""
    array = numbers(values)
    if not np.all((array == 0) | (array == 1)):
        raise BadInputError("a share needs labels that are true or false")
    return array


def numbers(values: Sequence[float] | Sequence[bool] | npt.NDArray[np.bool_] | FloatVector) -> FloatVector:
    """A row of finite numbers; BadInputError on others."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or not np.isfinite(array).all():
        raise BadInputError("values that are not finite; leave items without a score out first")
    return array
