"""The frozen code: the checkout's own, under another name, with nothing but the standard library beneath it."""

import ast
import shutil
import sys
from pathlib import Path

import pytest

from workbench.errors import BadInputError
from workbench.export.freeze import CHECKOUT, PLACEHOLDER, assert_self_contained, freeze, rename


def test_every_import_is_of_the_standard_library_or_of_the_package_itself() -> None:
    frozen = freeze()
    roots = set()
    for path, source in frozen.files.items():
        if path.endswith(".py"):
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Import):
                    roots |= {alias.name.split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    assert node.level == 0 and node.module is not None
                    roots.add(node.module.split(".")[0])
    assert roots - set(sys.stdlib_module_names) == {frozen.package}


def test_frozen_module_is_the_checkouts_byte_for_byte_but_for_the_name() -> None:
    frozen = freeze()
    compared = 0
    for path, data in frozen.files.items():
        if data == PLACEHOLDER:
            continue
        inside = path.removeprefix(f"{frozen.package}/")
        home = CHECKOUT if inside.startswith("rubrics/") else CHECKOUT / "workbench"
        back = data.replace(f"from {frozen.package}.rubrics".encode(), b"from rubrics")
        assert back.replace(f"from {frozen.package}.".encode(), b"from workbench.") == (home / inside).read_bytes()
        compared += 1
    assert compared > 40


def test_the_packages_of_the_decision_are_in_it() -> None:
    frozen = freeze()
    for part in (
        "schema/trajectory.py",
        "ingest/messages.py",
        "ingest/tagged.py",
        "ingest/tool_kinds.py",
        "phases/suffixes.py",
        "phases/public_suffix_list.dat",
        "rubrics/judging/checklist.py",
        "reward/core/combine.py",
    ):
        assert f"{frozen.package}/{part}" in frozen.files


def test_two_freezes_are_equal_and_the_name_follows_the_code(tmp_path: Path) -> None:
    shutil.copytree(CHECKOUT / "workbench", tmp_path / "workbench", ignore=shutil.ignore_patterns("__pycache__", "ui"))
    shutil.copytree(CHECKOUT / "rubrics", tmp_path / "rubrics", ignore=shutil.ignore_patterns("__pycache__"))
    assert freeze(tmp_path) == freeze()
    terms = tmp_path / "workbench" / "reward" / "core" / "terms.py"
    terms.write_text(terms.read_text() + "\n# another line\n")
    assert freeze(tmp_path).package != freeze().package
    terms.write_text("from workbench.stats.bootstrap import mean_interval\n")
    with pytest.raises(BadInputError, match=r"imports workbench\.stats\.bootstrap, which an exported job cannot carry"):
        freeze(tmp_path)
    terms.write_text("import workbench.errors\n")
    with pytest.raises(BadInputError, match=r"write `from \.\.\. import \.\.\.` to be frozen"):
        freeze(tmp_path)


@pytest.mark.parametrize(
    "line", ["import numpy", "from yaml import load", "from workbench.errors import BadInputError"]
)
def test_anything_but_the_standard_library_is_refused(line: str) -> None:
    with pytest.raises(BadInputError, match="expected only the standard library"):
        assert_self_contained({"p/a.py": line.encode()}, "p")


def test_import_of_a_module_that_was_not_frozen_is_refused() -> None:
    with pytest.raises(BadInputError, match="does not hold"):
        assert_self_contained({"p/a.py": b"from p.b import c"}, "p")


def test_renaming_changes_imports_and_nothing_else() -> None:
    source = (
        b'"""About workbench.schema."""\nfrom workbench.schema.grade import (\n    Grade,\n)\nx = "from workbench.y"\n'
    )
    renamed = rename(source, "reward_1")
    assert renamed == source.replace(b"from workbench.schema.grade", b"from reward_1.schema.grade")
