"""Recordings in YAML: plain values only, no headers, and no text that grows without end."""

import io
from typing import Any

from workbench.ingest.containers import vcr_yaml
from workbench.ingest.splitter import RawRecord

HEAD = "interactions:\n- request:\n    headers: {authorization: [secret]}\n    body: 'x'\n"


def record(text: str | bytes) -> RawRecord:
    data = text.encode() if isinstance(text, str) else text
    (found,) = vcr_yaml.records(io.BytesIO(data))
    return found


def test_headers_are_left_out_of_the_value_and_of_what_is_kept() -> None:
    found = record(HEAD + "    when: 2026-01-02\n    raw: !!binary aGk=\n")
    value: Any = found.value
    assert value["interactions"] == [{"request": {"body": "x", "when": "2026-01-02", "raw": "hi"}}]
    assert b"secret" not in found.raw


def test_tags_make_no_objects() -> None:
    assert "no YAML" in record(HEAD + "    run: !!python/object/apply:os.system ['true']\n").problem


def test_aliases_are_opened_within_a_bound() -> None:
    grown = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9))
    assert "aliases" in record("interactions:\na0: &a0 [1]\n" + grown).problem
    assert "aliases" in record("interactions: &x\n- *x\n").problem
    value: Any = record("shared: &s {a: 1}\ninteractions:\n- *s\n- *s\n").value
    assert value["interactions"] == [{"a": 1}, {"a": 1}]


def test_what_cannot_be_read_has_a_sentence() -> None:
    assert "nesting" in record("interactions:\n- " + "[" * 5000).problem
    assert "UTF-8" in record(b"interactions:\n- \xff\n").problem
    assert record("interactions:\n- 2026-99-99\n").problem


def test_detected_by_its_list_at_the_outermost_level() -> None:
    assert vcr_yaml.detect(b"version: 1\ninteractions:\n- request: {}\n", "x.txt")
    assert not vcr_yaml.detect(b'{"a": "\ninteractions:\n"}', "x.yaml")
    assert not vcr_yaml.detect(b"prose:\n  interactions:\n", "x.yaml")
