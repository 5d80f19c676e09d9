"""Rubric files: read, refused with a sentence, and their schema."""

from pathlib import Path

import pytest

from rubrics.judging.rubric import rubric_from_json, rubric_to_json
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
    assert set(schema["properties"]) == set(rubric_to_json(parse_rubric(GOOD, source="test")))


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
