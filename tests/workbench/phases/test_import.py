"""This package runs inside training workers: standard library only, nothing compiled or read at import."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
REPORT = """
import sys
sys.path.insert(0, {root!r})
before = set(sys.modules)
import workbench.phases
loaded = sorted(set(sys.modules) - before)
import re
import workbench.phases.suffixes as suffixes
assert suffixes.suffix_rules.cache_info().currsize == 0, "the suffix list was read"
patterns = [
    f"{{name}}.{{key}}"
    for name in loaded if name.startswith("workbench.phases")
    for key, value in vars(sys.modules[name]).items()
    if type(value).__name__ == "Pattern" and getattr(value, "_compiled", None) is not None
]
assert not patterns, patterns
print("\\n".join(name.split(".")[0] for name in loaded))
"""


def test_the_package_loads_only_the_standard_library_and_stays_lazy() -> None:
    code = REPORT.format(root=str(ROOT))
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    foreign = set(done.stdout.split()) - set(sys.stdlib_module_names) - {"workbench"}
    assert foreign == set()


def test_the_package_works_under_another_name_with_its_suffix_list(tmp_path: Path) -> None:
    """An exported job renames the package and carries its files."""
    for part in ("schema", "phases"):
        target = tmp_path / "reward_ab12cd34" / part
        target.mkdir(parents=True)
        for source in sorted((ROOT / "workbench" / part).iterdir()):
            if source.suffix == ".py":
                body = source.read_text(encoding="utf-8").replace("workbench.", "reward_ab12cd34.")
                (target / source.name).write_text(body, encoding="utf-8")
            elif source.is_file():
                (target / source.name).write_bytes(source.read_bytes())
    (tmp_path / "reward_ab12cd34" / "__init__.py").touch()
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from reward_ab12cd34.phases import analyse\n"
        "from reward_ab12cd34.schema.trajectory import Trajectory\n"
        "found = analyse(Trajectory('q', 'i', 'r', 'm', (), 'So [1].\\n\\n[1]: https://www.bbc.co.uk/x')).citations\n"
        "assert 'workbench' not in sys.modules\n"
        "print(found[0].site)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "bbc.co.uk"), done.stderr
