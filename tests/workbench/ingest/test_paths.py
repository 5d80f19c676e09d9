"""Files, folders and patterns."""

import os
from pathlib import Path

import pytest

from workbench.errors import BadInputError
from workbench.ingest.paths import find_files, stem


def test_folders_are_entered_in_order_and_each_file_is_read_once(tmp_path: Path) -> None:
    for name in ("b/2.jsonl", "b/1.jsonl", "a.jsonl", ".git/config", "b/.hidden.jsonl"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    os.mkfifo(tmp_path / "pipe")
    found = find_files([tmp_path, tmp_path / "a.jsonl", str(tmp_path / "b" / "*.jsonl")])
    assert [str(Path(file.shown).relative_to(tmp_path)) for file in found.files] == [
        "a.jsonl",
        "b/.hidden.jsonl",
        "b/1.jsonl",
        "b/2.jsonl",
    ]
    assert {Path(s.path).name: s.reason.split(";")[0] for s in found.skipped} == {
        ".git": "it is a hidden folder",
        "loop": "it is a link to a folder",
        "pipe": "it is no regular file",
    }


@pytest.mark.parametrize("paths", [[""], ["a.jsonl", ""], ["  "]])
def test_empty_path_is_refused_and_is_not_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paths: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").touch()
    with pytest.raises(BadInputError, match="an empty path was given"):
        find_files(paths)


def test_patterns_reach_below_and_names_with_brackets_are_names_first(tmp_path: Path) -> None:
    for name in ("x/y/1.jsonl", "x/2.jsonl", "run[1].jsonl"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert len(find_files([str(tmp_path / "**" / "*.jsonl")]).files) == 3
    assert [file.name for file in find_files([tmp_path / "run[1].jsonl"]).files] == ["run[1].jsonl"]


def test_every_missing_path_is_named_and_nothing_is_read(tmp_path: Path) -> None:
    (tmp_path / "there").touch()
    with pytest.raises(BadInputError, match=r"not found: .*gone, .*\*\.jsonl"):
        find_files([tmp_path / "there", tmp_path / "gone", str(tmp_path / "*.jsonl")])
    with pytest.raises(BadInputError, match="no path was given"):
        find_files([])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.jsonl", "a"),
        ("a.jsonl.gz", "a"),
        ("claude.raw.jsonl", "claude.raw"),
        ("gpt-4.1.jsonl.zst", "gpt-4.1"),
        ("gpt-4.1", "gpt-4.1"),
        ("A.JSON", "A"),
    ],
)
def test_stem_drops_only_what_says_how_a_file_is_written(name: str, expected: str) -> None:
    assert stem(name) == expected
