"""The folder's own check, where nothing is installed, against every way a folder can go wrong."""

import json
from pathlib import Path

import pytest

from tests.workbench.export.exporting import check, rows, sign_again, write_rows


def test_moved_folder_checks_out_on_a_bare_interpreter(folder: Path, tmp_path: Path) -> None:
    done = check(folder, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    n = len(rows(folder, "golden.jsonl"))
    assert f"{n} of {n} golden rows exact" in done.stdout
    assert not list(folder.rglob("*.pyc"))


VICTIMS = [
    "spec.json",
    "targets.jsonl",
    "sheets.jsonl",
    "golden.jsonl",
    "grader.json",
    "reward.py",
    "check.py",
    "manifest.json",
    "reward_*/reward/core/terms.py",
    "reward_*/phases/public_suffix_list.dat",
]


@pytest.mark.parametrize("pattern", VICTIMS)
def test_one_flipped_byte_is_found_before_anything_is_trusted(folder: Path, pattern: str) -> None:
    (path,) = folder.glob(pattern)
    data = bytearray(path.read_bytes())
    # In a comment or text where there is one, so that only the hash can tell.
    place = len(data) // 2
    while not chr(data[place]).isalpha():
        place += 1
    data[place] ^= 0x20
    path.write_bytes(data)
    done = check(folder)
    assert done.returncode != 0
    assert path.name in done.stderr


def test_every_file_of_the_folder_is_under_the_hashes(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert there == {*manifest["files"], "manifest.json"}


def test_missing_and_added_code_are_named(folder: Path) -> None:
    (package,) = folder.glob("reward_*")
    (package / "reward" / "core" / "combine.py").unlink()
    (package / "sitecustomize.py").write_text("")
    done = check(folder)
    assert done.returncode == 1
    assert "combine.py is missing" in done.stderr
    assert "sitecustomize.py was added" in done.stderr


def test_changed_target_with_hashes_made_right_again_fails_on_the_golden_rows(folder: Path) -> None:
    targets = rows(folder, "targets.jsonl")
    for target in targets:
        target["queries"] += 1
    write_rows(folder, "targets.jsonl", targets)
    sign_again(folder)
    done = check(folder)
    assert done.returncode == 1
    assert "component distinct_queries is" in done.stderr


def test_changed_weight_with_hashes_made_right_again_fails_on_the_golden_rows(folder: Path) -> None:
    spec = json.loads((folder / "spec.json").read_text())
    spec["shaping"]["weight"] = 0.6
    (folder / "spec.json").write_text(json.dumps(spec))
    sign_again(folder)
    assert "reward is" in check(folder).stderr


def test_changed_code_with_hashes_made_right_again_fails_on_the_golden_rows(folder: Path) -> None:
    (combine,) = folder.glob("reward_*/reward/core/combine.py")
    combine.write_text(combine.read_text().replace("(1.0 + weight)", "(1.5 + weight)"))
    sign_again(folder)
    done = check(folder)
    assert done.returncode == 1
    dropped = sum(row["expected"]["reward"] is None for row in rows(folder, "golden.jsonl"))
    assert f"\n{dropped} of {len(rows(folder, 'golden.jsonl'))} golden rows exact" in done.stdout
    assert "as a batch: reward is" in done.stderr


def test_judge_that_failed_and_yet_gave_a_number_would_be_found(folder: Path) -> None:
    golden = rows(folder, "golden.jsonl")
    row = next(row for row in golden if row["case"] == "failed_judge")
    row["expected"] = {"reward": 0.0, "components": row["expected"]["components"], "dropped": ""}
    write_rows(folder, "golden.jsonl", golden)
    sign_again(folder)
    assert "reward is None; expected 0.0" in check(folder).stderr


def test_unreadable_manifest_is_said_so(folder: Path) -> None:
    (folder / "manifest.json").write_text("{")
    done = check(folder)
    assert done.returncode == 1
    assert "manifest.json cannot be read" in done.stderr
