"""Rubric files: read, refused with a sentence, and their schema."""

import dataclasses
from pathlib import Path

import pytest

from rubrics.judging.rubric import Criterion, rubric_from_json, rubric_to_json
from rubrics.library import library_names, load_library
from rubrics.lint import lint
from rubrics.schema import load_rubric, parse_rubric, rubric_schema
from workbench.errors import BadInputError, NotFoundError

GOOD = """
name: mine
criteria:
  - {id: a, text: It answers, weight: 2, scale: binary, anchors: {yes: it does, no: it does not}}
  - {id: b, text: It invents facts, polarity: negative, weight: -1, fatal: true}
"""
TREE = """
name: tree
aggregation: tree
groups:
  - {id: insight, weight: 0.4}
criteria:
  - {id: deep, text: It explains causes, scale: labels, labels: {none: 0, some: 0.4, all: 1}, parent: insight}
  - {id: readable, text: It is laid out in sections, weight: 0.6, examples: {fully: "Part 1. Part 2."}}
"""


def test_a_yaml_rubric_is_read_with_its_defaults() -> None:
    rubric = parse_rubric(GOOD, source="test")
    assert [c.kind for c in rubric.criteria] == ["explicit", "negative"]
    assert rubric.criteria[0].anchors == {"yes": "it does", "no": "it does not"}
    assert rubric.criteria[1].fatal
    assert rubric_from_json(rubric_to_json(rubric)) == rubric


def test_spacing_does_not_change_the_version_and_a_weight_does() -> None:
    base = parse_rubric(GOOD, source="test")
    assert parse_rubric(GOOD.replace("It answers", "It   answers"), source="other").version == base.version
    assert parse_rubric(GOOD.replace("weight: 2", "weight: 2.5"), source="test").version != base.version


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[1, 2]", "expected a mapping"),
        ("name: [", "is no YAML"),
        ("name: mine", "criteria"),
        ("name: mine\ncriteria: []", "criteria"),
        (GOOD.replace("weight: -1", "weight: 1"), "weight <= 0"),
        (GOOD.replace("scale: binary", "scale: hundred"), "scale"),
        (GOOD.replace("text: It answers", "words: It answers"), "words"),
        (GOOD.replace("{id: b", "{id: a"), "stands twice"),
        (GOOD.replace("yes: it does", "fully: it does"), "no label of scale"),
        (GOOD + "name: again\n", "stands twice"),
        (GOOD.replace("weight: 2", "weight: .nan"), "weight"),
        (GOOD + "aggregation: best\n", "aggregation"),
        ("name: two words\ncriteria: [{id: a, text: t}]", "name"),
    ],
)
def test_a_bad_rubric_is_refused_with_what_was_found(text: str, says: str) -> None:
    with pytest.raises(BadInputError, match=says):
        parse_rubric(text, source="test")


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="cannot be read"):
        load_rubric(tmp_path / "absent.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"name: caf\xe9")
    with pytest.raises(BadInputError, match="cannot be read"):
        load_rubric(tmp_path / "latin.yaml")


def test_the_schema_is_closed_and_names_every_field() -> None:
    schema = rubric_schema()
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == set(rubric_to_json(parse_rubric(TREE, source="test")))
    criterion = schema["$defs"]["CriterionFile"]["properties"]
    assert set(criterion) == {field.name for field in dataclasses.fields(Criterion)}


def test_a_tree_with_own_labels_is_read_and_a_rubric_without_newer_fields_keeps_its_hash() -> None:
    rubric = parse_rubric(TREE, source="test")
    assert rubric_from_json(rubric_to_json(rubric)) == rubric
    assert rubric.criteria[0].labels == {"none": 0.0, "some": 0.4, "all": 1.0}
    assert {"groups", "labels", "parent"}.isdisjoint(str(rubric_to_json(parse_rubric(GOOD, source="test"))))
    assert load_library("answer-and-sources").version.startswith("9fda0aca5e1d")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (TREE.replace("parent: insight}", "parent: nowhere}"), "no group"),
        (TREE.replace("{id: insight, weight: 0.4}", "{id: insight, weight: 0.4, parent: insight}"), "stands in itself"),
        (TREE.replace("id: insight", "id: empty"), "no group"),
        (TREE + "  - {id: e2, text: t, parent: insight, weight: 1, tier: essential, polarity: negative}", "weight"),
        (TREE.replace("aggregation: tree\n", ""), "does not read them"),
        (TREE.replace("some: 0.4, all: 1", "NONE: 1"), "alike"),
        (TREE.replace("all: 1", "all: 7"), "outside 0 to 1"),
        (TREE.replace("all: 1", "all: 0.9"), "expected both"),
        (TREE.replace("scale: labels, ", ""), "both or neither"),
        (TREE.replace("id: readable", "id: insight"), "has the id of another"),
        (GOOD + "aggregation: tiers", "have none"),
        (GOOD + "score_map: reference_share", "expected aggregation|aggregation tree or tiers"),
        (GOOD.replace("fatal: true", "fatal: true, scope: both") + "without_trace: leave_out", "would be left out"),
        (GOOD.replace("weight: 2", "tier: pitfall"), "pitfall states the fault"),
        (GOOD.replace("weight: 2", "weight: 2, tier: optional"), "one of them, not both"),
    ],
)
def test_a_meaningless_tree_scale_or_rule_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadInputError, match=says):
        parse_rubric(text, source="test")


def test_a_tier_gives_the_weight() -> None:
    text = GOOD.replace("weight: 2", "tier: important").replace("weight: -1, fatal: true", "tier: pitfall")
    rubric = parse_rubric(text + "aggregation: tiers", source="test")
    assert [c.weight for c in rubric.criteria] == [0.7, -0.9]
    assert rubric_from_json(rubric_to_json(rubric)) == rubric


@pytest.mark.parametrize("name", library_names())
def test_every_library_rubric_is_sound_and_lints_clean(name: str) -> None:
    rubric = load_library(name)
    assert rubric.name == name
    assert lint(rubric) == ()


def test_the_deep_research_rubric_covers_what_its_readers_ask_for() -> None:
    rubric = load_library("deep-research-report")
    ids = {criterion.id for criterion in rubric.criteria}
    assert {"coverage", "depth", "citations", "trustworthiness", "multipart", "relevant_research"} <= ids
    assert {criterion.scope for criterion in rubric.criteria} == {"report", "trace", "both"}
    assert any(criterion.polarity == "negative" for criterion in rubric.criteria)


def test_an_unknown_library_name_lists_the_known_ones() -> None:
    with pytest.raises(NotFoundError, match="deep-research-report"):
        load_library("nope")
