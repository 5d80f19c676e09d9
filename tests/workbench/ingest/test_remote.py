"""Import from addresses, tried on fsspec's memory."""

import json
from collections.abc import Iterator
from typing import Any

import fsspec
import pytest

from tests.workbench.ingest.importing import chat
from workbench.errors import BadInputError
from workbench.ingest.importer import import_paths
from workbench.ingest.remote import expand, is_remote
from workbench.phases import analyse
from workbench.store import Store
from workbench.store.jobs import NullJob


@pytest.fixture
def memory() -> Iterator[Any]:
    system = fsspec.filesystem("memory")
    for name, questions in (("a.jsonl", ("one", "two")), ("deep/b.jsonl", ("three",)), ("deep/c.txt", ())):
        lines = "".join(json.dumps(chat(question)) + "\n" for question in questions)
        system.pipe(f"/traces/{name}", lines.encode() or b"a list of things")
    yield system
    system.rm("/traces", recursive=True)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("path", "imported"), [("memory://traces", 3), ("memory://traces/a.jsonl", 2), ("memory://traces/**/*.jsonl", 3)]
)
def test_files_folders_and_patterns_behind_an_address_are_imported(
    store: Store, tmp_path: Any, path: str, imported: int
) -> None:
    report = import_paths(store, [path], analyse=analyse, job=NullJob(), quarantine_dir=tmp_path)
    assert (report.imported, report.quarantined) == (imported, 0)
    again = import_paths(store, [path], analyse=analyse, job=NullJob(), quarantine_dir=tmp_path)
    assert again.duplicates == imported


@pytest.mark.usefixtures("memory")
def test_what_is_not_there_is_named_and_nothing_is_read(store: Store, tmp_path: Any) -> None:
    with pytest.raises(BadInputError, match=r"not found: memory://traces/gone\.jsonl"):
        import_paths(
            store,
            ["memory://traces", "memory://traces/gone.jsonl"],
            analyse=analyse,
            job=NullJob(),
            quarantine_dir=tmp_path,
        )


def test_bad_addresses_are_a_sentence_without_what_is_secret() -> None:
    with pytest.raises(BadInputError, match="nosuch://x"):
        expand("nosuch://x?signature=SECRET")
    with pytest.raises(BadInputError, match="holds a password") as refused:
        expand("ftp://someone:SECRET@host/x")
    assert "SECRET" not in str(refused.value)


def test_windows_like_and_plain_paths_are_no_addresses() -> None:
    assert not is_remote("folder/a.jsonl")
    assert is_remote("s3://bucket/a.jsonl")
