"""Judging runs inside training workers: it may import the standard library and the schema, and starts fast."""

import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
PROBE = """
import sys, pkgutil, importlib
sys.path.insert(0, {checkout!r})
import rubrics.judging
for module in pkgutil.iter_modules(rubrics.judging.__path__):
    importlib.import_module("rubrics.judging." + module.name)
allowed = set(sys.stdlib_module_names) | {{"rubrics", "workbench"}}
foreign = sorted(name for name in sys.modules if name.split(".")[0] not in allowed and not name.startswith("__"))
assert not foreign, foreign
ours = sorted(name for name in sys.modules if name.startswith("workbench."))
assert all(name.startswith("workbench.schema") for name in ours), ours
"""


def test_judging_needs_only_the_standard_library() -> None:
    code = PROBE.format(checkout=str(CHECKOUT))
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
