"""Specifications in files: what comes with the workbench, what a user writes, and the published schema."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given

from tests.workbench.reward.core.test_spec import FULL, MISTAKES, changed
from tests.workbench.reward.examples import seed_form
from tests.workbench.reward.test_vector import specs
from workbench.reward.core.errors import SpecError
from workbench.reward.core.spec import parse_spec, spec_to_json, spec_version
from workbench.reward.files import library_specs, read_spec_file, read_spec_text, spec_text
from workbench.schema.reward import RewardSpec

SCHEMA = Path(__file__).resolve().parents[3] / "docs" / "reward-spec.schema.json"
# What a JSON Schema cannot say: sums, names of one list that differ, one number above another.
BEYOND_A_SCHEMA = ("sum to", "stands 2 times", "expected a number > 16000", "there is no term", "is nan")


def test_default_specification_is_the_published_reward() -> None:
    spec = read_spec_file(library_specs()["search-rl"])
    assert (spec.shaping_weight, spec.zero_target, spec.normalise) == (0.5, "full_credit", "group")
    assert [(term.name, term.weight, term.target, term.counts) for term in spec.terms] == [
        ("distinct_queries", 0.4, "per_question", "opened"),
        ("distinct_sites", 0.6, "per_question", "opened"),
    ]
    assert spec.gates == {"stress": "none_found", "agreement_low": 0.6, "golden": "exact"}


@pytest.mark.parametrize("name", sorted(library_specs()))
def test_library_file_holds_the_specification_of_its_name(name: str) -> None:
    assert read_spec_file(library_specs()[name]).name == name


@given(spec=specs())
def test_written_specification_reads_back_the_same(spec: RewardSpec) -> None:
    assert read_spec_text(spec_text(spec), source="x") == spec


def test_json_is_read_as_well() -> None:
    text = json.dumps(seed_form())
    assert spec_version(read_spec_text(text, source="x.json")) == spec_version(parse_spec(seed_form()))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("kind: reward-spec\nkind: other\n", "key 'kind' stands twice"),
        ("kind: [", "no YAML"),
        ("{a: !!python/object/apply:os.system ['true']}", "no YAML"),
        ("just words", "found str; expected a mapping"),
        ("", "found NoneType; expected a mapping"),
    ],
)
def test_text_that_is_no_specification_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(SpecError, match=r"spec\.yaml") as caught:
        read_spec_text(text, source="spec.yaml")
    assert sentence in str(caught.value)


def test_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="cannot be read as text"):
        read_spec_file(tmp_path / "absent.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SpecError, match="cannot be read as text"):
        read_spec_file(tmp_path / "binary.yaml")


def validator() -> Any:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize(
    "form", [seed_form(), FULL, *(yaml.safe_load(p.read_text()) for p in library_specs().values())]
)
def test_published_schema_takes_what_the_reader_takes(form: dict[str, Any]) -> None:
    assert validator().is_valid(form)
    assert validator().is_valid(spec_to_json(parse_spec(form)))


@pytest.mark.parametrize(
    ("path", "value"),
    [(path, value) for path, value, sentence in MISTAKES if not any(part in sentence for part in BEYOND_A_SCHEMA)],
)
def test_published_schema_refuses_what_the_reader_refuses(path: str, value: Any) -> None:
    assert not validator().is_valid(changed(path, value))
