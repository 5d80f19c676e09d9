"""Fits a learned judge on stored grades and measures it on questions that it has not seen."""

import hashlib
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from graders.embeddings import find_embedder
from graders.learned import HELD_OUT, LEARNED, LearnedJudge, is_learned, version_of
from graders.learned_features import NEARNESS, PLAIN, FeatureReader
from graders.quality import RESAMPLES, SEED, figures, means, measured_json
from workbench.errors import BadInputError, MissingExtraError
from workbench.reward.resolve import exact, find_grader
from workbench.schema.canonical import JsonValue
from workbench.stats.bootstrap import bootstrap
from workbench.stats.estimate import FloatMatrix, FloatVector, IntVector
from workbench.stats.ranking import kendall_interval
from workbench.store import Store
from workbench.store.jobs import JobHandle

HELD_OUT_SHARE = 0.3
ALPHAS = tuple(float(alpha) for alpha in np.logspace(0, 5, 11))
FOLDS = 5
LEAST_QUESTIONS = 10
COMPARED = ("checklist", "citations")


@dataclass(frozen=True, slots=True)
class Examples:
    """One row a report: features, target in [0, 1], question and trajectory. `skipped` had a blank report."""

    features: FloatMatrix
    targets: FloatVector
    questions: list[str]
    trajectories: list[str]
    skipped: int


def collect(store: Store, reader: FeatureReader, target: str, runs: Sequence[str], *, job: JobHandle) -> Examples:
    """Every report that `target` has scored, of these runs or of all."""
    scored = means(store.grades.scores(target))
    if runs:
        columns = [store.grades.scores(target, run) for run in runs]
        wanted = {identifier for column in columns for identifier in column["trajectory_id"]}
        scored = {identifier: row for identifier, row in scored.items() if identifier in wanted}
    features: list[FloatVector] = []
    kept: list[str] = []
    for done, identifier in enumerate(scored):
        job.checkpoint()
        job.progress(done, len(scored))
        trajectory = store.trajectories.get(identifier)
        if trajectory.report.strip():
            features.append(reader.features(trajectory.question, trajectory.report)[0])
            kept.append(identifier)
    job.progress(len(scored), len(scored))
    if not kept:
        raise BadInputError(f"no report in these runs has a grade by {target}: there is nothing to learn from")
    return Examples(
        np.array(features),
        np.array([scored[identifier][0] for identifier in kept]),
        [scored[identifier][1] for identifier in kept],
        kept,
        len(scored) - len(kept),
    )


def held_out_questions(questions: Sequence[str]) -> frozenset[str]:
    """Three in ten, by the hash of the question: the same ones whatever else is in the store."""
    ordered = sorted(set(questions), key=lambda question: hashlib.sha256(question.encode("utf-8", "replace")).digest())
    return frozenset(ordered[: max(1, round(len(ordered) * HELD_OUT_SHARE))])


def fit_ridge(
    features: FloatMatrix, targets: FloatVector, questions: Sequence[str]
) -> tuple[FloatVector, float, float]:
    """Coefficients on the features as they are, intercept, alpha.

    Features are scaled to unit variance for the fit; alpha has the least squared error on questions left out of it.
    """
    if importlib.util.find_spec("sklearn") is None:
        raise MissingExtraError("fitting a learned judge needs scikit-learn: pip install -e '.[app]'")
    from sklearn.linear_model import Ridge
    from sklearn.model_selection import GroupKFold

    centre, spread = features.mean(axis=0), features.std(axis=0)
    scaled = (features - centre) / np.where(spread > 0, spread, 1.0)
    folds = list(GroupKFold(min(FOLDS, len(set(questions)))).split(scaled, targets, groups=list(questions)))

    def error(alpha: float) -> float:
        lost = 0.0
        for fitting, left in folds:
            guessed = Ridge(alpha=alpha).fit(scaled[fitting], targets[fitting]).predict(scaled[left])
            lost += float(((guessed - targets[left]) ** 2).sum())
        return lost

    alpha = min(ALPHAS, key=error)
    fitted = Ridge(alpha=alpha).fit(scaled, targets)
    coefficients = np.where(spread > 0, fitted.coef_ / np.where(spread > 0, spread, 1.0), 0.0)
    return coefficients, float(fitted.intercept_ - coefficients @ centre), alpha


def learn(
    store: Store,
    target: str,
    *,
    job: JobHandle,
    runs: Sequence[str] = (),
    name: str = LEARNED,
    reader: FeatureReader | None = None,
) -> LearnedJudge:
    """Fits on seven questions in ten, measures on the other three, and keeps both in the store under `name`.

    The judge that is kept is the one that was measured: it is not fitted again on all. Raises BadInputError for fewer
    than ten questions or a name that does not begin with `learned`.
    """
    if not is_learned(name) or "@" in name:
        raise BadInputError(f"the name {name!r} is not one of a learned judge; expected `learned` or `learned-NAME`")
    source = exact(find_grader(store, target))
    reader = reader or FeatureReader(find_embedder())
    examples = collect(store, reader, source, runs, job=job)
    apart = held_out_questions(examples.questions)
    n_questions = len(set(examples.questions))
    if n_questions < LEAST_QUESTIONS:
        raise BadInputError(
            f"{n_questions} questions with a grade by {target}; a learned judge needs at least {LEAST_QUESTIONS}, as "
            "three in ten are kept to measure it"
        )
    fitting = np.array([place for place, q in enumerate(examples.questions) if q not in apart], dtype=np.int64)
    seen = [examples.questions[place] for place in fitting]
    coefficients, intercept, alpha = fit_ridge(examples.features[fitting], examples.targets[fitting], seen)
    definition: dict[str, JsonValue] = {
        "method": "ridge",
        "features": reader.definition,
        "feature_names": ["mean and max of embeddings", *NEARNESS, *PLAIN],
        "target": source,
        "alpha": alpha,
        "coefficients": coefficients.tolist(),
        "intercept": intercept,
        "questions": sorted(set(seen)),
        "n": int(fitting.size),
    }
    scores = np.clip(intercept + examples.features @ coefficients, 0.0, 1.0)
    definition[HELD_OUT] = held_out_figures(store, examples, scores, apart, target)
    store.grades.register(name, version_of(definition), "learned", definition)
    return LearnedJudge(name, definition, reader)


def held_out_figures(
    store: Store, examples: Examples, scores: FloatVector, apart: frozenset[str], gold: str
) -> dict[str, JsonValue]:
    """On the questions apart: the judge, the length of the report alone, and what else the store holds of them."""
    rows = np.array([place for place, question in enumerate(examples.questions) if question in apart], dtype=np.int64)
    length = examples.features[:, -len(PLAIN)]
    found: dict[str, JsonValue] = {
        "judge": _figures(examples, rows, scores, gold, fitted=True),
        "length_only": _figures(examples, rows, length, gold),
    }
    for name in COMPARED:
        theirs = means(store.grades.scores(name))
        shared = np.array([r for r in rows if examples.trajectories[r] in theirs], dtype=np.int64)
        if shared.size:
            values = np.array([theirs.get(identifier, (0.0, ""))[0] for identifier in examples.trajectories])
            # Where a rule abstained the judge is not compared either.
            found[name] = _figures(examples, shared, values, gold, fitted=True)
            found[f"judge_where_{name}_scored"] = _figures(examples, shared, scores, gold, fitted=True)
    return {"n": int(rows.size), "questions": len(apart), "share": HELD_OUT_SHARE, "graders": found}


def _figures(
    examples: Examples, rows: IntVector, scores: FloatVector, gold: str, *, fitted: bool = False
) -> dict[str, JsonValue]:
    """`fitted`: the score is on the target's scale, so that R2 means something."""
    from graders.quality import GOOD_FROM

    truth, mine = examples.targets[rows], scores[rows]
    questions = [examples.questions[place] for place in rows]
    auc, pairs = figures(truth.tolist(), mine.tolist(), questions, gold=gold, good_from=GOOD_FROM)
    found: dict[str, JsonValue] = {
        "auc": measured_json(auc),
        "pairs_within_question": measured_json(pairs),
        "tau_b": measured_json(kendall_interval(truth, mine, questions, seed=SEED, resamples=RESAMPLES)),
    }
    if fitted:
        r2 = bootstrap(_r2_of(truth, mine), truth.size, questions, seed=SEED, resamples=RESAMPLES)
        found["r2"] = measured_json(r2)
    return found


def _r2_of(truth: FloatVector, mine: FloatVector) -> Callable[[IntVector], float | None]:
    def r2(rows: IntVector) -> float | None:
        total = float(((truth[rows] - truth[rows].mean()) ** 2).sum())
        return 1.0 - float(((truth[rows] - mine[rows]) ** 2).sum()) / total if total > 0 else None

    return r2
