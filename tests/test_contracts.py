"""What a training worker runs needs the standard library alone, and the heavy libraries are on nobody's way."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
PURE = ("workbench/schema", "rubrics/judging", "workbench/phases", "workbench/evidence", "workbench/reward/core")
PURE_FILES = (
    *(
        f"workbench/ingest/{name}.py"
        for name in ("tool_kinds", "messages", "tagged", "tag_dialects", "written_reports")
    ),
    "workbench/errors.py",
)
HEAVY = ("litellm", "torch", "transformers", "trl", "streamlit", "pandas", "plotly", "sklearn", "scipy", "numpy")


def pure_files() -> list[Path]:
    files = [path for folder in PURE for path in sorted((CHECKOUT / folder).rglob("*.py"))]
    return files + [CHECKOUT / name for name in PURE_FILES]


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


def allowed(module: str) -> bool:
    if module.split(".")[0] in sys.stdlib_module_names:
        return True
    as_path = module.replace(".", "/")
    return (
        any(as_path == folder or as_path.startswith(folder + "/") for folder in PURE) or f"{as_path}.py" in PURE_FILES
    )


@pytest.mark.parametrize("path", pure_files(), ids=lambda path: str(path.relative_to(CHECKOUT)))
def test_what_a_training_worker_runs_imports_the_standard_library_and_itself(path: Path) -> None:
    assert [module for module in imported(path) if not allowed(module)] == []


def modules_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nprint(' '.join(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.split())


def third_party(modules: set[str]) -> set[str]:
    tops = {name.split(".")[0] for name in modules}
    # Names that an environment's start-up files bring, whatever is imported.
    at_start = {name.split(".")[0] for name in modules_after("pass")}
    return tops - set(sys.stdlib_module_names) - {"workbench", "rubrics"} - at_start


@pytest.mark.parametrize(
    "statement",
    [
        "import workbench.reward.core.rollout, workbench.reward.core.quality, workbench.reward.core.completions",
        "import workbench.phases; workbench.phases.analyse",
        "import rubrics.judging",
        "import workbench.evidence.judged",
        "import workbench.schema.protocols",
    ],
)
def test_importing_the_reward_brings_no_package_that_is_not_python_s_own(statement: str) -> None:
    assert third_party(modules_after(statement)) == set()


def test_the_command_line_starts_without_the_heavy_libraries() -> None:
    modules = modules_after("from workbench.cli.main import build_app; build_app()")
    assert {name for name in HEAVY if name in modules} <= {"numpy"}
