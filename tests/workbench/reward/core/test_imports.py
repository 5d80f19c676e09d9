"""The core is what a training worker imports: it brings nothing but the standard library."""

import json
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[4]
LIST_MODULES = """
import importlib, json, pkgutil, sys
sys.path.insert(0, {checkout!r})
import workbench.reward.core as core
for found in pkgutil.iter_modules(core.__path__):
    importlib.import_module("workbench.reward.core." + found.name)
print(json.dumps(sorted(sys.modules)))
"""


def test_core_runs_on_a_bare_interpreter_and_loads_only_the_standard_library() -> None:
    # -I -S: no site-packages at all, so an import of anything installed would fail here.
    code = LIST_MODULES.format(checkout=str(CHECKOUT))
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    roots = {name.split(".")[0] for name in json.loads(done.stdout)}
    foreign = {root for root in roots if root not in sys.stdlib_module_names} - {"__main__"}
    assert foreign <= {"workbench", "rubrics"}
