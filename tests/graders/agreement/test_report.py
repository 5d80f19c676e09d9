"""What the store says of a grader against another and against people, on stores where the answer is known."""

from collections.abc import Iterator

import numpy as np
import pytest

from graders.agreement.report import AgreementReport, measure_agreement
from tests.graders.agreement.planted import people, reports, score
from workbench.errors import BadInputError, NotFoundError
from workbench.schema.grade import PairGrade
from workbench.stats.estimate import Estimate, Measured, NotMeasured
from workbench.store import Store, open_store


@pytest.fixture
def store(sqlite_url: str) -> Iterator[Store]:
    with open_store(sqlite_url) as opened:
        yield opened


def value(found: Measured) -> float:
    assert isinstance(found, Estimate), found
    return found.value


def held(found: Measured) -> Estimate:
    assert isinstance(found, Estimate) and found.low is not None and found.high is not None, found
    assert found.low <= found.value <= found.high
    return found


def planted(store: Store) -> dict[tuple[int, str], str]:
    """Ten questions, two reports each. `judge` calls 3 of the 10 bad reports good, and fails on one report."""
    ids = reports(store, 10)
    truth: dict[str, float | None] = {ids[n, run]: 0.9 if run == "a" else 0.1 for n in range(10) for run in "ab"}
    mine = dict(truth)
    for n in (0, 1, 2):
        mine[ids[n, "b"]] = 0.95
    mine[ids[9, "a"]] = None
    score(store, "gold", truth, verdicts=lambda key: {"c": 1.0 if (truth[key] or 0) > 0.5 else 0.0, "d": 1.0})
    score(store, "judge", mine, verdicts=lambda key: {"c": 1.0 if (mine[key] or 0) > 0.5 else 0.0})
    return ids


def between(report: AgreementReport) -> tuple[float, ...]:
    found = report.between
    assert found is not None
    return tuple(value(one) for one in (found.at_cut.accuracy, found.kappa, found.bias))


def test_figures_by_hand_and_failures_enter_none(store: Store) -> None:
    planted(store)
    report = measure_agreement(store, "judge", "gold")
    assert report.rows is not None and report.between is not None
    assert report.rows.n == 19  # the failed grade is no row
    accuracy, kappa, bias = between(report)
    assert accuracy == pytest.approx(16 / 19)
    expected = (9 / 19 * 12 / 19) + (10 / 19 * 7 / 19)  # both say good, both say bad, by chance
    assert kappa == pytest.approx((16 / 19 - expected) / (1 - expected))
    assert bias == pytest.approx(3 * 0.85 / 19)
    assert report.between.at_cut.counts.tolist() == [[7, 3], [0, 9]]
    assert report.judge.without == {"judge_failed": 1}
    assert "1 judge_failed" in report.notes[0]
    # Nine questions have a pair: six ordered alike, three against gold.
    alike = held(report.between.pairs.ordered_alike)
    assert alike.value == pytest.approx(6 / 9)
    assert alike.n == 9
    for found in (report.between.weighted_kappa, report.between.alpha, report.between.tau_b):
        held(found)


def test_criteria_that_both_judged_are_compared_and_the_rest_is_not(store: Store) -> None:
    planted(store)
    report = measure_agreement(store, "judge", "gold")
    (found,) = report.criteria
    assert (found.criterion, found.n) == ("c", 19)
    assert found.table.categories == ("no", "yes")
    assert found.table.counts.tolist() == [[7, 3], [0, 9]]
    with pytest.raises(NotFoundError, match="share no criterion d; they share c"):
        measure_agreement(store, "judge", "gold", criteria=["d"])


def test_repeats_count_once_and_verdicts_without_a_majority_are_missing(store: Store) -> None:
    ids = reports(store, 6, ("a",))
    flat: dict[str, float | None] = dict.fromkeys(ids.values(), 0.5)
    score(store, "gold", flat, verdicts=lambda _: {"c": 1.0})
    score(store, "judge", flat, verdicts=lambda _: {"c": 1.0})
    score(store, "judge", {ids[0, "a"]: 0.7}, verdicts=lambda _: {"c": 0.0}, repeat=1)
    report = measure_agreement(store, "judge", "gold")
    assert report.rows is not None
    assert report.rows.judge[0] == pytest.approx(0.6)
    (found,) = report.criteria
    assert (found.n, found.missing) == (5, 1)


def test_few_questions_give_values_without_intervals(store: Store) -> None:
    ids = reports(store, 3)
    scores: dict[str, float | None] = {key: 0.1 * place for place, key in enumerate(ids.values())}
    score(store, "gold", scores)
    score(store, "judge", {key: 1 - (x or 0) for key, x in scores.items()})
    found = measure_agreement(store, "judge", "gold").between
    assert found is not None and isinstance(found.tau_b, Estimate)
    assert found.tau_b.value == pytest.approx(-1.0)
    assert found.tau_b.low is None


def test_names_that_mean_several_versions_are_refused_with_the_list(store: Store) -> None:
    ids = planted(store)
    score(store, "judge", {ids[0, "a"]: 0.2}, version="other-2")
    with pytest.raises(BadInputError, match=r"'judge' may be any of judge@judge-1, judge@other-2"):
        measure_agreement(store, "judge", "gold")
    assert measure_agreement(store, "judge@oth", "gold").judge.version == "other-2"
    with pytest.raises(NotFoundError, match="no grader 'nobody' in the store; it holds gold@gold-1"):
        measure_agreement(store, "nobody", "gold")
    with pytest.raises(BadInputError, match="against itself"):
        measure_agreement(store, "gold", "gold@gold")


def test_only_the_runs_asked_for_count(store: Store) -> None:
    planted(store)
    rows = measure_agreement(store, "judge", "gold", runs=["b"]).rows
    assert rows is not None and set(rows.runs) == {"b"} and rows.n == 10
    with pytest.raises(NotFoundError, match="no run 'z'"):
        measure_agreement(store, "judge", "gold", runs=["z"])


def test_no_report_in_common_is_not_measured(store: Store) -> None:
    ids = reports(store, 4)
    score(store, "judge", {ids[0, "a"]: 0.5})
    score(store, "gold", {ids[1, "a"]: 0.5})
    found = measure_agreement(store, "judge", "gold", calibrated=True, corrected=True)
    assert found.between is not None
    for one in (found.between.at_cut.accuracy, found.between.kappa, found.between.tau_b, found.between.alpha):
        assert isinstance(one, NotMeasured)
    assert all(isinstance(one, NotMeasured) for one in found.calibration.values())


def test_people_are_joined_to_the_reports_whichever_side_they_stood_on(store: Store) -> None:
    ids = planted(store)
    rows = [
        ("r1", ids[3, "a"], ids[3, "b"], "left", "rating"),  # as the judge
        ("r1", ids[4, "b"], ids[4, "a"], "right", "rating"),  # as the judge, sides turned
        ("r1", ids[5, "a"], ids[5, "b"], "right", "rating"),  # against it
        ("r1", ids[6, "a"], ids[6, "b"], "both_good", "rating"),  # a tie
        ("r1", ids[7, "a"], ids[7, "b"], "right", "attention"),  # does not count
        ("r1", ids[9, "a"], ids[9, "b"], "left", "rating"),  # the judge failed on one
        ("r2", ids[3, "b"], ids[3, "a"], "right", "rating"),  # a second rater, as the first
    ]
    people(store, rows)  # type: ignore[arg-type]
    report = measure_agreement(store, "judge", "people")
    assert report.people is not None and report.ballots is not None
    assert (report.people.n_pairs, report.people.without_gap) == (4, 1)
    assert report.ballots.left_out == {"purpose attention": 1}
    assert value(report.people.overall.ordered_alike) == pytest.approx(2 / 3)
    assert value(report.people.overall.three_way) == pytest.approx(2 / 4)
    alike, tau = report.people.dimensions["depth"]
    assert value(alike) == pytest.approx(2 / 3)
    assert value(tau) > 0
    assert value(report.people.people_alike) == 1.0
    assert report.widest[0].reference == pytest.approx(-1.0 if report.widest[0].judge > 0 else 1.0)
    assert isinstance(report.people.overall.ordered_alike, Estimate)
    assert report.people.overall.ordered_alike.low is None  # four questions


def test_a_grader_of_pairs_is_held_against_people_whichever_order_it_saw(store: Store) -> None:
    ids = planted(store)
    store.grades.register("pairs", "pairs-1", "deterministic", {})
    seen = [(3, "a", "b", 1.0), (4, "b", "a", 1.0), (5, "a", "b", 0.5)]  # for a, for b, a tie
    grades = [(ids[n, x], ids[n, y], PairGrade("pairs", "pairs-1", "scored", p)) for n, x, y, p in seen]
    store.pairs.add_many(grades)
    people(store, [("r1", ids[n, "a"], ids[n, "b"], "left", "rating") for n in (3, 4, 5, 6)])
    found = measure_agreement(store, "pairs", "people").people
    assert found is not None
    assert (found.n_pairs, found.without_gap) == (3, 1)
    assert value(found.overall.ordered_alike) == pytest.approx((1 + 0 + 0.5) / 3)


def test_open_rounds_stay_hidden(store: Store) -> None:
    ids = planted(store)
    people(store, [("r1", ids[3, "a"], ids[3, "b"], "left", "rating")], close=False)
    with pytest.raises(BadInputError, match="hidden until they close: round-1"):
        measure_agreement(store, "judge", "people")


def test_people_have_no_corrected_mean(store: Store) -> None:
    planted(store)
    with pytest.raises(BadInputError, match="people judged pairs"):
        measure_agreement(store, "judge", "people", corrected=True)


def test_a_skewed_judge_is_calibrated_and_its_mean_corrected_from_the_labelled_part(store: Store) -> None:
    rng = np.random.default_rng(13)
    ids = reports(store, 120)
    keys = list(ids.values())
    truth = rng.random(len(keys))
    labels = (rng.random(len(keys)) < truth).astype(float)
    judged = dict(zip(keys, (truth**8).tolist(), strict=True))
    score(store, "judge", dict(judged))
    labelled = rng.permutation(len(keys))[:100]
    score(store, "gold", {keys[i]: float(labels[i]) for i in labelled})
    report = measure_agreement(store, "judge", "gold", calibrated=True, corrected=True)
    isotonic = report.calibration["isotonic"]
    assert not isinstance(isotonic, NotMeasured)
    assert value(isotonic.after.ece) < value(isotonic.before.ece)
    held(isotonic.before.brier)
    whole, *by_run = report.corrected
    assert whole.run is None and {one.run for one in by_run} == {"a", "b"}
    assert (whole.n_labelled, whole.n_rest) == (100, 140)
    assert held(whole.judge_alone).below(0.3)  # the eighth power of a uniform has mean 1/9
    corrected = held(whole.powered.mean)
    assert not corrected.below(0.5) and not corrected.above(0.5)
    share = held(whole.share.prevalence)
    assert not share.below(0.5) and not share.above(0.5)
    assert whole.cautions == ()


def test_a_labelled_part_that_is_small_or_chosen_is_cautioned_against(store: Store) -> None:
    ids = reports(store, 40, ("a",))
    judged: dict[str, float | None] = {key: n / 40 for (n, _), key in ids.items()}
    score(store, "judge", judged)
    score(store, "gold", {ids[n, "a"]: 1.0 for n in range(30, 40)})  # the ten that the judge likes best
    (only,) = measure_agreement(store, "judge", "gold", corrected=True).corrected
    assert any("only 10 labels" in said for said in only.cautions)
    assert any("does not look like a random part" in said for said in only.cautions)
