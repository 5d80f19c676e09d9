"""What people prefer beyond the grader: found where it was planted, and nowhere else."""

import numpy as np
import pytest

from tests.workbench.human.votes import vote
from workbench.human.missed.candidates import Missed, missed_by
from workbench.human.missed.features import ReportFeatures
from workbench.schema.ballot import Vote
from workbench.stats.estimate import Estimate, NotMeasured

NAMES = ("four: depth", "four: dates", "length", "sites_opened")


def planted(
    seed: int, *, n: int = 600, depth: float = 0.0, grader: float = 1.0, echo: bool = False
) -> tuple[list[Vote], list[tuple[str, str]], ReportFeatures]:
    """Votes that follow the grader's score and, as far as `depth` says, a criterion it does not count."""
    rng = np.random.default_rng(seed)
    values, scores = {}, {}
    for q in range(60):
        for model in ("a", "b", "c"):
            merit = float(rng.normal())
            scores[f"{model}{q}"] = 0.5 + 0.15 * merit
            values[f"{model}{q}"] = {
                "four: depth": float(rng.integers(0, 3)) / 2,
                "four: dates": scores[f"{model}{q}"] if echo else float(rng.integers(0, 3)) / 2,
                "length": float(rng.lognormal(8, 0.5)),
                "sites_opened": float(rng.integers(0, 12)),
            }
    votes, shown = [], []
    for row in range(n):
        q, (left, right) = int(rng.integers(60)), rng.choice(["a", "b", "c"], 2, replace=False)
        one, other = f"{left}{q}", f"{right}{q}"
        pull = grader * (scores[one] - scores[other]) / 0.15
        pull += depth * (values[one]["four: depth"] - values[other]["four: depth"])
        winner = (
            "both_fair" if rng.random() < 0.2 else "model_a" if rng.random() < 1 / (1 + np.exp(-pull)) else "model_b"
        )
        gap = int(np.clip(round(3 + pull), 1, 5))
        votes.append(vote(left, right, winner, rater=f"r{row % 12}", question_id=f"q{q}", scores={"depth": (gap, 3)}))
        shown.append((one, other))
    kinds = dict(zip(NAMES, ("criterion", "criterion", "style", "phase"), strict=True))
    return votes, shown, ReportFeatures(values, kinds, frozenset(NAMES[:2]), scores, "judge")  # type: ignore[arg-type]


def found(*args: object) -> Missed:
    out = missed_by(*args)  # type: ignore[arg-type]
    assert isinstance(out, Missed)
    return out


def test_criterion_that_people_reward_and_the_grader_does_not_is_the_one_candidate() -> None:
    out = found(*planted(1, depth=2.0))
    first, *rest = out.candidates
    assert (first.name, first.kind, first.beyond_chance) == ("four: depth", "criterion", True)
    assert isinstance(first.effect, Estimate) and first.effect.above(0.05)
    assert "clustered by rater and question" in first.effect.method
    assert isinstance(first.together, Estimate) and first.together.value == pytest.approx(first.effect.value, abs=0.05)
    assert not any(one.beyond_chance for one in rest)


def test_figure_that_only_echoes_the_score_is_no_candidate() -> None:
    out = found(*planted(2, depth=0.0, echo=True))
    echo = next(one for one in out.candidates if one.name == "four: dates")
    assert not echo.beyond_chance and isinstance(echo.effect, NotMeasured)


def test_nothing_planted_is_seldom_found() -> None:
    seen = [one.beyond_chance for seed in range(12) for one in found(*planted(100 + seed)).candidates]
    assert sum(seen) <= 3  # 48 looks at a level of 5% a round: 0.6 rounds are expected to show one


def test_agreement_with_raters_is_said_for_verdicts_and_dimensions() -> None:
    out = found(*planted(3, grader=1.5))
    assert isinstance(out.agreement, Estimate) and out.agreement.above(0.6)
    depth = out.dimensions["depth"]
    assert isinstance(depth, Estimate) and depth.above(0.6) and depth.n_clusters is not None and depth.n_clusters > 50
    lot = found(*planted(3, grader=0.0))
    assert isinstance(lot.agreement, Estimate) and not lot.agreement.above(0.55)


def test_two_figures_that_say_the_same_are_not_told_apart() -> None:
    votes, shown, features = planted(1, depth=2.0)
    values = {name: {**row, "length": row["four: depth"]} for name, row in features.values.items()}
    twins = ReportFeatures(values, features.kinds, features.plain | {"length"}, features.scores, "judge")
    both = [one for one in found(votes, shown, twins).candidates if one.beyond_chance]
    assert {one.name for one in both} == {"four: depth", "length"}
    assert all(isinstance(one.together, NotMeasured) for one in both)


def test_few_votes_and_ungraded_reports_are_not_measured() -> None:
    votes, shown, features = planted(4, n=20)
    few = missed_by(votes, shown, features)
    assert isinstance(few, NotMeasured) and "20 votes" in few.reason
    votes, shown, features = planted(4)
    none = missed_by(votes, [None] * len(votes), features)
    assert isinstance(none, NotMeasured) and none.n == 0
