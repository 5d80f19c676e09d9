"""Whether anything in a table of numbers tells two classes apart: classifiers against shuffled labels."""

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import StratifiedKFold, permutation_test_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

PERMUTATIONS = {"linear": 499, "trees": 99}


@dataclass(frozen=True, slots=True)
class Separation:
    """Balanced accuracy held out (5 folds), its mean over shuffled labels, and the share of shuffles as good (p)."""

    classifier: str
    accuracy: float
    shuffled: float
    p: float

    def to_json(self) -> dict[str, object]:
        return asdict(self)


def separations(rows: NDArray[np.float64], labels: NDArray[np.int64], *, seed: int = 0) -> list[Separation]:
    """A linear and a non-linear classifier."""
    models = {
        "linear": make_pipeline(StandardScaler(), RidgeClassifier(alpha=5.0)),
        "trees": ExtraTreesClassifier(12, max_depth=4, max_features=None, random_state=seed),
    }
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    found = []
    for name, model in models.items():
        score, shuffled, p = permutation_test_score(
            model,
            rows,
            labels,
            scoring="balanced_accuracy",
            cv=folds,
            n_permutations=PERMUTATIONS[name],
            random_state=seed,
        )
        found.append(Separation(name, round(float(score), 3), round(float(np.mean(shuffled)), 3), round(float(p), 4)))
    return found
