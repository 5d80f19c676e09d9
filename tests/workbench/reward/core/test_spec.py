"""Reading a specification: what is taken, what is refused and in which words."""

import copy
from typing import Any

import pytest

from tests.workbench.reward.examples import seed_form, seed_spec
from workbench.reward.core.errors import SpecError
from workbench.reward.core.spec import parse_spec, spec_label, spec_to_json, spec_version

FULL = seed_form(
    report_source={"frozen_writer": "w1"},
    guards=[
        {"kind": "gate", "term": "quality", "at": 0.1},
        {"kind": "veto", "term": "citations_not_retrieved", "at": 3, "to": 0.2},
        {"kind": "length_penalty", "at": 16000, "until": 20000},
        {"kind": "floor", "at": 0.3},
    ],
    combine="blend",
    on_failure="drop_sample",
    normalise="group",
    targets="targets@abc",
    gates={"stress": "none_found", "agreement_low": 0.6, "golden": "exact"},
)


@pytest.mark.parametrize("form", [seed_form(), FULL])
def test_canonical_form_reads_back_to_the_same_record(form: dict[str, Any]) -> None:
    spec = parse_spec(form)
    assert parse_spec(spec_to_json(spec)) == spec


def test_version_ignores_key_order_and_defaults_written_out() -> None:
    written_out = seed_form(combine="blend", guards=[], on_failure="drop_sample", normalise="group", targets="")
    assert spec_version(parse_spec(dict(reversed(written_out.items())))) == spec_version(seed_spec())


@pytest.mark.parametrize(
    "change",
    [{"name": "other"}, {"stage": "any"}, {"guards": [{"kind": "floor", "at": 0.1}]}, {"targets": "targets@x"}],
)
def test_version_changes_with_what_it_names(change: dict[str, Any]) -> None:
    assert spec_version(seed_spec(**change)) != spec_version(seed_spec())


def test_whole_and_decimal_numbers_are_one_version() -> None:
    one, same = seed_form(), seed_form()
    one["shaping"]["weight"], same["shaping"]["weight"] = 1, 1.0
    assert spec_version(parse_spec(one)) == spec_version(parse_spec(same))


def test_label_is_short() -> None:
    assert spec_label(seed_spec()) == "seed@" + spec_version(seed_spec())[:8]


def test_quality_alone_needs_no_shaping() -> None:
    form = seed_form()
    del form["shaping"]
    spec = parse_spec(form)
    assert (spec.shaping_weight, spec.terms) == (0.0, ())


def changed(path: str, value: Any) -> dict[str, Any]:
    """The full form with the value at a dotted path replaced, or removed where the value is `...`."""
    form: Any = copy.deepcopy(FULL)
    *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    place = form
    for part in parents:
        place = place[part]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return dict(form)


MISTAKES: list[tuple[str, Any, str]] = [
    ("kind", ..., "kind is None; expected 'reward-spec'"),
    ("name", "../up", "name is '../up'; expected 1 to 80 letters"),
    ("stagee", "any", "unknown key 'stagee'"),
    ("stage", "search", "stage is 'search'; expected one of search_rl, end_to_end_rl, any (did you mean 'search_rl'?)"),
    ("report_source", "writer", "report_source is 'writer'; expected 'agent'"),
    ("quality", ..., "quality is nothing; expected a mapping with the keys grader"),
    ("quality.grader", "", "quality: grader is ''; expected a text"),
    ("shaping.weight", -0.5, "shaping: weight is -0.5; expected a number >= 0"),
    ("shaping.weight", True, "shaping: weight is True; expected a number >= 0"),
    ("shaping.weight", float("nan"), "shaping: weight is nan; expected a number >= 0"),
    ("shaping.terms", [], "shaping: weight is 0.5 and there is no term"),
    ("shaping.terms", "all", "shaping: terms is 'all'; expected a list"),
    ("shaping.terms.0.weight", 0.5, "shaping: weights of the terms sum to 1.1 (0.5 + 0.6); expected a sum of 1"),
    ("shaping.terms.0.weight", -0.4, "shaping.terms[1]: weight is -0.4; expected a number >= 0"),
    ("shaping.terms.0.wieght", 1, "shaping.terms[1]: unknown key 'wieght'"),
    ("shaping.terms.0.name", "queries", "shaping.terms[1]: name is 'queries'; expected one of distinct_queries"),
    ("shaping.terms.0.target", 0, "shaping.terms[1]: target is 0; expected a number > 0 or 'per_question'"),
    ("shaping.terms.0.counts", "opened", "shaping.terms[1]: counts says which sites count"),
    ("shaping.terms.1.counts", "all", "shaping.terms[2]: counts is 'all'; expected one of opened, cited"),
    ("shaping.terms.1.name", "distinct_queries", "term 'distinct_queries' stands 2 times"),
    ("shaping.zero_target", "skip", "shaping: zero_target is 'skip'"),
    ("combine", "product", "combine is 'product'; expected one of blend"),
    ("on_failure", "zero", "on_failure is 'zero'; expected one of drop_sample"),
    ("normalise", "all", "normalise is 'all'"),
    ("targets", "latest", "targets is 'latest'; expected 'targets@VERSION'"),
    ("gates.stress", "passed", "gates: stress is 'passed'; expected one of none_found"),
    ("gates.agreement_low", 2, "gates: agreement_low is 2; expected a number >= 0 and <= 1"),
    ("gates.speed", 1, "gates: unknown key 'speed'"),
    ("guards.0.term", "beauty", "guards[1]: term is 'beauty'; expected one of quality, shaping"),
    ("guards.0.until", 4, "guards[1]: a gate has no 'until'"),
    ("guards.0.at", ..., "guards[1]: at is missing; expected a number"),
    ("guards.1.to", 1.5, "guards[2]: to is 1.5; expected a number >= 0 and <= 1"),
    ("guards.2.until", 16000, "guards[3]: until is 16000; expected a number > 16000"),
    ("guards.3.at", 1.2, "guards[4]: at is 1.2; expected a number >= 0 and <= 1"),
    ("guards", [3], "guards[1] is 3; expected a mapping"),
]


@pytest.mark.parametrize(("path", "value", "sentence"), MISTAKES, ids=[f"{m[0]}={m[1]}" for m in MISTAKES])
def test_mistake_is_refused_in_one_sentence(path: str, value: Any, sentence: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_spec(changed(path, value), source="spec.yaml")
    assert sentence in str(caught.value)
    assert str(caught.value).startswith("spec.yaml: ")
    assert len(caught.value.problems) <= 2


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(SpecError) as caught:
        parse_spec(seed_form(stage="x", normalise="y", name=""))
    assert len(caught.value.problems) == 3
    assert "3 problems" in str(caught.value)


@pytest.mark.parametrize("raw", [None, [], "search-rl", 3])
def test_anything_but_a_mapping_is_refused(raw: object) -> None:
    with pytest.raises(SpecError, match="expected a mapping"):
        parse_spec(raw)
